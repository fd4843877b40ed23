package prefer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
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
	answers   []*told             // in the order of telling, undone ones included
	byAnswer  map[AnswerID]*told
	byKey     map[keyed]*told                         // answers that stand
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
	place           int      // among the questions of the log
	beside          []*asked // other questions of the rater that were open when it was asked
	answer          *told    // nil while nobody has answered
	skipped         bool
}

// told is an answer with what it means to the model.
type told struct {
	id       AnswerID
	question *asked // nil for an observed duel
	answer   Answer
	rater    string
	duel     Duel // of an observed duel
	a, b     []float64
	asked    int // questions in the log when it was told
	undone   bool
}

func newState() *state {
	return &state{questions: map[QuestionID]*asked{}, open: map[string][]*asked{},
		byAnswer: map[AnswerID]*told{}, byKey: map[keyed]*told{}, out: map[string]string{}, left: map[string]bool{}}
}

// apply folds one event of a log in. On error the state is unchanged.
func (s *state) apply(e Event) error {
	commit, err := s.prepare(e)
	if err != nil {
		if !errors.Is(err, ErrNewer) {
			err = fmt.Errorf("%w: %w", err, ErrEvents)
		}
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	commit()
	return nil
}

// prepare checks an event against the state and returns what applies it. Between the two an event can be kept in a journal, knowing that it will replay.
func (s *state) prepare(e Event) (commit func(), err error) {
	what, kind, n := e.contents()
	switch {
	case e.Seq != s.seq+1:
		return nil, fmt.Errorf("prefer: it follows event %d", s.seq)
	case (e.Kind == kindCreated) != (s.seq == 0):
		return nil, fmt.Errorf("prefer: its kind is %q; a log begins with one \"created\"", e.Kind)
	case e.newer():
		return nil, fmt.Errorf("prefer: its kind is %q: %w", e.Kind, ErrNewer)
	case n != 1:
		return nil, fmt.Errorf("prefer: it has %d contents, want the one of its kind %q", n, e.Kind)
	case kind != e.Kind:
		return nil, fmt.Errorf("prefer: unknown or empty kind %q", e.Kind)
	}
	do, err := what.prepare(s)
	if err != nil {
		return nil, err
	}
	return func() { do(); s.seq = e.Seq }, nil
}

func (e createdEvent) prepare(s *state) (func(), error) {
	code, err := e.Config.validate()
	if err != nil {
		return nil, err
	}
	return func() { s.cfg, s.code, s.list = e.Config.withDefaults(), code, code }, nil
}

// prepare keeps what numbering and the quasi-random sequence need of an event that was removed.
func (f forgottenEvent) prepare(s *state) (func(), error) {
	switch f.Was {
	case kindAsked, kindAnswered, kindObserved, kindUndone, kindEnqueued, kindTaken, kindExcluded:
	default:
		return nil, fmt.Errorf("prefer: a forgotten event was %q, want asked, answered, observed, undone, enqueued, taken or excluded", f.Was)
	}
	return func() {
		switch f.Was {
		case kindAsked:
			s.gone.questions++
			if f.Blind {
				s.gone.blind++
			}
		case kindAnswered, kindObserved:
			s.gone.answers++
		}
		if f.Design {
			s.design++
		}
	}, nil
}

func (q Question) prepare(s *state) (func(), error) {
	if q.ID == "" || s.questions[q.ID] != nil {
		return nil, fmt.Errorf("prefer: question id %q is empty or taken", q.ID)
	}
	as := &asked{Question: q, prompt: s.cfg.Prompt, place: len(s.order), beside: slices.Clone(s.open[q.Rater])}
	var err error
	if as.a, as.b, err = s.code.Pair(q.First, q.Second); err != nil {
		return nil, err
	}
	if q.Incumbent != nil {
		if as.incumbent, _, err = s.code.Pair(q.Incumbent, q.First); err != nil {
			return nil, err
		}
	}
	if err := s.code.Meets(q.Fixed, as.a, as.b); err != nil {
		return nil, err
	}
	if err := s.present(q.First, q.Second); err != nil {
		return nil, fmt.Errorf("prefer: question %q: %w", q.ID, err)
	}
	if q.RepeatOf != "" && s.questions[q.RepeatOf] == nil {
		return nil, notFound("no_question", "question %q repeats %q, which was not asked", q.ID, q.RepeatOf)
	}
	if q.Known != "" && (!q.Catch || q.Known != First && q.Known != Second) {
		return nil, fmt.Errorf("prefer: question %q has known = %q, want first or second of a catch question", q.ID, q.Known)
	}
	if err := q.Blind.validate(); err != nil {
		return nil, fmt.Errorf("prefer: question %q: %w", q.ID, err)
	}
	return func() {
		if q.Method == methodDesign {
			s.design++
		}
		if i := s.queued(q.Rater, q.Fixed); q.Enqueued && i >= 0 {
			s.queue = slices.Delete(s.queue, i, i+1)
		}
		s.questions[q.ID] = as
		s.order = append(s.order, as)
		s.open[q.Rater] = append(s.open[q.Rater], as)
	}, nil
}

func (a answeredEvent) prepare(s *state) (func(), error) {
	q := s.questions[a.Question]
	switch {
	case q == nil:
		return nil, notFound("no_question", "there is no question %q", a.Question)
	case q.answer != nil:
		return nil, notFound("no_question", "question %q was answered already", a.Question)
	case !s.isOpen(q):
		return nil, notFound("no_question", "question %q was withdrawn", a.Question)
	}
	if err := s.checkAnswer(a.ID, a.Answer); err != nil {
		return nil, err
	}
	if r := a.Answer.Rater; r != "" && r != q.Rater {
		return nil, coding.RefuseField("answer", "rater", r, "answer has rater %q, but question %q was put to %q", r, q.ID, q.Rater)
	}
	return func() {
		t := &told{id: a.ID, question: q, answer: a.Answer, rater: q.Rater, a: q.a, b: q.b, asked: len(s.order)}
		q.answer, q.skipped = t, a.Answer.Choice == Skip
		s.setOpen(q.Rater, slices.DeleteFunc(slices.Clone(s.open[q.Rater]), func(o *asked) bool { return o == q }))
		s.record(t)
	}, nil
}

func (o observedEvent) prepare(s *state) (func(), error) {
	if err := s.checkAnswer(o.ID, o.Duel.Answer); err != nil {
		return nil, err
	}
	if k, _ := o.Duel.Answer.Choice.info(); !k.Compares {
		return nil, coding.RefuseField("answer", "choice", k.Choice, "an observed duel has choice %q, want %s", k.Choice, wanted(func(k ChoiceInfo) bool { return k.Compares }))
	}
	t := &told{id: o.ID, answer: o.Duel.Answer, rater: o.Duel.Rater, duel: o.Duel}
	var err error
	t.a, t.b, err = s.code.Pair(o.Duel.First, o.Duel.Second)
	return func() { s.record(t) }, err
}

func (u undoneEvent) prepare(s *state) (func(), error) {
	t := s.byAnswer[u.Answer]
	if t == nil || t.undone {
		return nil, notFound("no_answer", "there is no answer %q, or it was undone already", u.Answer)
	}
	return func() {
		t.undone = true
		if k := (keyed{t.rater, t.answer.Key}); s.byKey[k] == t {
			delete(s.byKey, k)
		}
		if q := t.question; q != nil {
			q.answer, q.skipped = nil, false
			s.setOpen(q.Rater, s.reopened(q, t))
		}
	}, nil
}

func (s *state) checkAnswer(id AnswerID, a Answer) error {
	if id == "" || s.byAnswer[id] != nil {
		return fmt.Errorf("prefer: answer id %q is empty or taken", id)
	}
	return s.cfg.Answers.Validate(a)
}
func (s *state) nextAnswer() AnswerID { return free("a", len(s.answers)+s.gone.answers, s.byAnswer) }

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

func (s *state) record(t *told) {
	s.answers = append(s.answers, t)
	s.byAnswer[t.id] = t
	if t.answer.Key != "" {
		s.byKey[keyed{t.rater, t.answer.Key}] = t
	}
}
