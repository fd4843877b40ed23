// Package timeline replays what a study said after each of its answers.
package timeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Moment is what a study said after so many answers.
type Moment struct {
	Answers int
	Seq     int // of the last event that it knew
	Best    space.Option
}

// Moments are the moments of a study's past, each after an answer that counts and stands at the end of the log (Entry.Counts): of all raters who are not
// excluded, or of one rater if only is not nil. Of more than most they are evenly spread, the last included.
func Moments(events []prefer.Event, only *string, most int) []Moment {
	var all []Moment
	undone, out := map[prefer.AnswerID]bool{}, map[string]bool{}
	for _, e := range events {
		switch {
		case e.Undone != nil:
			undone[e.Undone.Answer] = true
		case e.Excluded != nil:
			out[e.Excluded.Rater] = e.Excluded.Out
		}
	}
	rater := map[prefer.QuestionID]string{}
	for _, e := range events {
		var id prefer.AnswerID
		var answer prefer.Answer
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
		if heard := only == nil && !out[who] || only != nil && who == *only; heard && (prefer.Entry{Answer: answer, Undone: undone[id]}).Counts() {
			all = append(all, Moment{Seq: e.Seq, Answers: len(all) + 1})
		}
	}
	return Spread(all, most)
}

// Spread returns at most so many of a list, evenly spread, the last included.
func Spread[T any](all []T, most int) (some []T) {
	if len(all) <= most {
		return all
	}
	for k := 1; k <= most; k++ {
		some = append(some, all[k*len(all)/most-1])
	}
	return some
}

// Replay fills in what the study said at a moment of its past, as its log was then. It takes a fit.
func (r *Moment) Replay(ctx context.Context, events []prefer.Event, rater string) error {
	n, _ := slices.BinarySearchFunc(events, r.Seq, func(e prefer.Event, seq int) int { return e.Seq - seq })
	s, err := prefer.Open(ctx, slices.Clip(events[:n+1]), prefer.OpenOptions{})
	if err != nil {
		return err
	}
	best, err := s.Best(ctx, prefer.Look{Rater: rater})
	r.Best = best.Option
	return err
}
