package arena

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// Points is what a difference of 1 in θ is on the Elo scale, where an item rated 400 higher wins 10 times as often: 400/ln 10.
const Points = 400 / math.Ln10

// Options say what the table is to look like. The zero value is maximum likelihood, with a mean of 1000.
type Options struct {
	// Anchor, if not empty, names the item whose rating is fixed at At. Intervals of the others are of their difference to it. Without an anchor the mean of
	// all ratings is At.
	Anchor string
	// At is the rating of the anchor, or the mean. Defaults to 1000.
	At float64
	// Prior is the standard deviation, in Elo points, of a normal prior of every rating about the mean. 0 is no prior: an item that has won or lost
	// everything then has no rating.
	Prior float64
}

// Table is what Rate returns.
type Table struct {
	Battles int      `json:"battles"`
	Ratings []Rating `json:"ratings"` // highest first, then those without one
	Wins    Wins     `json:"wins"`
	Notes   []string `json:"notes,omitempty"` // what a careful reader should know
}

// Rating is one line of the table.
type Rating struct {
	Name string `json:"name"`
	// Rating, with its 95 % interval, on the Elo scale; nil where there is none, which Why tells.
	Rating *float64 `json:"rating"`
	SD     float64  `json:"sd,omitempty"`
	Low    float64  `json:"low,omitempty"`
	High   float64  `json:"high,omitempty"`
	// RankLow and RankHigh are the ranks it may have: 1 + those whose rating is significantly higher, and the last less those significantly lower, at 5 % for
	// each two.
	RankLow  int    `json:"rank_low,omitempty"`
	RankHigh int    `json:"rank_high,omitempty"`
	Won      int    `json:"won"`
	Lost     int    `json:"lost"`
	Tied     int    `json:"tied"`
	Why      string `json:"why,omitempty"` // above, below or apart
}

// Why there is no rating: scored against the rated, directly or over others, and they never against it; the other way round; or nothing connects it with
// them.
const (
	Above = "above"
	Below = "below"
	Apart = "apart"
)

const z95 = 1.959963984540054 // Φ⁻¹(0.975)

// Rate makes the table of battles: Bradley–Terry with a tie as half a win for each, its maximum by Newton's method and intervals from the observed
// information.
func Rate(battles []Battle, o Options) (Table, error) {
	s, err := newScore(battles)
	if err != nil {
		return Table{}, err
	}
	o.At = cmp.Or(o.At, 1000)
	if _, known := s.at[o.Anchor]; o.Anchor != "" && !known {
		return Table{}, fmt.Errorf("arena: the anchor %q has no answers, want one of %s", o.Anchor, few(s.Names))
	}
	if !(o.Prior >= 0) || math.IsInf(o.Prior, 0) || math.IsNaN(o.At) || math.IsInf(o.At, 0) {
		return Table{}, fmt.Errorf("arena: a prior of %g about %g, want numbers, the first not below 0", o.Prior, o.At)
	}
	leads := s.closure(func(i, j int) bool { return s.points(i, j) > 0 })
	var rated []int
	for i := range s.Names {
		var set []int // mutual chains of scores: there, and only there, the likelihood has a maximum (Ford 1957)
		for j := range s.Names {
			if o.Prior > 0 || leads[i][j] && leads[j][i] {
				set = append(set, j)
			}
		}
		if len(set) > len(rated) {
			rated = set
		}
	}
	lambda := 0.0
	if o.Prior > 0 {
		lambda = (Points / o.Prior) * (Points / o.Prior)
	}
	if o.Anchor != "" && !slices.Contains(rated, s.at[o.Anchor]) {
		return Table{}, fmt.Errorf("arena: the anchor %q has no rating: it won or lost everything, or never met the others; anchor another, or use --prior", o.Anchor)
	}
	if len(rated) < 2 {
		return Table{}, errors.New("arena: no item has both won and lost, so there are no finite ratings; ask more questions, or use --prior")
	}
	f, err := s.fit(rated, lambda)
	if err != nil {
		return Table{}, err
	}
	out := s.ratings(rated, f, o)
	for i := range s.Names {
		if slices.Contains(rated, i) {
			continue
		}
		r := s.line(i)
		switch {
		case leads[i][rated[0]]:
			r.Why = Above
		case leads[rated[0]][i]:
			r.Why = Below
		default:
			r.Why = Apart
		}
		out = append(out, r)
	}
	return Table{Battles: len(battles), Ratings: out, Wins: s.Wins, Notes: s.notes(len(rated), o)}, nil
}

