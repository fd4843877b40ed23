package prefer

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// state is what a study's events add up to. apply is its only mutator; it checks every event against
// what is there, so a damaged log is refused, never half understood.
type state struct {
	cfg       Config
	code      *coding.Coding  // of every item that ever was in the list
	list      *coding.Coding  // of those that are in it now
	left      map[string]bool // items that are not
	seq       int
	questions map[QuestionID]*asked
	order     []*asked            // in the order of asking
	open      map[string][]*asked // by rater, oldest first
	answers   []*answerRecord     // in the order of telling, undone ones included
	byAnswer  map[AnswerID]*answerRecord
	byKey     map[keyed]*answerRecord                 // answers that stand
	queue     []Enqueued                              // options to be tried, oldest first
	design    int                                     // quasi-random pairs used up
	takes     []taken                                 // what raters would take: the latest word of each about an option
	out       map[string]string                       // who is left out of what the group learns, and why
	gone      struct{ questions, answers, blind int } // forgotten: their numbers stay taken; blind ones of the questions
}

// asked is a question with its points in the unit cube.
type asked struct {
	Question
	prompt          string
	a, b, incumbent []float64
	place           int           // among the questions of the log
	beside          []*asked      // other questions of the rater that were open when it was asked
	answer          *answerRecord // nil while nobody has answered
	skipped         bool
}

// answerRecord is an answer as the model uses it.
type answerRecord struct {
	id       AnswerID
	question *asked // nil for an observed duel
	answer   Answer
	rater    string
	duel     Duel // of an observed duel
	a, b     []float64
	outcome  gp.Outcome // of a preference or a tie
	asked    int        // questions in the log when it was told
	undone   bool
}

// learned returns the answer as the model sees it.
func (t *answerRecord) learned() learn.Answered {
	k, _ := t.answer.Choice.info()
	return learn.Answered{Awaited: learn.Awaited{A: t.a, B: t.b, Rater: t.rater}, Outcome: t.outcome, Compares: k.Compares}
}

// taken is what a rater would take, in the coordinates of the model.
type taken struct {
	a      []float64
	rater  string
	take   bool
	id     string
	option space.Option
}

// blindDuel is a blind duel as it is at one moment.
type blindDuel struct {
	Question
	pick, rival []float64
	answered    bool // and not skipped
	side        int  // of the answer: 1 for the pick, −1 for the rival, 0 for neither
}

func (q *asked) blind() blindDuel {
	d := blindDuel{Question: q.Question, pick: q.a, rival: q.b}
	if q.answer != nil {
		k, _ := q.answer.answer.Choice.info()
		d.side, d.answered = k.Side, k.Choice != Skip
	}
	if q.Blind.Pick == Second {
		d.pick, d.rival, d.side = q.b, q.a, -d.side
	}
	return d
}

// isBlind reports whether a question is a blind duel; an observed duel has no question.
func (q *asked) isBlind() bool { return q != nil && q.Blind != nil }

// teaches reports whether a question is asked to learn from: neither a blind duel nor one to practise on.
func (q *asked) teaches() bool { return q == nil || q.Blind == nil && q.Method != methodPractice }

// counts is Entry.Counts.
func (t *answerRecord) counts() bool { return t.answer.counts(t.undone, t.question.isBlind()) }

func newState() *state {
	return &state{questions: map[QuestionID]*asked{}, open: map[string][]*asked{},
		byAnswer: map[AnswerID]*answerRecord{}, byKey: map[keyed]*answerRecord{}, out: map[string]string{}, left: map[string]bool{}}
}

// free returns an id that is not taken: that after n, unless a log written elsewhere has used it.
func free[ID ~string, T any](letter string, n int, taken map[ID]T) ID {
	for {
		n++
		id := ID(fmt.Sprint(letter, n))
		if _, is := taken[id]; !is {
			return id
		}
	}
}

func (s *state) record(t *answerRecord) {
	t.outcome = t.answer.outcome()
	s.answers = append(s.answers, t)
	s.byAnswer[t.id] = t
	if t.answer.Key != "" {
		s.byKey[keyed{t.rater, t.answer.Key}] = t
	}
}

// keyed names an answer by the key that its rater gave it: every rater has their own keys.
type keyed struct{ rater, key string }

// differs names the first thing in which an answer that was kept differs from one that is told under its key, to a question or, if that is empty, about a
// duel nobody asked for; empty if it is the same again. When it was sent, in which sitting, after how long and with which note and meta makes it no other. What was
// said is not repeated: a rater and the log may speak of different sides.
func (t *answerRecord) differs(again answerRecord, question QuestionID) string {
	was := t.question != nil
	switch {
	case was != (question != "") || was && t.question.ID != question:
		return "question"
	case !maps.Equal(t.duel.First, again.duel.First) || !maps.Equal(t.duel.Second, again.duel.Second):
		return "pair"
	case t.answer.Choice != again.answer.Choice:
		return "choice"
	case t.answer.Strength != again.answer.Strength:
		return "strength"
	case t.answer.Check != again.answer.Check:
		return "check"
	}
	return ""
}

// knows reports whether a rater was asked something or has said something.
func (s *state) knows(rater string) bool {
	return slices.ContainsFunc(s.order, func(q *asked) bool { return q.Rater == rater }) ||
		slices.ContainsFunc(s.answers, func(t *answerRecord) bool { return t.rater == rater })
}

// learnsFrom reports whether what a rater says teaches about a rater's utility: in a study per rater only their own answers do, and in
// a shared study no answer of an excluded rater does.
func (s *state) learnsFrom(rater string, only *string) bool {
	if only != nil {
		return rater == *only
	}
	_, out := s.out[rater]
	return !out
}
