// Package acquisition decides what to ask next: formulas for the worth of a question on the moments of
// the utility, and the search for the question that is worth most.
//
//	c, err := acquisition.Ask(ctx, "kg", acquisition.Task{Posterior: post, Seed: 1})
//	// c.A against c.B; c.Best is the estimated favourite, c.Value what the answer should add to it
//
// An Acquisition is a formula on gp.Moments with its partial derivatives; Evaluator is the chain rule to the points, written once. KG is the exact knowledge
// gradient of the paper (Eq. 3, in the one-shot form of §3.1) for any number of outcomes; EUBO, QEUBO, LogEI and BALD are its rivals. The search (docs/dev/search.md)
// is what decides how much of the knowledge gradient a study gets.
//
// A new method is one file, one line in method.go, and one in conformance_test.go, whose suite every Acquisition runs through. A method of one's own needs
// neither: it is any function of type Method, and Maximize searches any formula of two options on any domain.
//
// # Contents
//
//	task.go check.go                  what a method may know and what it returns; whether either makes sense
//	method.go                         Method, the table of names, Ask; each of these in the file of its name
//	domain.go domainpoints.go         the options: parts with levels and constraints, or a list; points and neighbours
//
//	acquisition.go                    Acquisition, its partials, the chain rule
//	kg.go                             the knowledge gradient
//	given.go                          the same of questions that somebody else chose
//	eubo.go qeubo.go bald.go          the other formulas
//	logei.go logeipair.go             log expected improvement, and quickly for two options
//	challenge.go                      what a duel with x̂ gains if the winner is recommended
//	cholesky.go                       roots of small covariance matrices, for draws
//
//	space.go                          where a task is searched: the cube, a mixed region or a list; the five steps of the knowledge gradient there
//	recommend.go                      x̂ and the other peaks of the posterior mean
//	oneshot.go                        the steps that the cube and a mixed region share
//	cube.go mixed.go mixedknowledge.go  and those that they do not
//	candidates.go rank.go quadratic.go  options at hand, their pairs ranked, a model of the mean at x̂ for that
//	odds.go                           the outcomes of a row of pairs at once
//	mixture.go                        the knowledge gradient under several posteriors at once
//	region.go ascent.go repair.go     climbs among levels, of very many the promising ones, and along constraints
//	circle.go                         parts without ends
//	units.go                          what climbs measure their variables in
//	pairs.go                          Maximize: the search for formulas of two options, on a list, too
//	hills.go                          what else could be asked
//	gain.go                           Worth: what given questions are worth
//
//	list.go toprows.go                the rows of a list, their moments, the best of them
//	shortlist.go scan.go              rows worth ranking, and what questions about them gain
//	listknowledge.go                  the knowledge gradient's search of a list
//
//	thompson.go random.go             methods that are no formula
package acquisition
