package prefer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// Belief is what a study believes at one moment. It does not change when the study goes on. Utilities
// are in units of the noise of an answer: a difference of 1 is recognised 84 times in a hundred.
type Belief struct {
	space  Space
	post   *gp.Posterior
	favour func() []float64 // x̂ in the unit cube, searched for when first wanted
	count  int
}

// Belief returns what the answers so far say. Looking changes nothing: no later question depends on
// when or how often it is called.
func (s *Study) Belief(ctx context.Context) (*Belief, error) {
	v := s.view()
	fit, err := s.fits.get(ctx, v.duels)
	if err != nil {
		return nil, err
	}
	return &Belief{
		space: s.cfg.Space, post: fit.post, count: v.duels.Len(),
		favour: sync.OnceValue(func() []float64 { return s.recommend(context.Background(), fit, v)[0].X }),
	}, nil
}

// recommend searches for x̂. Its seed is the study's alone, so the same duels have the same best.
func (s *Study) recommend(ctx context.Context, f *fit, v view) []acquisition.Peak {
	return acquisition.Recommend(ctx, f.belief(), v.shown, nil, s.cfg.Seed, s.cfg.Search.Workers)
}

// Answers returns the number of duels the belief rests on.
func (b *Belief) Answers() int { return b.count }

// Best returns the option with the highest expected utility.
func (b *Belief) Best() Option { return b.space.option(b.favour()) }

// Utility returns the mean and standard deviation of an option's utility.
func (b *Belief) Utility(o Option) (mean, sd float64, err error) {
	u, err := b.space.unit(o)
	if err != nil {
		return 0, 0, err
	}
	return b.post.Mean(u) / b.post.Noise(), math.Sqrt(math.Max(0, b.post.Variance(u))) / b.post.Noise(), nil
}

// Prefers returns the probability that a rater who must choose takes the first option.
func (b *Belief) Prefers(first, second Option) (float64, error) {
	u, err := b.space.unit(first)
	if err != nil {
		return 0, err
	}
	v, err := b.space.unit(second)
	if err != nil {
		return 0, err
	}
	m := gp.NewMoments(2)
	b.post.Moments(m, append(slices.Clone(u), v...))
	mean, vrc := m.Difference(0, 1)
	forced := gp.Cuts{0}.Interval(1, b.post.Noise())
	return forced.Prob(mean, math.Max(0, vrc), b.post.Noise()), nil
}

// Warnings lists what a careful reader should know about the fit behind the belief.
func (b *Belief) Warnings() []error { return b.post.Warnings() }

// SlicePoint is one point of a slice: a parameter's value, and the utility there with its
// uncertainty.
type SlicePoint struct {
	Value Value   `json:"value"`
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`
}

// Slice walks along one parameter through the best option, the others held, in n ≥ 2 steps evenly
// spaced on the parameter's own scale.
func (b *Belief) Slice(name string, n int) ([]SlicePoint, error) {
	j := slices.IndexFunc(b.space.Parameters, func(p Parameter) bool { return p.Name == name })
	if j < 0 {
		return nil, fmt.Errorf("prefer: slice along %q, which is no parameter of the study: %w", name, ErrOption)
	}
	if n < 2 {
		return nil, fmt.Errorf("prefer: slice in %d points, want at least 2", n)
	}
	out := make([]SlicePoint, n)
	for i := range out {
		u := slices.Clone(b.favour())
		u[j] = float64(i) / float64(n-1)
		out[i] = SlicePoint{
			Value: b.space.option(u)[name],
			Mean:  b.post.Mean(u) / b.post.Noise(),
			SD:    math.Sqrt(math.Max(0, b.post.Variance(u))) / b.post.Noise(),
		}
	}
	return out, nil
}

// Importance says how much one parameter matters.
type Importance struct {
	Parameter string `json:"parameter"`

	// Loss is the utility lost, on average, by setting this parameter at random and leaving the others
	// at their best, in units of the noise; SD is its uncertainty.
	Loss float64 `json:"loss"`
	SD   float64 `json:"sd"`

	// Share is the parameter's part of all losses.
	Share float64 `json:"share"`

	// Sentence says it in words: "lower contrast wins", "blur hardly matters".
	Sentence string `json:"sentence"`
}

const (
	slicePoints = 11   // points of the average in Importance
	hardlyLoss  = 0.25 // a loss that, one standard deviation up, is below this much of the noise hardly matters …
	hardlyShare = 0.2  // … and so does one below this part of the largest loss
	lowEnd      = 0.2  // best values this close to an end of the range are "lower" or "higher"
	clearEnough = 1.0  // a loss this many of its standard deviations above zero is worth a sentence
)

// Importance returns every parameter with what it is worth to get it right, most important first.
//
//	Loss_j = mean over t of μ(x̂) − μ(x̂ with x_j = t),   SD_j² = Var of the same average of f
func (b *Belief) Importance() []Importance {
	d := b.space.Dim()
	out := make([]Importance, d)
	total := 0.0
	m := gp.NewMoments(slicePoints + 1)
	x := make([]float64, (slicePoints+1)*d)
	noise := b.post.Noise()
	for j, p := range b.space.Parameters {
		for i := range slicePoints + 1 {
			copy(x[i*d:(i+1)*d], b.favour())
			if i > 0 {
				x[i*d+j] = float64(i-1) / (slicePoints - 1)
			}
		}
		b.post.Moments(m, x)
		w := make([]float64, slicePoints+1)
		w[0] = 1
		for i := range slicePoints {
			w[i+1] = -1.0 / slicePoints
		}
		var loss, vrc float64
		for i := range w {
			loss += w[i] * m.Mean[i]
			for k := range w {
				vrc += w[i] * w[k] * m.Cov[i*len(w)+k]
			}
		}
		out[j] = Importance{Parameter: p.Name, Loss: loss / noise, SD: math.Sqrt(math.Max(0, vrc)) / noise}
		total += math.Max(0, loss) / noise
	}
	var top float64
	for _, i := range out {
		top = math.Max(top, i.Loss)
	}
	for j := range out {
		if total > 0 {
			out[j].Share = math.Max(0, out[j].Loss) / total
		}
		out[j].Sentence = b.sentence(out[j], b.favour()[j], top)
	}
	slices.SortStableFunc(out, func(a, b Importance) int { return cmp.Compare(b.Loss, a.Loss) })
	return out
}

// sentence puts one parameter into words; at is its best value in the unit cube, top the largest loss.
func (b *Belief) sentence(i Importance, at, top float64) string {
	name := i.Parameter
	switch {
	case b.count > 0 && i.Loss+i.SD < math.Max(hardlyLoss, hardlyShare*top):
		return fmt.Sprintf("%s hardly matters", name)
	case b.count == 0 || i.Loss < clearEnough*i.SD:
		return fmt.Sprintf("too early to say about %s", name)
	case at < lowEnd:
		return fmt.Sprintf("lower %s wins", name)
	case at > 1-lowEnd:
		return fmt.Sprintf("higher %s wins", name)
	}
	return fmt.Sprintf("%s around %.3g wins", name, b.Best().Float(name))
}
