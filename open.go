package prefer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// pose returns a question as it is put to a rater.
func (s *state) pose(q Question) Question {
	q = q.clone()
	q.Options, q.Prompt = []space.Option{q.First, q.Second}, s.cfg.Prompt
	if as := s.questions[q.ID]; as != nil {
		q.Prompt = as.prompt
	}
	return q
}

// isOpen reports whether a question waits for its answer.
func (s *state) isOpen(q *asked) bool { return slices.Contains(s.open[q.Rater], q) }

// waiting returns the questions of a rater that are open and asked to learn from: a blind duel stands beside them, and one with an item
// that has left is put to nobody any more.
func (s *state) waiting(rater string) []*asked {
	open, beside := s.open[rater], func(q *asked) bool { return q.isBlind() || s.withdrawn(q) }
	if !slices.ContainsFunc(open, beside) {
		return open
	}
	return slices.DeleteFunc(slices.Clone(open), beside)
}

// reopened returns the open questions of a rater who is back at q because its answer t was taken back. Questions
// asked since are withdrawn; of those before only the ones stay that the rater has had beside q.
func (s *state) reopened(q *asked, t *answerRecord) []*asked {
	out := []*asked{q}
	for _, o := range s.open[q.Rater] {
		if o.place < t.asked && (slices.Contains(q.beside, o) || slices.Contains(o.beside, q)) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *asked) int { return a.place - b.place })
	return out
}

func (s *state) setOpen(rater string, questions []*asked) {
	if s.open[rater] = questions; len(questions) == 0 {
		delete(s.open, rater)
	}
}

