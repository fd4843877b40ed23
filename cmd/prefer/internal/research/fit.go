package research

import (
	"context"
	"encoding"
	"encoding/json"
	"math"

	"github.com/prefer-bo/prefer/gp"
)

// hyper are hyper-parameters as they travel. Lengthscales are parts of the distance of the bounds; cuts are in units of the noise.
type hyper struct {
	Lengthscale []float64 `json:"lengthscale"`
	Outputscale float64   `json:"outputscale"`
	Noise       float64   `json:"noise"`
	Cuts        []float64 `json:"cuts,omitempty"`
	Trend       float64   `json:"trend,omitempty"`
	Raters      []float64 `json:"raters,omitempty"`
}

// fitRequest has duels, and what is believed before them.
type fitRequest struct {
	head
	A       *Array `json:"a"` // n×d
	B       *Array `json:"b"`
	Outcome []int  `json:"outcome"` // 1: a, −1: b, 0: a tie; ±2 and more are stronger. Defaults to 1 for all
	Rater   []int  `json:"rater"`   // who answered, from 0 on

	Lower []float64 `json:"lower"` // defaults to the unit cube
	Upper []float64 `json:"upper"`

	Inference string          `json:"inference"` // ep, variational, laplace or sparse
	Ties      *bool           `json:"ties"`      // whether they are on offer. Defaults to whether there are any
	Grades    *int            `json:"grades"`    // likewise
	Noise     json.RawMessage `json:"noise"`     // σ, or "learn": σ in units of an outputscale of 1. Defaults to 1
	Hyper     *hyper          `json:"hyper"`     // given, and not learned

	Lengthscale string `json:"lengthscale"` // priors by name: gamma(3,6), lognormal(0,1), flat, none
	Outputscale string `json:"outputscale"`
	Cut         string `json:"cut"`
	Grade       string `json:"grade"`
	Trend       string `json:"trend"`
	RaterNoise  string `json:"rater_noise"` // defaults to gp.DefaultRaterNoise where there are raters
	Effects     string `json:"effects"`     // of a trend: cosines, polynomials or lines

	MaxEvals  int           `json:"max_evals"`
	Tolerance float64       `json:"tolerance"`
	Sparse    sparseRequest `json:"sparse"`
}

// sparseRequest are gp.SparseOptions as they travel.
type sparseRequest struct {
	Inducing int     `json:"inducing"`
	Sobol    int     `json:"sobol"`
	Seed     uint64  `json:"seed"`
	Nodes    int     `json:"nodes"`
	Jitter   float64 `json:"jitter"`
	Points   *Array  `json:"points"`
}

// maxDuels bounds a fit: the dense inferences hold a few square matrices of so many rows.
const maxDuels = 20000

func (s *session) fit(ctx context.Context, f frame) (reply, error) {
	var q fitRequest
	if err := f.decode(&q); err != nil {
		return nil, err
	}
	if q.A == nil || len(q.A.Shape) != 2 || q.A.Shape[1] == 0 {
		return nil, wrong("a", "a is not an array of rows of points: want the first options of the duels")
	}
	d := q.A.Shape[1]
	b, err := newBox(d, q.Lower, q.Upper)
	if err != nil {
		return nil, err
	}
	duels, err := q.duels(f.raw, b)
	if err != nil {
		return nil, err
	}
	m, err := q.model(f.raw, b, duels)
	if err != nil {
		return nil, err
	}
	learn, err := q.noise(&m)
	if err != nil {
		return nil, err
	}
	var post *gp.Posterior
	if q.Hyper != nil {
		h, err := q.given(&m, d)
		if err != nil {
			return nil, err
		}
		if post, err = m.Condition(duels, h, nil); err != nil {
			return nil, badField("hyper", err)
		}
	} else if post, err = m.Fit(ctx, duels, nil); err != nil {
		return nil, err
	}
	kept := &model{post: post, fitted: post, box: b, shown: distinct(d, duels.A, duels.B)}
	if learn {
		if kept.post, err = unitScale(m, duels, post); err != nil {
			return nil, err
		}
	}
	return s.keep(kept), nil
}

// duels are those of the request, in the unit cube.
func (q *fitRequest) duels(raw []byte, b box) (*gp.Duels, error) {
	d := b.dim()
	duels := &gp.Duels{Dim: d, Rater: q.Rater}
	n, err := q.A.rows(raw, "a", d, maxDuels)
	if err != nil {
		return nil, err
	}
	if m, err := q.B.rows(raw, "b", d, maxDuels); err != nil {
		return nil, err
	} else if m != n {
		return nil, wrong("b", "b has %d rows and a has %d, want as many: row by row they are the two options of a duel", m, n)
	}
	if duels.A, err = b.in("a", q.A); err != nil {
		return nil, err
	}
	if duels.B, err = b.in("b", q.B); err != nil {
		return nil, err
	}
	if q.Outcome != nil && len(q.Outcome) != n {
		return nil, wrong("outcome", "outcome has %d numbers, want %d, one for each duel", len(q.Outcome), n)
	}
	if q.Rater != nil && len(q.Rater) != n {
		return nil, wrong("rater", "rater has %d numbers, want %d, one for each duel", len(q.Rater), n)
	}
	for i := range n {
		o := 1
		if q.Outcome != nil {
			o = q.Outcome[i]
		}
		if o < -101 || o > 101 {
			return nil, wrong("outcome", "outcome[%d] = %d, want 1 (a won), -1 (b won), 0 (a tie), or a grade: ±2, ±3 …", i, o)
		}
		duels.Outcome = append(duels.Outcome, gp.Outcome(o))
	}
	return duels, nil
}

