package prefer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// EarlierAnswers is how many answers of an earlier study a new one begins with, at most.
const earlierAnswers = 90

// Earlier returns answers for Config.Earlier of a new study: as many of each rater's as of the others', evenly spread over what she said,
// raters numbered in the order of their first answers. Not among them are those of who was left out, what says nothing about two options, and
// what the new study cannot say: it has not these options, or offers no ties. Skipped counts the latter; that all are is an error.
func (s *Study) Earlier(ctx context.Context, of Config) (duels []Duel, skipped int, err error) {
	if err := ended(ctx); err != nil {
		return nil, 0, err
	}
	code, err := coding.New(of.Space)
	if err != nil {
		return nil, 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var raters []string
	said := map[string][]Duel{}
	for _, t := range s.state.answers {
		if !t.counts() || t.answer.Choice == BothBad || !s.state.learnsFrom(t.rater, nil) {
			continue
		}
		d := t.duel
		if t.question != nil {
			d.First, d.Second = t.question.First, t.question.Second
		}
		d.Answer = Answer{Choice: t.answer.Choice, Strength: min(t.answer.Strength, of.Answers.Grades)}
		_, _, bad := code.Pair(d.First, d.Second)
		if bad = cmp.Or(bad, of.Answers.Validate(d.Answer)); bad != nil {
			skipped, err = skipped+1, bad
			continue
		}
		if said[t.rater] == nil {
			raters = append(raters, t.rater)
		}
		d.First, d.Second, d.Rater = maps.Clone(d.First), maps.Clone(d.Second), strconv.Itoa(slices.Index(raters, t.rater)+1)
		said[t.rater] = append(said[t.rater], d)
	}
	if len(raters) == 0 && skipped > 0 {
		return nil, skipped, fmt.Errorf("prefer: no answer of the earlier study is one of the new one: %w", err)
	}
	for _, share := range fairly(raters, said) {
		duels = append(duels, share...)
	}
	return duels, skipped, nil
}

// fairly returns of each rater's answers as many as of the others', EarlierAnswers in all, evenly spread.
func fairly(raters []string, said map[string][]Duel) (out [][]Duel) {
	left := earlierAnswers
	order := slices.Clone(raters)
	slices.SortStableFunc(order, func(a, b string) int { return len(said[a]) - len(said[b]) })
	share := map[string]int{}
	for i, r := range order { // who has few leaves room for the others
		share[r] = min(len(said[r]), left/(len(order)-i))
		left -= share[r]
	}
	for _, r := range raters {
		var hers []Duel
		for i := range share[r] {
			hers = append(hers, said[r][(2*i+1)*len(said[r])/(2*share[r])])
		}
		out = append(out, hers)
	}
	return out
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
		if k, _ := d.Answer.Choice.info(); !k.Observed || k.Choice == BothBad {
			return fmt.Errorf("%s.Choice = %q, want a preference or a tie", where, d.Answer.Choice)
		}
	}
	return nil
}
