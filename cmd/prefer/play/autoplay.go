package play

import (
	"context"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
)

const pickStays = 4 // times its pace autoplay shows its end

// autoplay lets the simulated rater answer, when the question has been on the screen for a while.
func (p *player) autoplay(ctx context.Context) error {
	switch {
	case p.auto == nil:
		return nil
	case p.page == pagePick:
		if time.Since(p.since) > pickStays*p.pace {
			return errLeft
		}
		return nil
	case p.due && p.page == pageQuestion:
		p.turnTo(pagePick)
		p.since = time.Now()
		return nil
	case p.question == nil || p.page != pageQuestion || time.Since(p.shown) < p.pace:
		return nil
	}
	q, a := *p.question, autoAnswer(*p.question, p.auto)
	p.notice = "the simulated rater says: " + describeChoice(a)
	p.advance(ctx, func(ctx context.Context) error { return p.session.tell(ctx, q.ID, a) })
	return nil
}

// autoAnswer is what a simulated rater, to whom sides mean nothing, says about the options in the order of the screen.
func autoAnswer(q pair, rater func(prefer.Question) prefer.Answer) prefer.Answer {
	a := rater(q.Question)
	switch {
	case q.swapped && a.Choice == prefer.First:
		a.Choice = prefer.Second
	case q.swapped && a.Choice == prefer.Second:
		a.Choice = prefer.First
	}
	return a
}

// describeChoice says which option on the screen an answer takes.
func describeChoice(a prefer.Answer) string {
	switch a.Choice {
	case prefer.Tie:
		return "can't tell"
	case prefer.BothBad:
		return "both bad"
	case prefer.Skip:
		return "skip"
	}
	side := "1"
	if a.Choice == prefer.Second {
		side = "2"
	}
	return side + strings.Repeat("+", a.Strength)
}
