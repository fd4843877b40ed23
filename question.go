package prefer

import (
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
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

// pose returns a question as it is put to a rater.
func (s *state) pose(q Question) Question {
	q = q.clone()
	q.Options, q.Prompt = []space.Option{q.First, q.Second}, s.cfg.Prompt
	if as := s.questions[q.ID]; as != nil {
		q.Prompt = as.prompt
	}
	return q
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
func (s *state) reopened(q *asked, t *told) []*asked {
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

// Duel is an answered pair that nobody asked for: evidence from elsewhere.
type Duel struct {
	First  space.Option `json:"first"`
	Second space.Option `json:"second"`
	Rater  string       `json:"rater,omitempty"`
	Answer Answer       `json:"answer"`
}

// present reports the first option that is an item which has left.
func (s *state) present(options ...space.Option) error {
	for _, o := range options {
		if id := o.Item(); len(s.left) > 0 && s.left[id] {
			return gone(id)
		}
	}
	return nil
}

// gone is the error about an item that has left.
func gone(id string) error {
	return coding.Refuse("option", "item %q has left the study", id)
}

// withdrawn reports whether a question is about an item that has left: nobody is asked it any more.
func (s *state) withdrawn(q *asked) bool { return s.present(q.First, q.Second) != nil }

// queued returns the place in the queue of the next option for a rater under what is fixed, or −1: one under another context waits for that.
func (s *state) queued(rater string, fixed space.Option) int {
	return slices.IndexFunc(s.queue, func(e Enqueued) bool { return s.isFor(e, rater, fixed) })
}

// isFor reports whether a rater under what is fixed may be asked about what was enqueued.
func (s *state) isFor(e Enqueued, rater string, fixed space.Option) bool {
	return (e.Rater == "" || e.Rater == rater) && !slices.Contains(e.Except, rater) && maps.Equal(s.cfg.Space.Context(e.Option), s.cfg.Space.Context(fixed))
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
		q.First, q.Second, q.Method, q.RepeatOf = was.Second, was.First, methodRepeat, was.ID
		q.Incumbent, q.Fixed = was.Incumbent, was.Fixed
	default:
		return q, false, nil
	}
	return q.clone(), true, s.present(q.First, q.Second)
}

// isPractice reports whether a question is one; there may be none, as with an observed duel.
func (q *asked) isPractice() bool { return q != nil && q.Method == methodPractice }

// isBlind reports whether a question is a blind duel; there may be none, as with an observed duel.
func (q *asked) isBlind() bool { return q != nil && q.Blind != nil }

func (s *state) nextQuestion() QuestionID {
	return free("q", len(s.order)+s.gone.questions, s.questions)
}
