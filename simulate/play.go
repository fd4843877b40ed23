package simulate

import (
	"context"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

const everybody = "simulated" // the name of every simulated person: each has a study of their own

// run plays their study to its end: under the contexts in turn, each until it has ended there.
func (p person) run(ctx context.Context, cfg prefer.Config, limit int, answered func()) (One, error) {
	cfg.Seed = splitmix.At(cfg.Seed, p.seed)
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return One{}, err
	}
	cfg = s.Config()
	calm := context.WithoutCancel(ctx) // a search cut short would be another study
	at := make([]Under, len(p.scenes))
	for i, here := range p.scenes {
		at[i] = Under{Fixed: here.fixed, Verdict: prefer.KeepGoing, JND: here.tolerance}
	}
	given := make([]int, len(at))
	judged := func(i int) error {
		best, err := s.Best(calm, prefer.Look{Rater: everybody, Fixed: at[i].Fixed})
		if err == nil {
			at[i].Pick = p.in(i).judge(given[i], best)
		}
		return err
	}
	out := One{Verdict: prefer.KeepGoing}
	share := limit / len(at) // of the questions, under each
	for n, i := 1, 0; n <= limit && !out.Verdict.Done(); n, i = n+1, (i+1)%len(at) {
		for at[i].Verdict.Done() {
			i = (i + 1) % len(at)
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		q, err := s.Ask(calm, prefer.Request{Rater: everybody, Fixed: at[i].Fixed})
		if err != nil {
			return out, err
		}
		if _, err := s.Tell(calm, q.ID, p.answer(q, n)); err != nil {
			return out, err
		}
		answered()
		given[i]++
		if n >= cfg.Initial || given[i] == cfg.Budget { // before there is no verdict
			v, err := s.Verdict(calm, prefer.Look{Rater: everybody, Fixed: at[i].Fixed})
			if err != nil {
				return out, err
			}
			at[i].Verdict = v.Kind
		}
		out.Verdict = together(at)
		last := out.Verdict.Done() || n == limit
		for k := range at {
			over := !at[k].Verdict.Done() && (last || isBudget(n)) // their pick of now; where it has ended that was judged
			if k == i && (at[k].Verdict.Done() || isBudget(given[k])) || over {
				if err := judged(k); err != nil {
					return out, err
				}
			}
		}
		if isBudget(given[i]) && given[i] <= share {
			at[i].Budgets = append(at[i].Budgets, at[i].Pick)
		}
		if isBudget(n) {
			out.Budgets = append(out.Budgets, worst(at, n))
		}
		if last {
			out.Pick = worst(at, n)
			out.Budgets = filled(out.Budgets, out.Pick, limit)
		}
	}
	for i := range at {
		at[i].Budgets = filled(at[i].Budgets, at[i].Pick, share)
		out.JND = math.Max(out.JND, at[i].JND)
	}
	if len(cfg.Space.Contexts()) > 0 {
		out.Contexts = at
	}
	return out, nil
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
	out := Pick{Questions: n, Good: true, Top: true}
	for _, u := range at {
		out.Loss, out.Share = math.Max(out.Loss, u.Pick.Loss), math.Max(out.Share, u.Pick.Share)
		out.Good, out.Top = out.Good && u.Pick.Good, out.Top && u.Pick.Top
	}
	return out
}
