package play

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/xslices"
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
	question *pair  // on the screen; nil while the next is being chosen
	next     *pair  // chosen, waiting for the verdict
	status   status // latest
	fresh    bool   // status counts the latest answer
	due      bool   // it is time for the pick, and the rater has not seen it
	writing  bool   // an answer or an undo is on its way into the study
	undos    int    // asked for meanwhile
	strength int    // of the next choice, above plain
	notice   string

	since  time.Time     // the wait began
	shown  time.Time     // the question came on the screen
	looked time.Duration // for how long before another page was over it
	spins  int

	round   int // of ask and status; results of an earlier one are late
	cancel  context.CancelFunc
	results chan func() error
}

// errLeft ends the loop when the rater leaves.
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
	p.question, p.next, p.fresh, p.strength, p.writing = nil, nil, false, 0, true
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
			if p.undos > 0 {
				p.undos--
				p.advance(ctx, p.session.undo)
				return nil
			}
			p.askNext(ctx, work, round)
			return nil
		}
	})
}

// askNext asks the next question and, until work ends, how the study stands. What comes back of a round that an undo has called off is not taken in.
func (p *player) askNext(ctx, work context.Context, round int) {
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
	p.background(ctx, func() func() error {
		q, err := p.session.ask(ctx)
		return current(err, func() {
			p.next = &q
			p.present()
		})
	})
	p.background(ctx, func() func() error {
		st, err := p.session.status(work)
		return current(err, func() {
			p.due = st.isNews(p.status) || p.due && st.isDone()
			p.status, p.fresh = st, true
			if p.due && p.question == nil && p.page == pageQuestion {
				p.show(pagePick)
			}
			p.present()
		})
	})
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

// present shows the next question if the verdict is there or too late. After a late verdict that called for it, the pick comes first.
func (p *player) present() {
	if p.next == nil || !p.fresh && (p.due || time.Since(p.since) < grace) {
		return
	}
	p.question, p.next, p.shown = p.next, nil, time.Now()
}

// show shows another page; the clock of the question stands still meanwhile.
func (p *player) show(to page) {
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

const pairFrame = 7 // lines of a question's page beside its cards

func (p *player) lines() []string {
	columns, rows := p.screen.Size()
	g := p.gallery
	switch {
	case p.page == pageHelp:
		return helpPage(g.Style, g.config.Answers)
	case p.page == pagePick:
		return p.pickPage(columns, rows)
	case p.question == nil:
		waiting := ""
		if time.Since(p.since) >= spinAfter {
			frames := []rune(g.Glyph("⠋⠙⠹⠸⠼⠴⠦⠧", `|/-\`))
			waiting = string(frames[p.spins%len(frames)]) + " choosing the next question"
		}
		return []string{"", " " + waiting, "", " " + g.Dim(p.notice)}
	}
	first, second := p.question.options()
	labels := [2]string{g.Glyph("← 1", "1"), g.Glyph("2 →", "2")}
	out := []string{fmt.Sprintf("%s  %s", g.Dim(p.question.label()), g.Bold(g.Text(g.config.Prompt))), ""}
	out = append(out, g.pair(first, second, labels, columns, rows-pairFrame)...)
	out = append(out, "", keyLine(g.Style, g.config.Answers))
	said := []string{g.Glyph("…", "...")} // until the verdict counts the latest answer
	if p.fresh {
		said = append(terminal.Wrap(p.status.line(), columns), terminal.Wrap(g.Text(p.status.learned()), columns)...)
	}
	out = append(out, xslices.Map(said, g.Dim)...)
	if p.strength > 0 {
		out = append(out, g.Bold(strings.Repeat("+", p.strength)+" the next choice is "+grade(p.strength)))
	}
	return append(out, p.notice)
}

// grade names a strength above a plain preference.
func grade(strength int) string {
	if names := []string{"clear", "by far"}; strength <= len(names) {
		return names[strength-1]
	}
	return fmt.Sprintf("of strength %d", strength)
}

func keyLine(s terminal.Style, a prefer.Answers) string {
	keys := s.Glyph("←", "1") + " " + s.Glyph("→", "2") + " choose   "
	if a.Grades > 0 {
		keys += s.Glyph("⇧", "Shift") + " clearly   "
	}
	if !a.Forced {
		keys += s.Glyph("↓", "=") + " can't tell   "
	}
	return keys + "z undo   ? help   q leave"
}

// arrows are the further keys of some answers, as they are drawn and in words.
var arrows = map[prefer.Choice][2]string{prefer.First: {"←", "Left"}, prefer.Second: {"→", "Right"}, prefer.Tie: {"↓", "Down"}}

func helpPage(s terminal.Style, a prefer.Answers) []string {
	var rows [][2]string
	for _, k := range prefer.Choices() {
		if k.Tied && a.Forced {
			continue
		}
		keys := k.Key
		if arrow, ok := arrows[k.Choice]; ok {
			keys = s.Glyph(arrow[0], arrow[1]) + "  " + keys
		}
		for _, word := range k.Words {
			if len(word) == 1 {
				keys += "  " + word
			}
		}
		rows = append(rows, [2]string{keys, k.Means})
	}
	rows = append(rows, [2]string{"z  Backspace", "take the last answer back, and the one before, and so on"},
		[2]string{"p", "the pick so far"}, [2]string{"q  Ctrl-C  Ctrl-D", "leave; every answer is kept"})
	if a.Grades > 0 {
		more := "before a choice: clearly"
		if a.Grades > 1 {
			more += "; once more: by far"
		}
		rows = append(rows, [2]string{"+", more}, [2]string{"Shift with a choice", "the same as + before it"})
	}
	out := []string{s.Bold("Keys"), ""}
	out = append(out, xslices.Map(rows, func(r [2]string) string { return "  " + terminal.Fit(r[0], 20) + "  " + r[1] })...)
	return append(out, "", "Which option is on which side says nothing about it.", "", "any key goes back")
}

// pickPage shows what the study came to: the pick if there is one to speak of, how sure it is and what mattered.
func (p *player) pickPage(columns, rows int) []string {
	g, o := p.gallery, p.status
	out := xslices.Map(terminal.Wrap(english.Headline(o.Verdict, ""), columns), g.Bold)
	out = slices.Concat(out, terminal.Wrap(english.Claim(o.Verdict), columns), terminal.Wrap(english.More(o.Verdict), columns))
	foot := []string{"", "Enter: go on and refine   z undo   q leave"}
	if !o.Kind.Picks() {
		foot[1] = "Enter: go on   z undo   q leave"
	} else {
		out = append(append(out, ""), g.card(o.Best.Option, "the pick", max(12, min(columns, cardMost)), 0)...)
	}
	if p.auto != nil {
		foot = []string{"", "q leave"}
	}
	room := rows - len(out) - len(foot) - 1
	for most := 3; most >= 0; most-- {
		if what := g.mattered(o, columns-2, most); len(what) > 0 && len(what) <= room {
			out = append(append(out, ""), what...)
			break
		}
	}
	return append(out, foot...)
}

// summary is the pick in plain lines, for when the screen is gone; none where there is no pick to speak of.
func (g *gallery) summary(o status) []string {
	if !o.Kind.Picks() {
		return nil
	}
	return []string{g.line(o.Best.Option)}
}
