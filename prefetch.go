package prefer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// aheadKey names an answer as far as the next question depends on it.
func aheadKey(id QuestionID, a Answer) string {
	text := fmt.Sprintf("%s %s %d %t", id, a.Choice, a.Strength, a.Check)
	if a.RandomSides {
		text += fmt.Sprint(" ", a.Swapped)
	}
	return text
}

// after returns the question for a log that has one event more, the answer last.
func (a ahead) after(seq int, last *answeredEvent) (Question, bool) {
	if last == nil || seq != a.seq+1 {
		return Question{}, false
	}
	q, ok := a.next[aheadKey(last.Question, last.Answer)]
	return q.clone(), ok
}

// Prefetch chooses, while the rater looks at their oldest open question, the one that comes next for each plain answer they may give, under the same
// contexts, then for each that is clear: the following Ask finds it ready, and it is the same question that Ask would have chosen. It returns how many are
// ready: none without an open question, and those chosen until then together with the error of ctx when that ends. Nothing is written to the log.
func (h *Host) Prefetch(ctx context.Context, rater string) (int, error) {
	s := h.study
	s.mu.Lock()
	waiting := s.state.waiting(rater)
	events := s.events[:len(s.events):len(s.events)]
	s.mu.Unlock()
	if len(waiting) == 0 {
		return 0, ended(ctx)
	}
	open, answers := waiting[0], h.possibleAnswers(waiting[0].ID)
	contexts := s.cfg.Space.Context(open.Fixed)
	out := ahead{seq: len(events), next: map[string]Question{}}
	past := newState()
	for _, e := range events {
		if err := past.apply(e); err != nil {
			return 0, err
		}
	}
	for i, a := range answers {
		if i > 0 {
			if err := past.apply(Event{Seq: past.seq + 1, Kind: kindUndone, Undone: &undoneEvent{Answer: past.answers[len(past.answers)-1].id}}); err != nil {
				return len(out.next), err
			}
			past.seq -= 2 // as if it had not been said
			past.answers = past.answers[:len(past.answers)-1]
		}
		id := AnswerID(fmt.Sprintf("ahead%d", i))
		if err := past.apply(Event{Seq: past.seq + 1, Kind: kindAnswered, Answered: &answeredEvent{ID: id, Question: open.ID, Answer: a}}); err != nil {
			return len(out.next), err
		}
		q, _, err := s.choose(ctx, past.view(rater), Request{Rater: rater, Fixed: contexts, contexts: contexts})
		if err != nil {
			return len(out.next), err
		}
		if err := ended(ctx); err != nil {
			return len(out.next), err
		}
		out.next[aheadKey(open.ID, a)] = q
		s.mu.Lock()
		s.ahead[rater] = ahead{seq: out.seq, next: maps.Clone(out.next)}
		s.mu.Unlock()
	}
	return len(out.next), nil
}

// possibleAnswers lists the answers for which Prefetch chooses the next question.
func (h *Host) possibleAnswers(id QuestionID) (answers []Answer) {
	cfg := &h.study.cfg
	for _, k := range kinds {
		if k.Compares && !(k.Tied && cfg.Answers.Forced) {
			answers = append(answers, Answer{Choice: k.Choice})
		}
	}
	if cfg.Answers.Grades > 0 {
		answers = append(answers, Answer{Choice: First, Strength: 1}, Answer{Choice: Second, Strength: 1})
	}
	if h.Shown != nil {
		as := h.Shown(id)
		for i := range answers {
			answers[i].Swapped, answers[i].RandomSides = as.Swapped, as.RandomSides
		}
	}
	return answers
}

// Ahead returns the questions that Prefetch has chosen so far for what the rater may say to their oldest open question, and whether there is one for
// each of these answers.
func (h *Host) Ahead(rater string) (next []Question, all bool) {
	s := h.study
	s.mu.Lock()
	a, waiting := s.ahead[rater], s.state.waiting(rater)
	fresh := a.seq == s.state.seq && len(waiting) > 0
	s.mu.Unlock() // Shown may read the study
	if !fresh {
		return nil, false
	}
	answers := h.possibleAnswers(waiting[0].ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, each := range answers {
		if q, ok := a.next[aheadKey(waiting[0].ID, each)]; ok {
			next = append(next, s.state.pose(q))
		}
	}
	return next, len(next) == len(answers)
}

// aheadText is what Host.Export writes.
type aheadText struct {
	Version int                 `json:"version"`
	Kernels string              `json:"kernels"`
	Rater   string              `json:"rater"`
	Seq     int                 `json:"seq"`
	Log     chain.Sum           `json:"log"` // of the Seq events
	Next    map[string]Question `json:"next"`
}

const aheadVersion = 1

// Export returns what Prefetch has chosen for a rater, as bytes to hand to Import of the same study opened
// elsewhere by the same program, and the length of the log it is for. Nil if there is nothing.
func (h *Host) Export(rater string) (seq int, text []byte) {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.ahead[rater]
	if !ok {
		return 0, nil
	}
	log, err := s.chain(a.seq)
	if err != nil {
		return 0, nil
	}
	text, err = json.Marshal(aheadText{aheadVersion, gp.Kernels(), rater, a.seq, log, a.next})
	if err != nil {
		return 0, nil // a question with a number JSON has not
	}
	return a.seq, text
}

// Import takes what Export returned in another process, and reports whether it did: a text for another log,
// by another program or with a question this study cannot ask changes nothing.
func (h *Host) Import(text []byte) bool {
	s := h.study
	var t aheadText
	if json.Unmarshal(text, &t) != nil || t.Version != aheadVersion || t.Kernels != gp.Kernels() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.Seq < 1 || t.Seq > len(s.events) || t.Seq < s.ahead[t.Rater].seq {
		return false
	}
	if log, err := s.chain(t.Seq); err != nil || log != t.Log {
		return false
	}
	for _, q := range t.Next {
		if !s.state.plain(q, t.Rater) {
			return false
		}
	}
	s.ahead[t.Rater] = ahead{seq: t.Seq, next: t.Next}
	return true
}

// Ready reports whether a question has been chosen ahead that a plain Ask for rater would return now, or one for Another
// where other questions of the rater are open. In a study with contexts that is an ask under those of the last question.
func (h *Host) Ready(rater string) bool {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.ahead[rater].after(s.state.seq, s.events[len(s.events)-1].Answered)
	return ok && s.state.queued(rater, s.cfg.Space.Context(q.Fixed)) < 0
}

// plain reports whether q is a question to rater as choose returns it, that the study could ask.
func (s *state) plain(q Question, rater string) bool {
	if q.ID != "" || q.Rater != rater || q.Partial || len(q.Fixed) != len(s.cfg.Space.Contexts()) || coding.Given(s.cfg.Space, q.Fixed) != nil || q.RepeatOf != "" || q.Catch || q.Blind != nil || q.Enqueued {
		return false
	}
	options := []space.Option{q.First, q.Second}
	if q.Incumbent != nil {
		options = append(options, q.Incumbent)
	}
	for _, o := range options {
		if _, err := s.code.Unit(o); err != nil || s.present(o) != nil {
			return false
		}
	}
	return true
}
