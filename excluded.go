package prefer

import "slices"

// Excluded leaves a rater out of what the group learns, or takes her back. Her answers stay in the log and in her own result;
// while she is out they teach nobody else.
type Excluded struct {
	Rater string `json:"rater"`
	Out   bool   `json:"out"`
	Why   string `json:"why,omitempty"` // in the owner's words
}

func (s *state) prepareExcluded(e Excluded) func() {
	return func() {
		if e.Out {
			s.out[e.Rater] = e.Why
		} else {
			delete(s.out, e.Rater)
		}
	}
}

// knows reports whether a rater was asked something or has said something.
func (s *state) knows(rater string) bool {
	return slices.ContainsFunc(s.order, func(q *asked) bool { return q.Rater == rater }) ||
		slices.ContainsFunc(s.answers, func(t *told) bool { return t.rater == rater })
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
