package prefer

import (
	"context"
	"fmt"
)

// People says whose utility a study learns.
type People string

const (
	// Shared: all raters share one utility, and each has a noise of her own, so that a careless rater or a
	// noisy judge counts for less.
	Shared People = "shared"
	// PerRater: every rater has her own utility, learned from her answers alone.
	PerRater People = "per_rater"
)

// look is the view of somebody who wants to know about a rater's utility. A study per rater has none of nobody.
func (s *Study) look(ctx context.Context, rater string) (view, error) {
	if err := ended(ctx); err != nil {
		return view{}, err
	}
	if rater == "" && s.cfg.People == PerRater {
		return view{}, fmt.Errorf("prefer: every rater of this study has a utility of her own: name one of them, or see Group for all: %w", ErrPerRater)
	}
	return s.view(rater), nil
}
