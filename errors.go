package prefer

import "errors"

// What the world can do to a study. Errors returned wrap one of these where a caller may want to
// tell them apart; their text names the field and the value.
var (
	// ErrOption: an option does not fit the space.
	ErrOption = errors.New("option does not fit the space")
	// ErrAnswer: an answer is not on offer in this study.
	ErrAnswer = errors.New("answer is not on offer")
	// ErrNoQuestion: there is no such question, or it is no longer open.
	ErrNoQuestion = errors.New("no such open question")
	// ErrOpen: the rater has a question open that was asked under other conditions.
	ErrOpen = errors.New("another question is open")
	// ErrNoAnswer: there is no such answer, or it was undone already.
	ErrNoAnswer = errors.New("no such answer")
	// ErrPerRater: the question has no answer in a study where every rater has a utility of her own.
	ErrPerRater = errors.New("the study is per rater")
	// ErrShared: the question has no answer in a study where all raters share one utility.
	ErrShared = errors.New("the study is shared")
	// ErrConflict: the journal holds events this study has not seen; reopen it.
	ErrConflict = errors.New("the study has moved on elsewhere")
	// ErrEvents: a log does not describe a study.
	ErrEvents = errors.New("damaged event log")
)
