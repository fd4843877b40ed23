package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
)

// linePlayer puts questions as lines of text and reads words: for pipes, and for terminals that can do no more.
type linePlayer struct {
	sit     *sitting
	gallery *gallery
	answers prefer.Answers
	prompt  string
	in      io.Reader
	out     io.Writer
	timed   bool   // a person is typing, so how long it takes means something
	film    *taste // who answers in place of the input; nil for a person

	outlook outlook
}

// play runs until the input ends or says so.
func (p *linePlayer) play(ctx context.Context) error {
	input := make(chan string)
	failed := make(chan error, 1)
	if p.film == nil {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go func() { failed <- readWords(ctx, p.in, input) }()
	}
	for {
		before := p.outlook
		o, err := p.sit.look(ctx)
		if err != nil {
			return err
		}
		p.outlook = o
		if o.news(before, p.sit.length) {
			if p.film != nil {
				return nil
			}
			p.showPick()
			fmt.Fprintln(p.out, "q leaves; an answer goes on.")
		}
		t, err := p.sit.next(ctx)
		if err != nil {
			return err
		}
		p.question(t)
		shown := time.Now()
		if p.film != nil {
			a := p.film.answer(t, p.answers)
			fmt.Fprintln(p.out, "  "+p.gallery.glyph("→", "->"), spokenChoice(t, a))
			if err := p.sit.tell(ctx, t, a); err != nil {
				return err
			}
			continue
		}
		for again := true; again; {
			select {
			case word := <-input:
				again, err = p.word(ctx, t, word, shown)
			case err = <-failed:
			case <-ctx.Done():
				err = ctx.Err()
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

// word does what a word asks for; again says that the question still stands.
func (p *linePlayer) word(ctx context.Context, t turn, word string, shown time.Time) (again bool, err error) {
	do, strength := readWord(word)
	choice, answers := answering[do]
	switch {
	case do == leave:
		return false, errLeft
	case do == undoAnswer:
		err := p.sit.undo(ctx)
		return errors.Is(err, nothingToUndo), err
	case do == showHelp:
		for _, line := range lineHelp(p.answers) {
			fmt.Fprintln(p.out, line)
		}
	case do == showPick && p.outlook.answers == 0:
		fmt.Fprintln(p.out, "there is no pick before the first answer")
	case do == showPick:
		p.showPick()
	case do == goOn:
	case !answers:
		fmt.Fprintf(p.out, "%q is no answer; ? shows the words\n", word)
	case choice == prefer.Tie && p.answers.Forced:
		fmt.Fprintln(p.out, "this study has no \"can't tell\": choose a side, or s to skip")
	case strength > p.answers.Grades:
		fmt.Fprintf(p.out, "%q: this study has %s\n", word, count(p.answers.Grades, "grade"))
	default:
		a := t.answer(choice, strength)
		if p.timed {
			a.ResponseTime = time.Since(shown)
		}
		return false, p.sit.tell(ctx, t, a)
	}
	return true, nil
}

// question prints a pair with the outlook above it.
func (p *linePlayer) question(t turn) {
	g := p.gallery
	first, second := t.shown()
	if p.film == nil {
		fmt.Fprintf(p.out, "(%s)\n", p.outlook.status(p.sit.length))
		if learned := p.outlook.learned(); learned != "" {
			fmt.Fprintf(p.out, "(%s)\n", g.text(learned))
		}
		fmt.Fprintf(p.out, "%d. %s\n", t.number, g.text(p.prompt))
		fmt.Fprintf(p.out, "  1  %s\n  2  %s\n", g.line(first), g.line(second))
		return
	}
	fmt.Fprintf(p.out, "%2d  1  %s\n    2  %s\n", t.number, g.line(first), g.line(second))
}

// showPick prints the pick and what mattered.
func (p *linePlayer) showPick() {
	const columns, charts = 76, 2
	fmt.Fprintln(p.out, p.outlook.verdictLine())
	for _, line := range p.gallery.summary(p.outlook) {
		fmt.Fprintln(p.out, "  "+line)
	}
	for _, line := range p.gallery.mattered(p.outlook, columns, charts) {
		fmt.Fprintln(p.out, "  "+strings.TrimRight(line, " "))
	}
}

// lineHelp lists the words.
func lineHelp(a prefer.Answers) []string {
	out := []string{"1 or first, 2 or second"}
	if a.Grades > 0 {
		out[0] += ", with a + for every step of strength: 1+"
	}
	if !a.Forced {
		out = append(out, "= or tie: can't tell")
	}
	return append(out, "x or bad: both are bad", "s or skip: no answer", "z or undo: take the last answer back",
		"p or pick: the pick so far", "q or quit: leave; every answer is kept")
}
