// Package problem is the other side of an experiment: utilities whose best point is known, and a
// simulated rater who answers questions about them with mistakes.
//
// A [Problem] is a test function on a box, negated where it was made for minimisation, so that it reads as a utility: more is better. [Paper] lists the six
// of App. C of the paper, [Unseen] others that no default of this module was chosen on; [ByName] finds either.
//
// A [Rater] hears the true difference through noise (Eq. 2): the first option wins if
//
//	f(x₁) − f(x₂) + σε > 0.
//
// It draws nothing itself. The caller passes a [Draw], one per answer, so that methods compared
// at one seed meet the same rater in the same mood at the same answer ([At]).
//
// How large σ has to be is a question of the problem: utilities differ in scale by orders of magnitude. [Calibrate] finds the σ at which a given share of
// answers is wrong among good points, the paper's low and high noise being 10 % and 30 % among the best 1 % of the domain.
//
//	p, _ := problem.ByName("hartmann6")
//	r, _ := problem.NewRater(p, 0.1)
//	first := r.Answer(u1, u2, problem.At(seed, 0))
//
// A [Taste] is a utility that a person could have, one of any number drawn from families of many kinds by [Tastes]; a
// [TasteRater] answers as one of a dozen kinds of people. What is said to people is held against them.
//
//	a, _ := problem.NewTaste(seed, 17, problem.TasteOptions{Family: "smooth", Shape: problem.Box, Dim: 2})
//	r, _ := a.Rater("ties")
//	reply := r.Answer(a.Utility(x1), a.Utility(x2), seed, 0)
//
// # Contents
//
//	problem      a utility with a known maximum, and the list of them
//	functions    those of the paper, and others for changes that were made while looking at the paper's
//	rater        who answers, levels of noise by name, and when a preference is called clear
//	calibrate    the σ at which a given share of answers is wrong
//	taste        a utility that a person could have about parameters or a list, and sums of tastes: what several people have in common
//	tastefamily  the families they are drawn from, those that are sums of part-worths last
//	tastesearch  its best option
//	tasterater   the people who answer by it
//
// # Conventions
//
// Points are in raw units for [Problem.Utility] and on the unit cube for [Problem.UnitUtility] and
// [Problem.Gap]; a search lives on the cube. σ is the standard deviation of the noise on the
// difference, whatever the law of the noise: no √2. A point of the wrong length panics; what a user can type is an error.
package problem
