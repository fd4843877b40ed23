package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
)

// boardful is how many people a board shows before the rest is folded.
const boardful = 24

// First are the people that the board shows at once, and Rest those that are folded.
func (o Owner) First() []Person { return o.People[:min(boardful, len(o.People))] }
func (o Owner) Rest() []Person  { return o.People[len(o.First()):] }

// raters returns the people of the study. An owner who was asked and has not answered is none of them.
func (v visitor) raters(ctx context.Context) ([]prefer.Rater, error) {
	all, err := v.Study.Study.Raters(ctx)
	return slices.DeleteFunc(all, func(r prefer.Rater) bool { return r.Name == v.self() && r.Answers == 0 }), err
}

// done says how many of the people of a study per rater have come to an end, nothing while there is none.
func done(v visitor, raters []prefer.Rater) string {
	n := 0
	for _, r := range raters {
		if r.Counted > 0 && prefer.VerdictKind(v.Status(r.Name).Verdict).Done() {
			n++
		}
	}
	all := answered(raters)
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("done: %d of %s", n, say.Count(all, "person"))
}

// answered returns how many people have given an answer that counts.
func answered(raters []prefer.Rater) (n int) {
	for _, r := range raters {
		if r.Counted > 0 && !r.Out {
			n++
		}
	}
	return n
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
	out := Person{Rater: rater.Name, Name: v.called(rater.Name), Given: rater.Counted, Out: rater.Out}
	if v.Config.People == prefer.PerRater {
		out.Result, out.Drawn = v.resultOf(rater.Name), true
	}
	given := v.Status(rater.Name).Given
	out.Progress = say.Count(given, "answer")
	if budget := v.Budget(); budget > 0 {
		out.Progress, out.Percent = fmt.Sprintf("%d of %s", given, say.Count(budget, "answer")), min(100, 100*given/budget)
	}
	if at := v.Context(rater.Name); at != nil {
		out.Progress += " under " + at.String()
	}
	out.Words, out.Warn = v.words().Rater(rater)
	return out
}

// raterLine writes a rater's numbers.
func raterLine(r prefer.Rater) RaterLine {
	line := RaterLine{Answers: strconv.Itoa(r.Counted), Ties: strconv.Itoa(r.Ties), Left: share(r.Left), Agreed: share(r.Agreed), Response: "–", Counts: cmp.Or(strings.TrimPrefix(say.Words{}.Weight(r), "counts "), "–")}
	if r.MedianResponse > 0 {
		line.Response = fmt.Sprintf("%.1f s", r.MedianResponse.Round(100*time.Millisecond).Seconds())
	}
	return line
}

// byName orders people as a list of names does, the owner first: "Guest 2" comes before "Guest 10".
func (v visitor) byName(a, b prefer.Rater) int {
	stem := func(name string) (string, int) {
		if name == "you" {
			return "", 0
		}
		word := strings.TrimRight(name, "0123456789")
		n, _ := strconv.Atoi(name[len(word):]) // none is 0
		return strings.ToLower(word), n
	}
	x, n := stem(v.called(a.Name))
	y, m := stem(v.called(b.Name))
	return cmp.Or(strings.Compare(x, y), cmp.Compare(n, m), strings.Compare(a.Name, b.Name))
}

func share(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", s.Count, s.Of)
}
