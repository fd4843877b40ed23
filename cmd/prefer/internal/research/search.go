package research

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/acquisition"
)

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

	Gradient bool    `json:"gradient"` // whether an acquisition of the caller's own comes with gradients
	Step     float64 `json:"step"`     // of differences where it does not, as a part of the distance of the bounds. Defaults to 1e-5
}

const own = "own" // the name of an acquisition that the caller computes

// search returns the question that an acquisition likes best.
func (s *session) search(ctx context.Context, m *model, _ frame, q *searchRequest) (reply, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	t, err := q.task(s, m)
	if err != nil {
		return nil, err
	}
	c, err := q.choose(ctx, s, m, t)
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
func (q *searchRequest) choose(ctx context.Context, s *session, m *model, t acquisition.Task) (acquisition.Choice, error) {
	switch q.Acquisition {
	case own:
		return maximizeBatch(ctx, t, s.caller(q.ID, m), q.Gradient, q.Step)
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
		return acquisition.Choice{}, wrong("acquisition", "acquisition = %q, want one of %s, %s", q.Acquisition, strings.Join(acquisition.Methods(), ", "), own)
	}
	return ask(ctx, t)
}
