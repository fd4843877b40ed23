package prefer

import (
	"context"
	"slices"
)

// Reading is what a study said after so many answers.
type Reading struct {
	Answers    int     `json:"answers"`
	Seq        int     `json:"seq"` // of the last event that it knew
	Best       Option  `json:"best"`
	Confidence float64 `json:"confidence"`
}

// Readings are the moments of a study's past, each after an answer about a utility: all of it, or one rater's if only is not nil; skips, blind
// duels and practice aside. Of more than most they are evenly spread, the last included.
func Readings(events []Event, only *string, most int) []Reading {
	var all, some []Reading
	rater, aside := map[QuestionID]string{}, map[QuestionID]bool{}
	for _, e := range events {
		who := ""
		switch {
		case e.Asked != nil:
			rater[e.Asked.ID], aside[e.Asked.ID] = e.Asked.Rater, e.Asked.Blind != nil || e.Asked.Method == methodPractice
			continue
		case e.Answered != nil && (aside[e.Answered.Question] || e.Answered.Answer.Choice == Skip):
			continue
		case e.Answered != nil:
			who = rater[e.Answered.Question]
		case e.Observed != nil:
			who = e.Observed.Duel.Rater
		default:
			continue
		}
		if only == nil || who == *only {
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
	best, err := s.Best(ctx, rater)
	r.Best, r.Confidence = best.Option, best.Confidence
	return err
}
