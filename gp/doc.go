// Package gp learns a utility from duels: a Gaussian process on the unit cube whose only data are answers to "a or b?".
//
//	duels := &gp.Duels{Dim: 2}
//	duels.Add([]float64{0.7, 0.2}, []float64{0.3, 0.9}, +1) // the first won
//	post, err := gp.Model{}.Fit(ctx, duels, nil)            // hyper-parameters and utility
//	mean, variance := post.Mean(x), post.Variance(x)
//	chance := post.Prob(x, y, +1) // that x would win against y
//
// An answer is an interval of the noisy difference f(a) − f(b) + ε (Interval, Cuts), so two outcomes, ties and graded answers are one likelihood; an answer
// about one option, "I would take it" or not, is one of f(x) − L_r + ε, L_r being the rater's level (Level). Inference happens in the space of the n
// differences and ends in one Gaussian factor per duel (Sites), whichever Inference made it; the result is always a Posterior, which is again a Gaussian
// process:
//
//	mean(x) = u(x)ᵀb,   cov(x, x') = k(x, x') − u(x)ᵀ R u(x')
//
// # Contents
//
//	kernel · trend · effects                    Matérn-5/2 with its gradients; main effects in the prior, if wanted
//	duels · duelspace                           the data; prior covariance of the differences
//	outcome · likelihood                        answers, cuts, intervals; where "clearly" begins; log likelihood, tilted moments
//	expect                                      Gaussian expectations, exact and by quadrature
//	inference · sites                           the list of inferences and what all can do; Gaussian algebra of sites
//	ep · variational · laplace                  three of them
//	sparse · inducing                           the paper's surrogate; which points, or duels, induce
//	sparseduels · sparseinducing                it seen from the duels, and from the inducing points
//	reduced                                     EP for many duels, in the span of some of them
//	prior · hyper · model                       MAP hyper-parameters and Fit
//	dense · sparsegradient                      the evidence and its gradient, dense and sparse, the latter with its trend
//	scales · rater                              categories, circles and names beside amounts; how careful each rater is
//	kinship                                     a taste of one's own beside what all have in common
//	level                                       what a rater would take: answers about one option
//	position                                    a rater's leaning to what is shown first
//	posterior · moments · derivatives · bulk    the result, its joint moments, their pull-back, and very many points
//	condition                                   one more answer, exactly; one that is awaited; what is known without one
//	function                                    draws of whole functions
//	hyperdensity · average                      hyper-parameters in doubt: their density, and a sample of it
//	mixture                                     posteriors at several of them
//	chance                                      answers that are about nothing
//	state · sparseprefix                        what a fit found out, to make its posterior again; what later duels continue from
//
// Moments is the hot path: joint mean and covariance at a handful of points and the chain rule back to
// the points, without allocation. docs/dev/math.md derives everything here.
package gp
