//go:build !js

package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/skip2/go-qrcode"
)

// Owner is the page of the study’s owner.
type Owner struct {
	Frame
	Look
	Answers  int
	Answered int // people who gave them
	People   []Person
	Raters   []view.Rater
	Checked  bool   // there were checks
	Each     bool   // every rater has a favourite of their own
	Asked    bool   // the owner has chosen one or the other
	Sentence string // where the study stands
	Pick     *Shown // of the team, if one is sought and known at once
	Paused   bool
	Lost     []string // what could not be shown to people
	Prompt   string
	Packs    bool       // the server can put the study into one file
	Reach    []string   // where others reach the server
	Links    []LinkLine // one person's or everybody's
	Uploads  []token.Token
	Hosted   bool        // the host says who somebody is, and there are no tokens
	Guests   []LinkLine  // of people who came through a link for everybody
	Names    []NameValue // raters that a report can be about, in a study per rater: displayed and real name
	Settings SettingsForm
	Changes  []ChangeLine // while the study ran, the latest first
	Jobs     Jobs
}

// LinkLine is a link in the owner's table.
type LinkLine struct {
	ID, Who string
	Words   string // when it was made, until when it works, and what was done with it
	Expired bool
}

// people shows the owner who answered and how carefully, links to invite more, and the long work of the study.
func (p *Pages) people(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx := r.Context()
	raters, noRaters := v.raters(ctx)
	links, noLinks := p.Studies.Tokens.List(ctx, v.Name, token.Personal)
	uploads, noUploads := p.Studies.Tokens.List(ctx, v.Name, token.Upload)
	if err := cmp.Or(noRaters, noLinks, noUploads); err != nil {
		return err
	}
	answers, _ := v.Size()
	each := v.Config.People == prefer.PerRater
	out := Owner{Frame: p.frame(v, "People of "+v.Name, "owner"), Look: v.look(), Answers: answers, Answered: answered(raters), Paused: v.Settings.Page.Paused, Prompt: v.Config.Prompt,
		Each: each, Asked: each || len(links) > 0 || len(raters) > 1, Packs: p.Packs, Reach: p.Reach, Settings: v.settingsForm(), Changes: v.changes(), Uploads: uploads, Hosted: p.Welcome == nil}
	latest := map[string]string{} // link of each rater
	for _, l := range links {
		latest[l.Rater] = cmp.Or(latest[l.Rater], l.ID)
		line := linkLine(l, time.Now())
		if !l.Everybody {
			line.Who = v.called(l.Rater)
		}
		if l.Through == "" {
			out.Links = append(out.Links, line)
		} else {
			out.Guests = append(out.Guests, line)
		}
	}
	if known, ok := v.Known(""); ok && !each {
		out.Sentence = known.Sentence
		if known.Answers > 0 && known.Kind.Picks() {
			out.Pick = new(p.onPage(v, known.Best.Option, ""))
		}
		if at := v.Context(""); at != nil {
			out.Sentence = at.String() + ": " + out.Sentence
		}
	}
	slices.SortFunc(raters, v.byName)
	for _, rater := range raters {
		line := view.NewRater(rater, v.called(rater.Name), v.Checked(rater).String())
		out.Checked = out.Checked || line.Checks != ""
		if each && rater.Name != "" {
			out.Names = append(out.Names, NameValue{line.Name, rater.Name})
		}
		person := p.onBoard(v, rater)
		if rater.Name != "" { // as which shared links are listed
			person.Link = latest[rater.Name]
		}
		out.Raters, out.People = append(out.Raters, line), append(out.People, person)
	}
	if each {
		out.Sentence = done(v, raters)
	}
	v.Study.Refresh()
	out.Lost = xslices.Map(v.Lost(), func(l live.Lost) string { return fmt.Sprintf("%s (%s)", v.Label(l.Option), say.Count(l.Times, "time")) })
	out.Jobs = p.jobsView(ctx, v, "")
	return p.write(w, http.StatusOK, v.origins(), out)
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
	out.Words = language.English().Sentence(strings.Join(words, ", "))
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

// raters returns the people of the study, without an owner who was asked and has not given an answer that counts.
func (v visitor) raters(ctx context.Context) ([]prefer.Rater, error) {
	all, err := v.Study.Study.Raters(ctx)
	return slices.DeleteFunc(all, func(r prefer.Rater) bool {
		return r.Counted == 0 && (r.Name == v.self() || r.Name == "" || r.Name == token.OwnersName)
	}), err
}

// done says how many people of a study per rater have reached an ending; empty before anybody has answered.
func done(v visitor, raters []prefer.Rater) string {
	n := xslices.Count(raters, func(r prefer.Rater) bool { return r.Counted > 0 && prefer.VerdictKind(v.Status(r.Name).Verdict).Done() })
	all := answered(raters)
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("done: %d of %s", n, say.Count(all, "person"))
}

// answered returns how many people have given an answer that counts.
func answered(raters []prefer.Rater) (n int) {
	return xslices.Count(raters, func(r prefer.Rater) bool { return r.Counted > 0 && !r.Out })
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

// personOf puts into words what is known of a rater without their verdict.
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
	out.Words, out.Warn = v.Words().Rater(rater)
	return out
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

// qr draws an address as a code for phones.
func (p *Pages) qr(w http.ResponseWriter, r *http.Request, _ visitor) error {
	text := r.URL.Query().Get("text")
	if text == "" || len(text) > maxQR {
		return problem.New(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("text has %d characters, want 1 to %d", len(text), maxQR))
	}
	png, err := qrcode.Encode(text, qrcode.Medium, 296)
	if err != nil {
		return errors.Join(problem.New(http.StatusUnprocessableEntity, "invalid", "text does not fit into a code"), err)
	}
	return send(w, "image/png", "", string(png))
}

const maxQR = 600
