package live

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Undo takes an answer back.
type Undo struct {
	// Answer is which; empty: the rater's latest.
	Answer prefer.AnswerID

	// Rater takes it back; unless Owner is set it must be the rater's own.
	Rater string
	Owner bool
}

// Undone is what was taken back.
type Undone struct {
	Answer   string `json:"answer_id" doc:"The answer that was undone."`
	Question string `json:"question_id,omitempty" doc:"Its question, which is open again."`
	Status   Status `json:"status"`
}

// Undo takes an answer back; its question is open again. While the study is paused only its owner may.
func (s *Studies) Undo(ctx context.Context, name string, u Undo) (out Undone, err error) {
	if err := CheckRater(u.Rater); err != nil {
		return out, err
	}
	return In(ctx, s, name, func(r *Study) (out Undone, err error) {
		var e prefer.Entry
		r.look(func(x *index) { e, err = u.find(x) })
		if err == nil && !u.Owner && PersonOf(e.Rater) != u.Rater {
			err = refuse(OtherRater, "you can undo only your own answers")
		}
		if err == nil {
			err = r.mayChange(u.Owner)
		}
		if err == nil {
			err = r.Study.Undo(context.WithoutCancel(ctx), e.ID)
		}
		if err != nil {
			return out, err
		}
		r.notify("undone")
		out = Undone{Answer: string(e.ID), Question: string(e.Question), Status: r.Status(e.Rater).visibleTo(r, u.Owner)}
		r.afterAnswer(e.Rater)
		return out, nil
	})
}

func (u Undo) find(x *index) (prefer.Entry, error) {
	if u.Answer == "" {
		if all := x.said[u.Rater]; len(all) > 0 {
			return all[len(all)-1], nil
		}
		return prefer.Entry{}, refuse(NoAnswer, "rater %q has no answer to undo", u.Rater)
	}
	all := x.said[x.by[u.Answer]]
	if at := slices.IndexFunc(all, func(e prefer.Entry) bool { return e.ID == u.Answer }); at >= 0 {
		return all[at], nil
	}
	return prefer.Entry{}, refuse(NoAnswer, "there is no answer %q, or it was already undone", u.Answer)
}

// Flip turns an answer round: it is taken back, and told again the other way.
func (s *Studies) Flip(ctx context.Context, name string, answer prefer.AnswerID) (id prefer.AnswerID, err error) {
	err = s.With(ctx, name, func(r *Study) error {
		history := r.Study.History()
		at := slices.IndexFunc(history, func(e prefer.Entry) bool { return e.ID == answer && !e.Undone })
		if at < 0 {
			return notFound("no_answer", "there is no answer %.40q, or it was undone already", answer)
		}
		e := history[at]
		a := e.Answer
		if e.Observed {
			return refuse(Invalid, "this answer was imported and cannot be flipped; remove it instead")
		}
		if a.Choice = opposite(a.Choice); a.Choice == e.Answer.Choice {
			return refuse(Invalid, "an answer %q cannot be flipped", a.Choice)
		}
		a.Key, a.Note, a.Meta = "", "", nil // which speak of the answer as it was
		ctx := context.WithoutCancel(ctx)   // both halves or the first alone would surprise
		if err := r.Study.Undo(ctx, e.ID); err != nil {
			return err
		}
		var err error
		if id, err = r.Study.Tell(ctx, e.Question, a); err != nil {
			return err
		}
		r.notify("answered")
		r.afterAnswer(e.Rater)
		return nil
	})
	return id, err
}
