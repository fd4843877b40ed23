package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/coding"
)

// maxEarlier is how many answers Config.Earlier may have.
const maxEarlier = 90

// Earlier returns answers of a study for Config.Earlier of a new one: equally many of each rater, evenly spread over the rater's answers,
// raters numbered in the order of their first answers. Left out are excluded raters, what says nothing about two options, and
// what the new study cannot say because it has not these options or offers no ties. Skipped counts the latter; that all are is an error.
func Earlier(s *prefer.Study, of prefer.Config) (duels []prefer.Duel, skipped int, err error) {
	code, err := coding.New(of.Space)
	if err != nil {
		return nil, 0, err
	}
	var raters []string
	said := map[string][]prefer.Duel{}
	for _, e := range s.History() {
		if !e.Counts() || e.Out || e.Answer.Choice == prefer.BothBad {
			continue
		}
		answer := prefer.Answer{Choice: e.Answer.Choice, Strength: min(e.Answer.Strength, of.Answers.Grades)}
		_, _, bad := code.Pair(e.First, e.Second)
		if bad = cmp.Or(bad, of.Answers.Validate(answer)); bad != nil {
			skipped, err = skipped+1, bad
			continue
		}
		if said[e.Rater] == nil {
			raters = append(raters, e.Rater)
		}
		said[e.Rater] = append(said[e.Rater], prefer.Duel{First: maps.Clone(e.First), Second: maps.Clone(e.Second),
			Rater: strconv.Itoa(slices.Index(raters, e.Rater) + 1), Answer: answer})
	}
	if len(raters) == 0 && skipped > 0 {
		return nil, skipped, fmt.Errorf("exchange: no answer of the earlier study is one of the new one: %w", err)
	}
	for _, share := range fairly(raters, said) {
		duels = append(duels, share...)
	}
	return duels, skipped, nil
}

// fairly returns of each rater's answers as many as of the otown', maxEarlier in all, evenly spread.
func fairly(raters []string, said map[string][]prefer.Duel) (out [][]prefer.Duel) {
	left := maxEarlier
	order := slices.Clone(raters)
	slices.SortStableFunc(order, func(a, b string) int { return len(said[a]) - len(said[b]) })
	share := map[string]int{}
	for i, r := range order { // who has few leaves room for the otown
		share[r] = min(len(said[r]), left/(len(order)-i))
		left -= share[r]
	}
	for _, r := range raters {
		var own []prefer.Duel
		for i := range share[r] {
			own = append(own, said[r][(2*i+1)*len(said[r])/(2*share[r])])
		}
		out = append(out, own)
	}
	return out
}
