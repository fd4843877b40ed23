package main

import (
	"context"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
)

const pickStays = 4 // times its pace a film shows its end

// perform lets the simulated rater of a film answer, when the question has been on the screen for a while.
func (p *player) perform(ctx context.Context) error {
	if p.film != nil && p.page == pagePick && time.Since(p.since) > pickStays*p.pace {
		return errLeft
	}
	if p.film != nil && p.due && p.page == pageQuestion {
		p.open(pagePick)
		p.since = time.Now()
		return nil
	}
	if p.film == nil || p.turn == nil || p.page != pageQuestion || time.Since(p.shown) < p.pace {
		return nil
	}
	t := *p.turn
	a := p.film.answer(t, p.answers)
	p.notice = "the simulated rater says: " + spokenChoice(t, a)
	p.advance(ctx, func(ctx context.Context) error { return p.sit.tell(ctx, t, a) })
	return nil
}

// spokenChoice says which option on the screen an answer takes.
func spokenChoice(t turn, a prefer.Answer) string {
	switch a.Choice {
	case prefer.Tie:
		return "can't tell"
	case prefer.BothBad:
		return "both bad"
	case prefer.Skip:
		return "skip"
	}
	side := "1"
	if (a.Choice == prefer.Second) != t.swapped {
		side = "2"
	}
	return side + strings.Repeat("+", a.Strength)
}
