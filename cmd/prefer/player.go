package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/prefer-bo/prefer"
)

// page is what a player shows.
type page int

const (
	pageQuestion page = iota
	pageHelp
	pagePick
)

const (
	spinAfter = 200 * time.Millisecond // a wait that is shown
	grace     = 250 * time.Millisecond // for which a question waits for the verdict, which may make it needless
	tick      = 100 * time.Millisecond
)

// player puts questions on a terminal and takes keys. All its fields belong to the loop of play; what takes
// time runs beside it and comes back as a function to call.
type player struct {
	sit     *sitting
	term    *terminal
	gallery *gallery
	answers prefer.Answers
	prompt  string
	pace    time.Duration // between the answers of a film
	film    *taste        // who answers in place of the keyboard; nil for a person

	page     page
	turn     *turn   // on the screen; nil while the next is being chosen
	next     *turn   // chosen, waiting for the verdict
	out      outlook // latest
	fresh    bool    // out counts the latest answer
	due      bool    // it is time for the pick, and the rater has not seen it
	doing    bool    // an answer or an undo is on its way into the study
	undos    int     // asked for meanwhile
	strength int     // of the next choice, above plain
	notice   string

	since  time.Time     // the wait began
	shown  time.Time     // the question came on the screen
	looked time.Duration // for how long before another page was over it
	spins  int

	round   int // of ask and verdict; results of an earlier one are late
	cancel  context.CancelFunc
	results chan func() error
}

// errLeft ends the loop of a player who is content.
var errLeft = errors.New("left")

// play runs until the rater leaves, the context ends or something fails.
func (p *player) play(ctx context.Context) (err error) {
	p.results = make(chan func() error)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	p.advance(ctx, func(context.Context) error { return nil })
	for err == nil {
		if err = p.term.draw(p.lines()); err != nil {
			break
		}
		select {
		case k, ok := <-p.term.keys:
			if !ok {
				err = errLeft
				break
			}
			err = p.key(ctx, k)
		case result := <-p.results:
			err = result()
		case <-ticks.C:
			p.spins++
			p.present()
			err = p.perform(ctx)
		case <-p.term.resized:
			p.term.redraw()
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if errors.Is(err, errLeft) {
		return nil
	}
	return err
}

// advance does something to the study, then asks and looks, beside the loop.
func (p *player) advance(ctx context.Context, do func(context.Context) error) {
	if p.cancel != nil {
		p.cancel()
	}
	p.round++
	p.turn, p.next, p.fresh, p.strength, p.doing = nil, nil, false, 0, true
	p.since, p.looked = time.Now(), 0
	work, cancel := context.WithCancel(ctx)
	p.cancel = cancel
	round := p.round
	p.beside(ctx, func() func() error {
		err := do(ctx) // once begun it is not called off
		return func() error {
			p.doing = false
			if r, ok := errors.AsType[remark](err); ok {
				p.notice = string(r)
			} else if err != nil {
				return err
			}
			if p.undos > 0 {
				p.undos--
				p.advance(ctx, p.sit.undo)
				return nil
			}
			p.beside(ctx, func() func() error {
				t, err := p.sit.next(ctx)
				return func() error { return p.asked(round, t, err) }
			})
			p.beside(ctx, func() func() error {
				o, err := p.sit.look(work)
				return func() error { return p.judged(round, o, err) }
			})
			return nil
		}
	})
}

// asked takes the next question in, unless an undo has called it off.
func (p *player) asked(round int, t turn, err error) error {
	if round != p.round {
		return nil
	}
	if err != nil {
		return err
	}
	p.next = &t
	p.present()
	return nil
}

// judged takes the outlook in, unless an undo has called it off.
func (p *player) judged(round int, o outlook, err error) error {
	if round != p.round {
		return nil
	}
	if err != nil {
		return err
	}
	p.due = o.news(p.out, p.sit.length) || p.due && o.done(p.sit.length)
	p.out, p.fresh = o, true
	if p.due && p.turn == nil && p.page == pageQuestion {
		p.open(pagePick)
	}
	p.present()
	return nil
}

// beside runs work in a goroutine and hands its result to the loop. A panic is the loop's, which gives the
// terminal back first.
func (p *player) beside(ctx context.Context, work func() func() error) {
	go func() {
		var result func() error
		defer func() {
			if r := recover(); r != nil {
				stack := debug.Stack()
				result = func() error { panic(fmt.Sprintf("%v\n\n%s", r, stack)) }
			}
			select {
			case p.results <- result:
			case <-ctx.Done():
			}
		}()
		result = work()
	}()
}

// present brings the next question on the screen, if the verdict is there or too late. Where a verdict that came
// too late has called for the pick, the next one is waited for.
func (p *player) present() {
	if p.next == nil || !p.fresh && (p.due || time.Since(p.since) < grace) {
		return
	}
	p.turn, p.next, p.shown = p.next, nil, time.Now()
}

// open turns to another page; the clock of the question stands still meanwhile.
func (p *player) open(to page) {
	if p.page == pageQuestion && to != pageQuestion && p.turn != nil {
		p.looked += time.Since(p.shown)
	}
	if to == pageQuestion {
		p.shown = time.Now()
	}
	if to == pagePick {
		p.due = false
	}
	p.page = to
}

// key does what a key asks for.
func (p *player) key(ctx context.Context, k press) error {
	p.notice = ""
	switch {
	case k.do == leave:
		return errLeft
	case k.do == suspend:
		return p.term.suspend()
	case p.page == pageHelp: // any key closes it
		p.open(pageQuestion)
	case k.do == showHelp:
		p.open(pageHelp)
	case p.film != nil: // a film only ends
	case k.do == undoAnswer && p.doing:
		p.undos++
	case k.do == undoAnswer:
		p.page = pageQuestion
		p.advance(ctx, p.sit.undo)
	case p.page == pagePick:
		if k.do == goOn {
			p.open(pageQuestion)
		}
	case k.do == showPick:
		if p.out.belief == nil || p.out.answers == 0 {
			p.notice = "there is no pick before the first answer"
			return nil
		}
		p.open(pagePick)
	case k.do == stronger:
		p.strength = (p.strength + 1) % (p.answers.Grades + 1)
		if p.answers.Grades == 0 {
			p.notice = "this study has no grades: a choice is a choice"
		}
	default:
		p.choose(ctx, k)
	}
	return nil
}

// choose answers the question on the screen.
func (p *player) choose(ctx context.Context, k press) {
	choice, ok := answering[k.do]
	switch {
	case !ok:
		if k.do == noAction && k.text != "Esc" {
			p.notice = "? shows the keys"
		}
		return
	case p.turn == nil: // typed before there was anything to see
		return
	case choice == prefer.Tie && p.answers.Forced:
		p.notice = "this study has no \"can't tell\": choose a side, or s to skip"
		return
	}
	strength := 0
	if choice == prefer.First || choice == prefer.Second {
		strength = p.strength
		if k.shifted && strength == 0 {
			strength = min(1, p.answers.Grades)
		}
	}
	t, a := *p.turn, p.turn.answer(choice, strength)
	a.ResponseTime = p.looked + time.Since(p.shown)
	p.advance(ctx, func(ctx context.Context) error { return p.sit.tell(ctx, t, a) })
}

// answering are the actions that answer.
var answering = map[action]prefer.Choice{
	chooseFirst: prefer.First, chooseSecond: prefer.Second, chooseTie: prefer.Tie,
	chooseBothBad: prefer.BothBad, chooseSkip: prefer.Skip,
}
