package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// truth is what one simulated person likes, in the units it was drawn in.
type truth struct {
	utility func(space.Option) float64
	cuts    gp.Cuts // in units of the noise
}

// source draws utilities with the same hyper-parameters.
type source struct {
	next func() func(space.Option) float64 // another each time, independent of those before
	cuts gp.Cuts
}

// newSource draws the hyper-parameters from the priors of the model, for functions from the Gaussian process they make: random Fourier features
// (gp.Function), whose covariance errs by about 3%, and independent normals for items without features, exactly.
func newSource(m gp.Model, l *landscape, rng *rand.Rand) (source, error) {
	dim, scales := l.code.Dim, l.code.Scales
	m.Inference, m.Scales, m.RaterNoise = gp.EP, scales, gp.None()
	h, err := drawHyper(m, dim, rng)
	if err != nil {
		return source{}, err
	}
	if len(scales) == 1 && scales[0] < 0 {
		return source{func() func(space.Option) float64 {
			own := xslices.ToMap(l.options, func(o space.Option) (string, float64) {
				return o.Item(), math.Sqrt(h.Kernel.Outputscale) * rng.NormFloat64()
			})
			return func(o space.Option) float64 { return own[o.Item()] }
		}, h.Cuts}, nil
	}
	prior, err := m.Condition(&gp.Duels{Dim: dim}, h, nil)
	if err != nil {
		return source{}, err
	}
	return source{func() func(space.Option) float64 {
		f, work := prior.Functions(rng, 1)[0], gp.NewMoments(1)
		return func(o space.Option) float64 {
			x, err := l.code.Unit(o)
			if err != nil {
				return math.NaN() // no option of the study's; survey and person refuse it
			}
			return f.At(work, x, nil)
		}
	}, h.Cuts}, nil
}

// drawHyper draws a lengthscale for each of the model's scales, then the outputscale, the trend and the cuts.
func drawHyper(m gp.Model, dim int, rng *rand.Rand) (h gp.Hyper, err error) {
	sample := func(name string, p gp.Prior) float64 {
		v, e := random(p, rng)
		if e != nil && err == nil {
			err = fmt.Errorf("simulate: nobody can be drawn from the prior of the model's %s: %w", name, e)
		}
		return v
	}
	h.Kernel.Lengthscale = make([]float64, dim)
	lengthscale := map[int]float64{}
	for j := range dim {
		s := j
		if m.Scales != nil {
			s = m.Scales[j]
		}
		if _, known := lengthscale[s]; !known && s >= 0 {
			lengthscale[s] = sample("lengthscale", m.Lengthscale)
		}
		if h.Kernel.Lengthscale[j] = lengthscale[s]; s < 0 {
			h.Kernel.Lengthscale[j] = m.Start(dim).Kernel.Lengthscale[j] // of a name, which is no variable
		}
	}
	h.Kernel.Outputscale = sample("outputscale", m.Outputscale)
	if f := m.Trend.Family; f != gp.NoneFamily && f != gp.Default { // the default is no trend
		h.Kernel.Trend, h.Kernel.Effects = sample("trend", m.Trend), m.Effects
		h.Kernel.Circles = m.Start(dim).Kernel.Circles
	}
	at := 0.0
	for i := range m.Answers.Levels() {
		switch {
		case i > 0 && m.Grade.Family != gp.Default:
			at += sample("grade", m.Grade)
		case i > 0 || m.Answers.Ties:
			at += sample("cut", m.Cut)
		}
		h.Cuts = append(h.Cuts, at)
	}
	return h, err
}

// random draws from a prior.
func random(p gp.Prior, rng *rand.Rand) (float64, error) {
	switch p.Family {
	case gp.GammaFamily:
		return gamma(p.A, rng) / p.B, nil
	case gp.LogNormalFamily:
		return math.Exp(p.A + p.B*rng.NormFloat64()), nil
	}
	return 0, fmt.Errorf("it is %v, want a distribution, gamma(…) or lognormal(…)", p)
}

