// Package statements is the rehearsal of what a study says to people. It plays studies with tastes and raters of package
// problem through the public API, notes what the study says on the way, and judges each statement by the true utility.
//
// The truth of a statement is computed here and in package problem, which know nothing of the model: an error of the engine
// cannot hide in its own judge. [Plan.Run] returns one [Study] per taste and rater with the [Statement]s it made; a [Table] says,
// kind by kind, how sure they sounded and how often they were true; [Limit]s are what must not get worse.
//
// A new kind of statement is one more row of the table of kinds in kind.go, a new way to end one more of the table of endings.
//
// # Contents
//
//	plan        which studies, and all of them side by side
//	play        one study from its first question to its last, and what it said
//	kind        the kinds of statements: when each is made, and when it is true
//	importance  what matters, and in which direction
//	table       all of it by kind and group, and by how sure it sounded
//	limit       what must hold, for a test that everybody runs
package statements
