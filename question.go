package prefer

import (
	"maps"

	"github.com/prefer-bo/prefer/space"
)

// QuestionID names a question within its study.
type QuestionID string

// AnswerID names an answer within its study.
type AnswerID string

// Question is a pair waiting for an answer.
type Question struct {
	ID     QuestionID   `json:"id"`
	Rater  string       `json:"rater,omitempty"`
	First  space.Option `json:"first"`
	Second space.Option `json:"second"`

	// Options are First and Second, and Prompt is the sentence above them as it was when the question was asked. The log has neither:
	// a question in an Event is without them.
	Options []space.Option `json:"-"`
	Prompt  string         `json:"-"`

	// Method chose the pair: "design" for the quasi-random pairs a study begins with, "blind", "repeat", "catch", "enqueued" or "practice" for questions that
	// no acquisition chose, "neighbour" for the pick against an option next to it that was never shown, or the name of an acquisition.
	Method string `json:"method"`

	// Value is what the method expects of the answer; for "kg" the rise of the best utility in units of the noise. 0 if the method puts no number on it.
	Value float64 `json:"value,omitempty"`

	// Partial is set if Request.Within cut the search short; the pair is the best found until then.
	Partial bool `json:"partial,omitempty"`

	// Incumbent is the best option shown before this question, by posterior mean; nil if there was none.
	Incumbent space.Option `json:"incumbent,omitempty"`

	// Fixed are the conditions of the ask: both options have these values.
	Fixed space.Option `json:"fixed,omitempty"`

	// RepeatOf names the earlier question this one puts again, to see how far a rater agrees with
	// themselves; Catch marks a question whose answer is known, and Known is that answer, First or Second, if Request.Catch has it.
	RepeatOf QuestionID `json:"repeat_of,omitempty"`
	Catch    bool       `json:"catch,omitempty"`
	Known    Choice     `json:"known,omitempty"`

	// Blind marks a blind duel of the study's pick against a rival: its answer is kept, and teaches nothing.
	Blind *blindPair `json:"blind,omitempty"`

	// Enqueued marks a question about an option somebody wanted tried.
	Enqueued bool `json:"enqueued,omitempty"`

	// Forecast is what the study expected the rater to say, the probabilities of the first, of a tie and of the second; all 0 where it was not worked out in time, and in studies
	// whose Config.Belief is not Averaged.
	Forecast [3]float64 `json:"forecast,omitzero"`

	// From is the number of the last event of the log that a question in stock was chosen from; 0 for the log that ends before the question, as usual.
	From int `json:"from,omitempty"`
}

func (q Question) clone() Question {
	q.First, q.Second, q.Incumbent, q.Fixed = maps.Clone(q.First), maps.Clone(q.Second), maps.Clone(q.Incumbent), maps.Clone(q.Fixed)
	if q.Blind != nil {
		b := *q.Blind
		q.Blind = &b
	}
	return q
}

// Duel is an answered pair that nobody asked for: evidence from elsewhere.
type Duel struct {
	First  space.Option `json:"first"`
	Second space.Option `json:"second"`
	Rater  string       `json:"rater,omitempty"`
	Answer Answer       `json:"answer"`
}

// Methods of questions that no acquisition chose.
const (
	methodDesign   = "design"   // the quasi-random pairs a study begins with
	methodEnqueued = "enqueued" // a pair that somebody wanted asked
	methodCatch    = "catch"
	methodRepeat   = "repeat"
	methodBlind    = "blind"
	methodPractice = "practice"
)

// Enqueued is an option somebody wants tried: it will be one side of a coming question.
type Enqueued struct {
	Option space.Option `json:"option"`
	// Against, if not nil, is the other side: that very pair is asked.
	Against space.Option `json:"against,omitempty"`
	// Rater is who will be asked about it; empty for the next rater.
	Rater string `json:"rater,omitempty"`
	// Except are raters who are not asked about it.
	Except []string `json:"except,omitempty"`
}

// Taken is what a rater says about an option by itself: whether they would take it. The latest word about it counts.
type Taken struct {
	ID     string       `json:"id"`
	Option space.Option `json:"option"`
	Rater  string       `json:"rater,omitempty"`
	Take   bool         `json:"take"`
}

// blindPair says what a blind duel is of: the study's pick against a rival, and no rater can tell which is which.
type blindPair struct {
	Pick  Choice `json:"pick"`  // the side of the pick, First or Second
	Rival string `json:"rival"` // how the other option was chosen
}

const (
	rivalStrong = "strong" // the rival of the verdict, the next of a list, another peak of the utility, or the best that was shown elsewhere
	rivalRandom = "random" // drawn evenly from all options
)

// methodNeighbour marks the questions that try a missing neighbour of the pick.
const methodNeighbour = "neighbour"

// methodShortlist marks the questions about an item of the shortlist and one that may belong there in its place.
const methodShortlist = "shortlist"
