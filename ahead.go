package prefer

import (
	"encoding/json"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

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
// where other questions of hers are open. In a study with contexts that is an ask under those of her last question.
func (h *Host) Ready(rater string) bool {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.ahead[rater].after(s.state.seq, s.events[len(s.events)-1].Answered)
	return ok && s.state.queued(rater, q.Fixed) < 0
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
