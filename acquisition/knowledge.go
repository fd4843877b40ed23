package acquisition

import "context"

// steps are those of the search for the knowledge gradient on one kind of space. Each keeps what the later
// ones need. The cube and a mixed region share most of them (oneShot); a list enumerates where they climb.
type steps interface {
	// recommend finds x̂, the option with the best mean, and what the mean has for other peaks.
	recommend(ctx context.Context)

	// challengers finds options that a duel with x̂, or with a rival of x̂, may gain most from.
	challengers(ctx context.Context)

	// candidates gathers the options that may be asked about and ranks their pairs by the gain that a cheap stand-in for the inner maximum predicts.
	candidates()

	// climb improves the best of these pairs, a few of them for long. An ended context improves fewer.
	climb(ctx context.Context)

	// settle spells out the best question found that may be asked.
	settle(ctx context.Context) Choice
}

// knowledgeGradient asks the question after which the best posterior mean is expected to be highest (Eq. 3).
func knowledgeGradient(at space, ctx context.Context, t Task) Choice {
	s := at.knowledge(t)
	s.recommend(ctx)
	s.challengers(ctx)
	s.candidates()
	s.climb(ctx)
	return s.settle(ctx)
}
