package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/prefer-bo/prefer"
)

type ratersCommand struct {
	studyFlags
}

// Help is printed by --help.
func (ratersCommand) Help() string {
	return `Example:

  prefer raters survey.db

Who answered, how often, and how careful: noise is 1 for the usual rater and smaller for a careful one; left counts
the preferences for what was on the left, about half if there is no bias.`
}

func (c ratersCommand) Run(ctx context.Context, s streams) error {
	return c.update(ctx, func(study *prefer.Study) error {
		raters, err := study.Raters(ctx)
		if err != nil {
			return err
		}
		if s.json {
			return writeJSON(s.out, raters)
		}
		return writeRaters(s.out, raters)
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
