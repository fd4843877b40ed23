package main

import (
	"context"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer"
)

type bestCommand struct {
	studyFlags
	raterFlag
	Top int `help:"Of a list, the best so many." default:"5" placeholder:"N"`
}

// favourite is the pick with what is known about it, as programs get it.
type favourite struct {
	Rater      string              `json:"rater,omitempty"`
	Answers    int                 `json:"answers"`
	Best       prefer.Best         `json:"best"`
	Item       *prefer.Item        `json:"item,omitempty"` // of a list
	Ranking    []prefer.Ranked     `json:"ranking,omitempty"`
	Importance []prefer.Importance `json:"importance,omitempty"`
	Warnings   []string            `json:"warnings,omitempty"`
}

func (c bestCommand) Run(ctx context.Context, s streams) error {
	if c.Top < 1 {
		return flagError("--top", c.Top, "want at least 1")
	}
	return c.update(ctx, func(study *prefer.Study) error {
		if study.Config().People == prefer.PerRater && c.Rater == "" {
			g, err := study.Group(ctx)
			if err != nil {
				return err
			}
			return s.result(g, func(w io.Writer) error { return writeGroup(w, newCards(w, study), g) })
		}
		f, err := c.favourite(ctx, study)
		if err != nil {
			return err
		}
		return s.result(f, func(w io.Writer) error {
			for _, warning := range f.Warnings {
				fmt.Fprintln(s.err, "note:", warning)
			}
			writeFavourite(w, newCards(w, study), f)
			return nil
		})
	})
}

func (c bestCommand) favourite(ctx context.Context, study *prefer.Study) (favourite, error) {
	best, err := study.Best(ctx, c.Rater)
	if err != nil {
		return favourite{}, err
	}
	belief, err := study.Belief(ctx, c.Rater)
	if err != nil {
		return favourite{}, err
	}
	f := favourite{Rater: c.Rater, Answers: belief.Answers, Best: best, Importance: belief.Importance()}
	for _, it := range study.Items() {
		if it.ID == best.Option.Item() {
			f.Item = &it
			f.Ranking = belief.Ranking(c.Top)
		}
	}
	for _, w := range belief.Warnings {
		f.Warnings = append(f.Warnings, w.Error())
	}
	return f, nil
}

func writeFavourite(w io.Writer, c cards, f favourite) {
	c.heading("best")
	c.option(f.Best.Option)
	fmt.Fprintf(w, "\n%.0f %% sure that nothing is noticeably better, after %s\n", 100*f.Best.Confidence, count(f.Answers, "answer"))
	if f.Best.Rival != nil && f.Best.RivalClose >= 0.05 {
		fmt.Fprintf(w, "%s may be as good (%.0f %%)\n", c.line(f.Best.Rival), 100*f.Best.RivalClose)
	}
	for i, what := range f.Importance {
		if i > 0 {
			fmt.Fprint(w, "; ")
		}
		fmt.Fprint(w, printable(what.Sentence))
	}
	if len(f.Importance) > 0 {
		fmt.Fprintln(w)
	}
	if len(f.Ranking) > 1 {
		fmt.Fprintln(w)
		for i, r := range f.Ranking {
			fmt.Fprintf(w, "%3d. %s  %.2f ± %.2f\n", i+1, c.line(r.Option), r.Mean, r.SD)
		}
	}
}

// writeGroup writes what suits most of the raters.
func writeGroup(w io.Writer, c cards, g prefer.Group) error {
	if g.Best != nil {
		c.heading("best for the group")
		c.option(g.Best)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, printable(g.Sentence))
	if len(g.Raters) < 2 {
		return nil
	}
	fmt.Fprintln(w, "\nloss: what each gives up, in standard deviations of her utility; agreement: correlation with each rater")
	t := newTable(w)
	fmt.Fprint(t, "rater\tfavourite\tloss\t")
	for _, name := range g.Raters {
		fmt.Fprintf(t, "%s\t", printable(name))
	}
	fmt.Fprintln(t)
	for i, name := range g.Raters {
		fmt.Fprintf(t, "%s\t%s\t%.2f\t", printable(name), c.line(g.Favourites[i]), g.Loss[i])
		for _, r := range g.Agreement[i] {
			fmt.Fprintf(t, "%.2f\t", r)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

type verdictCommand struct {
	studyFlags
	raterFlag
}

func (c verdictCommand) Run(ctx context.Context, s streams) error {
	return c.update(ctx, func(study *prefer.Study) error {
		if c.Rater == "" && study.Config().People == prefer.PerRater {
			return usage("every rater of this study has a taste of her own: name one with --rater; \"prefer raters %s\" lists them", c.words())
		}
		v, err := study.Verdict(ctx, c.Rater)
		if err != nil {
			return err
		}
		return s.line(v, printable(v.Sentence))
	})
}
