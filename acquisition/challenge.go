package acquisition

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// challenge is what a duel of a challenger (point 0) against a champion (point 1) gains if the winner
// is recommended: the two-outcome knowledge gradient with both fantasy points at the options,
//
//	m Φ(τ) + φ(τ) v/s,   m = μ₀ − μ₁,  v = Var[f₀ − f₁],  s² = v + σ²,  τ = m/s.
//
// It is a function of the challenger alone once the champion is x̂, so its peaks are found by searching
// D dimensions instead of the one-shot form's 4D. These are the explorer's questions, often in corners
// of the cube that a candidate set of a hundred points misses.
type challenge struct{ sigma float64 }

var _ Acquisition = challenge{}

func (challenge) Points() int { return 2 }

func (c challenge) Value(m *gp.Moments, g *Partials) float64 {
	mustFit(m, 2)
	d, v := m.Difference(0, 1)
	v = math.Max(0, v)
	s2 := v + c.sigma*c.sigma
	if s2 == 0 {
		if g != nil {
			g.clear()
		}
		return 0
	}
	s := math.Sqrt(s2)
	tau := d / s
	cdf, pdf := normal.CDF(tau), normal.PDF(tau)
	if g != nil {
		g.clear()
		g.difference(2, cdf+d*pdf*c.sigma*c.sigma/(s2*s), pdf/s+pdf/(2*s2*s)*(v*(tau*tau-1)-d*d))
	}
	return d*cdf + pdf*v/s
}

// Effort of the search for challengers: in few dimensions the corners of the cube join the raw points.
const (
	challengeRaw    = 128
	challengeStarts = 6
	cornerDim       = 5
)

// challengers returns the peaks of challenge against x̂, best first, row by row.
func challengers(ctx context.Context, t Task, best []float64) []float64 {
	d := len(t.Lower)
	raw := sobol.Points(d, challengeRaw, t.Seed^0x5bf03635)
	for i := range raw {
		raw[i] = t.Lower[i%d] + raw[i]*(t.Upper[i%d]-t.Lower[i%d])
	}
	starts := challengeStarts
	if d <= cornerDim {
		for c := range 1 << d {
			for j := range d {
				if c>>j&1 == 1 {
					raw = append(raw, t.Upper[j])
				} else {
					raw = append(raw, t.Lower[j])
				}
			}
		}
		starts *= 2
	}
	newObjective := func() maximize.Objective {
		e := t.expected(challenge{t.Noise})
		x, g := append(make([]float64, d), best...), make([]float64, 2*d)
		return func(y, grad []float64) float64 {
			copy(x, y)
			if grad == nil {
				return e.At(x, nil)
			}
			v := e.At(x, g)
			copy(grad, g[:d])
			return v
		}
	}
	ms := maximize.MultiStart{Starts: starts, Spread: 0.1, Workers: t.Search.Workers,
		Settings: maximize.Settings{MaxEvals: 30, GradTol: 1e-5, ValueTol: 1e-5}}
	_, all, _ := ms.Maximize(ctx, newObjective, t.Lower, t.Upper, raw) // an ended context leaves fewer
	slices.SortStableFunc(all, byValue)
	var out []float64
	for _, r := range all {
		if !closeToAny(r.X, out, d, samePeak) {
			out = append(out, r.X...)
		}
	}
	return out
}

// byValue orders results from the highest value down.
func byValue(a, b maximize.Result) int { return cmp.Compare(b.Value, a.Value) }
