package page

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
)

// everybody shows the owner of a study per rater all of its people: their favourites, what suits the group, and how far they agree.
func (p *Pages) everybody(w http.ResponseWriter, r *http.Request, v visitor, fixed prefer.Option) error {
	if fixed == nil {
		fixed = v.settled()
	}
	ctx := r.Context()
	raters, err := v.raters(ctx)
	if err != nil {
		return err
	}
	group, err := v.Study.Study.GroupFor(ctx, fixed)
	if err != nil {
		return err
	}
	answers, _ := v.Size()
	view := Everybody{Frame: p.frame(v, "Results of "+v.Name, "result"), Look: v.look(), After: after(language.English(), prefer.Verdict{Answers: answers, Raters: len(raters)}), Sentence: group.Sentence, Contexts: v.others(r.URL, fixed)}
	if len(fixed) > 0 {
		view.Under = fixed.String()
	}
	if group.Best != nil && len(group.Raters) > 1 {
		pick := p.onPage(v, group.Best, "")
		view.Pick = &pick
		if view.Take, err = p.take(ctx, v, prefer.Verdict{Best: prefer.Best{Option: group.Best}, Answers: answers, Raters: len(raters)}); err != nil {
			return err
		}
	}
	for _, rater := range raters {
		one, err := p.person(ctx, v, rater, group, fixed)
		if err != nil {
			return err
		}
		view.People = append(view.People, one)
	}
	for _, camp := range group.Camps {
		var names []string
		for _, rater := range camp.Raters {
			names = append(names, v.called(rater))
		}
		view.Camps = append(view.Camps, p.onPage(v, camp.Best, strings.Join(names, ", ")))
	}
	view.Agreement = v.agreement(group)
	return p.write(w, http.StatusOK, v.origins(), view)
}

// person says where one of a study per rater stands, and what the group's pick is to her.
func (p *Pages) person(ctx context.Context, v visitor, rater prefer.Rater, group prefer.Group, fixed prefer.Option) (Person, error) {
	out := v.personOf(rater)
	verdict, err := v.Study.Study.Host().Ended(ctx, prefer.Look{Rater: rater.Name, Fixed: fixed})
	if err != nil {
		return out, err
	}
	verdict = v.For(verdict, rater.Name, v.Config.Space.Context(fixed))
	out.Headline = verdict.HeadlineOf(v.another(rater.Name))
	if verdict.Answers == 0 || !verdict.Kind.Picks() {
		return out, nil
	}
	shown := p.onPage(v, verdict.Best.Option, "")
	out.Favourite = &shown
	if at := slices.Index(group.Raters, rater.Name); at >= 0 && len(group.Raters) > 1 {
		belief, err := v.Study.Study.BeliefFor(ctx, prefer.Look{Rater: rater.Name, Fixed: fixed})
		if err != nil {
			return out, err
		}
		own, err := belief.Prefers(verdict.Best.Option, group.Best)
		if err != nil {
			return out, err
		}
		out.Cost = cost(own)
		if !out.Warn {
			out.Words = group.Counts(at)
		}
	}
	return out, nil
}

// cost says what the group's pick is to somebody who takes her own favourite over it with this probability.
func cost(own float64) string {
	n := min(hundredths(own), 99)
	if n <= asGood {
		return "The group's pick is about as good here."
	}
	return fmt.Sprintf("Taken over the group's pick about %d times in 100.", n)
}

// asGood is how often in a hundred times a favourite is taken over something about as good, at most.
const asGood = 55

// another is called of somebody else, and nothing of the visitor.
func (v visitor) another(rater string) string {
	if name := v.called(rater); name != "you" {
		return name
	}
	return ""
}

// resultOf is the address of somebody's result in a study per rater.
func (v visitor) resultOf(rater string) string {
	return v.base + "/result?" + url.Values{"rater": {rater}}.Encode()
}

// agreement is the table of how far each two agree.
func (v visitor) agreement(group prefer.Group) (out []AgreementLine) {
	if len(group.Raters) < 2 {
		return nil
	}
	for i, rater := range group.Raters {
		line := AgreementLine{Name: v.called(rater)}
		for j, r := range group.Agreement[i] {
			cell := AgreementCell{correlation(r), correlation(group.Low[i][j]) + " to " + correlation(group.High[i][j])}
			if i == j {
				cell = AgreementCell{Mean: "–"}
			}
			line.Cells = append(line.Cells, cell)
		}
		out = append(out, line)
	}
	return out
}

// correlation writes one to a tenth, with a minus that is as wide as a plus.
func correlation(r float64) string {
	tenths := math.Round(10*r) + 0 // no minus before a zero
	return strings.Replace(strconv.FormatFloat(tenths/10, 'f', 1, 64), "-", "−", 1)
}
