package acquisition

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// cube is the unit cube, with nothing but bounds on the options of the question.
type cube struct{ *region }

// cubeSearch is the knowledge gradient's search there.
type cubeSearch struct{ oneShot }

func (c cube) knowledge(t Task) steps {
	s := &cubeSearch{newOneShot(t, c.region)}
	s.mend = func(x []float64) {
		clipAll(s.in.question(s.t), x) // a climb would clip it when it is too late to redeem
		s.kg.redeem(x, s.peaks[0].X)
	}
	return s
}

func (s *cubeSearch) candidates() {
	s.rankAll(newCandidates(s.t, s.peaks, s.rivals, inward(s.t.utility(), s.peaks[0].X), s.slopes()))
	s.begin()
}

func (s *cubeSearch) slopes() []float64 {
	return slopes(s.peaks, s.t.Seed, func(x []float64, rng *rand.Rand) []float64 {
		return around(s.t.utility(), x, candidateSlope, slopeLeast, rng)
	})
}

// Effort of the search for challengers: in few dimensions the corners of the cube join the raw points.
const (
	challengeRaw    = 128
	challengeStarts = 6
	cornerDim       = 5
)

// challengers are the peaks of challenge against x̂, best first.
func (s *cubeSearch) challengers(ctx context.Context) {
	t, d, best := s.t, s.in.d, s.peaks[0].X
	count, starts := challengeRaw, challengeStarts
	if d <= cornerDim {
		count, starts = 3*count/2, 2*starts
	}
	raw := sobol.Points(d, count, t.Seed^0x5bf03635)
	for i := range raw {
		if i >= count/2*d { // what is most uncertain lies on edges: half of the coordinates go to a bound
			raw[i] = min(max(2*raw[i]-0.5, 0), 1)
		}
		raw[i] = t.Lower[i%d] + raw[i]*(t.Upper[i%d]-t.Lower[i%d])
	}
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
	}
	raw = append(raw, s.slopes()...)
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
	_, all := ms.Maximize(ctx, newObjective, t.Lower, t.Upper, raw) // an ended context leaves fewer
	slices.SortStableFunc(all, byValue)
	for _, r := range all {
		if !closeToAny(r.X, s.rivals, d, samePeak) {
			s.rivals = append(s.rivals, r.X...)
		}
	}
}

func (c cube) pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice {
	peaks := c.recommend(ctx, t.Posterior, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	return c.climbPairs(ctx, t, newCandidates(t, peaks, nil, nil, nil), acq, screen)
}
