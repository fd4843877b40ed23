// Package rankings measures what pairs a ranking should become for a model that takes pairs for independent: rankings are drawn from utilities that are
// known, broken into pairs in several ways, observed in a study, and what the study then believes is held against the utilities.
package rankings

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Plan is one kind of data. Its tags make flags of the fields.
type Plan struct {
	Law         Law     `kong:"-"`
	Items       int     `help:"Number of items." default:"12"`
	Size        int     `kong:"-"` // how many a ranking has, drawn from the items
	Rankings    int     `kong:"-"`
	Spread      float64 `help:"Standard deviation of the utilities." default:"1"`
	Repetitions int     `help:"Studies of each kind." default:"40"`
	Seed        uint64  `help:"Random seed."`
	Jobs        int     `help:"Studies in parallel; the result does not depend on it." default:"1"`
}

// Check reports what cannot be measured.
func (p Plan) Check() error {
	if !slices.Contains(Laws, p.Law) {
		return fmt.Errorf("rankings: law %q, want one of %v", p.Law, Laws)
	}
	if p.Size < 2 || p.Size > p.Items || p.Rankings < 1 || p.Repetitions < 2 || !(p.Spread > 0) || p.Jobs < 1 {
		return fmt.Errorf("rankings: %+v, want rankings of 2 or more of the items, 2 or more repetitions and a spread above 0", p)
	}
	return nil
}

// Played is one study, against the truth.
type Played struct {
	Surprise float64 // how many nats its win probabilities lose against the true ones: the mean over all two items of the Kullback–Leibler divergence
	// Slope of the believed differences of utility on the true ones: below 1 they are too small.
	Slope  float64
	Inside float64 // the share of items whose true distance to the pick lies in the 90 % interval that is believed
	Right  bool    // whether the pick is the best item
	Sure   float64 // the probability the study gives to no item being better than the pick by more than its tolerance, and Good whether none is
	Good   bool
	Pairs  int // those the rankings became
}

// Run plays the studies of one way to make pairs. Those with the same seed have the same utilities and rankings for every way.
func (p Plan) Run(ctx context.Context, b Breaking, done trial.Progress) ([]Played, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	numbers := xslices.Times(p.Repetitions, func(i int) uint64 { return uint64(i) })
	return trial.Each(ctx, p.Jobs, numbers, done, func(ctx context.Context, n uint64) (Played, error) { return p.play(ctx, n, b) })
}

func (p Plan) play(ctx context.Context, n uint64, b Breaking) (out Played, err error) {
	r := rand.New(rand.NewPCG(p.Seed, n))
	u, items := make([]float64, p.Items), make([]space.Item, p.Items)
	for i := range u {
		u[i], items[i].ID = p.Spread*r.NormFloat64(), fmt.Sprint("m", i)
	}
	s, err := prefer.New(ctx, prefer.Config{Space: space.Space{Items: items}, Seed: n, Answers: prefer.Answers{Forced: true},
		Tolerance: prefer.Tolerance{Noise: prefer.DefaultTolerance().Noise}})
	if err != nil {
		return out, err
	}
	for range p.Rankings {
		ranking := p.Law.rank(r, u, r.Perm(p.Items)[:p.Size])
		for _, pair := range b.pairs(r, ranking) {
			d := prefer.Duel{First: space.ItemOption(items[pair[0]].ID), Second: space.ItemOption(items[pair[1]].ID), Answer: prefer.Answer{Choice: prefer.First}}
			if _, err := s.Observe(ctx, d); err != nil {
				return out, err
			}
			out.Pairs++
		}
	}
	return out, p.look(ctx, s, u, &out)
}

