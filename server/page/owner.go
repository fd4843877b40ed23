package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// people shows the owner who answered and how carefully, links to invite more, and the long work of the study.
func (p *Pages) people(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx := r.Context()
	raters, err := v.raters(ctx)
	if err != nil {
		return err
	}
	links, err := p.Studies.Links(ctx, v.Name)
	if err != nil {
		return err
	}
	answers, _ := v.Size()
	each := v.Config.People == prefer.PerRater
	view := Owner{Frame: p.frame(v, "People of "+v.Name, "owner"), Look: v.look(), Answers: answers, Paused: v.Settings.Page.Paused, Prompt: v.Config.Prompt,
		Each: each, Asked: each || len(links) > 0 || len(raters) > 1}
	for _, l := range links {
		if line := linkLine(l, time.Now()); l.Through == "" {
			view.Links = append(view.Links, line)
		} else {
			view.Guests = append(view.Guests, line)
		}
	}
	if known, ok := v.Known(""); ok && !each {
		view.Sentence = known.Sentence
		if at := v.Context(""); at != nil {
			view.Sentence = at.String() + ": " + view.Sentence
		}
	}
	for _, rater := range raters {
		line := raterLine(rater)
		line.Name, line.Checks = v.called(rater.Name), v.Checked(rater).String()
		view.Checked = view.Checked || line.Checks != ""
		if each && rater.Name != "" {
			view.Names = append(view.Names, rater.Name)
		}
		view.Raters, view.People = append(view.Raters, line), append(view.People, p.onBoard(v, rater))
	}
	if each {
		view.Sentence = done(v, raters)
		p.Studies.Refresh(v.Study)
	}
	for _, l := range v.Lost() {
		view.Lost = append(view.Lost, fmt.Sprintf("%s (%s)", cmp.Or(l.Option.Item(), l.Option.String()), counted(l.Times, "time")))
	}
	view.Jobs = p.jobsView(ctx, v, "")
	return p.write(w, http.StatusOK, v.origins(), view)
}

// raters returns the people of the study. An owner who was asked and has not answered is none of them.
func (v visitor) raters(ctx context.Context) ([]prefer.Rater, error) {
	all, err := v.Study.Study.Raters(ctx)
	return slices.DeleteFunc(all, func(r prefer.Rater) bool { return r.Name == v.self() && r.Answers == 0 }), err
}

// done says how many of the people of a study per rater have come to an end, nothing while there is none.
func done(v visitor, raters []prefer.Rater) string {
	n := 0
	for _, r := range raters {
		if prefer.VerdictKind(v.Status(r.Name).Verdict).Done() {
			n++
		}
	}
	if len(raters) == 0 {
		return ""
	}
	return fmt.Sprintf("done: %d of %s", n, counted(len(raters), "person"))
}

// onBoard says where one of the people stands, as far as that is known at once.
func (p *Pages) onBoard(v visitor, rater prefer.Rater) Person {
	out := v.personOf(rater)
	if v.Config.People != prefer.PerRater {
		return out
	}
	if known, ok := v.Known(rater.Name); ok && known.Answers > 0 && known.Kind.Picks() {
		shown := p.onPage(v, known.Best.Option, "")
		out.Favourite = &shown
	}
	return out
}

// personOf puts into words what is known of a rater without a look at her taste.
func (v visitor) personOf(rater prefer.Rater) Person {
	out := Person{Rater: rater.Name, Name: v.called(rater.Name), Out: rater.Out}
	if v.Config.People == prefer.PerRater {
		out.Result = v.resultOf(rater.Name)
	}
	given := v.Status(rater.Name).Given
	out.Progress = counted(given, "answer")
	if budget := v.Budget(); budget > 0 {
		out.Progress, out.Percent = fmt.Sprintf("%d of %s", given, counted(budget, "answer")), min(100, 100*given/budget)
	}
	if at := v.Context(rater.Name); at != nil {
		out.Progress += " under " + at.String()
	}
	out.Words, out.Warn = reliability(rater)
	return out
}

// reliability says how far a rater's answers can be relied on, and warns of habits that are not taste.
func reliability(r prefer.Rater) (words string, warn bool) {
	switch counts := r.Counts(); {
	case r.Careless:
		return "looks careless: " + r.Why, true
	case r.Clear >= manyClear && r.Clear == r.Left.Of:
		return "calls every preference clear", true
	case r.Answers < fewAnswers:
		return "too early to say how steady", false
	case counts != "" && !r.Out:
		return counts, false
	}
	return "nothing odd about the answers", false
}

// manyClear is the number of preferences from which on it is a habit to call them all clear, fewAnswers that below which nothing is a habit.
const (
	manyClear  = 12
	fewAnswers = 8
)

// raterLine writes a rater's numbers.
func raterLine(r prefer.Rater) RaterLine {
	line := RaterLine{Answers: strconv.Itoa(r.Answers), Ties: strconv.Itoa(r.Ties), Left: share(r.Left), Agreed: share(r.Agreed), Response: "–", Weight: "–"}
	if r.MedianResponse > 0 {
		line.Response = fmt.Sprintf("%.1f s", r.MedianResponse.Round(100*time.Millisecond).Seconds())
	}
	if r.Noise > 0 {
		line.Weight = fmt.Sprintf("%.0f\u00a0%%", 100/(r.Noise*r.Noise)) // what an answer tells goes with 1/σ²
	}
	return line
}

// linkLine says what is known of a link.
func linkLine(l live.Link, now time.Time) LinkLine {
	day := func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04") }
	out := LinkLine{ID: l.ID, Who: l.Rater, Expired: !l.Expires.IsZero() && !l.Expires.After(now)}
	words := []string{"works until you withdraw it"}
	switch {
	case out.Expired:
		words[0] = "expired " + day(l.Expires) + " UTC"
	case !l.Expires.IsZero():
		words[0] = "works until " + day(l.Expires) + " UTC"
	}
	if !l.Created.IsZero() {
		words = append(words, "made "+day(l.Created))
	}
	if l.Everybody {
		out.Who = "everybody"
		words = append(words, counted(l.Guests, "person")+" came through it")
	} else if !l.LastAsked.IsZero() {
		words = append(words, "last asked "+day(l.LastAsked))
	}
	out.Words = sentence(strings.Join(words, ", "))
	return out
}

func share(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", s.Count, s.Of)
}

// pause stops raters, or lets them go on; the owner may.
func (p *Pages) pause(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Paused bool `json:"paused"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	if err := p.Studies.Configure(r.Context(), v.Name, func(s *live.Settings) { s.Page.Paused = body.Paused }); err != nil {
		return err
	}
	return reply(w, body)
}
