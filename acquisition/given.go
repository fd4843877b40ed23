package acquisition

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// Given is the knowledge gradient of questions that somebody else chose (Eq. 3): a function of the two options alone, with
// the inner maxima over the whole domain solved again for every question, and its gradient, for callers that bring their own search. Worth tells the
// same values, of a mixture too, without gradients. The search for a question has no use for it: the one-shot form costs a hundredth of it. Safe for concurrent use.
type Given struct {
	post    *gp.Posterior
	kg      KG
	dom     *Domain
	offered []gp.Outcome
	shown   []float64
	best    Peak
	seed    uint64
}

// NewGiven returns the knowledge gradient of a task's posterior, with the noise of its next answer, on its domain. Of the
// rest of the task Shown, Previous and Seed count: they say where the inner searches start.
func NewGiven(ctx context.Context, t Task) (*Given, error) {
	t, err := t.prepareAlone()
	if err != nil {
		return nil, err
	}
	p := t.Posterior
	peaks := Recommend(ctx, t.Domain, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	if len(peaks) == 0 {
		return nil, errEmpty
	}
	g := &Given{post: p, kg: t.knowledge()[0].kg, dom: t.Domain, offered: p.Answers().Outcomes(), shown: slices.Clone(t.Shown), best: peaks[0], seed: t.Seed}
	g.kg.Base = g.best.Mean
	for _, pk := range peaks[:min(len(peaks), candidatePeaks)] {
		g.shown = append(g.shown, pk.X...)
	}
	return g, nil
}

// Best returns x̂, whose mean the value is the expected rise of.
func (g *Given) Best() Peak { return g.best }

// KG returns the formula behind the value, for the one-shot form on points of one's own.
func (g *Given) KG() KG { return g.kg }

// At returns the expected rise of the best posterior mean by the answer to the question x (2×D) and, if grad is not nil, writes
// its gradient; and where the best option would be after each outcome, row by row, in the order of gp.Answers.Outcomes.
//
// The mean after an outcome is the mean of Posterior.ConditionAt, so each inner maximum is a Recommend there, from x̂, the
// other peaks, the options shown and the two of the question. By the envelope theorem the gradient is that of the one-shot form in the question, at these maxima. When ctx ends
// early they are the best found so far.
func (g *Given) At(ctx context.Context, x, grad []float64) (value float64, fantasy []float64) {
	d := g.post.Dim()
	if len(x) != 2*d {
		panic("acquisition: Given.At: len(x) != 2·D")
	}
	shown := slices.Concat(g.shown, x)
	for _, o := range g.offered {
		after := g.post.ConditionAt(x[:d], x[d:], o, g.kg.Sigma)
		fantasy = append(fantasy, Recommend(ctx, g.dom, after, shown, g.best.X, g.seed, 1)[0].X...)
	}
	e := NewEvaluator(g.post, g.kg)
	point := slices.Concat(x, fantasy)
	if grad == nil {
		return e.At(point, nil), fantasy
	}
	whole := make([]float64, len(point))
	value = e.At(point, whole)
	copy(grad, whole[:2*d])
	return value, fantasy
}
