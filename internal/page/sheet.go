//go:build !js

package page

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Sheet is the contact sheet: what a study of a list is made of, and what is asked about it.
type Sheet struct {
	Frame
	Look
	Prompt     string
	Prompts    []string // to choose from
	Count      int
	Heading    string // how many of what
	Answers    int
	Least      int // questions it takes, as a rule
	Most       int
	Pace       float64 // seconds an answer takes
	Takes      string  // how long, in words
	Honest     string  // how many of them will have been seen
	Budget     int
	Goals      []Goal // what to find; none where there is no choice
	Each       bool
	Asked      bool
	Files      live.Files
	Unreadable string // how many
	Copies     string
	Ignored    string
	Adds       bool // files can be brought
	Limits     Limits
	Thumbs     Thumbs
}

// Goal is what a study of a list may look for: one favourite, or a shortlist.
type Goal struct {
	Choice
	Takes  string // how long, in words
	Budget int    // that is proposed; 0 for none
}

// Thumbs are some of the items, one after the other.
type Thumbs struct {
	Frame
	List  []Thumb
	Next  int // where the rest begins; 0 for no rest
	Rest  int // how many are left
	Count int
}

// Thumb is an item on the sheet.
type Thumb struct {
	Number  int
	ID      string
	Folder  string // but the last part of a path
	Name    string // and that
	Type    string // image, audio, video, text
	URL     string
	Small   string // a thumbnail of it
	Text    string
	Picture bool   // URL is one
	Tells   string // its description for people who cannot see it
}

// shortlist is the shortlist that the sheet offers.
const shortlist = 3

// A list of more than shortEnds items is not sure of its best three for hundreds of answers, so that a budget is proposed: after shortlistBudget answers
// without errors the three of 30 were right in nine studies of ten (docs/results/lists-top3.csv).
const shortEnds, shortlistBudget = 12, 80

// perSheet is how many items the page has at first, and how many more with each press of a button.
const perSheet = 120

// pace is how long an answer about something takes, in seconds. People gave two pictures 3 to 6 s; a sound and a film have to be played.
var pace = map[string]float64{"image": 5, "text": 12, "audio": 20, "video": 25}

// suggestions are questions to ask about something.
var suggestions = map[string][]string{
	"image": {"Which do you prefer?", "Which looks better?", "Which feels warmer?", "Which would you hang on your wall?"},
	"audio": {"Which do you prefer?", "Which sounds better?", "Which is more pleasant?", "Which is clearer?"},
	"video": {"Which do you prefer?", "Which looks better?", "Which would you rather watch on?", "Which moves more naturally?"},
	"text":  {"Which do you prefer?", "Which reads better?", "Which is clearer?", "Which would you rather use?"},
}