// ratings turns θ into lines, best first.
func (s score) ratings(rated []int, f fitted, o Options) (out []Rating) {
	anchor := -1
	var from float64 // the mean, or the anchor
	for k, i := range rated {
		from += f.theta[k] / float64(len(rated))
		if s.Names[i] == o.Anchor {
			anchor = k
		}
	}
	if anchor >= 0 {
		from = f.theta[anchor]
	}
	variance := func(i, j int) float64 { // of θ_i − θ_j, or of θ_i if there is no j; at the anchor itself rounding may leave −1e-17
		if j < 0 {
			return f.cov[i][i]
		}
		return math.Max(0, f.cov[i][i]+f.cov[j][j]-2*f.cov[i][j])
	}
	for k, i := range rated {
		r := s.line(i)
		value := o.At + Points*(f.theta[k]-from)
		r.Rating, r.SD = &value, Points*math.Sqrt(variance(k, anchor))
		r.Low, r.High = value-z95*r.SD, value+z95*r.SD
		r.RankLow, r.RankHigh = 1, len(rated)
		for l := range rated {
			if z := (f.theta[l] - f.theta[k]) / math.Sqrt(variance(k, l)); l != k && z > z95 {
				r.RankLow++
			} else if l != k && z < -z95 {
				r.RankHigh--
			}
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Rating) int { return cmp.Compare(*b.Rating, *a.Rating) })
	return out
}

func (s score) line(i int) Rating {
	r := Rating{Name: s.Names[i]}
	for j := range s.Names {
		r.Won += s.Won[i][j]
		r.Lost += s.Won[j][i]
		r.Tied += s.Tied[i][j]
	}
	return r
}

func (s score) notes(rated int, o Options) (out []string) {
	met, groups := s.closure(func(i, j int) bool { return s.points(i, j)+s.points(j, i) > 0 }), 0
	for i := range s.Names {
		if !slices.Contains(met[i][:i], true) {
			groups++
		}
	}
	what := "only the largest in which everybody has both won and lost is rated"
	if o.Prior > 0 {
		what = "between them nothing but the prior tells who is better"
	}
	if groups > 1 {
		out = append(out, fmt.Sprintf("there are %d groups that never met: %s", groups, what))
	}
	if n := len(s.Names) - rated; n > 0 {
		out = append(out, fmt.Sprintf("%d without a rating: above or below all of the rated as far as anybody knows, or apart from them; more answers would tell, or a prior", n))
	}
	return out
}

func few(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%q and %d more", names[:6], len(names)-6)
	}
	return fmt.Sprintf("%q", names)
}

// Wins counts how often each name beat each other one.
type Wins struct {
	Names []string `json:"names"`
	// Won[i][j] is how often i was taken over j, Tied[i][j] how often neither was.
	Won  [][]int `json:"won"`
	Tied [][]int `json:"tied"`
}

// Share is the share of battles of i with j that i won, a tie being half a win; ok is false if they never met.
func (w Wins) Share(i, j int) (share float64, ok bool) {
	n := w.Won[i][j] + w.Won[j][i] + w.Tied[i][j]
	if n == 0 {
		return 0, false
	}
	return (float64(w.Won[i][j]) + float64(w.Tied[i][j])/2) / float64(n), true
}