// model is what is believed before the duels.
func (q *fitRequest) model(raw []byte, b box, duels *gp.Duels) (gp.Model, error) {
	m := gp.Model{
		MaxEvals: q.MaxEvals, Tolerance: q.Tolerance,
		SparseOptions: gp.SparseOptions{Inducing: q.Sparse.Inducing, Sobol: q.Sparse.Sobol, Seed: q.Sparse.Seed, Nodes: q.Sparse.Nodes, Jitter: q.Sparse.Jitter},
	}
	for _, f := range []struct {
		name, text string
		to         encoding.TextUnmarshaler
	}{
		{"inference", q.Inference, &m.Inference}, {"effects", q.Effects, &m.Effects}, {"lengthscale", q.Lengthscale, &m.Lengthscale},
		{"outputscale", q.Outputscale, &m.Outputscale}, {"cut", q.Cut, &m.Cut}, {"grade", q.Grade, &m.Grade}, {"trend", q.Trend, &m.Trend},
		{"rater_noise", q.RaterNoise, &m.RaterNoise},
	} {
		if f.text == "" {
			continue
		}
		if err := f.to.UnmarshalText([]byte(f.text)); err != nil {
			return m, badField(f.name, err)
		}
	}
	if p := q.Sparse.Points; p != nil {
		if _, err := p.rows(raw, "sparse.points", b.dim(), maxDuels); err != nil {
			return m, err
		}
		var err error
		if m.SparseOptions.Points, err = b.in("sparse.points", p); err != nil {
			return m, err
		}
	}
	if duels.Rater != nil && m.RaterNoise.Family == gp.Default {
		m.RaterNoise = gp.DefaultRaterNoise()
	}
	for _, o := range duels.Outcome {
		m.Answers.Ties = m.Answers.Ties || o == 0
		m.Answers.Grades = max(m.Answers.Grades, max(int(o), -int(o))-1)
	}
	if q.Ties != nil {
		m.Answers.Ties = *q.Ties
	}
	if q.Grades != nil {
		m.Answers.Grades = *q.Grades
	}
	for i, o := range duels.Outcome {
		if m.Answers.Grades >= 0 && !m.Answers.Has(o) {
			return m, wrong("outcome", "outcome[%d] = %d is not on offer: ties %t, grades %d", i, o, m.Answers.Ties, m.Answers.Grades)
		}
	}
	return m, nil
}

// noise sets the noise of the model and reports whether it is to be learned.
func (q *fitRequest) noise(m *gp.Model) (learn bool, err error) {
	if len(q.Noise) == 0 || string(q.Noise) == "null" {
		return false, nil
	}
	if q.Hyper != nil {
		return false, wrong("noise", "noise = %s beside hyper, which has a noise of its own: give one of them", q.Noise)
	}
	if string(q.Noise) == `"learn"` {
		return true, nil
	}
	if err := json.Unmarshal(q.Noise, &m.Noise); err != nil || !(m.Noise > 0) {
		return false, wrong("noise", `noise = %s, want a positive number or "learn"`, q.Noise)
	}
	return false, nil
}

// given are the hyper-parameters of the request, whose noise becomes the model's.
func (q *fitRequest) given(m *gp.Model, d int) (gp.Hyper, error) {
	g := q.Hyper
	if g.Noise != 0 {
		m.Noise = g.Noise
	}
	if !(m.Noise >= 0) || math.IsInf(m.Noise, 0) {
		return gp.Hyper{}, wrong("hyper.noise", "hyper.noise = %g, want a positive number", g.Noise)
	}
	if g.Trend != 0 && m.Trend.Family == gp.Default {
		m.Trend = gp.Flat()
	}
	h := m.Start(d)
	h.Kernel.Lengthscale, h.Kernel.Outputscale, h.Raters = g.Lengthscale, g.Outputscale, g.Raters
	if g.Trend != 0 {
		h.Kernel.Trend = g.Trend
	}
	if g.Cuts != nil {
		h.Cuts = g.Cuts
	}
	return h, nil
}

// unitScale returns the posterior in other units: an outputscale of 1, and σ what it is there. Only s/σ² is in the data and in the prior
// of the outputscale, so that a model of noise 1 has learned the noise, too. The jitter of sparse inference is in the units of f², and goes with them.
func unitScale(m gp.Model, duels *gp.Duels, post *gp.Posterior) (*gp.Posterior, error) {
	h := post.Hyper()
	s := h.Kernel.Outputscale
	m.Noise = 1 / math.Sqrt(s)
	if m.Inference == gp.Sparse {
		m.SparseOptions.Jitter = m.WithDefaults().SparseOptions.Jitter / s
		m.SparseOptions.Points = post.State().Inducing
	}
	h.Kernel.Outputscale, h.Kernel.Trend = 1, h.Kernel.Trend/s
	return m.Condition(duels, h, nil)
}

// badField is an error of a package below as that of a field.
func badField(field string, err error) error { return &fault{field, err.Error()} }
