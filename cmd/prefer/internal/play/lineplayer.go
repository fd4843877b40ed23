package play

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
)

// linePlayer puts questions as lines of text and reads words: for pipes, and for terminals that can do no more.
type linePlayer struct {
	session *Session
	gallery *gallery
	in      io.Reader
	out     io.Writer
	input   chan string
	failed  chan error
	timed   bool                                // a person is typing, so how long it takes means something
	auto    func(prefer.Question) prefer.Answer // answers in place of the input; nil for a person
	status  status
}

// run runs until the input ends or says so.
func (p *linePlayer) run(ctx context.Context) error {
	p.input, p.failed = make(chan string), make(chan error, 1)
	if p.auto == nil {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() { p.failed <- readWords(ctx, p.in, p.input) }()
	}
	for {
		before := p.status
		st, err := p.session.status(ctx)
		if err != nil {
			return err
		}
		p.status = st
		if st.isNews(before) {
			if p.auto != nil {
				return nil
			}
			p.showPick()
			fmt.Fprintln(p.out, "q leaves; an answer goes on.")
		}
		q, err := p.session.ask(ctx)
		if err != nil {
			return err
		}
		p.show(q)
		shown := time.Now()
		if p.auto != nil {
			a := autoAnswer(q, p.auto)
			fmt.Fprintln(p.out, "  "+p.gallery.Glyph("→", "->"), describeChoice(a))
			if err := p.session.tell(ctx, q.ID, a); err != nil {
				return err
			}
			continue
		}
		for open := true; open; {
			var word string
			if word, err = p.read(ctx); err == nil {
				open, err = p.answer(ctx, q, word, shown)
			}
			if errors.Is(err, errLeft) || errors.Is(err, io.EOF) {
				return nil
			}
			if r, ok := errors.AsType[remark](err); ok {
				fmt.Fprintln(p.out, r)
			} else if err != nil {
				return err
			}
		}
	}
}

func (p *linePlayer) read(ctx context.Context) (word string, err error) {
	select {
	case word = <-p.input:
	case err = <-p.failed:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return word, err
}

// readWords sends the words of the input, one after another, and returns io.EOF at its end.
func readWords(ctx context.Context, r io.Reader, to chan<- string) error {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		for _, word := range strings.Fields(scanner.Text()) {
			select {
			case to <- word:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	return io.EOF
}

// answer does what a word asks for, or answers the question; open says that it still stands.
func (p *linePlayer) answer(ctx context.Context, q pair, word string, shown time.Time) (open bool, err error) {
	do, strength := readWord(word)
	kind, answers := kinds[prefer.Choice(do)]
	offered := p.gallery.config.Answers
	switch {
	case do == leave:
		return false, errLeft
	case do == undoAnswer:
		err := p.session.undo(ctx)
		return errors.Is(err, nothingToUndo), err
	case do == showHelp:
		fmt.Fprintln(p.out, strings.Join(lineHelp(offered), "\n"))
	case do == showPick && p.status.answers == 0:
		fmt.Fprintln(p.out, noPick)
	case do == showPick:
		p.showPick()
	case do == goOn:
	case !answers:
		fmt.Fprintf(p.out, "%q is not an answer; ? shows the words\n", word)
	case kind.Tied && offered.Forced:
		fmt.Fprintln(p.out, noTies)
	case strength > offered.Grades:
		fmt.Fprintf(p.out, "%q: this study has %s\n", word, say.Count(offered.Grades, "grade"))
	default:
		a := prefer.Answer{Choice: kind.Choice, Strength: strength}
		if p.timed {
			a.ResponseTime = time.Since(shown)
		}
		return false, p.session.tell(ctx, q.ID, a)
	}
	return true, nil
}

func (p *linePlayer) show(q pair) {
	g := p.gallery
	first, second := q.options()
	if p.auto != nil {
		fmt.Fprintf(p.out, "%2d  1  %s\n    2  %s\n", q.number, g.line(first), g.line(second))
		return
	}
	fmt.Fprintf(p.out, "(%s)\n", p.status.line())
	if learned := p.status.learned(); learned != "" {
		fmt.Fprintf(p.out, "(%s)\n", g.Text(learned))
	}
	fmt.Fprintf(p.out, "%s %s\n  1  %s\n  2  %s\n", q.label(), g.Text(g.config.Prompt), g.line(first), g.line(second))
}

func (p *linePlayer) showPick() {
	const columns, charts = 76, 2
	for _, line := range []string{english.Headline(p.status.Verdict, ""), english.Claim(p.status.Verdict), english.More(p.status.Verdict)} {
		if line != "" {
			fmt.Fprintln(p.out, line)
		}
	}
	for _, line := range p.gallery.summary(p.status) {
		fmt.Fprintln(p.out, "  "+line)
	}
	for _, line := range p.gallery.mattered(p.status, columns, charts) {
		fmt.Fprintln(p.out, "  "+strings.TrimRight(line, " "))
	}
}

func lineHelp(a prefer.Answers) (out []string) {
	offered := xslices.Filter(prefer.Choices(), func(k prefer.ChoiceInfo) bool { return !k.Tied || !a.Forced })
	out = append(out, xslices.Map(offered, func(k prefer.ChoiceInfo) string { return fmt.Sprintf("%s or %s: %s", k.Key, k.Choice, k.Means) })...)
	if a.Grades > 0 {
		out = append(out, "1+ or 2+: clearly, with a + for every step of strength")
	}
	return append(out, "z or undo: take the last answer back", "p or pick: the pick so far", "q or quit: leave; every answer is kept")
}
