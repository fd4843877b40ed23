package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
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
	ev := learn.Evidence{Duels: &gp.Duels{Dim: s.code.Dim}, Scales: s.code.Scales}
	s.collect(&ev, func(t *answerRecord) bool { return s.learnsFrom(t.rater, only) }, func(rater string) bool { return s.learnsFrom(rater, only) })
	return ev
}

// collect adds the answers that use selects, and what the raters that level selects would take.
func (s *state) collect(ev *learn.Evidence, use func(*answerRecord) bool, level func(rater string) bool) {
	name := func(rater string) string {
		if ev.Pooled {
			return pooledRater
		}
		return rater
	}
	for _, t := range s.answers {
		if !use(t) || !t.counts() {
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
			ev.AddSided(t.a, t.b, t.outcome, name(t.rater), s.cfg.side(t))
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
		if q.teaches() && (only == nil || q.Rater == *only) {
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

// pooledRater stands for all raters of a study where they share one utility and there are raters of an earlier study.
const pooledRater = "\x00team"

// perRaterEvidence returns the answers of all raters that teach about one of them, or about all where only is nil. PerRater is false
// where there are no others, or so many answers that inference is sparse.
func (s *state) perRaterEvidence(only *string) learn.Evidence {
	ev := learn.Evidence{Duels: &gp.Duels{Dim: s.code.Dim}, Scales: s.code.Scales, Pooled: only == nil}
	if !s.cfg.mixes() {
		return ev
	}
	s.earlier(&ev)
	rater, use := pooledRater, func(t *answerRecord) bool { return s.learnsFrom(t.rater, nil) }
	if only != nil {
		rater, use = *only, s.teachesAbout(*only)
	}
	s.collect(&ev, use, func(r string) bool { return ev.Pooled && s.learnsFrom(r, nil) || slices.Contains(ev.Raters, r) })
	ev.PerRater = ev.HasOthers(rater)
	return ev
}

// teachesAbout selects the answers that teach about a rater: their own, and the first ones of the study but those of excluded raters.
func (s *state) teachesAbout(rater string) func(*answerRecord) bool {
	crowd := 0
	return func(t *answerRecord) bool {
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
	ev := learn.Evidence{Duels: &gp.Duels{Dim: s.code.Dim}, Scales: s.code.Scales}
	if s.cfg.People != PerRater || !s.cfg.mixes() || len(raters) < 2 {
		return ev
	}
	total, most, said := 0, answers, map[string]int{}
	for _, r := range raters {
		if total += s.singleEvidence(&r).Duels.Len(); total > answers {
			most = max(1, answers/len(raters))
			break
		}
	}
	s.earlier(&ev)
	s.collect(&ev, func(t *answerRecord) bool {
		said[t.rater]++
		return said[t.rater] <= most && slices.Contains(raters, t.rater)
	}, func(string) bool { return false })
	ev.PerRater = true
	return ev
}

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

// side returns on which side the first option of an answered question was shown, as gp.Duels.Side has it: 0 where sides were not drawn at random, and in a
// study whose model has no position bias.
func (c *Config) side(t *answerRecord) int8 {
	switch {
	case c.Model.Position.Family == gp.Default || c.Model.Position.Family == gp.NoneFamily || t.question == nil || !t.answer.RandomSides:
		return 0
	case t.answer.Swapped:
		return -1
	}
	return 1
}
