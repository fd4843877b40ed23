package prefer

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// former returns a configuration with the priors that studies had before there were alternatives.
func former(cfg Config) Config {
	cfg.Model.Trend, cfg.Model.Outputscale = gp.None(), gp.Gamma(2, 0.15)
	cfg.Alternatives, cfg.Initial = []Alternative{}, max(4, coding.Dimension(cfg.Space))
	return cfg
}

// TestAlternatives: the question of a study is the knowledge gradient's on the mixture of its models, each at its likeliest
// setting and with its odds times its evidence for weight, put together here by hand.
func TestAlternatives(t *testing.T) {
	likelier := defaultAlternatives(3)
	likelier[0].Odds = 2
	s := start(t, Config{Space: unitSquare(), Separation: -1, Repeats: true, Modelling: Modelling{Margin: -1, Search: little, Alternatives: likelier}, Seed: 5, Answers: Answers{Forced: true}})
	other := likelier[0]
	seen := 0
	for k := range 9 {
		v := s.view("")
		q := ask(t, s, "")
		if k >= asksInitial {
			p, q0 := must(hilly().Fit(ctx, v.Duels, nil)), must(other.Model.Fit(ctx, v.Duels, nil))
			w := other.Odds * math.Exp(q0.Evidence()-p.Evidence())
			if w > 0.3 && w < 100 {
				seen++
				c, err := acquisition.Ask(ctx, "kg", acquisition.Task{Mixture: gp.NewMixture([]*gp.Posterior{p, q0}, []float64{1, w}), Shown: v.shown,
					Seed: splitmix.At(5, uint64(k)), Count: k, Search: little})
				if err != nil {
					t.Fatal(err)
				}
				if a, b := unitPair(t, s, q); math.Abs(q.Value-c.Value) > 1e-6 || !samePair(round(a), round(b), round(c.A), round(c.B)) {
					t.Errorf("question %d is %v %v with value %g, by hand %v %v with %g", k+1, a, b, q.Value, c.A, c.B, c.Value)
				}
			}
		}
		c := Second
		if q.First.Float("x")+0.3*q.First.Float("y") > q.Second.Float("x")+0.3*q.Second.Float("y") {
			c = First
		}
		tell(t, s, q.ID, c)
	}
	if seen < 4 {
		t.Errorf("%d of the questions were by two models", seen)
	}
}

// round leaves what the last digits of a weight cannot change.
func round(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Round(v*100) / 100
	}
	return y
}

func must(p *gp.Posterior, err error) *gp.Posterior {
	if err != nil {
		panic(err)
	}
	return p
}

