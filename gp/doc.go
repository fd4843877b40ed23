// Package gp learns a utility from duels: a Gaussian process on the unit cube whose only data are
// answers to "a or b?".
//
//	duels := &gp.Duels{Dim: 2}
//	duels.Add([]float64{0.7, 0.2}, []float64{0.3, 0.9}, +1) // the first won
//	post, err := gp.Model{}.Fit(ctx, duels, nil)            // hyper-parameters and utility
//	mean, variance := post.Mean(x), post.Variance(x)
//	chance := post.Prob(x, y, +1) // that x would win against y
//
// An answer is an interval of the noisy difference f(a) − f(b) + ε (Interval, Cuts), so two outcomes,
// ties and graded answers are one likelihood. Inference happens in the space of the n differences and
// ends in one Gaussian factor per duel (Sites), whichever Inference made it; the result is always a
// Posterior, which is again a Gaussian process:
//
//	mean(x) = u(x)ᵀb,   cov(x, x') = k(x, x') − u(x)ᵀ R u(x')
//
// # Contents
//
//	kernel      Matérn-5/2 with its gradients             trend       main effects in the prior, if wanted
//	outcome     answers, cuts, intervals
//	likelihood  log likelihood, tilted moments            expect      Gaussian expectations, exact
//	duels       the data                                  duelspace   prior covariance of the differences
//	sites       Gaussian algebra of sites                 inference   the list of inferences
//	ep · variational · laplace                            sparse      the paper's inducing points
//	prior · hyper · model                                 MAP hyper-parameters and Fit
//	scales      categories and names beside amounts       rater       how careful each rater is
//	posterior · moments · derivatives                     the result, its joint moments and their pull-back
//	condition   one more answer, exactly                  function    draws of whole functions
//	draws · mixture                                       hyper-parameters in doubt
//	state       what a fit found out, to make its posterior again
//	exact       a sampler of the true posterior, the truth of the tests
//
// Moments is the hot path: joint mean and covariance at a handful of points and the chain rule back to
// the points, without allocation. docs/math.md derives everything here.
package gp
