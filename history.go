package prefer

import (
	"strings"
	"time"

	"github.com/prefer-bo/prefer/space"
)

// Entry is one answer of a study's past.
type Entry struct {
	Seq      int          `json:"seq"`
	Time     time.Time    `json:"time"`
	ID       AnswerID     `json:"id"`
	Question QuestionID   `json:"question,omitempty"` // empty for an observed duel
	Rater    string       `json:"rater,omitempty"`
	First    space.Option `json:"first"`
	Second   space.Option `json:"second"`
	Answer   Answer       `json:"answer"`
	Method   string       `json:"method,omitempty"` // that chose the pair; empty for an observed duel
	Observed bool         `json:"observed,omitempty"`
	Blind    bool         `json:"blind,omitempty"` // a blind duel: it counts for nothing but Study.Blind
	Undone   bool         `json:"undone,omitempty"`
	Out      bool         `json:"out,omitempty"`    // its rater is left out of what the group learns now
	Origin   string       `json:"origin,omitempty"` // of its event

	// Number counts the answers behind a verdict up to this one: those that count (Counts), under its context, of everybody who is not left out,
	// or in a study per rater of its rater. 0 if it is not one of them.
	Number int `json:"number,omitempty"`
}

// Counts reports whether the answer is learned from, and is one of those that Verdict.Answers and every other number of answers count. Answers that were
// taken back, skips and checks do not count, nor do blind duels and practice questions. Whether its rater is left out is another matter: see Out.
func (e Entry) Counts() bool { return e.Answer.counts(e.Undone, e.Blind) }

// History returns every answer in the order of telling, undone ones included and marked. What its options point to is shared with the study: read only.
func (s *Study) History() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Entry
	at, numbers := 0, map[[2]string]int{}
	for _, e := range s.events {
		if e.Answered == nil && e.Observed == nil {
			continue
		}
		t := s.state.answers[at]
		at++
		entry := Entry{Seq: e.Seq, Time: e.Time, ID: t.id, Rater: t.rater, Answer: t.answer, Undone: t.undone, Origin: e.Origin}
		_, entry.Out = s.state.out[t.rater]
		if q := t.question; q != nil {
			entry.Blind = q.isBlind()
			entry.Question, entry.Method, entry.First, entry.Second = q.ID, q.Method, q.First, q.Second
		} else {
			entry.Observed, entry.First, entry.Second = true, t.duel.First, t.duel.Second
		}
		if each := s.state.cfg.People == PerRater; t.counts() && (each || !entry.Out) {
			of := [2]string{"", s.state.cfg.Space.Context(entry.First).String()}
			if each {
				of[0], _, _ = strings.Cut(t.rater, "#") // as in counted
			}
			numbers[of]++
			entry.Number = numbers[of]
		}
		out = append(out, entry)
	}
	return out
}