// sheet shows the owner the contact sheet of a list; ?from= is the rest of it, from that item on.
func (p *Pages) sheet(w http.ResponseWriter, r *http.Request, v visitor) error {
	items := v.Study.Study.Items(false)
	if items == nil {
		return problem.New(http.StatusNotFound, "no_items", "This study has parameters, not items, so it has no contact sheet.")
	}
	from, err := number(r.URL.Query(), "from", 0, len(items))
	if err == nil && r.URL.Query().Get("from") != "" {
		return p.write(w, http.StatusOK, v.origins(), p.thumbs(v, items, from))
	}
	files, bad := p.Studies.Files(r.Context(), v.Name)
	if err = cmp.Or(err, bad); err != nil {
		return err
	}
	answers, _ := v.Size()
	kinds := map[string]int{}
	for _, it := range items {
		kinds[v.kind(it)]++
	}
	kind, what := "", media.Thing(kinds)
	for _, k := range []string{"image", "video", "audio", "text"} { // the commonest
		if kinds[k] > kinds[kind] {
			kind = k
		}
	}
	view := Sheet{Frame: p.frame(v, "Items of "+v.Name, "sheet"), Look: v.look(), Prompt: v.Config.Prompt, Prompts: suggestions[kind], Count: len(items), Answers: answers,
		Heading: say.Count(len(items), what), Pace: pace[kind], Budget: v.Budget(), Each: v.Config.People == prefer.PerRater, Asked: true, Files: files, Limits: limits, Thumbs: p.thumbs(v, items, 0)}
	view.Adds = p.Files.Uploads != "" && p.Files.Folders[v.Name] == "" && len(items[0].Features) == 0 && v.Settings.Page.Template.Kind == ""
	left := v.Status(v.rater).Left
	view.Least, view.Most = left[0], left[1]
	view.Takes, view.Honest = takes(view.Budget, left, view.Pace), honest(len(items), view.Budget, left, what)
	if len(items) > shortlist && !v.Config.Space.Crossed() {
		for _, n := range slices.Compact([]int{0, shortlist, cmp.Or(v.Config.Shortlist, shortlist)}) {
			goal := Goal{Choice{strconv.Itoa(n), "My favourite", n == v.Config.Shortlist}, takes(0, v.Study.Takes(n, answers), view.Pace), view.Budget}
			if n > 0 {
				goal.Words, goal.Budget = fmt.Sprintf("My top %d", n), 0
			}
			if n > 0 && len(items) > shortEnds {
				goal.Budget = shortlistBudget
			}
			view.Goals = append(view.Goals, goal)
		}
	}
	if n := len(files.Unreadable); n > 0 {
		view.Unreadable = say.Count(n, "file") + " cannot be read"
	}
	if len(files.Copies) > 0 {
		view.Copies = exchange.SayCopies(xslices.Map(files.Copies, func(c live.Copy) exchange.Copy { return exchange.Copy(c) }), what)
	}
	if n := len(files.Ignored); n > 0 {
		view.Ignored = say.Count(n, "file") + " ignored"
	}
	return p.write(w, http.StatusOK, v.origins(), view)
}

// begin returns the contact sheet of the server's first study, if nobody has answered it and the browser comes from outside (an address typed or printed).
func (p *Pages) begin(r *http.Request) (address string) {
	if p.First == nil || r.Header.Get("Sec-Fetch-Site") != "none" && !r.URL.Query().Has("in") {
		return ""
	}
	name := p.First()
	if name == "" {
		return ""
	}
	_ = p.Studies.With(r.Context(), name, func(open *live.Study) error { // a study that cannot be opened is on the start page, with the reason
		if answers, _ := open.Size(); answers == 0 {
			address = p.Root + "/s/" + url.PathEscape(name) + "/sheet"
		}
		return nil
	})
	return address
}

// kind is how an item of the study is taken in: looked at, listened to, watched or read.
func (v visitor) kind(it space.Item) string {
	switch k := v.Settings.Page.Template.Kind; {
	case k == "svg" || k == "image" || k == "html" || k == "page":
		return "image"
	case it.Media == "":
		return "text"
	}
	if t := media.Type(it.Media); t != "other" {
		return t
	}
	return "text"
}

// takes says how long it will be until the end: at a budget so many minutes, else a range as simulated people had it.
func takes(budget int, left [2]int, pace float64) string {
	if budget > 0 {
		return fmt.Sprintf("%s each: about %s", say.Count(budget, "answer"), minutes(float64(budget)*pace))
	}
	if left[0] == 0 {
		return "It has come to an end; more answers make it surer"
	}
	from, to := minutes(float64(left[0])*pace), minutes(float64(left[1])*pace)
	if from == to {
		return fmt.Sprintf("%d to %d answers: about %s", left[0], left[1], to)
	}
	return fmt.Sprintf("%d to %d answers: about %s to %s", left[0], left[1], strings.TrimSuffix(strings.TrimSuffix(from, " minutes"), " minute"), to)
}

// minutes writes a time, rounded as one says it.
func minutes(seconds float64) string {
	m := int(math.Round(seconds / 60))
	if m > 10 {
		m = 5 * int(math.Round(seconds/300))
	}
	if m >= 90 {
		return fmt.Sprintf("%.1f hours", seconds/3600)
	}
	return say.Count(max(1, m), "minute")
}

