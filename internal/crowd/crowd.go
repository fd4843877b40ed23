// Package crowd has statistics on the raters of a group: how far their utilities agree, whether there are two camps, and who answers
// carelessly. It works on draws of utilities and on answers as points; it knows no studies.
//
//	crowd.go     a rater's utility, standardised; the weighted sum of several, and their correlations
//	camps.go     two camps, or one group of individuals
//	careless.go  odds that a rater does not look
package crowd

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/xslices"
)

const tasteDraws = 400

// Utility is a utility that can be drawn at points, row by row. The slice that is yielded is reused. Spread returns E mean_x f and E var_x f.
type Utility interface {
	Dim() int
	Means(dst, x []float64, workers int)
	Spread(x []float64) (centre, square float64)
	Draw(x []float64, count int, rng *rand.Rand, yield func([]float64))
}

type Member struct {
	Honest    float64     // probability that the rater answers by taste
	Careless  bool        // the rater is called careless
	Favourite []float64   // the option that the rater wants most
	Mean      *gp.Mixture // of the utility, with what other raters teach about this one: only its mean is looked at

	draws  [][]float64 // each less its mean over the points, divided by its standard deviation there
	part   float64     // var_x E f / E var_x f: the part of the utility that is known, from 0 to 1
	centre float64     // E mean_x f, of utility
	spread float64     // √E var_x f, of utility; 1 where it is 0
}

// NewMember returns a rater whose utility is compared with others at the points x, row by row. It is drawn from own, which is learned from the rater's answers
// alone: what other raters teach about this one would make all agree. The random numbers depend on the rater's name, not on the other members.
func NewMember(name string, own, utility Utility, x []float64, seed uint64) *Member {
	m := &Member{Honest: 1}
	var total float64
	mean := make([]float64, len(x)/own.Dim())
	total, m.draws = standardDraws(name, own, x, seed)
	own.Means(mean, x, 1)
	if _, square := standardise(mean); total > 0 {
		m.part = math.Min(1, square/total) // the mean over draws may be a little less than that of a utility that is known
	}
	m.centre, total = utility.Spread(x)
	if m.spread = math.Sqrt(total); total == 0 {
		m.spread = 1
	}
	return m
}

// Size returns how many bytes a member takes, without Mean.
func (m *Member) Size() int64 { return 8 * int64(len(m.draws)*len(m.draws[0])) }

// standardDraws returns E var_x f of a utility, and its draws, standardised, in random order.
func standardDraws(name string, u Utility, x []float64, seed uint64) (total float64, draws [][]float64) {
	h := fnv.New64a()
	h.Write([]byte(name))
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))
	u.Draw(x, tasteDraws, rng, func(u []float64) {
		z := slices.Clone(u)
		_, square := standardise(z)
		total, draws = total+square, append(draws, z)
	})
	rng.Shuffle(len(draws), func(i, j int) { draws[i], draws[j] = draws[j], draws[i] }) // they come by setting of the hyper-parameters
	return total / float64(len(draws)), draws
}

const (
	jointNumbers = 768 // utilities that are drawn jointly, of all members at fewer points the more they are, …
	jointLeast   = 24  // … but at so many; if that leaves each member fewer they are not drawn jointly
)

// JointPoints returns at how many of the points so many members can be drawn jointly, 0 if they cannot.
func JointPoints(members, points int) int {
	if n := min(points, jointNumbers/members); n >= min(jointLeast, points) {
		return n
	}
	return 0
}

// DrawJointly redraws the members' utilities jointly from one model of all of them: how alike people are is a part of what is known, and of doubt. Drawn
// separately, people who are alike would seem to differ as far as they are not known. people draws the utility of rater number who[i] at point i.
func DrawJointly(members []*Member, numbers []int, x []float64, dim int, seed uint64, people func(x []float64, who []int, count int, rng *rand.Rand, yield func([]float64))) {
	n := len(x) / dim
	var all []float64
	var who []int
	for i, m := range members {
		all, m.draws = append(all, x...), nil
		who = append(who, slices.Repeat([]int{numbers[i]}, n)...)
	}
	people(all, who, tasteDraws, rand.New(rand.NewPCG(seed, 0xa9ee)), func(u []float64) {
		for i, m := range members {
			z := slices.Clone(u[i*n : (i+1)*n])
			standardise(z)
			m.draws = append(m.draws, z)
		}
	})
}

// standardise subtracts the mean of u and divides by the standard deviation, unless it is 0; it returns the mean and the variance.
func standardise(u []float64) (mean, square float64) {
	n := float64(len(u))
	for _, v := range u {
		mean += v / n
	}
	for _, v := range u {
		square += (v - mean) * (v - mean) / n
	}
	sd := math.Sqrt(square)
	for i := range u {
		if u[i] -= mean; sd > 0 {
			u[i] /= sd
		}
	}
	return mean, square
}

// Weights returns how much each member counts, by how much is known of their taste and how likely they answer by it. The largest is 1.
func Weights(members []*Member) (out []float64) {
	out = xslices.Map(members, func(m *Member) float64 { return m.Honest * math.Sqrt(m.part) })
	if most := slices.Max(out); most > 0 {
		for i := range out {
			out[i] /= most
		}
	}
	return out
}

// Loss returns what a member gives up, in their standardised units, if an option is taken in place of their favourite.
func (m *Member) Loss(option []float64) float64 {
	at := gp.NewMoments(1)
	return (m.Mean.MeanGradient(at, m.Favourite, nil) - m.Mean.MeanGradient(at, option, nil)) / m.spread
}

