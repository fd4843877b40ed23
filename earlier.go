package prefer

import (
	"fmt"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

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
		if k, _ := d.Answer.Choice.info(); !k.Observed || k.Choice == BothBad {
			return fmt.Errorf("%s.Choice = %q, want a preference or a tie", where, d.Answer.Choice)
		}
	}
	return nil
}