// honest says what cannot be had: of a long list nobody sees more than two with every answer.
func honest(n, budget int, left [2]int, thing string) string {
	asked := cmp.Or(budget, 40)
	if 2*asked >= n || left[0] == 0 {
		return ""
	}
	return fmt.Sprintf("Every answer shows two: %d answers show at most %d of the %s. What was never shown can still be the best, and the result says how many were.", asked, 2*asked, say.Count(n, thing))
}

// thumbs returns the items from a place on.
func (p *Pages) thumbs(v visitor, items []space.Item, from int) Thumbs {
	out := Thumbs{Frame: p.frame(v, v.Name, "sheet"), Count: len(items)}
	to := min(from+perSheet, len(items))
	if to < len(items) {
		out.Next, out.Rest = to, len(items)-to
	}
	for i, it := range items[from:to] {
		t := Thumb{Number: from + i + 1, ID: it.ID, Type: v.kind(it), Text: it.Text, Tells: it.Text}
		t.Folder, t.Name = path.Split(it.ID)
		switch k := v.Settings.Page.Template.Kind; {
		case (k == "svg" || k == "image") && !v.Config.Space.Crossed():
			t.URL, t.Picture = v.base+"/draw?"+url.Values{"item": {it.ID}}.Encode(), true
			t.Small = t.URL
		case k != "":
			t.Type = "text"
		case it.Media != "":
			t.URL, t.Small, t.Picture = p.Files.Of(v.Name, it), p.Files.Small(v.Name, it), t.Type == "image"
			t.Tells = cmp.Or(t.Tells, v.Settings.Page.Descriptions[it.ID])
		}
		out.List = append(out.List, t)
	}
	return out
}

// describe keeps the description of an item for people who cannot see it. The owner may change it at any time, since no answer depends on it.
func (p *Pages) describe(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Item string `json:"item"`
		Text string `json:"text"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	if _, err := v.item(body.Item); err != nil {
		return err
	}
	body.Text = strings.TrimSpace(body.Text)
	if len(body.Text) > live.MaxDescription {
		return problem.Field("body.text", nil, fmt.Sprintf("the description has %d bytes, want at most %d", len(body.Text), live.MaxDescription))
	}
	err := p.Studies.Alter(r.Context(), v.Name, prefer.Change{}, func(s *live.Settings) {
		all := map[string]string{}
		maps.Copy(all, s.Page.Descriptions)
		if all[body.Item] = body.Text; body.Text == "" {
			delete(all, body.Item)
		}
		s.Page.Descriptions = all
	})
	if err != nil {
		return err
	}
	return reply(w, body)
}

// add takes further files into a study that was made of files. The owner may.
func (p *Pages) add(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx := r.Context()
	var b bundle
	if err := p.unpack(w, r, v.Name, &b); err != nil {
		return err
	}
	there := xslices.ToMap(v.Items(), func(it space.Item) (string, bool) { return it.ID, true })
	out := struct {
		Added      int               `json:"added"`
		Unreadable []live.Unreadable `json:"unreadable"`
		There      []string          `json:"there"` // and so not added
	}{Unreadable: b.files.Unreadable}
	b.items = slices.DeleteFunc(b.items, func(it space.Item) bool {
		if there[it.ID] {
			out.There = append(out.There, it.ID)
		}
		return there[it.ID]
	})
	b.leaveOutCopies(v.Study.Study.Items(false))
	if out.Added = len(b.items); out.Added > 0 {
		err := p.Studies.Change(ctx, v.Name, "joined", "", func(open *live.Study) error {
			return open.Study.Change(context.WithoutCancel(ctx), prefer.Change{Join: b.items})
		})
		if err != nil {
			return problem.Explain(ctx, p.Logger, err, "file")
		}
	}
	files, err := p.Studies.Files(ctx, v.Name)
	if err != nil {
		return err
	}
	for _, it := range b.items {
		files.Forget(it.ID)
	}
	for _, u := range b.files.Unreadable {
		files.Unread(u.Name, u.Why)
	}
	files.Copies = append(files.Copies, b.files.Copies...)
	files.Ignored = slices.Compact(slices.Sorted(slices.Values(slices.Concat(files.Ignored, b.files.Ignored))))
	if err := p.Studies.KeepFiles(ctx, v.Name, files); err != nil {
		return err
	}
	return reply(w, out)
}
