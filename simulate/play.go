package simulate

import (
	"context"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

const everybody = "simulated" // the name of every simulated person: each has a study of their own

// player is a person in the middle of their study.
type player struct {
	person
	study *prefer.Study
	cfg   prefer.Config
	at    []Under // under each setting of the contexts
	given []int   // answers, likewise
}

// run plays their study to its end: under the contexts in turn, each until it has ended there.
func (p person) run(ctx context.Context, cfg prefer.Config, limit int, answered func()) (One, error) {
	cfg.Seed = splitmix.At(cfg.Seed, p.seed)
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return One{}, err
	}
	y := player{p, s, s.Config(), make([]Under, len(p.scenes)), make([]int, len(p.scenes))}
	for i, here := range p.scenes {
		y.at[i] = Under{Fixed: here.fixed, Verdict: prefer.KeepGoing, JND: here.tolerance}
	}
	calm := context.WithoutCancel(ctx) // a search cut short would be another study
	out := One{Verdict: prefer.KeepGoing}
	share := limit / len(y.at) // of the questions, under each
	for n, i := 1, 0; n <= limit && !out.Verdict.Done(); n, i = n+1, (i+1)%len(y.at) {
		for y.at[i].Verdict.Done() {
			i = (i + 1) % len(y.at)
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		if err := y.answerUnder(calm, i, n); err != nil {
			return out, err
		}
		answered()
		out.Verdict = together(y.at)
		last := out.Verdict.Done() || n == limit
		for k := range y.at {
			over := !y.at[k].Verdict.Done() && (last || isBudget(n)) // their pick of now; where it has ended that was judged
			if k == i && (y.at[k].Verdict.Done() || isBudget(y.given[k])) || over {
				if err := y.judgePick(calm, k); err != nil {
					return out, err
				}
			}
		}
		if isBudget(y.given[i]) && y.given[i] <= share {
			y.at[i].Budgets = append(y.at[i].Budgets, y.at[i].Pick)
		}
		if isBudget(n) {
			out.Budgets = append(out.Budgets, worst(y.at, n))
		}
		if last {
			out.Pick = worst(y.at, n)
			out.Budgets = filled(out.Budgets, out.Pick, limit)
		}
	}
	for i := range y.at {
		y.at[i].Budgets = filled(y.at[i].Budgets, y.at[i].Pick, share)
		out.JND = math.Max(out.JND, y.at[i].JND)
	}
	if len(y.cfg.Space.Contexts()) > 0 {
		out.Contexts = y.at
	}
	return out, nil
}

// answerUnder answers question n, under setting i of the contexts, and notes the verdict.
func (y *player) answerUnder(ctx context.Context, i, n int) error {
	q, err := y.study.Ask(ctx, prefer.Request{Rater: everybody, Fixed: y.at[i].Fixed})
	if err != nil {
		return err
	}
	if _, err := y.study.Tell(ctx, q.ID, y.answer(q, n)); err != nil {
		return err
	}
	if y.given[i]++; n < y.cfg.Initial && y.given[i] != y.cfg.Budget {
		return nil // there is no verdict yet
	}
	v, err := y.study.Verdict(ctx, prefer.Look{Rater: everybody, Fixed: y.at[i].Fixed})
	if err == nil {
		y.at[i].Verdict = v.Kind
	}
	return err
}

// judgePick holds the pick under setting i of the contexts against what the person likes.
func (y *player) judgePick(ctx context.Context, i int) error {
	best, err := y.study.Best(ctx, prefer.Look{Rater: everybody, Fixed: y.at[i].Fixed})
	if err == nil {
		y.at[i].Pick = y.in(i).judge(y.given[i], best)
	}
	return err
}

// filled adds the last pick for budgets that were not used up.
func filled(picks []Pick, last Pick, limit int) []Pick {
	for i := len(picks); i < len(Budgets) && Budgets[i] <= limit; i++ {
		picks = append(picks, last)
	}
	return picks
}

// together is the verdict under all settings of the contexts: one that has not ended, else one that is not sure, else the first.
func together(at []Under) prefer.VerdictKind {
	out := at[0].Verdict
	for _, u := range at[1:] {
		if !u.Verdict.Done() || out.Done() && !u.Verdict.Sure() {
			out = u.Verdict
		}
	}
	return out
}

// worst is the pick after n questions under the setting of the contexts where it is worst.
func worst(at []Under, n int) Pick {
	out := Pick{Questions: n, Good: true, Top: true, Ranked: true}
	for _, u := range at {
		out.Loss, out.Share = math.Max(out.Loss, u.Pick.Loss), math.Max(out.Share, u.Pick.Share)
		out.Good, out.Top, out.Ranked = out.Good && u.Pick.Good, out.Top && u.Pick.Top, out.Ranked && u.Pick.Ranked
	}
	return out
}
