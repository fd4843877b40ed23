package prefer

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/space"
)

// eubo is a method of one's own that happens to be one of ours.
func eubo(ctx context.Context, t acquisition.Task) (acquisition.Choice, error) {
	return acquisition.Ask(ctx, "eubo", t)
}

// TestChooser: a method of one's own is asked what a shipped one is, to the bit; the log names it; and without it the study
// can be looked at and told, but not asked.
func TestChooser(t *testing.T) {
	own := start(t, Config{Space: coffee(), Seed: 4, Method: "mine", Chooser: eubo})
	shipped := start(t, Config{Space: coffee(), Seed: 4, Method: "eubo", Modelling: Modelling{Margin: -1}})
	play(t, own, "", 8)
	play(t, shipped, "", 8)
	q, want := ask(t, own, ""), ask(t, shipped, "")
	if q.Method != "mine" || q.First.String() != want.First.String() || q.Second.String() != want.Second.String() || q.Value != want.Value {
		t.Errorf("asked %+v, the shipped method asks %+v", q, want)
	}
	without := reopen(t, own.Events(0))
	tell(t, without, q.ID, First)
	if _, err := without.Verdict(ctx, Look{}); err != nil {
		t.Error(err)
	}
	_, err := without.Ask(ctx, Request{})
	if err == nil || !strings.Contains(err.Error(), `"mine"`) || !strings.Contains(err.Error(), "OpenOptions.Chooser") {
		t.Errorf("asked without its method: %v", err)
	}
	with, err := Open(ctx, without.Events(0), OpenOptions{Chooser: eubo})
	if err != nil {
		t.Fatal(err)
	}
	if q := ask(t, with, ""); q.Method != "mine" {
		t.Errorf("asked by %q", q.Method)
	}
	if s := start(t, Config{Space: coffee(), Chooser: eubo}); s.Config().Method != methodOwn {
		t.Errorf("without a name it is %q", s.Config().Method)
	}
	for _, name := range append(acquisition.Methods(), "design", "catch", "repeat") {
		if _, err := New(ctx, Config{Space: coffee(), Method: name, Chooser: eubo}); err == nil {
			t.Errorf("a chooser may be called %q", name)
		}
	}
	if _, err := Open(ctx, shipped.Events(0), OpenOptions{Chooser: eubo}); err == nil {
		t.Error("a study of a shipped method takes another one")
	}
	if err := (Config{Space: coffee(), Method: "mine"}).Validate(); err == nil {
		t.Error("a method that nobody has is accepted")
	}
}

