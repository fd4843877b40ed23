package prefer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// What "both bad" means to the model (Config.BothBad).
const (
	// Both options are below the level from which on the rater would take one, a latent of theirs (docs/math.md). Where answers
	// are so many that inference is sparse it teaches nothing.
	badAtLevel = "level"
	// A tie (where ties are offered) and a lost duel of each option against the incumbent at the time of asking, unless it is one of the pair.
	badAsTie = "tie"
)

// evidence returns the answers as the model sees them: those that teach about one rater's utility if only is not nil. Undone and skipped
// ones, checks and those of excluded raters are not among them.
func (s *state) evidence(only *string) learn.Evidence {
	if ev := s.perRaterEvidence(only); ev.PerRater {
		return ev
	}
	return s.singleEvidence(only)
}

// singleEvidence returns the answers about one utility, without PerRater: those of one rater if only is not nil, else those of all raters
// who are not excluded.
func (s *state) singleEvidence(only *string) learn.Evidence {
	ev := learn.Evidence{Duels: &gp.Duels{Dim: s.code.Dim}}
	s.collect(&ev, func(t *told) bool { return s.learnsFrom(t.rater, only) }, func(rater string) bool { return s.learnsFrom(rater, only) })
	if ev.Duels.Len() > learn.DenseLimit {
		return ev.Preferences()
	}
	return ev
}

// collect adds the answers that use selects, and what the raters that level selects would take.
func (s *state) collect(ev *learn.Evidence, use func(*told) bool, level func(rater string) bool) {
	name := func(rater string) string {
		if ev.Pooled {
			return pooledRater
		}
		return rater
	}
	for _, t := range s.answers {
		if !t.counts() || !use(t) {
			continue
		}
		switch k, _ := t.answer.Choice.info(); {
		case k.Choice == BothBad && s.cfg.BothBad == badAtLevel:
			ev.AddLevel(t.a, false, name(t.rater))
			ev.AddLevel(t.b, false, name(t.rater))
		case k.Choice == BothBad:
			if !s.cfg.Answers.Forced {
				ev.Add(t.a, t.b, 0, name(t.rater))
			}
			if inc := t.question.incumbent; inc != nil && coding.Gap(inc, t.a) > coding.SameOption && coding.Gap(inc, t.b) > coding.SameOption {
				ev.Add(inc, t.a, 1, name(t.rater))
				ev.Add(inc, t.b, 1, name(t.rater))
			}
		default:
			ev.AddSided(t.a, t.b, t.answer.outcome(), name(t.rater), s.cfg.side(t))
		}
	}
	if ev.Duels.Level != nil { // without a "both bad" what a rater would take would only move the pick
		for _, t := range s.takes {
			if level(t.rater) {
				ev.AddLevel(t.a, t.take, name(t.rater))
			}
		}
	}
}

// shown returns the options of all questions and observed duels, those of one rater if only is not nil, row by row.
func (s *state) shown(only *string) []float64 {
	var x []float64
	for _, q := range s.order {
		if !q.isBlind() && !q.isPractice() && (only == nil || q.Rater == *only) {
			x = append(append(x, q.a...), q.b...)
		}
	}
	for _, t := range s.answers {
		if t.question == nil && !t.undone && (only == nil || t.rater == *only) {
			x = append(append(x, t.a...), t.b...)
		}
	}
	return x
}

// Where raters have utilities of their own, one model learns all of them: f_r = g + h_r, g being what they have in common
// (package gp, kinship.go). The answers of other raters teach about a rater as far as people are found to be alike, ρ, and no further.

// DefaultKinship is the prior of ρ/(1 − ρ) in a new study: ρ is as likely above as below ½, and between 0.08 and 0.92 nine times in ten.
func defaultKinship() gp.Prior { return gp.LogNormal(0, 1.5) }

// mixes reports whether a study has several utilities: one for each rater, or those of the raters of an earlier study.
func (c Config) mixes() bool {
	return (c.People == PerRater || len(c.Earlier) > 0) && c.Kinship.Family != gp.Default && c.Kinship.Family != gp.NoneFamily && c.Model.Inference != gp.Sparse
}

func (c Config) checkKinship(code *coding.Coding) error {
	m := c.Model
	m.Inference, m.Scales, m.Kinship = gp.EP, code.Scales, c.Kinship
	if err := m.Validate(); err != nil {
		return fmt.Errorf("prefer: Config.Kinship: %w", err)
	}
	if c.Model.Kinship.Family != gp.Default {
		return fmt.Errorf("prefer: Config.Model.Kinship = %v, want none: Config.Kinship says it for all models", c.Model.Kinship)
	}
	return c.checkEarlier(code)
}

