package research

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/cooperate"
)

// settings are those of an acquisition.
type settings struct {
	Acquisition string   `json:"acquisition"`
	Noise       float64  `json:"noise"`   // σ of the answer to come. Defaults to the model's
	Seed        uint64   `json:"seed"`    // of draws, and of the points that inner searches start from
	Samples     int      `json:"samples"` // draws of qeubo and logei. Defaults to 512
	Best        *float64 `json:"best"`    // utility that logei improves on. Defaults to the highest mean of an option that was shown
}

var valued = []string{"kg", "eubo", "qeubo", "logei", "bald"} // the acquisitions that put a number on a question

func (q *settings) check() error {
	switch {
	case !(q.Noise >= 0) || math.IsInf(q.Noise, 0):
		return wrong("noise", "noise = %g, want a positive number, or 0 for the model's", q.Noise)
	case q.Samples < 0 || q.Samples > 1<<20:
		return wrong("samples", "samples = %d, want 1 to %d, or 0 for 512", q.Samples, 1<<20)
	case q.Best != nil && (math.IsNaN(*q.Best) || math.IsInf(*q.Best, 0)):
		return wrong("best", "best = %g, want a finite number", *q.Best)
	}
	return nil
}

// formula returns the acquisition of that name as a formula of two options; kg is none.
func (m *model) formula(q *settings) (acquisition.Acquisition, error) {
	p := m.post
	switch q.Acquisition {
	case "eubo":
		return acquisition.EUBO{}, nil
	case "qeubo":
		return acquisition.NewQEUBO(2, q.Samples, q.Seed), nil
	case "logei":
		return acquisition.NewLogEI(2, m.incumbent(q.Best), q.Samples, q.Seed), nil
	case "bald":
		b := acquisition.NewBALD(p.Answers(), p.Hyper().Cuts, p.Noise())
		if q.Noise > 0 {
			b.Sigma = q.Noise
		}
		return b, nil
	}
	return nil, wrong("acquisition", "acquisition = %q has no value at a question: want one of %s", q.Acquisition, strings.Join(valued, ", "))
}

// incumbent returns best, or the highest mean of an option that was shown, or the prior mean if none was.
func (m *model) incumbent(best *float64) float64 {
	if best != nil {
		return *best
	}
	if len(m.shown) == 0 {
		return 0
	}
	mean := make([]float64, len(m.shown)/m.box.dim())
	m.post.Means(mean, m.shown, 1)
	return slices.Max(mean)
}

// givenKey is what a knowledge gradient of a model depends on.
type givenKey struct {
	noise float64
	seed  uint64
}

// knowledge returns the knowledge gradient of given questions.
func (m *model) knowledge(ctx context.Context, s *session, q *settings) (*acquisition.Given, error) {
	key := givenKey{q.Noise, q.Seed}
	if g := m.given[key]; g != nil {
		return g, nil
	}
	t := m.task(s, q.Seed)
	t.Noise = q.Noise
	g, err := acquisition.NewGiven(ctx, t)
	if err == nil && ctx.Err() == nil {
		if m.given == nil || len(m.given) > 16 {
			m.given = map[givenKey]*acquisition.Given{}
		}
		m.given[key] = g
	}
	return g, err
}

// acquireRequest has questions, rows of two options. With one_shot the rows are longer, with the fantasy points of the knowledge gradient beside the
// two options, in the order of the outcomes from the strongest win of the second option to that of the first.
type acquireRequest struct {
	modelRequest
	settings
	Pairs    *Array `json:"pairs"`
	Gradient bool   `json:"gradient"`
	OneShot  bool   `json:"one_shot"`
}

// acquire returns what questions are worth, and the gradients.
func (s *session) acquire(ctx context.Context, m *model, f frame, q *acquireRequest) (reply, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	width, newWorth, err := s.worth(ctx, m, q)
	if err != nil {
		return nil, err
	}
	n, err := q.Pairs.rows(f.raw, "pairs", width, maxPoints)
	if err != nil {
		return nil, err
	}
	x, err := m.box.in("pairs", q.Pairs)
	if err != nil {
		return nil, err
	}
	value := make([]float64, n)
	var grad []float64
	if q.Gradient {
		grad = make([]float64, n*width)
	}
	cooperate.Parallel(context.Background(), n, s.Workers, func(int) func(int) {
		worth := newWorth()
		return func(i int) {
			if ctx.Err() != nil {
				return
			}
			var g []float64
			if grad != nil {
				g = grad[i*width : (i+1)*width]
			}
			value[i] = worth(x[i*width:(i+1)*width], g)
		}
	})
	r := reply{"value": vector(value)}
	if grad != nil {
		r["gradient"] = matrix(m.box.slope(grad), width)
	}
	return r, nil
}

