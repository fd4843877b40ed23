package prefer

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// Camp is one of two groups of raters with different tastes.
type Camp struct {
	Raters []string     `json:"raters"`
	Best   space.Option `json:"best"` // what suits this camp best
}

// Two camps are said to be there where they explain the answers better than one group with individual tastes. Under both a rater's utility
// is a Gaussian process over options and people,
//
//	Cov(f_r(x), f_q(y)) = s M(√(|x − y|²/ℓ² + δ_rq²)),   M(δ) = ρ,
//
// M being Matérn-5/2: at the same option two raters correlate by ρ. One group: all pairs by the same ρ, from strangers to one taste. Two camps: by ρ
// within a camp, and not at all, or by a quarter, between them. The odds are
//
//	log mean_ρℓ p(answers | two camps) − log mean_ρℓ p(answers | one group) − (m − 1) log 2,
//
// the last for the 2^{m−1} ways to divide m raters: the division is that which explains most of the agreement of each two (divide). docs/people.md
// has how the rule fared with simulated people.
const (
	campLeast  = 2    // raters of a camp
	campRaters = 5    // fewer raters are individuals
	campOdds   = 1.1  // from which on there are camps: three to one, …
	campHonest = 0.75 // … if those of each answer by taste with this probability in the mean, which is that before any answer
	nameLength = 0.05 // ℓ of a coordinate that only names things
	campDuels  = 240  // answers that are looked at, the first of everybody: it takes a second
)

var (
	campLengths = []float64{0.5, 1.5}       // ℓ
	groupRho    = []float64{0, 0.4, 0.8, 1} // of one group
	campRho     = []float64{0.6, 0.9}       // within camps
	acrossRho   = []float64{0, 0.25}        // between them
)

// camp looks for two camps.
func (g *Group) camp(ctx context.Context, s *Study, members []*member, code *coding.Coding, shown []float64) error {
	members, _ = attentive(members)
	agreement := square(len(members))
	for i, a := range members {
		for k, b := range members {
			agreement[i][k] = g.Agreement[slices.Index(g.Raters, a.name)][slices.Index(g.Raters, b.name)]
		}
	}
	second, share := divide(agreement)
	if share == 0 {
		return nil
	}
	odds, err := s.campOdds(members, second)
	if g.CampOdds = odds; err != nil || odds < campOdds || !looked(members, second, false) || !looked(members, second, true) {
		return err
	}
	for _, side := range []bool{second[0], !second[0]} {
		var c Camp
		var some []*member
		for i, m := range members {
			if second[i] == side {
				c.Raters, some = append(c.Raters, m.name), append(some, m)
			}
		}
		if c.Best, _, err = s.together(ctx, some, code, shown); err != nil {
			return err
		}
		g.Camps = append(g.Camps, c)
	}
	return nil
}

// looked reports whether those of one side answer by taste, as far as can be told: a few who click at random are told from the rest, and are no camp.
func looked(members []*member, second []bool, side bool) bool {
	total, count := 0.0, 0.0
	for i, m := range members {
		if second[i] == side {
			total, count = total+m.honest, count+1
		}
	}
	return total >= campHonest*count
}

// campOdds returns the log odds of two camps against one group.
func (s *Study) campOdds(members []*member, second []bool) (float64, error) {
	var evs []learn.Evidence
	var squares []float64
	s.mu.Lock()
	scales := s.state.code.Scales
	for _, m := range members {
		ev := s.state.singleEvidence(&m.name).Preferences()
		evs = append(evs, ev.Head(min(ev.Duels.Len(), max(1, campDuels/len(members)))))
		squares = append(squares, m.spread*m.spread)
	}
	s.mu.Unlock()
	slices.Sort(squares)
	spread := squares[len(squares)/2]
	var one, two []float64
	for _, length := range campLengths {
		at := func(within, across float64) (float64, error) {
			return pooled(evs, second, scales, spread, length, within, across)
		}
		for _, rho := range groupRho {
			e, err := at(rho, rho)
			if err != nil {
				return 0, err
			}
			one = append(one, e)
		}
		for _, within := range campRho {
			for _, across := range acrossRho {
				e, err := at(within, across)
				if err != nil {
					return 0, err
				}
				two = append(two, e)
			}
		}
	}
	mean := func(logs []float64) float64 { return logSum(logs...) - math.Log(float64(len(logs))) }
	return mean(two) - mean(one) - float64(len(members)-1)*math.Ln2, nil
}