// fitted is a Bradley–Terry model of some of the names: the probability that i is taken over j is 1/(1 + exp(θ_j − θ_i)).
type fitted struct {
	theta []float64   // mean 0
	cov   [][]float64 // of theta: the inverse of the observed information, on vectors with mean 0 if there is no prior
}

// fit maximises Σ_ij w_ij log σ(θ_i − θ_j) − λ/2 Σ θ_i² over θ, w being scores, in which a tie is half a win for each. The sum is concave, and strictly so
// but for a shift of all θ, so that Newton's method, with steps halved until the sum grows, goes to its only maximum with mean 0, if there is one: λ > 0, or
// everybody is led to from everybody by chains of scores. λ is 1/sd² of a normal prior.
func (s score) fit(of []int, lambda float64) (fitted, error) {
	n := len(of)
	f := fitted{theta: make([]float64, n)}
	value := func(theta []float64) (sum float64) {
		for i := range n {
			for j := range n {
				if w := s.points(of[i], of[j]); w > 0 {
					sum -= w * softplus(theta[j]-theta[i])
				}
			}
			sum -= lambda / 2 * theta[i] * theta[i]
		}
		return sum
	}
	const most = 200
	for range most {
		gradient, info := s.slopes(of, f.theta, lambda)
		var err error
		if f.cov, err = inverse(n, info, lambda == 0); err != nil {
			return f, err
		}
		step, size := make([]float64, n), 0.0
		for i := range n {
			for j := range n {
				step[i] += f.cov[i][j] * gradient[j]
			}
			size = math.Max(size, math.Abs(step[i]))
		}
		if size < 1e-12 {
			return f, nil
		}
		was, next := value(f.theta), make([]float64, n)
		for part := 1.0; ; part /= 2 {
			for i := range n {
				next[i] = f.theta[i] + part*step[i]
			}
			if value(next) >= was || part*size < 1e-12 { // in rounding nothing grows any more
				break
			}
		}
		f.theta = next
	}
	return f, fmt.Errorf("arena: no maximum in %d steps", most)
}

// slopes returns the gradient of what is maximised and its negative Hessian, the observed information.
func (s score) slopes(of []int, theta []float64, lambda float64) (gradient, info []float64) {
	n := len(of)
	gradient, info = make([]float64, n), make([]float64, n*n)
	for i := range n {
		gradient[i] -= lambda * theta[i]
		info[i*n+i] += lambda
		for j := range n {
			w := s.points(of[i], of[j])
			if w == 0 {
				continue
			}
			p := 1 / (1 + math.Exp(theta[j]-theta[i]))
			gradient[i] += w * (1 - p)
			gradient[j] -= w * (1 - p)
			h := w * p * (1 - p)
			info[i*n+i] += h
			info[j*n+j] += h
			info[i*n+j] -= h
			info[j*n+i] -= h
		}
	}
	return gradient, info
}

// softplus is log(1 + eˣ), in a form that does not overflow.
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// inverse inverts a symmetric positive definite matrix by Cholesky's method or, shifted, one whose only null vector is that of ones: (A + 11ᵀ/n)⁻¹ − 11ᵀ/n is
// its pseudo-inverse.
func inverse(n int, a []float64, shifted bool) ([][]float64, error) {
	ones := 0.0
	if shifted {
		ones = 1 / float64(n)
	}
	l, inv := slices.Clone(a), make([]float64, n*n)
	for i := range l {
		l[i] += ones
	}
	found := linalg.Cholesky(n, l, n)
	for i := range n {
		found = found && l[i*n+i]*l[i*n+i] > 1e-14*(a[i*n+i]+ones)
	}
	if !found {
		return nil, errors.New("arena: ratings cannot be determined from these answers; use --prior")
	}
	linalg.InvertLower(n, l, n)
	linalg.GramLower(n, l, n, inv, n)
	linalg.Symmetrize(n, inv, n)
	for i := range inv {
		inv[i] -= ones
	}
	return slices.Collect(slices.Chunk(inv, n)), nil
}
