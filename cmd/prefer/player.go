package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	pickStays = 4 // times its pace a film shows its end
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
	seen     bool    // the rater has seen the pick and goes on
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
	p.turn, p.next, p.fresh, p.strength = nil, nil, false, 0
	p.since, p.looked = time.Now(), 0
	work, cancel := context.WithCancel(ctx)
	p.cancel = cancel
	round := p.round
	p.beside(ctx, func() func() error {
		err := do(ctx) // once begun it is not called off
		return func() error {
			if err != nil && !errors.Is(err, errNothingToUndo) {
				return err
			}
			if err != nil {
				p.notice = err.Error()
			}
			p.beside(ctx, func() func() error {
				t, err := p.sit.next(ctx)
				return func() error {
					if err == nil && round == p.round {
						p.next = &t
						p.present()
					}
					return err
				}
			})
			p.beside(ctx, func() func() error {
				out, err := p.sit.look(work)
				return func() error {
					if round != p.round {
						return nil // an undo called it off
					}
					if err == nil {
						p.out, p.fresh = out, true
						p.seen = p.seen && out.done(p.sit.length)
						if p.next == nil && p.turn == nil || p.next != nil {
							p.pickIfDone()
						}
						p.present()
					}
					return err
				}
			})
			return nil
		}
	})
}

// beside runs work in a goroutine and hands its result to the loop. A panic is the loop's, which gives the
// terminal back first.
func (p *player) beside(ctx context.Context, work func() func() error) {
	go func() {
		var result func() error
		defer func() {
			if r := recover(); r != nil {
				result = func() error { panic(r) }
			}
			select {
			case p.results <- result:
			case <-ctx.Done():
			}
		}()
		result = work()
	}()
}

// pickIfDone turns to the pick when it is time, once.
func (p *player) pickIfDone() {
	if p.out.done(p.sit.length) && !p.seen && p.page == pageQuestion {
		p.page, p.seen = pagePick, true
	}
}

// present brings the next question on the screen, if the verdict is there or too late.
func (p *player) present() {
	if p.next == nil || !p.fresh && time.Since(p.since) < grace {
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
	case k.do == undoAnswer:
		p.page, p.seen = pageQuestion, false
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

// perform lets the simulated rater of a film answer, when the question has been on the screen for a while.
func (p *player) perform(ctx context.Context) error {
	if p.film != nil && p.page == pagePick && time.Since(p.since) > pickStays*p.pace {
		return errLeft
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

// lines is the page as it stands.
func (p *player) lines() []string {
	columns, rows := p.term.size()
	switch p.page {
	case pageHelp:
		return helpPage(p.gallery.style, p.answers)
	case pagePick:
		return p.pickPage(columns, rows)
	}
	g := p.gallery
	if p.turn == nil {
		waiting := ""
		if time.Since(p.since) >= spinAfter {
			frames := g.glyph("⠋⠙⠹⠸⠼⠴⠦⠧", `|/-\`)
			all := []rune(frames)
			waiting = string(all[p.spins%len(all)]) + " choosing the next question"
		}
		return []string{"", " " + waiting, "", " " + g.dim(p.notice)}
	}
	first, second := p.turn.shown()
	labels := [2]string{g.glyph("← 1", "1"), g.glyph("2 →", "2")}
	out := []string{fmt.Sprintf("%s  %s", g.dim(fmt.Sprintf("%d.", p.turn.number)), g.bold(g.text(p.prompt))), ""}
	out = append(out, g.pair(first, second, labels, columns)...)
	out = append(out, "", keyLine(g.style, p.answers))
	for _, line := range append(wrap(p.out.status(p.sit.length), columns), wrap(g.text(p.out.learned()), columns)...) {
		out = append(out, g.dim(line))
	}
	if p.strength > 0 {
		out = append(out, g.bold(strings.Repeat("+", p.strength)+" the next choice is "+grade(p.strength)))
	}
	return append(out, p.notice)
}
