package prefer

import "errors"

// What the world can do to a study. Errors returned wrap one of these where a caller may want to
// tell them apart; their text names the field and the value.
var (
	ErrAnswer     = errors.New("answer is not on offer")                                   // in this study
	ErrKey        = errors.New("the key is taken")                                         // by an answer of the same rater that says something else
	ErrNoQuestion = errors.New("no such open question")                                    // there is none, or it is no longer open
	ErrOpen       = errors.New("another question is open")                                 // of this rater, asked under other conditions
	ErrNoAnswer   = errors.New("no such answer")                                           // there is none, or it was undone already
	ErrRater      = errors.New("not a name for a rater")                                   // nobody can be called so
	ErrNoRater    = errors.New("no such rater")                                            // who was asked, or has answered
	ErrNoPick     = errors.New("there is no pick yet")                                     // nobody has preferred anything
	ErrNoRival    = errors.New("no rival is left")                                         // every other option has been put against the pick
	ErrMethod     = errors.New("the method does not tell")                                 // what a pair is worth
	ErrPerRater   = errors.New("the study is per rater")                                   // and what was wanted is about one utility of all
	ErrShared     = errors.New("the study is shared")                                      // and what was wanted is about a utility of each rater
	ErrConflict   = errors.New("the study has moved on elsewhere")                         // the journal holds events this study has not seen; reopen it
	ErrEvents     = errors.New("damaged event log")                                        // a log does not describe a study
	ErrNewer      = errors.New("made by a newer prefer; use that one, or one newer still") // a log has what this version does not know
)
