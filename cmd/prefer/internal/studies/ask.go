package studies

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

type Ask struct {
	cli.StudyFlags
	raterFlag
	Fixed    []string      `help:"Fix a context or parameter to this value in both options. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
	Hold     []string      `help:"One of the two options: name=value for every parameter, or an item id." sep:"none" placeholder:"NAME=VALUE"`
	HoldBest bool          `help:"One of the two options is the best so far."`
	Blind    bool          `help:"Ask a blind duel of the pick against a rival; \"prefer check\" counts them."`
	Within   time.Duration `help:"Use the best pair found in this time, for example 500ms." placeholder:"TIME"`
	More     bool          `help:"Ask even if the study is done."`
}

func (c Ask) Run(ctx context.Context, s cli.Streams) error {
	switch {
	case c.HoldBest && len(c.Hold) > 0:
		return cli.Usagef("--hold and --hold-best, want one of them")
	case c.Blind && (c.HoldBest || len(c.Hold) > 0):
		return cli.Usagef("--blind goes without --hold and --hold-best: the study chooses both options")
	case c.Within < 0:
		return cli.FlagError("--within", c.Within, "want a time as in 500ms")
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		start := time.Now()
		request := live.Ask{Rater: c.Rater, Owner: true, Blind: c.Blind}
		err := room.With(ctx, name, func(r *live.Study) (err error) {
			request.Fixed, request.Hold, err = c.conditions(ctx, r)
			return err
		})
		if err != nil {
			return err
		}
		if c.Within > 0 {
			request.Within = max(1, c.Within-time.Since(start))
		}
		q, err := room.Ask(ctx, name, request)
		if err != nil {
			return err
		}
		if q.Swapped {
			q.Asked.First, q.Asked.Second = q.Asked.Second, q.Asked.First
		}
		q.Asked.Blind, q.Asked.Known = nil, "" // they say which is the pick, and what is right
		return room.With(ctx, name, func(r *live.Study) error { return c.print(s, r.Study, q.Asked) })
	})
}

// conditions reads what the question must be like. If a new one is needed it sees that the study is not done.
func (c Ask) conditions(ctx context.Context, r *live.Study) (fixed, hold space.Option, err error) {
	study := r.Study
	fixed, err = parseOption(study, "--fixed", c.Fixed, true)
	hold, bad := parseOption(study, "--hold", c.Hold, false)
	if err = cmp.Or(err, bad); err != nil {
		return nil, nil, err
	}
	if c.Blind || len(study.OpenQuestions(c.Rater)) > 0 {
		return fixed, hold, nil
	}
	look := prefer.Look{Rater: c.Rater, Fixed: study.Config().Space.Context(fixed)}
	if !c.More {
		err = c.checkDone(ctx, r, look)
	}
	if err == nil && c.HoldBest {
		var best prefer.Best
		best, err = study.Best(ctx, look)
		hold = best.Option
	}
	return fixed, hold, err
}

// checkDone returns a Failure if the study is done. With --within the verdict gets half of the time; later only the budget ends the study.
func (c Ask) checkDone(ctx context.Context, r *live.Study, look prefer.Look) error {
	limited := ctx
	if c.Within > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, c.Within/2)
		defer cancel()
	}
	v, err := r.Study.Verdict(limited, look)
	if err == nil {
		v = r.For(v, c.Rater, look.Fixed) // others may be done before this rater is
	}
	kind, said := v.Kind, v.Sentence
	switch {
	case errcode.Of(err) == "per_rater":
		return nil // a study per rater has no verdict without a rater
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		st := r.Status(c.Rater)
		kind, said = prefer.VerdictKind(st.Verdict), st.Sentence
	case err != nil:
		return err
	}
	if !kind.Done() {
		return nil
	}
	return cli.Failure{Kind: "done", Message: fmt.Sprintf("%s\nto go on all the same: prefer ask %s --more", cli.Printable(said), c.Args()), Code: cli.ExitDone}
}

func (c Ask) print(s cli.Streams, study *prefer.Study, q prefer.Question) error {
	if s.JSON {
		out := struct {
			prefer.Question
			Prompt string                `json:"prompt"`
			Items  map[string]space.Item `json:"items,omitempty"` // what first and second name, in a list
		}{q, study.Config().Prompt, map[string]space.Item{}}
		for _, it := range study.Items(true) {
			if it.ID == q.First.Item() || it.ID == q.Second.Item() {
				out.Items[it.ID] = it
			}
		}
		return cli.WriteJSON(s.Out, out)
	}
	prompt := cli.Printable(study.Config().Prompt)
	if q.Method == "practice" {
		prompt += " (practice: nothing is learned from this)"
	}
	if err := newCards(s.Out, study).print("ask", map[string]any{"Prompt": prompt, "Question": q}, nil); err != nil {
		return err
	}
	offered := xslices.Filter(prefer.Choices(), func(k prefer.ChoiceInfo) bool { return !k.Tied || !study.Config().Answers.Forced })
	choices := xslices.Map(offered, func(k prefer.ChoiceInfo) string { return string(k.Choice) })
	named := ""
	if open := study.OpenQuestions(c.Rater); open[0].ID != q.ID { // tell would take the other one for meant
		named = string(q.ID) + " "
	}
	_, err := fmt.Fprintf(s.Err, "\nthis is %s; answer with: prefer tell %s%s %s%s\n", q.ID, c.Args(), c.raterWords(), named, strings.Join(choices, "|"))
	return err
}
