package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/simulate"
)

// grouped is a simulation of groups as programs get it.
type grouped struct {
	simulate.GroupResult
	Enough   int    `json:"enough"` // people; 0 if none of the numbers was
	Sentence string `json:"sentence"`
	Caveat   string `json:"caveat"`
}

// group simulates how many people it takes until the group's pick is right.
func (c Simulate) group(ctx context.Context, s cli.Streams, config simulate.Config) error {
	switch {
	case len(config.Noise) > 1:
		return cli.FlagError("--noise", c.Noise, "want one level with --group")
	case !(c.Similarity > 0 && c.Similarity <= 1):
		return cli.FlagError("--similarity", c.Similarity, "want a correlation above 0, at which there is nothing to agree on, and at most 1")
	case !(c.Within >= 0 && c.Within < 1):
		return cli.FlagError("--within", c.Within, "want a share between 0 and 1, as in 0.1")
	}
	for i, n := range c.Group {
		if n < 1 || n > 1000 || i > 0 && n <= c.Group[i-1] {
			return cli.FlagError("--group", n, "want numbers of people from 1 to 1000, each larger than the one before, as in 3,6,12,24")
		}
	}
	p := cli.NewProgress(s.Err, "simulate", time.Now)
	config.Progress = func(at simulate.Progress) {
		p.Show(at.Share, fmt.Sprintf("%d of %d populations, %d answers", at.Done, at.Runs, at.Questions))
	}
	r, err := simulate.RunGroup(ctx, simulate.GroupConfig{Config: config, Sizes: c.Group, Similarity: c.Similarity, Populations: c.Raters, Within: c.Within})
	p.End()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	said := s.Result(grouped{r, r.Enough(), r.Sentence(), simulate.Caveat}, func(w io.Writer) error { return writeGroups(w, r) })
	if err != nil {
		return errors.Join(said, fmt.Errorf("stopped: the numbers are those of the %d of %d populations that had finished", r.Populations, c.Raters))
	}
	return said
}

// writeGroups writes a table, the sentence and the caveat.
func writeGroups(w io.Writer, r simulate.GroupResult) error {
	if r.Populations > 0 {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "Populations in which the group's pick missed at most %.3g %% of what the best option gains over one at random\n\n", 100*r.Within)
		fmt.Fprintln(t, "people\tright\tof\tshare\t95 % interval\tmedian missed\t")
		for _, s := range r.Sizes {
			fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%.0f to %.0f %%\t%.1f %%\t\n", s.People, s.Right.Count, s.Right.Of, part(s.Right), 100*s.Right.Low, 100*s.Right.High, 100*s.Missed)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s\n", r.Sentence(), simulate.Caveat)
	return err
}