// pooledRater stands for all raters of a study where they share one utility and there are raters of an earlier study.
const pooledRater = "\x00team"

// perRaterEvidence returns the answers of all raters that teach about one of them, or about all where only is nil. PerRater is false
// where there are no others, or so many answers that inference is sparse.
func (s *state) perRaterEvidence(only *string) learn.Evidence {
	ev := learn.Evidence{Duels: &gp.Duels{Dim: s.code.Dim}, Pooled: only == nil}
	if !s.cfg.mixes() {
		return ev
	}
	s.earlier(&ev)
	rater, use := pooledRater, func(t *told) bool { return s.learnsFrom(t.rater, nil) }
	if only != nil {
		rater, use = *only, s.teachesAbout(*only)
	}
	s.collect(&ev, use, func(r string) bool { return ev.Pooled && s.learnsFrom(r, nil) || slices.Contains(ev.Raters, r) })
	ev.PerRater = ev.HasOthers(rater) && ev.Duels.Len() <= learn.DenseLimit
	return ev
}

// teachesAbout selects the answers that teach about a rater: their own, and the first ones of the study but those of excluded raters.
func (s *state) teachesAbout(rater string) func(*told) bool {
	crowd := 0
	return func(t *told) bool {
		heard := s.learnsFrom(t.rater, nil)
		if heard {
			crowd++
		}
		return t.rater == rater || heard && crowd <= learn.CrowdLimit
	}
}

// jointEvidence returns the answers of these raters; of more than so many answers the first of each rater. PerRater is false where raters
// do not learn from each other, or where inference would be sparse.
func (s *state) jointEvidence(raters []string, answers int) learn.Evidence {
	ev := learn.Evidence{Duels: &gp.Duels{Dim: s.code.Dim}}
	if s.cfg.People != PerRater || !s.cfg.mixes() || len(raters) < 2 {
		return ev
	}
	total, most, said := 0, answers, map[string]int{}
	for _, r := range raters {
		total += s.singleEvidence(&r).Duels.Len()
	}
	if total > answers {
		most = max(1, answers/len(raters))
	}
	s.earlier(&ev)
	s.collect(&ev, func(t *told) bool {
		said[t.rater]++
		return said[t.rater] <= most && slices.Contains(raters, t.rater)
	}, func(string) bool { return false })
	ev.PerRater = ev.Duels.Len() <= learn.DenseLimit
	return ev
}

// surprise returns how much likelier, in logs, the rater's own answers are by chance than by the model; 0 where that cannot be computed.
func (s *Study) surprise(ctx context.Context, v view) (float64, error) {
	if len(s.cfg.BeliefModels) == 0 {
		return 0, nil
	}
	fit, err := s.beliefFits.Get(ctx, v.Own(v.rater), v.code.Scales)
	if err != nil {
		return 0, errors.Join(err, ended(ctx))
	}
	return fit.Surprise(s.cfg.BeliefModels), nil
}

// earlierAnswers is how many answers of an earlier study a new one begins with, at most.
const earlierAnswers = 90

const earlierRater = "\x00earlier "

// earlier adds the answers of the earlier study.
func (s *state) earlier(ev *learn.Evidence) {
	for _, d := range s.cfg.Earlier {
		a, b, err := s.code.Pair(d.First, d.Second)
		if err != nil {
			panic(err) // checkEarlier has tried, and items only join
		}
		ev.Add(a, b, d.Answer.outcome(), earlierRater+d.Rater)
	}
}

func (c Config) checkEarlier(code *coding.Coding) error {
	if n := len(c.Earlier); n > earlierAnswers {
		return fmt.Errorf("prefer: Config.Earlier has %d answers, want at most %d", n, earlierAnswers)
	}
	if len(c.Earlier) > 0 && c.Kinship.Family == gp.NoneFamily {
		return fmt.Errorf("prefer: Config.Earlier has %d answers, which teach nothing with Config.Kinship = none", len(c.Earlier))
	}
	for i, d := range c.Earlier {
		where := fmt.Sprintf("prefer: Config.Earlier[%d]", i)
		if _, _, err := code.Pair(d.First, d.Second); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		if err := c.Answers.Validate(d.Answer); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		if k, _ := d.Answer.Choice.info(); !k.Compares {
			return fmt.Errorf("%s.Choice = %q, want a preference or a tie", where, d.Answer.Choice)
		}
	}
	return nil
}
