package play

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/space"
)

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

// player puts questions on a terminal and takes keys. All its fields belong to the loop of run; slow work runs beside it and returns a function to call.
type player struct {
	session *Session
	screen  *terminal.Screen
	gallery *gallery
	auto    func(prefer.Question) prefer.Answer // answers in place of the keyboard; nil for a person
	pace    time.Duration                       // between those answers

	page     page
	question *pair              // on the screen; nil while the next is being chosen
	next     *pair              // chosen, waiting for the verdict
	status   status             // latest
	fresh    bool               // status counts the latest answer
	due      bool               // it is time for the pick, and the rater has not seen it
	writing  bool               // an answer or an undo is on its way into the study
	undos    int                // asked for meanwhile
	strength int                // of the next choice, above plain
	check    *check             // under way, or just over; nil while there is none
	found    *prefer.BlindCheck // what it came to
	taken    bool               // whether the rater would take it was said
	notice   string

	since  time.Time     // the wait began
	shown  time.Time     // the question came on the screen
	looked time.Duration // for how long before another page was over it
	spins  int

	round   int // of ask and status; results of an earlier one are late
	cancel  context.CancelFunc
	results chan func() error
}

// errLeft ends the loop of a player who is content.
var errLeft = errors.New("left")

// run runs until the rater leaves, the context ends or something fails.
func (p *player) run(ctx context.Context) (err error) {
	p.results = make(chan func() error)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	p.advance(ctx, func(context.Context) error { return nil })
	for err == nil {
		if err = p.screen.Draw(p.lines()); err != nil {
			break
		}
		select {
		case k, ok := <-p.screen.Keys:
			if err = errLeft; ok {
				err = p.key(ctx, k)
			}
		case result := <-p.results:
			err = result()
		case <-ticks.C:
			p.spins++
			p.present()
			err = p.autoplay(ctx)
		case <-p.screen.Resized:
			p.screen.Redraw()
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if errors.Is(err, errLeft) {
		return nil
	}
	return err
}

// advance does something to the study, then asks and sees how it stands, beside the loop.
func (p *player) advance(ctx context.Context, do func(context.Context) error) {
	if p.cancel != nil {
		p.cancel()
	}
	p.round++
	p.question, p.next, p.fresh, p.strength, p.writing, p.taken = nil, nil, false, 0, true, false
	p.since, p.looked = time.Now(), 0
	work, cancel := context.WithCancel(ctx)
	p.cancel = cancel
	round := p.round
	p.background(ctx, func() func() error {
		err := do(ctx) // once begun it is not called off
		return func() error {
			p.writing = false
			if r, ok := errors.AsType[remark](err); ok {
				p.notice = string(r)
			} else if err != nil {
				return err
			}
			if p.undos > 0 && (p.check == nil || p.check.undo()) {
				p.undos--
				p.advance(ctx, p.session.undo)
				return nil
			}
			p.undos = 0 // there may be fewer in a check
			// What comes back of a round that an undo has called off is not taken in.
			current := func(err error, take func()) func() error {
				return func() error {
					if round != p.round {
						return nil
					}
					if err == nil {
						take()
					}
					return err
				}
			}
			blind := p.checking()
			if p.check != nil && !blind {
				p.endCheck(ctx)
			}
			p.background(ctx, func() func() error {
				q, err := p.session.ask(ctx, blind)
				switch {
				case blind && space.CodeOf(err) == "no_rival":
					return current(nil, func() { p.endCheck(ctx) })
				case blind && space.CodeOf(err) == "no_pick": // back to the questions
					return current(nil, func() {
						p.check = nil
						p.advance(ctx, func(context.Context) error { return remark(nothingToCheck) })
					})
				}
				return current(err, func() {
					p.next = &q
					p.present()
				})
			})
			p.background(ctx, func() func() error {
				st, err := p.session.status(work)
				return current(err, func() { p.takeStatus(st) })
			})
			return nil
		}
	})
}

func (p *player) takeStatus(s status) {
	p.due = s.isNews(p.status) || p.due && s.isDone()
	p.status, p.fresh = s, true
	if p.due && p.question == nil && p.page == pageQuestion {
		p.turnTo(pagePick)
	}
	p.present()
}

// background runs work in a goroutine and hands its result to the loop. A panic is the loop's, which gives the terminal back first.
func (p *player) background(ctx context.Context, work func() func() error) {
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

// present shows the next question if the verdict is there or too late. After a check, or a late verdict that called for it, the pick comes first.
func (p *player) present() {
	if p.next == nil || p.check != nil && p.next.Blind == nil && p.page == pageQuestion || !p.fresh && (p.due || time.Since(p.since) < grace) {
		return
	}
	p.question, p.next, p.shown = p.next, nil, time.Now()
}

// turnTo turns to another page; the clock of the question stands still meanwhile.
func (p *player) turnTo(to page) {
	if p.page == pageQuestion && to != pageQuestion && p.question != nil {
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
