package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/say"
)

// people shows the owner who answered and how carefully, links to invite more, and the long work of the study.
func (p *Pages) people(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx := r.Context()
	raters, err := v.raters(ctx)
	if err != nil {
		return err
	}
	links, err := p.Studies.Tokens.List(ctx, v.Name, token.Personal)
	if err != nil {
		return err
	}
	uploads, err := p.Studies.Tokens.List(ctx, v.Name, token.Upload)
	if err != nil {
		return err
	}
	answers, _ := v.Size()
	each := v.Config.People == prefer.PerRater
	view := Owner{Frame: p.frame(v, "People of "+v.Name, "owner"), Look: v.look(), Answers: answers, Answered: answered(raters), Paused: v.Settings.Page.Paused, Prompt: v.Config.Prompt,
		Each: each, Asked: each || len(links) > 0 || len(raters) > 1, Packs: p.Packs, Reach: p.Reach, Settings: v.settingsForm(), Changes: v.changes(), Uploads: uploads, Hosted: p.Welcome == nil}
	for _, l := range links {
		line := linkLine(l, time.Now())
		if !l.Everybody {
			line.Who = v.called(l.Rater)
		}
		if l.Through == "" {
			view.Links = append(view.Links, line)
		} else {
			view.Guests = append(view.Guests, line)
		}
	}
	if known, ok := v.Known(""); ok && !each {
		view.Sentence = known.Sentence
		if known.Answers > 0 && known.Kind.Picks() {
			view.Pick = new(p.onPage(v, known.Best.Option, ""))
		}
		if at := v.Context(""); at != nil {
			view.Sentence = at.String() + ": " + view.Sentence
		}
	}
	slices.SortFunc(raters, v.byName)
	for _, rater := range raters {
		line := raterLine(rater)
		line.Name, line.Checks = v.called(rater.Name), v.Checked(rater).String()
		view.Checked = view.Checked || line.Checks != ""
		if each && rater.Name != "" {
			view.Names = append(view.Names, NameValue{line.Name, rater.Name})
		}
		view.Raters, view.People = append(view.Raters, line), append(view.People, p.onBoard(v, rater))
	}
	if each {
		view.Sentence = done(v, raters)
	}
	v.Study.Refresh()
	for _, l := range v.Lost() {
		view.Lost = append(view.Lost, fmt.Sprintf("%s (%s)", v.named(l.Option), say.Count(l.Times, "time")))
	}
	view.Jobs = p.jobsView(ctx, v, "")
	return p.write(w, http.StatusOK, v.origins(), view)
}

// linkLine says what is known of a link.
func linkLine(l token.Token, now time.Time) LinkLine {
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
		came := "nobody has come through it yet"
		if l.Guests > 0 {
			came = say.Count(l.Guests, "person") + " came through it"
		}
		words = append(words, came)
	} else if !l.LastAsked.IsZero() {
		words = append(words, "last asked "+day(l.LastAsked))
	}
	out.Words = sentence(strings.Join(words, ", "))
	return out
}

// pause stops raters, or lets them go on; the owner may.
func (p *Pages) pause(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Paused bool `json:"paused"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	if err := p.Studies.Alter(r.Context(), v.Name, prefer.Change{}, func(s *live.Settings) { s.Page.Paused = body.Paused }); err != nil {
		return err
	}
	return reply(w, body)
}

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
		out.Favourite = new(p.onPage(v, known.Best.Option, ""))
	}
	return out
}

// personOf puts into words what is known of a rater without a look at her taste.
func (v visitor) personOf(rater prefer.Rater) Person {
	out := Person{Rater: rater.Name, Name: v.called(rater.Name), Given: rater.Counted, Out: rater.Out}
	if v.Config.People == prefer.PerRater {
		out.Result, out.Drawn = v.base+"/result?"+url.Values{"rater": {rater.Name}}.Encode(), true
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
