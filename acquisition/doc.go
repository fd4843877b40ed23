// Package acquisition decides what to ask next: formulas for the worth of a question on the moments of
// the utility, and the search for the question that is worth most.
//
//	c, err := acquisition.Ask(ctx, "kg", acquisition.Task{Posterior: post, Seed: 1})
//	// c.A against c.B; c.Best is the estimated favourite, c.Value what the answer should add to it
//
// An Acquisition is a formula on gp.Moments with its partial derivatives; Evaluator is the chain rule to
// the points, written once. KG is the exact knowledge gradient of the paper (Eq. 3, in the one-shot form
// of §3.1) for any number of outcomes; EUBO, QEUBO, LogEI and BALD are its rivals; LookAhead is
// Lemma 3.1 itself. The search (docs/search.md) is what decides how much of the knowledge gradient a
// study gets.
//
// A new method is one file and one line in method.go; every Acquisition runs through the conformance
// suite of conformance_test.go.
package acquisition
