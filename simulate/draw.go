package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// truth is what one simulated person likes, in the units it was drawn in.
type truth struct {
	utility func(space.Option) float64
	cuts    gp.Cuts // in units of the noise
}

// draw draws one person.
func draw(m gp.Model, l *landscape, rng *rand.Rand) (truth, error) {
	s, err := newSource(m, l, rng)
	if err != nil {
		return truth{}, err
	}
	return truth{s.next(), s.cuts}, nil
}

// source draws utilities with the same hyper-parameters.
type source struct {
	next func() func(space.Option) float64 // another each time, independent of those before
	cuts gp.Cuts
}

// newSource draws the hyper-parameters from the priors of the model, for functions from the Gaussian process they make:
// random Fourier features (gp.Function), whose covariance errs by about 3 %, and independent normals for items
// without features, exactly.
func newSource(m gp.Model, l *landscape, rng *rand.Rand) (source, error) {
	dim, scales := l.layout.Dim, l.layout.Scales
	m.Inference, m.Scales, m.RaterNoise = gp.EP, scales, gp.None()
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: make([]float64, dim)}}
	var err error
	sample := func(name string, p gp.Prior) float64 {
		v, e := random(p, rng)
		if e != nil && err == nil {
			err = fmt.Errorf("simulate: nobody can be drawn from the prior of the model's %s: %w", name, e)
		}
		return v
	}
	lengthscale := map[int]float64{}
	for j := range dim {
		s := j
		if scales != nil {
			s = scales[j]
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
	cuts := make(gp.Cuts, 0, m.Answers.Levels())
	at := 0.0
	for i := range m.Answers.Levels() {
		switch {
		case i > 0 && m.Grade.Family != gp.Default:
			at += sample("grade", m.Grade)
		case i > 0 || m.Answers.Ties:
			at += sample("cut", m.Cut)
		}
		cuts = append(cuts, at)
	}
	if err != nil {
		return source{}, err
	}
	if len(scales) == 1 && scales[0] < 0 {
		return source{func() func(space.Option) float64 {
			own := make(map[string]float64, len(l.options))
			for _, o := range l.options {
				own[o.Item()] = math.Sqrt(h.Kernel.Outputscale) * rng.NormFloat64()
			}
			return func(o space.Option) float64 { return own[o.Item()] }
		}, cuts}, nil
	}
	h.Cuts = cuts
	prior, err := m.Condition(&gp.Duels{Dim: dim}, h, nil)
	if err != nil {
		return source{}, err
	}
	return source{func() func(space.Option) float64 {
		f, work := prior.Functions(rng, 1)[0], gp.NewMoments(1)
		return func(o space.Option) float64 {
			x, err := l.layout.Point(o)
			if err != nil {
				return math.NaN() // no option of the study's; survey and person refuse it
			}
			return f.At(work, x, nil)
		}
	}, cuts}, nil
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
