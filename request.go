package prefer

import (
	"time"

	"github.com/prefer-bo/prefer/space"
)

// Request is an ask with its conditions.
type Request struct {
	// Rater is who will answer.
	Rater string

	// Fixed are values that both options must have: the conditions under which this rater can answer now. In a list they are features. The study goes on
	// learning about everything. Every context of the study has a value here, and the question is the one that helps to find the best under it.
	Fixed space.Option

	// Hold, if not nil, is one of the two options: what is on the table already, or the design to beat.
	Hold space.Option

	// Repeat asks an earlier question of this rater once more, with its options exchanged, to see how far
	// they agree with themselves. What they say is learned from, as every answer is.
	Repeat QuestionID

	// Catch asks the pair of this duel, whose answer is known: a check of attention. Tell it with Answer.Check. The choice of the duel's
	// Answer, if it takes a side, is the right one.
	Catch *Duel

	// Blind asks a blind duel: the study's pick against a rival, with nothing to tell which is which. It goes with Rater,
	// Another and contexts alone, stands beside the rater's other questions, and is not learned from; see Study.Blind.
	Blind bool

	// Practice asks a quasi-random pair to get used to answering: its answer is kept, teaches nothing and counts for nothing. Everybody
	// gets the same pairs, which are none of those the study begins with.
	Practice bool

	// Within, if positive, is the time the search may take. The best pair found by then is asked and marked Partial; there always is one.
	Within time.Duration

	// Another asks one more question although the rater has one open, or several.
	Another bool

	contexts space.Option // the values of contexts in Fixed, as conditions finds them
}

// Look says whose utility somebody looks at, and under which conditions.
type Look struct {
	// Rater is whose utility it is, in a study per rater; otherwise "" will do.
	Rater string

	// Fixed are values that options have: of every context of the study, and of other parameters, or of features of items,
	// where the best with these is wanted.
	Fixed space.Option
}
