// Package tastes is the ground on which defaults are chosen: studies with many tastes that people could have, and how good their
// picks are after a few answers.
//
// A variant is a [bench.Setup] and a method. Each plays the tastes of [problem.NewTaste] through the public API with the same first
// questions, as long as it does not change them, and with raters who are in the same mood at the same answer; so two variants are
// compared taste by taste. After 5, 10, 15, 20, 30 and 40 answers a [Study] notes by how much its pick misses the best option:
//
//	share missed   (max f − f(x̂)) / (max f − mean f)   0 for the best option, 1 for one drawn blindly
//	chance         Φ((max f − f(x̂)) / σ)               that one answer between the two goes to the best; σ of an ordinary rater, ½ for none
//
// Both are free of shift and scale. The first counts what is left to gain; the second does not ask for more than a person could
// notice. A [Table] has their means over tastes, which a few runs with a gap of nothing cannot rule as they do a geometric mean
// of ratios, with 95 % bootstrap intervals of the tastes, and the same of the differences between two variants.
package tastes
