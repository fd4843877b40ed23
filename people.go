package prefer

import "fmt"

// People says whose utility a study learns.
type People string

const (
	// Shared: all raters share one utility, and each has a noise of her own, so that a careless rater or a
	// noisy judge counts for less.
	Shared People = "shared"
	// PerRater: every rater has her own utility, learned from her answers alone.
	PerRater People = "per_rater"
)

// oneUtility reports that a study per rater has no single best.
func (s *Study) oneUtility(instead string) error {
	if s.cfg.People == PerRater {
		return fmt.Errorf("prefer: every rater of this study has a utility of her own: %s says it for one of them, Group for all: %w", instead, ErrPerRater)
	}
	return nil
}
