package crowd

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/memory"
)

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
// the last for the 2^{m−1} ways to divide m raters: the division is that which explains most of the agreement of each two (divide). docs/guides/people.md
// has how the rule did with simulated people.
const (
	campLeast  = 2    // raters of a camp
	campRaters = 5    // fewer raters are individuals
	campOdds   = 1.1  // from which on there are camps: three to one, …
	campHonest = 0.75 // … if the raters of each answer by taste with this mean probability, which is that before any answer
	nameLength = 0.05 // ℓ of a coordinate that only names things
)

var (
	campLengths = []float64{0.5, 1.5}       // ℓ
	groupRho    = []float64{0, 0.4, 0.8, 1} // of one group
	campRho     = []float64{0.6, 0.9}       // within camps
	acrossRho   = []float64{0, 0.25}        // between them
)

// CampDuels is the number of answers that camps are found by, the first of each rater: more would take seconds.
const CampDuels = 240

// Camps is the most likely division of the attentive members in two.
type Camps struct {
	Odds  float64 // log odds of two camps against one group; 0 where there is no division
	Sides [][]int // the numbers of the members of each camp, that of the first member first; nil if the odds are too low
}

// FindCamps looks for two camps. duels are those of each member, at most CampDuels together, without statements about single options;
// scales are those of the coordinates. It remembers odds in known.
func FindCamps(members []*Member, agreement [][]float64, duels []*gp.Duels, scales []int, known *memory.Memo[float64]) (out Camps, err error) {
	some := attentive(members)
	part := square(len(some))
	for i, r := range some {
		for k, q := range some {
			part[i][k] = agreement[r][q]
		}
	}
	second, share := divide(part)
	if share == 0 {
		return out, nil
	}
	var theirs []*gp.Duels
	var spreads []float64
	for _, r := range some {
		theirs, spreads = append(theirs, duels[r]), append(spreads, members[r].spread*members[r].spread)
	}
	slices.Sort(spreads)
	if out.Odds, err = campLogOdds(theirs, spreads[len(spreads)/2], second, scales, known); err != nil || out.Odds < campOdds {
		return out, err
	}
	for _, side := range []bool{second[0], !second[0]} {
		var camp []int
		honest := 0.0
		for i, r := range some {
			if second[i] == side {
				camp, honest = append(camp, r), honest+members[r].Honest
			}
		}
		if honest < campHonest*float64(len(camp)) { // a few who click at random differ from the rest, and are not a camp
			return Camps{Odds: out.Odds}, nil
		}
		out.Sides = append(out.Sides, camp)
	}
	return out, nil
}

// campLogOdds returns the log odds of two camps against one group. spread is the median of the variances of the raters' utilities over the space, which
// few further answers change.
func campLogOdds(duels []*gp.Duels, spread float64, second []bool, scales []int, known *memory.Memo[float64]) (float64, error) {
	all := fmt.Append(nil, spread, second, scales)
	for _, d := range duels {
		all, _ = binary.Append(all, binary.LittleEndian, d.A) // cannot fail for numbers
		all, _ = binary.Append(all, binary.LittleEndian, d.B)
		all = fmt.Append(all, d.Outcome, d.Side)
	}
	sum := sha256.Sum256(all)
	key := string(sum[:])
	if odds, is := known.Get(key); is {
		return odds, nil
	}
	var one, two [][3]float64 // ℓ, ρ within and across
	for _, length := range campLengths {
		for _, rho := range groupRho {
			one = append(one, [3]float64{length, rho, rho})
		}
		for _, within := range campRho {
			for _, across := range acrossRho {
				two = append(two, [3]float64{length, within, across})
			}
		}
	}
	both := append(one, two...)
	logs := make([]float64, len(both))
	err := cooperate.Each(context.Background(), len(both), 0, func(i int) (err error) {
		logs[i], err = pooledEvidence(duels, second, scales, spread, both[i][0], both[i][1], both[i][2])
		return err
	})
	mean := func(logs []float64) float64 { return logSum(logs...) - math.Log(float64(len(logs))) }
	odds := mean(logs[len(one):]) - mean(logs[:len(one)]) - float64(len(duels)-1)*math.Ln2
	if err == nil {
		known.Put(key, odds)
	}
	return odds, err
}

