package live

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Checked says how a rater did in the checks, and how many were due so far.
type Checked struct {
	Catch   CatchCount  `json:"catch" doc:"Catch questions, with a known answer."`
	Repeats RepeatCount `json:"repeats" doc:"Repeated questions."`
}

// CatchCount counts catch questions.
type CatchCount struct {
	Right int `json:"right"`
	Of    int `json:"of" doc:"Answered, skips aside."`
	Due   int `json:"due" doc:"How many there should be by now; 0 in a study without."`
}

// RepeatCount counts questions that were put again.
type RepeatCount struct {
	Agreed int `json:"agreed" doc:"Answered as before."`
	Of     int `json:"of" doc:"Answered, skips aside."`
	Due    int `json:"due" doc:"How many there should be by now; 0 in a study without."`
}

// Checked returns how a rater did in the checks.
func (r *Study) Checked(rater prefer.Rater) (out Checked) {
	c := r.Settings.Checks
	out.Repeats.Agreed = rater.Agreed.Count
	r.look(func(x *index) {
		n := 0
		for _, q := range x.put(r.Study, rater.Name) {
			before := 1 // the checks were changed to what they are
			if q.seq > c.From {
				before = 0
			}
			switch {
			case q.skipped || q.open || q.practice():
				continue
			case q.Catch:
				out.Catch.Of, out.Catch.Due = out.Catch.Of+1, out.Catch.Due+before
			case q.RepeatOf != "":
				out.Repeats.Of, out.Repeats.Due = out.Repeats.Of+1, out.Repeats.Due+before
			}
			n += 1 - before
		}
		for _, e := range x.said[rater.Name] {
			q, _ := r.Study.Question(e.Question)
			won := map[prefer.Choice]space.Option{prefer.First: e.First, prefer.Second: e.Second}[e.Answer.Choice]
			if q.Catch && won != nil && slices.ContainsFunc(c.Catch, func(k Catch) bool { return meets(won, k.Better) }) {
				out.Catch.Right++
			}
		}
		out.Catch.Due += c.Catches(n)
		out.Repeats.Due += x.repeats(c, rater.Name, n)
	})
	return out
}

// Caught counts how many catch questions a rater answered right, of how many.
func (r *Study) Caught(rater string) (right, of int) {
	c := r.Checked(prefer.Rater{Name: rater}).Catch
	return c.Right, c.Of
}

// String says it in words, of those kinds that there were or were to be; of none it is empty.
func (c Checked) String() string {
	var parts []string
	say := func(kind string, good int, word string, of, due int) {
		if of > 0 || due > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d of %d %s, %d due", kind, good, of, word, due))
		}
	}
	say("known answers", c.Catch.Right, "right", c.Catch.Of, c.Catch.Due)
	say("repeats", c.Repeats.Agreed, "alike", c.Repeats.Of, c.Repeats.Due)
	return strings.Join(parts, "; ")
}

// CheckedIn returns a function that says how it went with the checks of everybody in a study of a store, for reports.
func CheckedIn(st store.Store) func(ctx context.Context, name string, study *prefer.Study) (map[string]string, error) {
	return func(ctx context.Context, name string, study *prefer.Study) (map[string]string, error) {
		settings, err := SettingsIn(ctx, st, name, study)
		if err != nil {
			return nil, err
		}
		raters, err := study.Raters(ctx)
		if err != nil {
			return nil, err
		}
		r := &Study{Study: study, Settings: settings, index: newIndex(study.Config())}
		out := xslices.ToMap(raters, func(rater prefer.Rater) (string, string) { return rater.Name, r.Checked(rater).String() })
		return out, nil
	}
}

//go:embed methods.tmpl
var methodsText string

var methods = template.Must(template.New("methods").Funcs(template.FuncMap{"percent": func(share float64) string { return fmt.Sprintf("%.3g", 100*share) }}).Parse(methodsText))

// MethodsText says how questions are put to people, as a methods section does. Of a log with other sides, written elsewhere, it says nothing of sides.
func (r *Study) MethodsText() string {
	var out strings.Builder
	err := methods.Execute(&out, struct {
		Balanced bool
		Settings
	}{r.balanced(), r.Settings})
	if err != nil {
		panic(err) // the fields are there
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// balanced reports whether every question was shown on the sides that index.show gives it.
func (r *Study) balanced() bool {
	all := true
	r.look(func(x *index) {
		for _, said := range x.said {
			for _, e := range said {
				all = all && (e.Observed || e.Answer.Swapped == x.questions[e.Question].swapped)
			}
		}
	})
	return all
}
