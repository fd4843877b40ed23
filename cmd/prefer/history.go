package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/prefer-bo/prefer"
)

type historyCommand struct {
	studyFlags
}

func (c historyCommand) Run(ctx context.Context, s streams) error {
	return c.update(ctx, func(study *prefer.Study) error {
		entries := append([]prefer.Entry{}, study.History()...) // of none an empty list, not null
		return s.result(entries, func(w io.Writer) error { return writeHistory(w, newCards(w, study), entries) })
	})
}

func writeHistory(w io.Writer, c cards, entries []prefer.Entry) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "answer\tquestion\trater\ttime\tchoice\tfirst\tsecond\t")
	for _, e := range entries {
		question, choice := string(e.Question), string(e.Answer.Choice)
		if e.Observed {
			question = "–"
		}
		if e.Rater == "" {
			e.Rater = "–"
		}
		if e.Answer.Strength > 0 {
			choice += fmt.Sprintf(" +%d", e.Answer.Strength)
		}
		if e.Answer.Check {
			choice += " (check)"
		}
		if e.Undone {
			choice += " (undone)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", e.ID, question, printable(e.Rater), e.Time.UTC().Format("2006-01-02 15:04:05"),
			choice, c.line(e.First), c.line(e.Second))
	}
	return t.Flush()
}

type ratersCommand struct {
	studyFlags
}

func (c ratersCommand) Run(ctx context.Context, s streams) error {
	return c.update(ctx, func(study *prefer.Study) error {
		raters, err := study.Raters(ctx)
		if err != nil {
			return err
		}
		return s.result(raters, func(w io.Writer) error { return writeRaters(w, raters) })
	})
}

func writeRaters(w io.Writer, raters []prefer.Rater) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "rater\tanswers\tties\tboth_bad\tskips\tnoise\tleft\t")
	for _, r := range raters {
		name, noise := printable(r.Name), "–"
		if name == "" {
			name = "–"
		}
		if r.Noise > 0 {
			noise = fmt.Sprintf("%.2f", r.Noise)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%d of %d\t\n", name, r.Answers, r.Ties, r.BothBad, r.Skips, noise, r.Left.Count, r.Left.Of)
	}
	return t.Flush()
}