// worth returns how many numbers a row of the request has, and a function that makes the acquisition for one goroutine: its value at a row, and the gradient.
func (s *session) worth(ctx context.Context, m *model, q *acquireRequest) (width int, at func() func(x, grad []float64) float64, err error) {
	width = 2 * m.box.dim()
	var acq acquisition.Acquisition
	if q.Acquisition == "kg" {
		kg, err := m.knowledge(ctx, s, &q.settings)
		if err != nil {
			return 0, nil, err
		}
		if !q.OneShot { // the fantasy points are searched for
			return width, func() func(x, grad []float64) float64 {
				return func(x, grad []float64) float64 { v, _ := kg.At(ctx, x, grad); return v }
			}, nil
		}
		width, acq = kg.KG().Points()*m.box.dim(), kg.KG()
	} else if q.OneShot {
		return 0, nil, wrong("one_shot", "one_shot is the knowledge gradient's, and acquisition = %q", q.Acquisition)
	} else if acq, err = m.formula(&q.settings); err != nil {
		return 0, nil, err
	}
	return width, func() func(x, grad []float64) float64 { return acquisition.NewEvaluator(m.post, acq).At }, nil
}

type recommendRequest struct {
	modelRequest
	Seed uint64 `json:"seed"`
}

// recommend returns x̂, the maximiser of the posterior mean, and the other peaks that were found, highest first.
func (s *session) recommend(ctx context.Context, m *model, _ frame, q *recommendRequest) (reply, error) {
	var x, mean []float64
	for _, p := range acquisition.Recommend(ctx, nil, m.post, m.shown, nil, q.Seed, s.Workers) {
		x, mean = append(x, p.X...), append(mean, p.Mean)
	}
	return reply{"x": matrix(m.box.out(x), m.box.dim()), "mean": vector(mean)}, nil
}

// searchRequest asks for the best question.
type searchRequest struct {
	modelRequest
	settings
	Count int `json:"count"` // questions before this one: the place in the sequence of "random", and part of the seed of "thompson"

	Lower []float64 `json:"lower"` // of the two options. Default to the bounds of the model
	Upper []float64 `json:"upper"`
	Hold  []float64 `json:"hold"` // the first of them, if it is given

	Search acquisition.Search `json:"effort"`
}

// search returns the question that an acquisition likes best.
func (s *session) search(ctx context.Context, m *model, _ frame, q *searchRequest) (reply, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	t, err := q.task(s, m)
	if err != nil {
		return nil, err
	}
	c, err := q.choose(ctx, m, t)
	if err != nil {
		return nil, err
	}
	r := reply{
		"a": vector(m.box.out(c.A)), "b": vector(m.box.out(c.B)), "value": nil,
		"best": vector(m.box.out(slices.Clone(c.Best))), "mean": c.Mean,
	}
	if !math.IsNaN(c.Value) {
		r["value"] = c.Value
	}
	if c.Fantasy != nil {
		r["fantasy"] = matrix(m.box.out(slices.Concat(c.Fantasy...)), m.box.dim())
	}
	return r, nil
}

// task is the search on the model, in the unit cube.
func (q *searchRequest) task(s *session, m *model) (acquisition.Task, error) {
	t := m.task(s, q.Seed)
	t.Count, t.Noise, t.Search = q.Count, q.Noise, q.Search
	t.Search.Workers = s.Workers
	if q.Count < 0 {
		return t, wrong("count", "count = %d, want at least 0", q.Count)
	}
	if err := t.Search.Validate(); err != nil {
		return t, badField("effort", err)
	}
	for _, x := range []struct {
		name string
		from []float64
		to   *[]float64
	}{{"lower", q.Lower, &t.Lower}, {"upper", q.Upper, &t.Upper}, {"hold", q.Hold, &t.Hold}} {
		if x.from == nil {
			continue
		}
		u, err := m.box.inPoint(x.name, x.from)
		if err != nil {
			return t, err
		}
		for j := range u { // by the slack of conversions
			u[j] = min(max(u[j], 0), 1)
		}
		*x.to = u
	}
	for j := range t.Upper {
		if t.Lower != nil && !(t.Lower[j] <= t.Upper[j]) {
			return t, wrong("lower", "lower[%d] = %g, want at most upper[%d] = %g", j, q.Lower[j], j, q.Upper[j])
		}
	}
	return t, nil
}

// choose runs the search that the acquisition has.
func (q *searchRequest) choose(ctx context.Context, m *model, t acquisition.Task) (acquisition.Choice, error) {
	switch q.Acquisition {
	case "qeubo", "logei", "bald", "eubo":
		f, err := m.formula(&q.settings)
		if err != nil {
			return acquisition.Choice{}, err
		}
		var screen acquisition.Acquisition
		if q.Acquisition != "bald" {
			screen = acquisition.EUBO{}
		}
		return acquisition.Maximize(ctx, t, f, screen)
	}
	ask, ok := acquisition.Lookup(q.Acquisition)
	if !ok {
		return acquisition.Choice{}, wrong("acquisition", "acquisition = %q, want one of %s", q.Acquisition, strings.Join(acquisition.Methods(), ", "))
	}
	return ask(ctx, t)
}
