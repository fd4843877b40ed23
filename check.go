package prefer

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// Validate reports the first field that makes no sense.
func (c Config) Validate() error {
	if err := errors.Join(c.checkMethod(), coding.Affordable(c.Space)); err != nil {
		return err
	}
	_, err := c.validate()
	return err
}

// validate also returns the coordinates of the space, which take a while to lay out for a long list. A log may name a method that this process has not.
func (c Config) validate() (*coding.Coding, error) {
	code, err := coding.New(c.Space)
	if err != nil {
		return nil, err
	}
	return code, c.check(code)
}

// checkMethod reports a name of the method that cannot be asked, or that a Chooser cannot have: a log must say what chose a question.
func (c Config) checkMethod() error {
	ours := acquisition.Methods()
	if c.Chooser == nil && c.Method != "" && !slices.Contains(ours, c.Method) {
		return fmt.Errorf("prefer: Config.Method = %q, want one of %v, or a Chooser of that name", c.Method, ours)
	}
	ours = append(ours, methodDesign, methodCatch, methodRepeat, methodBlind, methodPractice, methodNeighbour, methodShortlist)
	if c.Chooser != nil && slices.Contains(ours, c.Method) {
		return fmt.Errorf("prefer: Chooser is given and the method is %q, which has one: want a name of its own, none of %v", c.Method, ours)
	}
	return nil
}

// checkChanged reports the first field that makes no sense of those that a running study may change.
func (c Config) checkChanged() error {
	switch {
	case c.People != "" && c.People != Shared && c.People != PerRater:
		return fmt.Errorf("prefer: Config.People = %q, want %q or %q", c.People, Shared, PerRater)
	case c.Budget < 0:
		return fmt.Errorf("prefer: Config.Budget = %d answers, want at least 1, or 0 for none", c.Budget)
	case c.Shortlist != 0 && (len(c.Space.Items) == 0 || c.Space.Crossed()):
		return fmt.Errorf("prefer: Config.Shortlist = %d, want 0: only a list of items without parameters has a shortlist", c.Shortlist)
	case c.Shortlist != 0 && (c.Shortlist < 2 || c.Shortlist > maxShortlist || c.Shortlist >= len(c.Space.Items)):
		return fmt.Errorf("prefer: Config.Shortlist = %d of %d items, want 2 to %d, fewer than there are, or 0 for one favourite", c.Shortlist, len(c.Space.Items), maxShortlist)
	}
	return nil
}

// check reports the first field beside the space that makes no sense.
func (c Config) check(code *coding.Coding) error {
	if err := c.checkChanged(); err != nil {
		return err
	}
	switch {
	case c.BothBad != "" && c.BothBad != badAtLevel && c.BothBad != badAsTie:
		return fmt.Errorf("prefer: Config.BothBad = %q, want %q or %q", c.BothBad, badAtLevel, badAsTie)
	case c.Answers.Grades < 0 || c.Answers.Grades > 9:
		return fmt.Errorf("prefer: Config.Answers.Grades = %d, want 0 to 9", c.Answers.Grades)
	case c.Model.Scales != nil:
		return fmt.Errorf("prefer: Config.Model.Scales = %v, want none: the space decides them", c.Model.Scales)
	case !isFinite(c.Separation) || c.Separation > 0.5:
		return fmt.Errorf("prefer: Config.Separation = %g, want at most 0.5", c.Separation)
	case !isFinite(c.Margin) || c.Margin >= 0.5:
		return fmt.Errorf("prefer: Config.Margin = %g, want less than 0.5", c.Margin)
	case !(c.LookAhead >= 0) || math.IsInf(c.LookAhead, 1):
		return fmt.Errorf("prefer: Config.LookAhead = %g, want a positive number", c.LookAhead)
	case c.Belief != "" && c.Belief != beliefAveraged && c.Belief != beliefLikeliest:
		return fmt.Errorf("prefer: Config.Belief = %q, want %q or %q", c.Belief, beliefAveraged, beliefLikeliest)
	case !(c.Confidence >= 0 && c.Confidence < 1):
		return fmt.Errorf("prefer: Config.Confidence = %g, want a probability below 1", c.Confidence)
	}
	if err := learn.Tolerance(c.Tolerance).Check(code); err != nil {
		return err
	}
	if err := c.checkKinship(code); err != nil {
		return err
	}
	for i, m := range append([]gp.Model{c.Model}, c.BeliefModels...) {
		if m.Scales != nil {
			return fmt.Errorf("prefer: Config.BeliefModels[%d].Scales = %v, want none: the space decides them", i-1, m.Scales)
		}
		m.Answers, m.Scales = c.Answers.model(), code.Scales
		if err := m.Validate(); err != nil {
			return fmt.Errorf("prefer: Config: %w", err)
		}
	}
	if err := c.Search.Validate(); err != nil {
		return fmt.Errorf("prefer: Config: %w", err)
	}
	return c.checkAlternatives(code)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// checkAlternatives reports the first one that makes no sense.
func (c Config) checkAlternatives(code *coding.Coding) error {
	for i, a := range c.Alternatives {
		where := fmt.Sprintf("prefer: Config.Alternatives[%d]", i)
		switch {
		case !(a.Odds > 0) || math.IsInf(a.Odds, 1):
			return fmt.Errorf("%s.Odds = %g, want a positive number", where, a.Odds)
		case a.Until < 0:
			return fmt.Errorf("%s.Until = %d answers, want at least 1, or 0 for never", where, a.Until)
		case a.Model.Scales != nil:
			return fmt.Errorf("%s.Model.Scales = %v, want none: the space decides them", where, a.Model.Scales)
		case a.Model.Inference == gp.Sparse || c.Model.Inference == gp.Sparse:
			return fmt.Errorf("%s beside sparse inference, want none: only dense ones are compared by their evidence", where)
		}
		m := c.withStudyPriors(a.Model)
		m.Scales = code.Scales
		if err := m.Validate(); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return nil
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

// earlierAnswers is how many answers of an earlier study a new one begins with, at most.
const earlierAnswers = 90

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
