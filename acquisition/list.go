package acquisition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// list is a task whose options are N rows. Means and variances of all of them are at hand; covariances
// are computed for the rows that need them, few at a time.
type list struct {
	d, n  int
	rows  []float64
	asked []bool // rows the question may have; of copies of one option only the first
	hold  int    // the row that is held, or −1

	k       knowledge
	means   [][]float64 // per posterior
	vars    [][]float64
	mean    []float64 // of the mixture
	sd      []float64 // typical: Σ_k w_k sd_k
	best    int
	scale   []float64 // typical lengthscales
	alike   []bool    // rows of which nothing is known and that know nothing of others
	workers int
}

func newList(t Task, rows []float64) (*list, error) {
	d := t.utility().Dim()
	l := &list{d: d, n: len(rows) / d, rows: rows, hold: -1, workers: t.Search.Workers}
	if l.n == 0 {
		return nil, errEmpty
	}
	if t.Hold != nil {
		l.hold = (&Domain{List: rows, Dim: d}).row(t.Hold)
	}
	l.asked = make([]bool, l.n)
	firsts := make(map[uint64]int, l.n)
	options, free := 0, 0
	for i := range l.n {
		x := l.row(i)
		if j, ok := firsts[hash(x)]; !ok {
			firsts[hash(x)] = i
		} else if slices.Equal(x, l.row(j)) {
			continue // a copy: the same option
		}
		options++
		l.asked[i] = i == l.hold || t.Allowed == nil || t.Allowed(x)
		if l.asked[i] {
			free++
		}
	}
	if free < 2 {
		return nil, t.tooFew(options)
	}
	return l, nil
}

// hash mixes the bits of x.
func hash(x []float64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range x {
		h = (h ^ math.Float64bits(v)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func (l *list) row(i int) []float64 { return l.rows[i*l.d : (i+1)*l.d] }

// pick returns the coordinates of rows.
func (l *list) pick(rows []int) []float64 { return pick(l.rows, l.d, rows) }

// pick returns those of the points x (row by row, d coordinates each) with these numbers.
func pick(x []float64, d int, numbers []int) []float64 {
	out := make([]float64, 0, len(numbers)*d)
	for _, i := range numbers {
		out = append(out, x[i*d:(i+1)*d]...)
	}
	return out
}

// learn computes the moments of all rows.
func (l *list) learn(t Task) {
	l.k = t.knowledge()
	l.scale = t.utility().Hyper().Kernel.Lengthscale
	l.mean, l.sd = make([]float64, l.n), make([]float64, l.n)
	for _, s := range l.k {
		mean, variance := make([]float64, l.n), make([]float64, l.n)
		s.post.Marginals(mean, variance, l.rows, l.workers)
		l.means, l.vars = append(l.means, mean), append(l.vars, variance)
		for i, v := range variance {
			l.mean[i] += s.weight * mean[i]
			l.sd[i] += s.weight * math.Sqrt(math.Max(0, v)) // −1e-17 stands for 0
		}
	}
	l.best = topRows(l.mean, 1)[0]
	l.findAlike()
}

// Rows farther apart than farApart lengthscales share nothing: Matérn is 3e-17 of its variance there. A
// row whose mean and deviation are the prior's to within untouched is one of which nothing is known.
const (
	farApart  = 20
	untouched = 1e-12
)

// findAlike finds the rows of an identity list, items without features, of which nothing is known yet:
// each is as good as the next, whether as an option or as a best one, and a few stand for all.
func (l *list) findAlike() {
	l.alike = make([]bool, l.n)
	if l.d != 1 {
		return
	}
	far, prior := 0.0, 0.0
	for _, s := range l.k {
		h := s.post.Hyper().Kernel
		if h.Trend > 0 {
			return
		}
		far = math.Max(far, farApart*h.Lengthscale[0])
		prior += s.weight * math.Sqrt(h.Outputscale)
	}
	sorted := clone(l.rows)
	slices.Sort(sorted)
	for i := 1; i < len(sorted); i++ {
		if sorted[i] != sorted[i-1] && sorted[i]-sorted[i-1] < far {
			return
		}
	}
	for i := range l.alike {
		l.alike[i] = math.Abs(l.mean[i]) <= untouched*prior && prior-l.sd[i] <= untouched*prior
	}
}

// drawRank is the rank tolerance of draws, far above rounding: its root is a hundred-thousandth of a deviation.
const drawRank = 1e-10

// draws returns the best of the rows under each of count joint draws of the utility there, one posterior after the other; a row may come up more than once.
func (l *list) draws(rows []int, count int, rng *rand.Rand) []int {
	n := len(rows)
	if n == 0 {
		return nil
	}
	x := l.pick(rows)
	var out []int
	roots := make([][]float64, len(l.k))
	z, f := make([]float64, n), make([]float64, n)
	for c := range count {
		k := c % len(l.k)
		if roots[k] == nil {
			cov := make([]float64, n*n)
			l.k[k].post.CrossCovariance(cov, x, x, l.workers)
			root(cov, cov, n, drawRank)
			roots[k] = cov
		}
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		best := 0
		for i := range f {
			f[i] = l.means[k][rows[i]]
			for j, v := range roots[k][i*n : i*n+i+1] {
				f[i] += v * z[j]
			}
			if f[i] > f[best] {
				best = i
			}
		}
		out = append(out, rows[best])
	}
	return out
}

// choice fills in what all methods return.
func (l *list) choice(ctx context.Context, i, j int) Choice {
	return Choice{A: clone(l.row(i)), B: clone(l.row(j)), Value: math.NaN(),
		Best: clone(l.row(l.best)), Mean: l.mean[l.best], Partial: ctx.Err() != nil}
}
