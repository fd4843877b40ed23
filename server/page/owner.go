package page

import (
	"fmt"
	"net/http"
	"slices"
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
			pick := p.onPage(v, known.Best.Option, "")
			view.Pick = &pick
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
	p.Studies.Refresh(v.Study)
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
	if err := p.Studies.Configure(r.Context(), v.Name, func(s *live.Settings) { s.Page.Paused = body.Paused }); err != nil {
		return err
	}
	return reply(w, body)
}