// TestChooserFails: whatever a chooser does wrong is an error of that ask that says what it was; nothing is written, and the
// study goes on.
func TestChooserFails(t *testing.T) {
	var wrong func(acquisition.Task) (acquisition.Choice, error)
	chooser := func(ctx context.Context, task acquisition.Task) (acquisition.Choice, error) {
		if wrong == nil {
			return eubo(ctx, task)
		}
		return wrong(task)
	}
	broken := errors.New("out of ideas")
	pair := func(a, b []float64) func(acquisition.Task) (acquisition.Choice, error) {
		return func(acquisition.Task) (acquisition.Choice, error) { return acquisition.Choice{A: a, B: b}, nil }
	}
	half, quarter := []float64{0.5, 0.5}, []float64{0.25, 0.25}
	for says, do := range map[string]func(acquisition.Task) (acquisition.Choice, error){
		"panicked: ": func(task acquisition.Task) (acquisition.Choice, error) {
			return acquisition.Choice{A: task.Shown[:1<<20]}, nil
		},
		"out of ideas":                        func(acquisition.Task) (acquisition.Choice, error) { return acquisition.Choice{}, broken },
		"an option has 0 coordinates, want 2": pair(nil, nil),
		"an option has 3 coordinates, want 2": pair(half, []float64{1, 1, 1}),
		"[NaN 0.5] is not finite":             pair([]float64{math.NaN(), 0.5}, half),
		"[0.5 1.5] is not an option":          pair(half, []float64{0.5, 1.5}),
		"the same option":                     pair(half, half),
		"the value +Inf": func(acquisition.Task) (acquisition.Choice, error) {
			return acquisition.Choice{A: half, B: quarter, Value: math.Inf(1)}, nil
		},
	} {
		s := start(t, Config{Space: coffee(), Method: "mine", Chooser: chooser, Journal: &testJournal{t: t}})
		wrong = nil
		play(t, s, "", 5)
		wrong = do
		unchanged(t, s, says, nil, func() error {
			_, err := s.Ask(ctx, Request{})
			if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), `"mine"`) {
				t.Errorf("error %v, want one about %q", err, says)
			}
			if says == "out of ideas" && !errors.Is(err, broken) {
				t.Errorf("error %v does not wrap the chooser's", err)
			}
			return nil
		})
		wrong = nil
		play(t, s, "", 2)
	}
	// Outside under constraints, off the grid, not under the conditions, and without what is held.
	sp := poster()
	s := start(t, Config{Space: sp, Method: "mine", Chooser: chooser, Modelling: Modelling{Search: little}})
	wrong = nil
	for range 6 {
		q := ask(t, s, "")
		c := Second
		if posterTaste(q.First) > posterTaste(q.Second) {
			c = First
		}
		tell(t, s, q.ID, c)
	}
	fine, err := unitOf(sp, s.state.order[0].First)
	if err != nil {
		t.Fatal(err)
	}
	other, err := unitOf(sp, s.state.order[0].Second)
	if err != nil {
		t.Fatal(err)
	}
	off := append([]float64(nil), fine...)
	off[1] += 0.01 // between two steps of blur
	for says, c := range map[string]struct {
		a, b []float64
		r    Request
	}{
		"is not an option of the domain": {off, other, Request{}},
		"Task.Allowed refuses":           {fine, other, Request{Fixed: space.Option{"margin": space.ValueOf(0.987)}}},
		"want the one held":              {fine, other, Request{Hold: s.state.order[1].First}},
	} {
		wrong = pair(c.a, c.b)
		unchanged(t, s, says, nil, func() error {
			if _, err := s.Ask(ctx, c.r); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("error %v, want one about %q", err, says)
			}
			return nil
		})
	}
}

// TestChooserMargin: a chooser that never heard of Task.Lower and Upper may go to the ends, unless a margin is asked for.
func TestChooserMargin(t *testing.T) {
	ends := func(context.Context, acquisition.Task) (acquisition.Choice, error) {
		return acquisition.Choice{A: []float64{0, 0}, B: []float64{1, 1}, Value: math.NaN()}, nil
	}
	for margin, want := range map[float64]string{0: "", 0.1: "outside Task.Lower and Upper"} {
		s := start(t, Config{Space: coffee(), Method: "ends", Chooser: ends, Initial: 1, Modelling: Modelling{Margin: margin}})
		play(t, s, "", 1)
		q, err := s.Ask(ctx, Request{})
		if want == "" && (err != nil || q.Method != "ends") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("with margin %g: asked by %q, error %v, want %q", margin, q.Method, err, want)
		}
	}
}

// TestChooserIsRefused: the rules spare a person a chooser's pairs, too.
func TestChooserIsRefused(t *testing.T) {
	s := start(t, Config{Space: coffee(), Chooser: func(context.Context, acquisition.Task) (acquisition.Choice, error) {
		return acquisition.Choice{A: []float64{0.5, 0.5}, B: []float64{0.51, 0.5}, Value: math.NaN()}, nil
	}})
	play(t, s, "", 6)
	if q := ask(t, s, ""); q.Method != methodDesign {
		t.Errorf("a pair 0.01 apart is asked by %q, want a quasi-random one", q.Method)
	}
}