// pooledEvidence returns the log evidence of all duels where raters correlate by within in a camp and by across between camps. People are further
// coordinates, one of each rater and one of the camp: two raters are apart by δ in the first, and by what is missing in the last. Ties and the strength of
// a preference are left out.
func pooledEvidence(evs []*gp.Duels, second []bool, scales []int, spread, length, within, across float64) (float64, error) {
	d, m := evs[0].Dim, len(evs)
	near, far := materned(within), materned(across)
	all := &gp.Duels{Dim: d + m + 1}
	for r, ev := range evs {
		who := make([]float64, m+1)
		who[r] = near / math.Sqrt2
		if second[r] {
			who[m] = math.Sqrt(math.Max(0, far*far-near*near))
		}
		for i, o := range ev.Outcome {
			if o == 0 {
				continue
			}
			all.A = append(append(all.A, ev.A[i*d:(i+1)*d]...), who...)
			all.B = append(append(all.B, ev.B[i*d:(i+1)*d]...), who...)
			all.Outcome = append(all.Outcome, gp.Outcome(min(max(int(o), -1), 1)))
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
// none. From every rater as a seed, with those who agree with them more than average, members change sides one at a time while it helps.
func divide(agreement [][]float64) (second []bool, share float64) {
	m := len(agreement)
	if m < campRaters {
		return nil, 0
	}
	for seed := range m {
		mean := (sum(agreement[seed]) - 1) / float64(m-1)
		at := newDivision(agreement, func(i int) bool { return i != seed && agreement[seed][i] < mean })
		best := at.explained()
		for moved := true; moved; {
			moved = false
			for i := range m {
				at.move(i)
				if e := at.explained(); e > best+1e-12 {
					best, moved = e, true
				} else {
					at.move(i)
				}
			}
		}
		if best > share {
			second, share = at.second, best
		}
	}
	return second, share
}

// division is raters in two camps, with what moving one of them changes.
type division struct {
	agreement [][]float64
	second    []bool
	size      int        // of the second camp
	n, total  [2]float64 // pairs and their agreement: between, within
	square    float64
}

func newDivision(agreement [][]float64, second func(i int) bool) *division {
	v := &division{agreement: agreement, second: make([]bool, len(agreement))}
	for i, row := range agreement {
		v.n[1] += float64(i)
		for _, a := range row[:i] {
			v.total[1] += a
			v.square += a * a
		}
	}
	for i := range agreement {
		if second(i) {
			v.move(i)
		}
	}
	return v
}

// move puts a rater into the other camp. O(m).
func (v *division) move(i int) {
	for j, other := range v.second {
		if j == i {
			continue
		}
		from, to := 0, 1
		if other == v.second[i] {
			from, to = 1, 0
		}
		v.n[from]--
		v.n[to]++
		v.total[from] -= v.agreement[i][j]
		v.total[to] += v.agreement[i][j]
	}
	if v.second[i] = !v.second[i]; v.second[i] {
		v.size++
	} else {
		v.size--
	}
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// explained returns R² of a division: n_w n_b/(n_w + n_b) (w − b)² / Σ (a − ā)² over pairs, where w and b are the means of n_w pairs within
// and n_b between; 0 where it is not camps that agree more.
func (v *division) explained() float64 {
	if v.size < campLeast || len(v.second)-v.size < campLeast {
		return 0
	}
	n, total := v.n, v.total
	mean := (total[0] + total[1]) / (n[0] + n[1])
	by := total[1]/n[1] - total[0]/n[0]
	if all := v.square - (n[0]+n[1])*mean*mean; by > 0 && all > 0 {
		return n[0] * n[1] / (n[0] + n[1]) * by * by / all
	}
	return 0
}
