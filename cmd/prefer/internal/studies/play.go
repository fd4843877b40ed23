package studies

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/play"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

type Play struct {
	cli.StudyFlags
	raterFlag
	Fixed []string `help:"Fix a context or parameter to this value in all questions. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
}

func (c Play) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		look, err := live.In(ctx, room, name, func(r *live.Study) (prefer.Look, error) { return fixedFlag{c.Fixed}.look(r.Study, c.Rater) })
		if err != nil {
			return err
		}
		session := &play.Session{Room: room, Study: name, Rater: c.Rater, Fixed: look.Fixed}
		result, err := play.Console{In: s.In, Out: s.Out, Err: s.Err}.Run(ctx, session)
		if kept, e := session.Kept(context.WithoutCancel(ctx)); e == nil && (result.Answers > 0 || err == nil) {
			fmt.Fprintf(s.Err, "%s kept; to go on: prefer play %s%s%s\n", say.Count(kept, "answer"), c.Args(), c.raterWords(), fixedFlag{c.Fixed}.fixedWords())
		}
		switch {
		case err != nil:
			return err
		case s.JSON:
			return cli.WriteJSON(s.Out, result.Verdict)
		case result.Answers > 0:
			fmt.Fprintln(s.Err, cli.Printable(result.Verdict.Sentence))
		}
		_, err = io.WriteString(s.Out, lines(result.Pick))
		return err
	})
}

type Demo struct {
	Name string        `arg:"" optional:"" help:"${demos}. Defaults to colour where the terminal has colours, else coffee."`
	Seed *uint64       `help:"Random seed. Default: another one every time." placeholder:"N"`
	Auto bool          `help:"A simulated rater with a hidden favourite answers."`
	Pace time.Duration `help:"With --auto, how long a question stays on the screen." default:"700ms"`
	Keep string        `help:"Keep the study in this file; continue with \"prefer play FILE\"." placeholder:"FILE.db"`
}

// demoNames is for the help.
func demoNames() string {
	demos, err := demo.Worded()
	if err != nil {
		return err.Error()
	}
	out := xslices.Map(demos, func(d demo.Demo) string { return d.Name + " (" + d.Blurb + ")" })
	return strings.Join(out, ", ")
}

func (c Demo) find(console play.Console) (demo.Demo, error) {
	demos, err := demo.Worded()
	if err != nil {
		return demo.Demo{}, err
	}
	i := slices.IndexFunc(demos, func(d demo.Demo) bool { return d.Name == c.Name })
	switch {
	case c.Name == "" && console.HasColours():
		return demos[0], nil
	case c.Name == "":
		return demos[1], nil
	case i >= 0:
		return demos[i], nil
	}
	return demo.Demo{}, cli.FlagError("demo", c.Name, "want one of "+demoNames())
}

func (c Demo) Run(ctx context.Context, s cli.Streams) error {
	console := play.Console{In: s.In, Out: s.Out, Err: s.Err, Pace: c.Pace}
	d, err := c.find(console)
	if err != nil {
		return err
	}
	if c.Seed == nil {
		seed := uint64(time.Now().UnixNano()) % 10_000 // short enough to type again
		c.Seed = &seed
	}
	d.Config.Seed = *c.Seed
	if c.Keep == "" {
		return cli.RunLive(ctx, s, nil, func(room *live.Studies) error { return c.play(ctx, s, room, "demo", console, d) })
	}
	return cli.StudyFlags{Path: c.Keep}.WithNewStore(ctx, func(k cli.StudyStore) error {
		return cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error { return c.play(ctx, s, room, k.Name, console, d) })
	})
}

func (c Demo) play(ctx context.Context, s cli.Streams, room *live.Studies, name string, console play.Console, d demo.Demo) error {
	cfg := d.Config
	cfg.Budget = d.Goal
	if err := room.Create(ctx, name, cfg, live.Settings{}); errors.Is(err, store.ErrExists) {
		return fmt.Errorf("%w; go on with it: prefer play %s", err, cli.Quote(c.Keep))
	} else if err != nil {
		return err
	}
	var rater *simulate.Person
	if c.Auto {
		var err error
		if rater, err = simulate.Invite(cfg, simulate.Prior, *c.Seed); err != nil {
			return err
		}
		console.Auto = rater.Answer
	}
	result, err := console.Run(ctx, &play.Session{Room: room, Study: name})
	if err != nil {
		return err
	}
	return c.print(s, d, result, rater)
}

// print says what came of a demonstration; rater is nil if a person answered.
func (c Demo) print(s cli.Streams, d demo.Demo, result play.Result, rater *simulate.Person) error {
	if s.JSON {
		var out struct {
			Demo      string          `json:"demo"`
			Seed      uint64          `json:"seed"`
			Answers   int             `json:"answers"`
			Verdict   *prefer.Verdict `json:"verdict,omitempty"` // none before the first answer
			Favourite space.Option    `json:"favourite,omitempty"`
			Loss      *float64        `json:"loss,omitempty"` // what the pick misses, in units of the noise of an answer
		}
		out.Demo, out.Seed, out.Answers = d.Name, *c.Seed, result.Answers
		if result.Answers > 0 {
			out.Verdict = &result.Verdict
		}
		if rater != nil {
			loss := rater.Loss(result.Verdict.Best.Option)
			out.Favourite, out.Loss = rater.Best(), &loss
		}
		return cli.WriteJSON(s.Out, out)
	}
	if result.Answers > 0 {
		fmt.Fprintf(s.Err, "After %s, %s:\n", say.Count(result.Answers, "answer"), d.Blurb)
		if _, err := io.WriteString(s.Out, lines(result.Pick)); err != nil {
			return err
		}
		fmt.Fprintln(s.Err, cli.Printable(result.Verdict.Sentence))
	}
	if rater != nil {
		fmt.Fprintf(s.Err, "The hidden favourite was:\n")
		if _, err := fmt.Fprintln(s.Out, result.Describe(rater.Best())); err != nil {
			return err
		}
		fmt.Fprintf(s.Err, "Seed %d: %s.\n", *c.Seed, nearness(rater, result.Verdict.Best.Option))
	}
	fmt.Fprintln(s.Err)
	if c.Keep != "" {
		fmt.Fprintf(s.Err, "All of it is in %s: prefer play %s goes on.\n", c.Keep, cli.Quote(c.Keep))
	}
	_, err := fmt.Fprintln(s.Err, "A study of your own:\n  prefer init tea.db --param sugar=0..5 --param minutes=1..8 --param 'kind=green|black|mint'\n  prefer play tea.db")
	return err
}

func lines(all []string) string { return strings.Join(append(all, ""), "\n") }

func nearness(rater *simulate.Person, pick space.Option) string {
	better, among := rater.Better(pick)
	switch {
	case pick.Item() != "" && len(pick) == 1 && better == 0:
		return fmt.Sprintf("the pick is the favourite, of %d", among)
	case pick.Item() != "" && len(pick) == 1:
		return fmt.Sprintf("the pick is number %d of %d by the hidden taste", better+1, among)
	}
	// Pr(the favourite wins) = Φ(loss), the loss being in units of the noise.
	wins := 0.5 * math.Erfc(-rater.Loss(pick)/math.Sqrt2)
	return fmt.Sprintf("the pick is better than %.1f%% of all options; in a blind test the favourite itself would win %.0f times in 100",
		100*float64(among-better)/float64(among), 100*wins)
}