// Sum returns the expected mean of what the members want, but for a constant, and the constant.
//
//	score(x) = Σ_r h_r (E f_r(x) − c_r)/v_r / Σ_r h_r,   c_r = E mean_x f_r,   v_r² = E var_x f_r
//
// h_r is the probability that r answers by taste: other answers say nothing about it. The spread v_r is that of the utility, not of its
// expectation: where little is known E f_r is flat, and r counts for little.
func Sum(members []*Member) (mean *gp.Mixture, constant float64) {
	all := 0.0
	for _, m := range members {
		all += m.Honest
	}
	factors := xslices.Map(members, func(m *Member) float64 { return m.Honest / all / m.spread })
	for i, m := range members {
		constant -= factors[i] * m.centre
	}
	return gp.MeanSum(xslices.Map(members, func(m *Member) *gp.Mixture { return m.Mean }), factors), constant
}

// disagreeing is the share of draws that makes a rater one who disagrees.
const disagreeing = 0.95

// Interval is the mean of a quantity and the interval that has it with probability 0.95.
type Interval struct{ Mean, Low, High float64 }

// Agreement is how far raters agree: correlations of their utilities over the points.
type Agreement struct {
	Mean, Low, High [][]float64 // of each two, as Interval; 0, −1 and 1 of careless raters
	Together        Interval    // the mean over all pairs
	Disagrees       []bool      // by rater: almost surely wants the contrary of what the others want on average
}

// agreeNumbers is how many correlations are kept at a time, of some raters with all in all draws: of hundreds of raters not all would fit the memory. A test
// lowers it.
var agreeNumbers = 4_000_000

// Agree compares the members. Careless ones have no part in Together and Disagrees.
func Agree(members []*Member) Agreement {
	m, count, n := len(members), len(members[0].draws), len(members[0].draws[0])
	out := Agreement{Mean: square(m), Low: square(m), High: square(m), Together: Interval{Low: -1, High: 1}, Disagrees: make([]bool, m)}
	some, rows := attentive(members), min(m, 1+agreeNumbers/(m*count))
	totals := xslices.Times(m, func(int) []float64 { return make([]float64, count) }) // of a rater's correlations with the other attentive ones, by draw
	between := make([]float64, count*rows*m)
	for lo := 0; lo < m; lo += rows {
		hi := min(m, lo+rows)
		row := func(r, k int) []float64 { return between[(k*rows+r-lo)*m:] }
		cooperate.Parallel(context.Background(), count, 0, func(int) func(int) {
			z := make([]float64, m*n)
			return func(k int) {
				for q, member := range members {
					copy(z[q*n:], member.draws[k])
				}
				linalg.Gemm(false, true, hi-lo, m, n, 1/float64(n), z[lo*n:], n, z, n, 0, row(lo, k), m)
			}
		})
		cooperate.Parallel(context.Background(), hi-lo, 0, func(int) func(int) {
			one := make([]float64, count)
			return func(i int) {
				r, against := lo+i, 0
				out.Mean[r][r], out.Low[r][r], out.High[r][r] = 1, 1, 1
				for q := range r {
					a := Interval{Low: -1, High: 1}
					if !members[r].Careless && !members[q].Careless {
						for k := range one {
							one[k] = row(r, k)[q]
						}
						a = newInterval(one)
					}
					out.Mean[r][q], out.Low[r][q], out.High[r][q] = a.Mean, a.Low, a.High
					out.Mean[q][r], out.Low[q][r], out.High[q][r] = a.Mean, a.Low, a.High
				}
				for k := range count {
					all, weighted := row(r, k), 0.0
					for _, q := range some {
						if q != r {
							totals[r][k] += all[q]
							weighted += members[q].Honest * all[q]
						}
					}
					if weighted < 0 {
						against++
					}
				}
				out.Disagrees[r] = len(some) > 1 && !members[r].Careless && float64(against) >= disagreeing*float64(count)
			}
		})
	}
	if len(some) < 2 {
		return out
	}
	mean := make([]float64, count)
	for _, r := range some {
		linalg.Axpy(1/float64(len(some)*(len(some)-1)), totals[r], mean)
	}
	out.Together = newInterval(mean)
	return out
}

func attentive(members []*Member) (out []int) {
	for i, m := range members {
		if !m.Careless {
			out = append(out, i)
		}
	}
	return out
}

// newInterval summarises draws. The interval has 98 of 100: rehearsed, 95 had the truth in 91 (smooth tastes) and 90 (rugged).
func newInterval(draws []float64) (a Interval) {
	for _, v := range draws {
		a.Mean += v / float64(len(draws))
	}
	tail := 1 + len(draws)/100
	a.Low, a.High = smallest(draws, tail, 1), -smallest(draws, tail, -1)
	return a
}

// smallest returns the n-th smallest of the values times a sign.
func smallest(values []float64, n int, sign float64) float64 {
	kept := make([]float64, 0, n+1)
	for _, v := range values {
		if v *= sign; len(kept) < n || v < kept[n-1] {
			at, _ := slices.BinarySearch(kept, v)
			kept = slices.Insert(kept, at, v)
			kept = kept[:min(len(kept), n)]
		}
	}
	return kept[n-1]
}

func square(n int) [][]float64 {
	return xslices.Times(n, func(i int) []float64 { return make([]float64, n) })
}

// Spread returns at most so many of the rows, evenly spread over all.
func Spread(rows []float64, dim, count int) (out []float64) {
	n := len(rows) / dim
	for i := range min(n, count) {
		at := i * n / min(n, count) * dim
		out = append(out, rows[at:at+dim]...)
	}
	return out
}