// gamma draws from Gamma(shape, 1): Marsaglia & Tsang (2000), with d = shape − ⅓, c = 1/√(9d), v = (1 + cz)³
// accepted if log u < z²/2 + d − dv + d log v; below shape 1 from that of shape + 1, times u^(1/shape).
func gamma(shape float64, rng *rand.Rand) float64 {
	if shape < 1 {
		return gamma(shape+1, rng) * math.Pow(1-rng.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		z := rng.NormFloat64()
		v := 1 + c*z
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-rng.Float64()) < z*z/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// Noise says how careful simulated people are. At most one of the fields is set; the zero value is Prior.
type Noise struct {
	ErrorRate float64 // the share of wrong answers about two of the best hundredth of all options (at least topOptions of them): the paper's measure
	// Sigma is the standard deviation of the noise on a difference, in units of the spread: the standard deviation of the utility over all options.
	Sigma float64
}

var (
	Prior = Noise{}               // the noise the model expects: utilities keep the scale they were drawn with
	Low   = Noise{ErrorRate: 0.1} // the paper's low noise, 10% of answers about good options wrong
	High  = Noise{ErrorRate: 0.3} // the paper's high noise, 30%
)

// ParseNoise reads "prior", "low", "high", an error rate like "20%", or σ in units of the spread like "0.25".
func ParseNoise(text string) (Noise, error) {
	if n, named := map[string]Noise{"prior": Prior, "low": Low, "high": High}[text]; named {
		return n, nil
	}
	number, rate := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	n := Noise{Sigma: v}
	if rate {
		n = Noise{ErrorRate: v / 100}
	}
	if err != nil || n == Prior || n.Validate() != nil {
		return Noise{}, fmt.Errorf("simulate: noise %q, want prior, low, high, a share of wrong answers like 20%%, or σ in units of the spread like 0.25", text)
	}
	return n, nil
}

// String writes the form ParseNoise reads.
func (n Noise) String() string {
	switch {
	case n == Prior:
		return "prior"
	case n == Low:
		return "low"
	case n == High:
		return "high"
	case n.ErrorRate != 0:
		return strconv.FormatFloat(100*n.ErrorRate, 'g', 6, 64) + "%"
	}
	return strconv.FormatFloat(n.Sigma, 'g', -1, 64)
}

// MarshalText writes that form, in JSON too.
func (n Noise) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

func (n *Noise) UnmarshalText(text []byte) (err error) {
	*n, err = ParseNoise(string(text))
	return err
}

// Validate reports a field out of range.
func (n Noise) Validate() error {
	switch {
	case n.ErrorRate != 0 && n.Sigma != 0:
		return fmt.Errorf("simulate: Noise has an error rate, %g, and a σ, %g, want one of them", n.ErrorRate, n.Sigma)
	case n.ErrorRate != 0 && !(n.ErrorRate > 0 && n.ErrorRate < 0.5):
		return fmt.Errorf("simulate: Noise.ErrorRate = %g, want between 0 and 0.5", n.ErrorRate)
	case n.Sigma != 0 && !(n.Sigma > 0 && !math.IsInf(n.Sigma, 1)):
		return fmt.Errorf("simulate: Noise.Sigma = %g, want a positive number", n.Sigma)
	}
	return nil
}

const (
	topShare   = 0.01 // of the options are good, as in the paper …
	topOptions = 20   // … and at least so many, or all of a shorter list
)

// sigma returns the noise of a person in the units of the utility, whose values at many options are given; plain is the noise under Prior.
func (n Noise) sigma(values []float64, plain float64) (float64, error) {
	switch {
	case n.ErrorRate != 0:
		sigma, err := problem.TopOf(best(values), problem.Probit).Sigma(n.ErrorRate)
		if err != nil {
			err = fmt.Errorf("simulate: no noise makes %.3g%% of answers wrong: %w", 100*n.ErrorRate, err)
		}
		return sigma, err
	case n.Sigma != 0:
		if s := deviation(values); s > 0 {
			return n.Sigma * s, nil
		}
		return 0, fmt.Errorf("simulate: all %d options looked at have the same utility, so that noise %v has no unit", len(values), n)
	}
	return plain, nil
}

// best returns the utilities of the good options, in increasing order.
func best(values []float64) []float64 {
	s := slices.Sorted(slices.Values(values))
	return s[len(s)-min(len(s), max(topOptions, int(topShare*float64(len(s))))):]
}

func deviation(values []float64) float64 {
	mean, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(values)))
}
