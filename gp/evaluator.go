package gp

// evaluator is the evidence of one data set as a function of the hyper-parameters.
type evaluator interface {
	// evaluate returns the log evidence at h and, unless grad is nil, overwrites grad with its
	// gradient in theta. ok is false where the inference had not settled.
	evaluate(h Hyper, tol float64, grad []float64) (evidence float64, ok bool)
	// settle brings everything in line with h and the sites as they are, where evaluate leaves it too. It reports false if they are impossible.
	settle(h Hyper) bool
	// posterior returns the posterior at the hyper-parameters last evaluated or settled at.
	posterior(h Hyper) *Posterior
}

// evaluator returns the evidence of duels under a model with defaults. Inducing points are chosen at h; sites start from those of from, which may be nil.
func (m Model) evaluator(duels *Duels, h Hyper, from *Posterior) (evaluator, error) {
	if m.Inference == Sparse {
		return newSparse(m, duels, h, from)
	}
	return newDense(m, duels, from), nil
}
