package live

import (
	"cmp"
	"context"
	"maps"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Sitting is how everybody is led through a study. The zero value asks one question after the other, to the end.
type Sitting struct {
	// Practice is how many questions everybody begins with, as they are told; nothing is learned from them, and they count for nothing.
	Practice int `json:"practice,omitempty" minimum:"0" maximum:"100" doc:"Questions that everybody begins with to practise: nothing is learned from them."`

	// BreakEvery is the length of a block: after so many answers a break is offered.
	BreakEvery int `json:"break_every,omitempty" minimum:"0" maximum:"1000" doc:"Answers after which a break is offered."`

	// Blind is how many blind duels of the pick everybody is asked at the end, under each context, whether or not they may see the result.
	Blind int `json:"blind,omitempty" minimum:"0" maximum:"20" doc:"Blind duels of the pick that everybody is asked when her questions are over."`
}

func (c Sitting) validate() error {
	switch {
	case c.Practice < 0 || c.Practice > 100:
		return invalid("sitting.practice", c.Practice, "practice = %d questions, want 0 to 100", c.Practice)
	case c.BreakEvery < 0 || c.BreakEvery > 1000:
		return invalid("sitting.break_every", c.BreakEvery, "break_every = %d answers, want 0 (no breaks) to 1000", c.BreakEvery)
	case c.Blind < 0 || c.Blind > 20:
		return invalid("sitting.blind", c.Blind, "blind = %d duels, want 0 to 20", c.Blind)
	}
	return nil
}

// toPractise returns how many practice questions a rater has left, without the open ones if open is set. A rater who was asked anything else has begun.
func (x *index) toPractise(study *prefer.Study, c Sitting, rater string, open bool) int {
	if c.Practice == 0 {
		return 0
	}
	left := c.Practice
	for _, q := range x.put(study, rater) {
		switch {
		case !q.practice():
			return 0
		case open || !q.open:
			left--
		}
	}
	return max(0, left)
}

// block returns how many answers a rater has given if a block of them is just over, else 0.
func (x *index) block(c Sitting, rater string) int {
	n, last := 0, false
	for _, e := range x.said[rater] {
		if last = e.Counts() && !e.Observed; last {
			n++
		}
	}
	if c.BreakEvery == 0 || !last || n%c.BreakEvery != 0 {
		return 0
	}
	return n
}

// duelled returns how many blind duels a rater has answered under these contexts, skips aside.
func (x *index) duelled(study *prefer.Study, rater string, fixed space.Option) (n int) {
	for _, e := range x.said[rater] {
		if !e.Blind || e.Answer.Choice == prefer.Skip {
			continue
		}
		if q, _ := study.Question(e.Question); maps.Equal(q.Fixed, fixed) {
			n++
		}
	}
	return n
}

// led returns a rater's status under these contexts with where she is in her sitting.
func (r *Study) led(x *index, rater string, fixed space.Option, s Status) Status {
	c := r.Settings.Sitting
	if c == (Sitting{}) {
		return s
	}
	kind := prefer.VerdictKind(s.Verdict)
	s.Practice = x.toPractise(r.Study, c, rater, false)
	if kind.Done() && kind.Picks() {
		s.BlindLeft = max(0, c.Blind-x.duelled(r.Study, rater, fixed))
	}
	if !kind.Done() || s.BlindLeft > 0 { // something comes after it
		s.Break = x.block(c, rater)
	}
	return s
}

// blindLeft returns how many blind duels of the round at a rater's end an ask may still get. The lock is held.
func (r *Study) blindLeft(x *index, a Ask) int {
	given := len(a.Fixed) == len(r.Config.Space.Context(a.Fixed))
	if r.Settings.Sitting.Blind == 0 || !given || a.Hold != nil || a.HoldBest || a.another {
		return 0
	}
	return r.status(x, a.Rater, a.Fixed).BlindLeft
}

// finalDuel asks the next blind duel of the round at a rater's end; ok is false if there is none.
func (s *Studies) finalDuel(w waiting, r *Study, a Ask, m moment) (q Question, ok bool, err error) {
	if m.blindLeft == 0 {
		return q, false, nil
	}
	a.round = true
	q, err = s.blind(w, r, a)
	if space.CodeOf(err) == "no_pick" || space.CodeOf(err) == "no_rival" {
		return q, false, nil
	}
	return q, err == nil, err
}

// BlindQuestions is how many blind duels make a check: four strong rivals and four random ones. A pick that wins seven has the interval [0.53, 0.98] and holds;
// a coin does that in 3.5 % of checks, a pick that wins nine times in ten in 81 % (docs/page.md).
const BlindQuestions = 8

// blind returns the open blind duel of a rater, or asks one. Raters who may not see the result are asked at their end only.
func (s *Studies) blind(w waiting, r *Study, a Ask) (Question, error) {
	if err := r.MayLook(a.Owner); err != nil && !a.round {
		return Question{}, err
	}
	if len(a.Fixed) > len(r.Config.Space.Context(a.Fixed)) {
		return Question{}, invalid("blind", true, "a blind duel has no conditions but contexts: leave out what else is fixed")
	}
	release, err := s.turn(w, r)
	if err != nil {
		return Question{}, err
	}
	defer release()
	before := r.Seq()
	q, err := s.insist(w, r, prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Blind: true, Another: a.another})
	if err != nil {
		return Question{}, err
	}
	out := s.pose(r, q, a.Owner)
	if out.Seq > before {
		s.changes.tell(r.Name, r.Seq(), "asked")
	}
	return out, nil
}

// Take says whether a rater would take an option.
type Take struct {
	// Rater is who says so, Owner that the owner of the study tells it.
	Rater string
	Owner bool

	// Option is what she was shown; nil: the pick.
	Option space.Option
	Take   bool
}

// Take keeps what a rater says about taking an option. Who may not see the result cannot have been shown the pick.
func (s *Studies) Take(ctx context.Context, name string, t Take) (out prefer.Taken, err error) {
	if err := CheckRater(t.Rater); err != nil {
		return out, err
	}
	err = s.Change(ctx, name, "taken", t.Rater, func(r *Study) (err error) {
		if err := cmp.Or(r.MayLook(t.Owner), r.mayChange(t.Owner)); err != nil {
			return err
		}
		lasting, stop := lasting(ctx)
		defer stop()
		out, err = r.Study.Accept(lasting, t.Rater, t.Option, t.Take)
		return err
	})
	return out, err
}