// look holds what a study believes against the truth, in its own units: the difference that two win probabilities stand for is Φ⁻¹ of them.
func (p Plan) look(ctx context.Context, s *prefer.Study, u []float64, out *Played) error {
	best, err := s.Best(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	belief, err := s.Belief(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	mean, pick := make([]float64, len(u)), 0
	option := func(i int) space.Option { return space.ItemOption(fmt.Sprint("m", i)) }
	for i := range u {
		if mean[i], _, err = belief.Utility(option(i)); err != nil {
			return err
		}
		if best.Option.Item() == option(i).Item() {
			pick = i
		}
	}
	truth := func(i, j int) float64 { return normal.Quantile(p.Law.wins(u[i], u[j])) }
	var product, square, pairs float64
	for i := range u {
		for j := range i {
			told, err := belief.Prefers(option(i), option(j))
			if err != nil {
				return err
			}
			is := p.Law.wins(u[i], u[j])
			out.Surprise += is*math.Log(is/told) + (1-is)*math.Log((1-is)/(1-told))
			product += truth(i, j) * (mean[i] - mean[j])
			square += truth(i, j) * truth(i, j)
			pairs++
		}
	}
	out.Surprise, out.Slope = out.Surprise/pairs, product/square
	out.Sure, out.Good, out.Right = best.Confidence, true, u[pick] == slices.Max(u)
	tolerance := s.Config().Tolerance.Noise
	for i := range u {
		if i == pick {
			continue
		}
		below, sd, err := belief.Below(option(i))
		if err != nil {
			return err
		}
		if math.Abs(truth(pick, i)-below) <= normal.Quantile(0.95)*sd {
			out.Inside += 1 / float64(len(u)-1)
		}
		if truth(i, pick) > tolerance {
			out.Good = false
		}
	}
	return nil
}

// Row is what came of one way to make pairs of one kind of data. Means have 95 % bootstrap intervals.
type Row struct {
	Law      Law              `json:"law"`
	Size     int              `json:"size"`
	Rankings int              `json:"rankings"`
	Breaking Breaking         `json:"pairs"`
	Pairs    float64          `json:"pairs_made"`
	Surprise compare.Interval `json:"surprise"` // millinats a pair
	Slope    compare.Interval `json:"slope"`
	Inside   compare.Interval `json:"inside"`
	Right    compare.Interval `json:"right"`
	Sure     compare.Interval `json:"sure"`
	Good     compare.Interval `json:"good"`
}

func (p Plan) Summarize(b Breaking, all []Played) Row {
	var draws compare.Draws
	mean := func(of func(Played) float64) compare.Interval {
		values := xslices.Map(all, of)
		return draws.Mean(values)
	}
	return Row{
		Law: p.Law, Size: p.Size, Rankings: p.Rankings, Breaking: b,
		Pairs:    mean(func(o Played) float64 { return float64(o.Pairs) }).Value,
		Surprise: mean(func(o Played) float64 { return 1000 * o.Surprise }),
		Slope:    mean(func(o Played) float64 { return o.Slope }),
		Inside:   mean(func(o Played) float64 { return o.Inside }),
		Right:    mean(func(o Played) float64 { return trial.Share(o.Right) }),
		Sure:     mean(func(o Played) float64 { return o.Sure }),
		Good:     mean(func(o Played) float64 { return trial.Share(o.Good) }),
	}
}

func Write(w io.Writer, rows []Row) error {
	_, err := fmt.Fprintln(w, "| law | rankings | pairs | made | surprise, millinats | slope | in the 90 % interval | pick is best | says it is good | is good |\n|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		_, err = fmt.Fprintf(w, "| %s | %d of %d | %s | %.0f | %s | %s | %s | %s | %s | %s |\n", r.Law, r.Rankings, r.Size, r.Breaking, r.Pairs,
			r.Surprise.Text("%.1f"), r.Slope.Text("%.2f"), r.Inside.Percent(), r.Right.Percent(), r.Sure.Percent(), r.Good.Percent())
	}
	return err
}

// Law is how rankings come about: everything has its utility with noise of its own, and they are sorted by that.
type Law string

// The laws: normal noise (Thurstone 1927, case V), or that of Gumbel, where the best of those left is taken with a probability proportional to exp u
// (Plackett 1975, Luce 1959).
const (
	Thurstone    Law = "thurstone"
	PlackettLuce Law = "plackett-luce"
)

// Laws are all of them.
var Laws = []Law{Thurstone, PlackettLuce}

// rank returns places of u, best first, of the chosen ones. Noise of the normal law has variance 1/2 on each, so that it is 1 on a difference.
func (l Law) rank(r *rand.Rand, u []float64, chosen []int) []int {
	seen := make(map[int]float64, len(chosen))
	for _, i := range chosen {
		switch l {
		case Thurstone:
			seen[i] = u[i] + r.NormFloat64()/math.Sqrt2
		case PlackettLuce:
			seen[i] = u[i] - math.Log(r.ExpFloat64())
		default:
			panic(fmt.Sprintf("rankings: law %q", l))
		}
	}
	out := slices.Clone(chosen)
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(seen[b], seen[a]) })
	return out
}

// wins is the probability that what has the utility a comes before what has b, in a ranking of any length.
func (l Law) wins(a, b float64) float64 {
	if l == Thurstone {
		return normal.CDF(a - b)
	}
	return 1 / (1 + math.Exp(b-a))
}

// Breaking is a way to make pairs of a ranking.
type Breaking string

// All pairs; each with the next one; the first with each other, which is all that best-of-n says; or pairs without a common member, drawn without a look at
// who is where: those are independent of each other, and few.
const (
	All      Breaking = "all"
	Adjacent Breaking = "adjacent"
	First    Breaking = "first"
	Disjoint Breaking = "disjoint"
)

// Breakings are all of them.
var Breakings = []Breaking{All, Adjacent, First, Disjoint}

func ParseBreaking(name string) (Breaking, error) {
	if !slices.Contains(Breakings, Breaking(name)) {
		return "", fmt.Errorf("rankings: pairs %q, want one of %v", name, Breakings)
	}
	return Breaking(name), nil
}

// pairs returns pairs of items, the higher ranked first.
func (b Breaking) pairs(r *rand.Rand, ranking []int) (out [][2]int) {
	n := len(ranking)
	order := r.Perm(n) // drawn for every way, so that all meet the same rankings
	if b == Disjoint {
		for k := 0; k+1 < n; k += 2 {
			i, j := min(order[k], order[k+1]), max(order[k], order[k+1])
			out = append(out, [2]int{ranking[i], ranking[j]})
		}
		return out
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if b == All || b == Adjacent && j == i+1 || b == First && i == 0 {
				out = append(out, [2]int{ranking[i], ranking[j]})
			}
		}
	}
	return out
}
