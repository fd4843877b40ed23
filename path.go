package prefer

import (
	"cmp"
	"context"
	"slices"

	"github.com/prefer-bo/prefer/space"
)

// Reading is what a study said after so many answers.
type Reading struct {
	Answers    int          `json:"answers"`
	Seq        int          `json:"seq"` // of the last event that it knew
	Best       space.Option `json:"best"`
	Confidence float64      `json:"confidence"`
}

// Readings are the moments of a study's past, each after an answer that counts and stands at the end of the log (Entry.Counts): of everybody who is not left
// out, or of one rater if only is not nil. Of more than most they are evenly spread, the last included.
func Readings(events []Event, only *string, most int) []Reading {
	var all, some []Reading
	undone, out := map[AnswerID]bool{}, map[string]bool{}
	for _, e := range events {
		switch {
		case e.Undone != nil:
			undone[e.Undone.Answer] = true
		case e.Excluded != nil:
			out[e.Excluded.Rater] = e.Excluded.Out
		}
	}
	rater := map[QuestionID]string{}
	for _, e := range events {
		var id AnswerID
		var answer Answer
		who := ""
		switch {
		case e.Asked != nil:
			rater[e.Asked.ID] = e.Asked.Rater
			continue
		case e.Answered != nil:
			id, answer, who = e.Answered.ID, e.Answered.Answer, cmp.Or(e.Answered.Answer.Rater, rater[e.Answered.Question])
		case e.Observed != nil:
			id, answer, who = e.Observed.ID, e.Observed.Duel.Answer, e.Observed.Duel.Rater
		default:
			continue
		}
		if heard := only == nil && !out[who] || only != nil && who == *only; heard && answer.counts(undone[id], false) {
			all = append(all, Reading{Seq: e.Seq, Answers: len(all) + 1})
		}
	}
	if len(all) <= most {
		return all
	}
	for k := 1; k <= most; k++ {
		some = append(some, all[k*len(all)/most-1])
	}
	return some
}

// Reread fills in what the study said at a moment of its past, as its log was then. It takes a fit.
func (r *Reading) Reread(ctx context.Context, events []Event, rater string) error {
	n, _ := slices.BinarySearchFunc(events, r.Seq, func(e Event, seq int) int { return e.Seq - seq })
	s, err := Open(ctx, slices.Clip(events[:n+1]), OpenOptions{})
	if err != nil {
		return err
	}
	best, err := s.Best(ctx, Look{Rater: rater})
	r.Best, r.Confidence = best.Option, best.Confidence
	return err
}