// TestAlternativesWeigh: a person for whom more is simply better is soon believed to be one; one who likes the middle is not.
func TestAlternativesWeigh(t *testing.T) {
	for _, c := range []struct {
		name   string
		liking func(o space.Option) float64
		lo, hi float64
	}{
		{"more is better", func(o space.Option) float64 { return o.Float("x") + o.Float("y") }, 0.1, 1},
		{"the middle", func(o space.Option) float64 { return -math.Hypot(o.Float("x")-0.5, o.Float("y")-0.5) }, 0, 0.05},
	} {
		even := defaultAlternatives(3)
		even[0].Odds = 1
		s := start(t, Config{Space: unitSquare(), Seed: 1, Modelling: Modelling{Alternatives: even}, Answers: Answers{Forced: true}})
		for range 20 {
			q := ask(t, s, "")
			answer := Second
			if c.liking(q.First) > c.liking(q.Second) {
				answer = First
			}
			tell(t, s, q.ID, answer)
		}
		v := s.view("")
		fit, err := s.questionFits.Get(ctx, v.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		var plain float64
		for k, p := range fit.Belief.Parts {
			if p.Hyper().Kernel.Effects == gp.Lines {
				plain = fit.Belief.Weights[k]
			}
		}
		t.Logf("%s: the plain taste has weight %.3f", c.name, plain)
		if plain < c.lo || plain > c.hi {
			t.Errorf("%s: the plain taste has weight %.3f, want %g to %g", c.name, plain, c.lo, c.hi)
		}
	}
}

// TestAlternativesOf: which models have some.
func TestAlternativesOf(t *testing.T) {
	none := []Alternative{}
	for _, c := range []struct {
		name string
		cfg  Config
		want int // models that are fitted
	}{
		{"default", Config{Space: unitSquare()}, 3},
		{"of three dimensions", Config{Space: unitSpace(3)}, 2},
		{"none wanted", Config{Space: unitSquare(), Modelling: Modelling{Alternatives: none}}, 1},
		{"another method", Config{Space: unitSquare(), Method: "eubo"}, 1},
		{"sparse", Config{Space: unitSquare(), Modelling: Modelling{Model: gp.Model{Inference: gp.Sparse}}}, 1},
		{"items with nothing but a name", Config{Space: space.Space{Items: []space.Item{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}}}, 1},
	} {
		s := start(t, c.cfg)
		q := ask(t, s, "")
		tell(t, s, q.ID, First)
		again := reopen(t, s.Events(0)) // what is in the log decides, not today's defaults
		for _, s := range []*Study{s, again} {
			v := s.view("")
			fit, err := s.questionFits.Get(ctx, v.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(s.questionFits.States(fit)); got != c.want {
				t.Errorf("%s: %d models, want %d", c.name, got, c.want)
			}
		}
	}
	old := start(t, Config{Space: unitSquare()}).Events(0)
	text, err := json.Marshal(old[0])
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]map[string]map[string]any
	_ = json.Unmarshal(text, &fields)
	cfg := fields["created"]["config"]
	if cfg["alternatives"] == nil {
		t.Fatalf("the log does not spell the alternatives out: %s", text)
	}
}

// TestAlternativesAreKept: a snapshot holds all models, and changes no bit.
func TestAlternativesAreKept(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}})
	all := simulated(learn.RefitAtOnce+40, 2, 8) // beyond what is refitted at once, and between two counts of the schedule
	option := func(x []float64) space.Option {
		return space.Option{"x": space.ValueOf(x[0]), "y": space.ValueOf(x[1])}
	}
	for i, o := range all.Outcome {
		if o != 0 {
			observe(t, s, option(all.A[2*i:2*i+2]), option(all.B[2*i:2*i+2]), map[gp.Outcome]Choice{1: First, -1: Second}[o])
		}
	}
	ask(t, s, "")
	text := s.Host().Snapshot()
	r, err := Open(ctx, s.Events(0), OpenOptions{Snapshot: text})
	if err != nil {
		t.Fatal(err)
	}
	var saved snapshot
	if err := json.Unmarshal(text, &saved); err != nil || len(saved.Fits) != 3 {
		t.Fatalf("a snapshot of %d posteriors, want 3: of both models after the last fit of hyper-parameters, and of the one with hope after the answers since (%v)", len(saved.Fits), err)
	}
	v := s.view("")
	var states [2]map[string]gp.State
	var weights [2][]float64
	for i, s := range []*Study{s, r} {
		fit, err := s.questionFits.Get(ctx, v.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		states[i], weights[i] = s.questionFits.States(fit), fit.Belief.Weights
	}
	if !reflect.DeepEqual(states[0], states[1]) || !reflect.DeepEqual(states[1], saved.Fits) || !slices.Equal(weights[0], weights[1]) {
		t.Errorf("%v reopened with a snapshot, %v before", states[1], states[0])
	}
}

func TestAlternativesRefuse(t *testing.T) {
	if _, err := New(ctx, Config{Space: space.Space{Items: []space.Item{}}}); err == nil {
		t.Error("a list of nothing is a study")
	}
	for want, a := range map[string]Alternative{
		"Alternatives[0].Odds = 0, want": {},
		"Alternatives[0].Odds = +Inf":    {Odds: math.Inf(1)},
		"Alternatives[0].Model.Scales":   {Odds: 1, Model: gp.Model{Scales: []int{0}}},
		"Alternatives[0] beside sparse":  {Odds: 1, Model: gp.Model{Inference: gp.Sparse}},
		"Alternatives[0]: gp: ":          {Odds: 1, Model: gp.Model{Lengthscale: gp.Gamma(-1, 1)}},
	} {
		_, err := New(ctx, Config{Space: unitSquare(), Modelling: Modelling{Alternatives: []Alternative{a}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// TestAlternativesUntil: an alternative for the first answers is left out after so many.
func TestAlternativesUntil(t *testing.T) {
	likely := defaultAlternatives(1)
	for i := range likely {
		likely[i].Odds = 1e6 // whatever the answers say
	}
	s := seen(t, 1, decisiveUntil, Config{Answers: Answers{Forced: true}, Modelling: Modelling{Alternatives: likely}}, func(u []float64) float64 { return 50 * u[0] })
	for _, want := range []bool{true, false} {
		v := s.view("")
		fit, err := s.questionFits.Get(ctx, v.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(fit.Belief.Parts) == 3; got != want {
			t.Errorf("after %d answers there are %d models", v.Duels.Len(), len(fit.Belief.Parts))
		}
		if _, err := s.Observe(ctx, Duel{First: space.Option{"x1": space.ValueOf(0.9)}, Second: space.Option{"x1": space.ValueOf(0.2)}, Answer: Answer{Choice: First}}); err != nil {
			t.Fatal(err)
		}
	}
}
