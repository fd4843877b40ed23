// Package learn turns answers into posteriors: duels of raters into a distribution of their utility, which is cached, averaged over
// hyper-parameters, drawn from, and asked how sure a pick is. It knows points, not options, questions or studies.
//
//	learn.go evidence.go   sizes at which learning changes; the duels that a model learns from
//	cache.go fit.go        posteriors by evidence, computed once; how one is computed
//	snapshot.go            posteriors written down, to begin with next time
//	belief.go draw.go      what is believed of the utility; draws of it
//	confidence.go places.go   how sure a pick is, and the places of a ranking
//	tolerance.go           what does not matter to a person
//	contradiction.go       duels that the others do not bear out
package learn

// Sizes at which learning changes. Tests lower them.
var (
	RefitAlways = 150  // up to this many duels hyper-parameters are fitted at every count
	RefitGrowth = 20   // beyond, at counts that grow by a twentieth
	DenseLimit  = 1000 // beyond, inference is by the sparse variational GP, whose cost is linear in n, in place of EP
)

// Sizes where raters have utilities of their own and learn from each other. Tests lower them.
var (
	CrowdLimit     = 240 // the first answers of a study, which teach about every rater: more would keep raters waiting
	PerRaterGrowth = 10  // beyond PerRaterAlways, hyper-parameters are fitted at counts that grow by a tenth: every answer changes the evidence of all raters
	PerRaterAlways = 30  // up to this many duels they are fitted at every count
)
