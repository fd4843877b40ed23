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
