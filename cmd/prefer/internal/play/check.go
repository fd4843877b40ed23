package play

import (
	"context"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// check is a blind check under way: duels of the pick that teach nothing.
type check struct {
	left int             // duels to come
	said []prefer.Choice // in this check
}

// tell takes in an answer; a skip leaves as many duels to come.
func (c *check) tell(said prefer.Choice) {
	c.said = append(c.said, said)
	if said != prefer.Skip {
		c.left--
	}
}

// undo takes the latest answer out; false if there is none.
func (c *check) undo() bool {
	last := len(c.said) - 1
	if last < 0 {
		return false
	}
	if c.said[last] != prefer.Skip {
		c.left++
	}
	c.said = c.said[:last]
	return true
}

func (c *check) line() string {
	return fmt.Sprintf("one of the two is the pick; nothing is learned from this; %d to go", c.left)
}

// checked says what the blind duels so far come to.
func (s *Session) checked(ctx context.Context) (c prefer.BlindCheck, err error) {
	err = s.Room.With(ctx, s.Study, func(r *live.Study) (err error) {
		c, err = r.Study.Blind(ctx, s.look(r))
		return err
	})
	return c, err
}

func (s *Session) take(ctx context.Context, o space.Option, yes bool) error {
	_, err := s.Room.Take(ctx, s.Study, live.Take{Rater: s.Rater, Owner: true, Option: o, Take: yes})
	return err
}

const (
	wouldYou       = "Would you take it? y yes   n no" // after a check
	kept           = "that is kept"                    // its answer
	hidden         = "the pick stays hidden until its check is over"
	nothingToCheck = "nobody has preferred anything so far, so there is no pick to check"
)

func offer() string { return fmt.Sprintf("c check it blindly: %d questions", live.BlindQuestions) }

// check puts the blind duels as lines, and says what they come to.
func (p *linePlayer) check(ctx context.Context) error {
	c := check{left: live.BlindQuestions}
	for c.left > 0 {
		q, err := p.session.ask(ctx, true)
		if errcode.Of(err) == "no_rival" {
			break
		}
		if errcode.Of(err) == "no_pick" {
			return remark(nothingToCheck)
		}
		if err != nil {
			return err
		}
		first, second := q.options()
		fmt.Fprintf(p.out, "(%s)\n  1  %s\n  2  %s\n", c.line(), p.gallery.line(first), p.gallery.line(second))
		shown := time.Now()
		for open := true; open; {
			word, err := p.read(ctx)
			if err != nil {
				return err
			}
			do, _ := readWord(word)
			switch {
			case do == showPick:
				fmt.Fprintln(p.out, hidden)
			case do == undoAnswer && !c.undo():
				fmt.Fprintln(p.out, nothingToUndo)
			case do == undoAnswer:
				open, err = false, p.session.undo(ctx)
			default:
				if open, err = p.answer(ctx, q, word, shown); !open && err == nil {
					c.tell(prefer.Choice(do))
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return p.askWouldTake(ctx)
}

// askWouldTake says what the blind duels come to, and asks whether the rater would take the pick.
func (p *linePlayer) askWouldTake(ctx context.Context) error {
	found, err := p.session.checked(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s\n  %s\n%s   s no answer\n", found.Sentence, p.gallery.line(found.Pick), wouldYou)
	for {
		word, err := p.read(ctx)
		if err != nil {
			return err
		}
		switch do, _ := readWord(word); do {
		case leave:
			return errLeft
		case wouldTake, wouldNot:
			if err := p.session.take(ctx, found.Pick, do == wouldTake); err != nil {
				return err
			}
			return remark(kept)
		case action(prefer.Skip):
			return nil
		}
		fmt.Fprintf(p.out, "%q: y, n or s\n", word)
	}
}

// endCheck shows what the blind duels come to; an undo goes back to the last of them.
func (p *player) endCheck(ctx context.Context) {
	p.check.left = 0
	round := p.round
	p.background(ctx, func() func() error {
		found, err := p.session.checked(ctx)
		return func() error {
			if err == nil && round == p.round {
				p.found = &found
				p.show(pagePick)
			}
			return err
		}
	})
}

func (p *player) checking() bool { return p.check != nil && p.check.left > 0 }

func (p *player) take(ctx context.Context, yes bool) {
	o := p.found.Pick
	p.background(ctx, func() func() error {
		err := p.session.take(ctx, o, yes)
		return func() error {
			p.taken = err == nil
			return err
		}
	})
}
