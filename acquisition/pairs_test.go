package acquisition

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// optimist is a formula of one's own: both means and the deviation of the difference.
type optimist struct{}

func (optimist) Points() int { return 2 }

func (optimist) Value(m *gp.Moments, g *Partials) float64 {
	s := math.Sqrt(math.Max(1e-12, m.Cov[0]+m.Cov[3]-2*m.Cov[1]))
	if g != nil {
		copy(g.Mean, []float64{1, 1})
		copy(g.Cov, []float64{0.5 / s, -0.5 / s, -0.5 / s, 0.5 / s})
	}
	return m.Mean[0] + m.Mean[1] + s
}

// TestMaximize: a formula from outside is searched on every domain, and by the search of the shipped ones; its
// value is that of the formula, and no pair of a sample has a higher one.
func TestMaximize(t *testing.T) {
	var own Method = func(ctx context.Context, t Task) (Choice, error) { return Maximize(ctx, t, optimist{}, EUBO{}) }
	for _, c := range append(domainCases(t), domainCase{name: "plain", post: testPosterior(t)}) {
		task := Task{Posterior: c.post, Domain: c.dom, Seed: 5}
		q, err := own(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Check(q); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		e := NewEvaluator(c.post, optimist{})
		agree(t, c.name+": value", q.Value, e.At(slices.Concat(q.A, q.B), nil), 1e-12)
		dom, d := c.dom, c.post.Dim()
		if dom == nil {
			dom = Cube(d)
		}
		pts := dom.Points(60, 8)
		for i := 0; i < len(pts); i += d {
			for j := 0; j < len(pts); j += d {
				if x := slices.Concat(pts[i:i+d], pts[j:j+d]); i != j && e.At(x, nil) > q.Value+1e-6 {
					t.Errorf("%s: %v is worth %g, the choice %g", c.name, x, e.At(x, nil), q.Value)
				}
			}
		}
	}
	p := testPosterior(t)
	shipped, _ := Lookup("eubo")
	a, err := shipped(t.Context(), Task{Posterior: p, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Maximize(t.Context(), Task{Posterior: p, Seed: 2}, EUBO{}, nil)
	if err != nil || !slices.Equal(a.A, b.A) || !slices.Equal(a.B, b.B) || a.Value != b.Value {
		t.Errorf("eubo asks %v, %v, Maximize %v, %v (%v)", a.A, a.B, b.A, b.B, err)
	}
	for want, c := range map[string][2]Acquisition{"no acquisition": {nil, EUBO{}}, "4 points": {KG{Edges: []float64{0}}, nil}, "1 points": {EUBO{}, NewLogEI(1, 0, 0, 1)}} {
		if _, err := Maximize(t.Context(), Task{Posterior: p}, c[0], c[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Maximize(t.Context(), Task{Mixture: testMixture(t, 2)}, EUBO{}, nil); err == nil {
		t.Error("a mixture: no error")
	}
	if _, err := Maximize(t.Context(), Task{}, EUBO{}, nil); err == nil {
		t.Error("no posterior: no error")
	}
}

// broken is a formula that panics when its gradient is asked for.
type broken struct{ EUBO }

func (b broken) Value(m *gp.Moments, g *Partials) float64 {
	if g != nil {
		panic("broken formula")
	}
	return b.EUBO.Value(m, nil)
}

// TestPanic: a panic of a formula, also on several workers, is raised where the caller can recover it.
func TestPanic(t *testing.T) {
	for _, c := range domainCases(t)[:5] {
		if c.dom.listed() != nil {
			continue // a list is not climbed
		}
		for _, workers := range []int{1, 4} {
			func() {
				defer func() {
					if v, _ := recover().(string); !strings.Contains(v, "broken formula") {
						t.Errorf("%s, %d workers: recovered %q", c.name, workers, v)
					}
				}()
				_, err := Maximize(t.Context(), Task{Posterior: c.post, Domain: c.dom, Search: Search{Workers: workers}}, broken{}, nil)
				t.Errorf("%s: no panic, error %v", c.name, err)
			}()
		}
	}
}
