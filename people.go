package prefer

// People says whose utility a study learns.
type People string

const (
	// Shared: all raters share one utility, and each has a noise of her own, so that a careless rater or a
	// noisy judge counts for less.
	Shared People = "shared"
	// PerRater: every rater has her own utility, learned from her answers alone.
	PerRater People = "per_rater"
)
