package studies

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/template"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

type Best struct {
	cli.StudyFlags
	raterFlag
	fixedFlag
	Top int `help:"Number of items to list." default:"5" least:"1" placeholder:"N"`
}

// favourite is the pick with what is known about it, as programs get it.
type favourite struct {
	Rater      string              `json:"rater,omitempty"`
	Fixed      space.Option        `json:"fixed,omitempty"`
	Answers    int                 `json:"answers"`
	Kind       prefer.VerdictKind  `json:"kind"`
	Best       prefer.Best         `json:"best"`
	Item       *space.Item         `json:"item,omitempty"` // of a list
	Ranking    []prefer.Ranked     `json:"ranking,omitempty"`
	Importance []prefer.Importance `json:"importance,omitempty"`
	Warnings   []string            `json:"warnings,omitempty"`

	verdict prefer.Verdict
}

func (c Best) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLiveStudy(ctx, s, func(r *live.Study) error {
		study := r.Study
		if study.Config().People == prefer.PerRater && c.Rater == "" {
			return c.group(ctx, s, study)
		}
		if err := c.checkKnown(study); err != nil {
			return err
		}
		if c.inEveryContext(study) {
			return eachContext(s, study, func(fixed space.Option) (favourite, error) {
				return c.favourite(ctx, r, prefer.Look{Rater: c.Rater, Fixed: fixed})
			}, func(w io.Writer, f favourite) error { return f.write(newCards(w, study)) })
		}
		look, err := c.look(study, c.Rater)
		if err != nil {
			return err
		}
		f, err := c.favourite(ctx, r, look)
		if err != nil {
			return err
		}
		return s.Result(f, func(w io.Writer) error {
			for _, warning := range f.Warnings {
				fmt.Fprintln(s.Err, "note:", warning)
			}
			return f.write(newCards(w, study))
		})
	})
}

// group prints what suits all raters of a study per rater; under every context if none is named.
func (c Best) group(ctx context.Context, s cli.Streams, study *prefer.Study) error {
	if c.inEveryContext(study) {
		type groupUnder struct {
			Fixed space.Option `json:"fixed"`
			prefer.Group
		}
		return eachContext(s, study, func(fixed space.Option) (groupUnder, error) {
			g, err := study.Group(ctx, prefer.Look{Fixed: fixed})
			return groupUnder{fixed, g}, err
		}, func(w io.Writer, g groupUnder) error { return writeGroup(newCards(w, study), g.Group) })
	}
	look, err := c.look(study, "")
	if err != nil {
		return err
	}
	g, err := study.Group(ctx, look)
	if err != nil {
		return err
	}
	return s.Result(g, func(w io.Writer) error { return writeGroup(newCards(w, study), g) })
}

func eachContext[T any](s cli.Streams, study *prefer.Study, find func(fixed space.Option) (T, error), write func(io.Writer, T) error) error {
	contexts := study.Contexts()
	if len(contexts) == 0 {
		return errNoContext
	}
	var all []T
	for _, fixed := range contexts {
		found, err := find(fixed)
		if err != nil {
			return err
		}
		all = append(all, found)
	}
	return s.Result(map[string][]T{"contexts": all}, func(w io.Writer) error {
		for i, found := range all {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s: ", cli.Printable(contexts[i].String()))
			if err := write(w, found); err != nil {
				return err
			}
		}
		return nil
	})
}

// errNoContext is the error of a study with countless contexts and no questions.
var errNoContext = cli.Usagef("no context has answers yet: choose one with --fixed")

func (c Best) favourite(ctx context.Context, r *live.Study, look prefer.Look) (favourite, error) {
	v, err := r.VerdictFor(ctx, look)
	if err != nil {
		return favourite{}, err
	}
	study := r.Study
	belief, err := study.Belief(ctx, look)
	if err != nil {
		return favourite{}, err
	}
	f := favourite{Rater: c.Rater, Fixed: look.Fixed, Answers: v.Answers, Kind: v.Kind, Best: v.Best, Importance: belief.Importance(),
		Warnings: xslices.Map(belief.Warnings, error.Error), verdict: v}
	for _, it := range study.Items(false) {
		if it.ID == v.Best.Option.Item() {
			f.Item = &it
			f.Ranking = belief.Ranking(c.Top)
		}
	}
	return f, nil
}

// write writes the pick, unless there is none to speak of, and what is known besides.
func (f favourite) write(c cards) error {
	of := ""
	if f.verdict.Raters < 2 {
		of = cli.Printable(f.Rater)
	}
	words := xslices.Map(f.Importance, func(what prefer.Importance) string { return cli.Printable(what.Sentence) })
	return c.print("best", map[string]any{"Headline": english.Headline(f.verdict, of), "Verdict": f.verdict, "Calibration": english.Calibration(f.verdict.Calibration),
		"More": english.More(f.verdict), "Learned": words, "Ranking": f.Ranking}, template.FuncMap{"place": func(i int) string {
		if i > 0 && f.Ranking[i-1].Tied() { // it shares the number of the one before
			return "  ="
		}
		return fmt.Sprintf("%3d.", i+1)
	}})
}

func writeGroup(c cards, g prefer.Group) error {
	return c.print("group", g, template.FuncMap{"agreement": func(i, j int) string {
		if i == j || slices.Contains(g.Careless, g.Raters[i]) || slices.Contains(g.Careless, g.Raters[j]) {
			return "–"
		}
		return fmt.Sprintf("%.2f (%.1f…%.1f)", g.Agreement[i][j], g.Low[i][j], g.High[i][j])
	}})
}

type Verdict struct {
	cli.StudyFlags
	raterFlag
	fixedFlag
}

func (c Verdict) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLiveStudy(ctx, s, func(r *live.Study) error {
		study := r.Study
		if c.Rater == "" && study.Config().People == prefer.PerRater {
			return needsRater(c.StudyFlags)
		}
		if err := c.checkKnown(study); err != nil {
			return err
		}
		if c.inEveryContext(study) {
			all, err := r.Standings(ctx, c.Rater)
			if err != nil {
				return err
			}
			if all == nil {
				return errNoContext
			}
			text := ""
			for _, each := range all {
				text += cli.Printable(each.Fixed.String() + ": " + each.Verdict.Sentence + "\n")
			}
			return s.Text(map[string][]live.Standing{"contexts": all}, text)
		}
		look, err := c.look(study, c.Rater)
		if err != nil {
			return err
		}
		v, err := r.VerdictFor(ctx, look)
		if err != nil {
			return err
		}
		return s.Line(v, cli.Printable(v.Sentence))
	})
}