// pooled returns the log evidence of everybody's answers where raters correlate by within in a camp and by across between camps. People are further
// coordinates, one of each rater and one of the camp: two raters are apart by δ in the first, and by what is missing in the last. Ties are left out, and
// how strong a preference is.
func pooled(evs []learn.Evidence, second []bool, scales []int, spread, length, within, across float64) (float64, error) {
	d, m := evs[0].Duels.Dim, len(evs)
	near, far := materned(within), materned(across)
	all := &gp.Duels{Dim: d + m + 1}
	for r, ev := range evs {
		who := make([]float64, m+1)
		who[r] = near / math.Sqrt2
		if second[r] {
			who[m] = math.Sqrt(math.Max(0, far*far-near*near))
		}
		for i, o := range ev.Duels.Outcome {
			if o == 0 {
				continue
			}
			all.A = append(append(all.A, ev.Duels.A[i*d:(i+1)*d]...), who...)
			all.B = append(append(all.B, ev.Duels.B[i*d:(i+1)*d]...), who...)
			all.Outcome = append(all.Outcome, gp.Outcome(learn.Side(o)))
		}
	}
	h := gp.Hyper{Cuts: gp.Cuts{0}, Kernel: gp.Kernel{Lengthscale: slices.Repeat([]float64{1}, d+m+1)}}
	apart := 0.0 // mean squared distance of two options, 1/6 a coordinate
	for j := range d {
		if h.Kernel.Lengthscale[j] = length; len(scales) > 0 && scales[j] < 0 {
			h.Kernel.Lengthscale[j] = nameLength
		}
		apart += 1 / (6 * h.Kernel.Lengthscale[j] * h.Kernel.Lengthscale[j])
	}
	h.Kernel.Outputscale = spread / (1 - matern(math.Sqrt(apart))) // over the space a smooth process varies by less than its own variance
	p, err := gp.Model{Trend: gp.None()}.Condition(all, h, nil)
	if err != nil {
		return 0, err
	}
	return p.Evidence(), nil
}

// matern is the correlation of Matérn-5/2 at a distance.
func matern(r float64) float64 { return (1 + math.Sqrt(5)*r + 5*r*r/3) * math.Exp(-math.Sqrt(5)*r) }

// materned returns the distance at which Matérn-5/2 has a correlation; 8, where it is 1e-6, for 0.
func materned(rho float64) float64 {
	low, high := 0.0, 8.0
	if matern(high) >= rho {
		return high
	}
	for range 60 {
		if mid := (low + high) / 2; matern(mid) > rho {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// divide returns the division of raters in two with the largest share of the agreement explained, and that share; 0 where there is
// none. From every rater as a seed, with those who agree with her more than average, members change sides one at a time while it helps.
func divide(agreement [][]float64) (second []bool, share float64) {
	m := len(agreement)
	if m < campRaters {
		return nil, 0
	}
	for seed := range m {
		at := make([]bool, m)
		mean := (sum(agreement[seed]) - 1) / float64(m-1)
		for i := range at {
			at[i] = i != seed && agreement[seed][i] < mean
		}
		best := explained(agreement, at)
		for moved := true; moved; {
			moved = false
			for i := range at {
				at[i] = !at[i]
				if e := explained(agreement, at); e > best+1e-12 {
					best, moved = e, true
				} else {
					at[i] = !at[i]
				}
			}
		}
		if best > share {
			second, share = slices.Clone(at), best
		}
	}
	return second, share
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// explained returns R² of a division: n_w n_b/(n_w + n_b) (w − b)² / Σ (a − ā)² over pairs, where w and b are the means of n_w pairs within
// and n_b between; 0 where it is not camps that agree more.
func explained(agreement [][]float64, second []bool) float64 {
	var n, total [2]float64 // between, within
	var square float64
	size := 0
	for i := range second {
		if second[i] {
			size++
		}
		for j := range i {
			k := 0
			if second[i] == second[j] {
				k = 1
			}
			n[k]++
			total[k] += agreement[i][j]
			square += agreement[i][j] * agreement[i][j]
		}
	}
	if size < campLeast || len(second)-size < campLeast {
		return 0
	}
	mean := (total[0] + total[1]) / (n[0] + n[1])
	by := total[1]/n[1] - total[0]/n[0]
	if all := square - (n[0]+n[1])*mean*mean; by > 0 && all > 0 {
		return n[0] * n[1] / (n[0] + n[1]) * by * by / all
	}
	return 0
}