// keepQuestion appends a question, unless others were asked since it was chosen: then it was chosen in
// ignorance of what is pending, and kept is false; or one of its items has left.
func (s *Study) keepQuestion(ctx context.Context, c chosenQuestion, another bool) (_ Question, kept bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := c.Question
	if open := s.state.waiting(q.Rater); len(open) > 0 && !another { // an undo meanwhile brought one back
		return s.state.pose(open[0].Question), true, nil
	}
	if len(s.state.order) != c.view.asked || s.state.present(q.First, q.Second) != nil {
		return Question{}, false, nil
	}
	q.ID = s.state.nextQuestion()
	if err := s.append(ctx, Event{Kind: kindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	return s.state.pose(q), true, nil
}

// openQuestion returns the rater's oldest open question that goes with the request, if there is one; an error if
// all were asked under other conditions, or ctx is over.
func (s *Study) openQuestion(ctx context.Context, r Request) (Question, bool, error) {
	if err := ended(ctx); err != nil {
		return Question{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.state.waiting(r.Rater)
	if r.Another || len(open) == 0 {
		return Question{}, false, nil
	}
	for _, q := range open {
		if maps.Equal(q.Fixed, r.Fixed) {
			return s.state.pose(q.Question), true, nil
		}
	}
	q := open[0]
	return Question{}, false, &Error{Code: "question_open", Field: "fixed", Value: r.Fixed, Err: ErrOpen,
		Detail: fmt.Sprintf("rater %q has question %q open with fixed {%v}, not {%v}: answer it, or skip it", r.Rater, q.ID, q.Fixed, r.Fixed)}
}

// OpenQuestions returns the questions that wait for a rater's answer, oldest first. One with an item that has left the list waits
// no longer, but an answer of somebody who has seen it is taken.
func (s *Study) OpenQuestions(rater string) []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Question
	for _, q := range s.state.open[rater] {
		if !s.state.withdrawn(q) {
			out = append(out, s.state.pose(q.Question))
		}
	}
	return out
}

// Question returns a question that was asked, open or not; ok is false if there was none of this id.
func (s *Study) Question(id QuestionID) (q Question, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	as := s.state.questions[id]
	if as == nil {
		return Question{}, false
	}
	return s.state.pose(as.Question), true
}

// present reports the first option that is an item which has left.
func (s *state) present(options ...space.Option) error {
	for _, o := range options {
		if id := o.Item(); len(s.left) > 0 && s.left[id] {
			return leftError(id)
		}
	}
	return nil
}

// leftError is the error about an item that has left.
func leftError(id string) error {
	return coding.Refuse("option", "item %q has left the study", id)
}

// withdrawn reports whether a question is about an item that has left: nobody is asked it any more.
func (s *state) withdrawn(q *asked) bool { return s.present(q.First, q.Second) != nil }

// queued returns the place in the queue of the next option for a rater under these contexts, or −1: one under another context waits for that.
func (s *state) queued(rater string, contexts space.Option) int {
	return slices.IndexFunc(s.queue, func(e Enqueued) bool { return s.isFor(e, rater, contexts) })
}

// isFor reports whether a rater under these contexts may be asked about what was enqueued.
func (s *state) isFor(e Enqueued, rater string, contexts space.Option) bool {
	return (e.Rater == "" || e.Rater == rater) && !slices.Contains(e.Except, rater) && maps.Equal(s.cfg.Space.Context(e.Option), contexts)
}

// given returns the question a request leaves no choice about, if it does.
func (r Request) given(s *state) (q Question, ok bool, err error) {
	q = Question{Rater: r.Rater, Fixed: maps.Clone(r.Fixed)}
	switch {
	case r.Catch != nil:
		q.First, q.Second, q.Method, q.Catch = maps.Clone(r.Catch.First), maps.Clone(r.Catch.Second), methodCatch, true
		if k, known := r.Catch.Answer.Choice.info(); known && k.Side != 0 {
			q.Known = k.Choice
		}
	case r.Repeat != "":
		was := s.questions[r.Repeat]
		if was == nil || was.answer == nil || was.Rater != r.Rater {
			return q, true, notFound("no_question", "question %q was not answered by %q", r.Repeat, r.Rater)
		}
		q.First, q.Second, q.Method, q.RepeatOf = maps.Clone(was.Second), maps.Clone(was.First), methodRepeat, was.ID
		q.Incumbent, q.Fixed = maps.Clone(was.Incumbent), maps.Clone(was.Fixed)
	default:
		return q, false, nil
	}
	return q, true, s.present(q.First, q.Second)
}

func (s *state) nextQuestion() QuestionID {
	return free("q", len(s.order)+s.gone.questions, s.questions)
}

func (s *state) nextAnswer() AnswerID { return free("a", len(s.answers)+s.gone.answers, s.byAnswer) }

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
	if b := q.Blind; b != nil && (b.Pick != First && b.Pick != Second || b.Rival != rivalStrong && b.Rival != rivalRandom) {
		return nil, fmt.Errorf("prefer: question %q: blind has pick %q and rival %q, want first or second, and strong or random", q.ID, b.Pick, b.Rival)
	}
	return func() {
		if q.Method == methodDesign {
			s.design++
		}
		if i := s.queued(q.Rater, s.cfg.Space.Context(q.Fixed)); q.Enqueued && i >= 0 {
			s.queue = slices.Delete(s.queue, i, i+1)
		}
		s.questions[q.ID] = as
		s.order = append(s.order, as)
		s.open[q.Rater] = append(s.open[q.Rater], as)
	}, nil
}

// Answered is an answer to an asked question.
type answeredEvent struct {
	ID       AnswerID   `json:"id"`
	Question QuestionID `json:"question"`
	Answer   Answer     `json:"answer"`
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
		t := &answerRecord{id: a.ID, question: q, answer: a.Answer, rater: q.Rater, a: q.a, b: q.b, asked: len(s.order)}
		q.answer, q.skipped = t, a.Answer.Choice == Skip
		s.setOpen(q.Rater, slices.DeleteFunc(slices.Clone(s.open[q.Rater]), func(o *asked) bool { return o == q }))
		s.record(t)
	}, nil
}

// Observed is a duel nobody asked for.
type observedEvent struct {
	ID   AnswerID `json:"id"`
	Duel Duel     `json:"duel"`
}

func (o observedEvent) prepare(s *state) (func(), error) {
	if err := s.checkAnswer(o.ID, o.Duel.Answer); err != nil {
		return nil, err
	}
	if k, _ := o.Duel.Answer.Choice.info(); !k.Compares {
		return nil, coding.RefuseField("answer", "choice", k.Choice, "an observed duel has choice %q, want %s", k.Choice, listChoices(func(k ChoiceInfo) bool { return k.Compares }))
	}
	t := &answerRecord{id: o.ID, answer: o.Duel.Answer, rater: o.Duel.Rater, duel: o.Duel}
	var err error
	t.a, t.b, err = s.code.Pair(o.Duel.First, o.Duel.Second)
	return func() { s.record(t) }, err
}

// Undone takes an answer back. Its question is open again for its rater.
type undoneEvent struct {
	Answer AnswerID `json:"answer"`
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

func (t Taken) prepare(s *state) (func(), error) {
	if t.ID == "" {
		return nil, fmt.Errorf("prefer: taken has no id")
	}
	x, err := s.code.Unit(t.Option)
	if err != nil {
		return nil, err
	}
	return func() {
		if i := s.word(t.Rater, x); i >= 0 {
			s.takes = slices.Delete(s.takes, i, i+1)
		}
		s.takes = append(s.takes, taken{x, t.Rater, t.Take, t.ID, t.Option})
	}, nil
}

// word returns the place of what a rater said about taking the option at x, or −1.
func (s *state) word(rater string, x []float64) int {
	return slices.IndexFunc(s.takes, func(t taken) bool { return t.rater == rater && coding.Gap(t.a, x) <= coding.SameOption })
}
