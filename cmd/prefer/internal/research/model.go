package research

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// model is a posterior that is kept for later requests.
type model struct {
	post   *gp.Posterior
	fitted *gp.Posterior // what the fit found out, in the units it was made in
	box    box
	shown  []float64 // different options of the duels, row by row in the unit cube

	given map[givenKey]*acquisition.Given // knowledge gradients of given questions, as far as they were asked for
}

// keep numbers a model and describes it.
func (s *session) keep(m *model) reply {
	s.last++
	s.models[s.last] = m
	p := m.post
	h := p.Hyper()
	warnings := []string{}
	for _, w := range m.fitted.Warnings() {
		warnings = append(warnings, w.Error())
	}
	return reply{
		"model": s.last, "dim": p.Dim(), "ties": p.Answers().Ties, "grades": p.Answers().Grades,
		"hyper":    hyper{h.Kernel.Lengthscale, h.Kernel.Outputscale, p.Noise(), h.Cuts, h.Kernel.Trend, h.Raters},
		"evidence": p.Evidence(), "log_prior": m.fitted.LogPrior(), "evaluations": m.fitted.Evaluations(), "warnings": warnings,
	}
}

// modelRequest is a request about a model.
type modelRequest struct {
	head
	Model int `json:"model"`
}

func (q *modelRequest) number() int { return q.Model }

// onModel makes an operation of a method that answers requests about a model.
func onModel[Q any, P interface {
	*Q
	number() int
}](s *session, do func(context.Context, *model, frame, P) (reply, error)) operation {
	return func(ctx context.Context, f frame) (reply, error) {
		q := P(new(Q))
		if err := f.decode(q); err != nil {
			return nil, err
		}
		m := s.models[q.number()]
		if m == nil {
			return nil, wrong("model", "model = %d, and there is none of that number: the latest is %d, and models may have been dropped", q.number(), s.last)
		}
		return do(ctx, m, f, q)
	}
}

func (s *session) drop(_ context.Context, f frame) (reply, error) {
	var q struct {
		head
		Models []int `json:"models"`
	}
	if err := f.decode(&q); err != nil {
		return nil, err
	}
	for _, n := range q.Models {
		delete(s.models, n)
	}
	return reply{}, nil
}

// task is a search on the model.
func (m *model) task(s *session, seed uint64) acquisition.Task {
	return acquisition.Task{Posterior: m.post, Shown: m.shown, Seed: seed, Sequence: seed, Search: acquisition.Search{Workers: s.Workers}}
}

// distinct returns the different rows of some blocks of points, in their order.
func distinct(d int, blocks ...[]float64) (out []float64) {
	seen := map[string]bool{}
	for row := range slices.Chunk(slices.Concat(blocks...), d) {
		if key := string(vector(row).put(nil)); !seen[key] { // the bits of the point
			seen[key] = true
			out = append(out, row...)
		}
	}
	return out
}
