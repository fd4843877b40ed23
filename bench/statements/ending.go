package statements

import "github.com/prefer-bo/prefer"

// endings are what the verdicts claim that end a study. One that was stopped by its budget knows no more than before: it is
// none.
var endings = map[prefer.VerdictKind]func(m moment) Statement{
	prefer.ClearWinner:  isGood,
	prefer.PracticalTie: isGood,
	prefer.GoodEnough:   isTop,
	prefer.NothingPleases: func(m moment) Statement {
		return Statement{Said: m.verdict.Best.Displeased, Held: truth(m.displeased())}
	},
	prefer.Chance: func(m moment) Statement { return Statement{Said: 1, Held: truth(m.rater.Lapse == 1)} },
}

// displeased reports whether fewer than one option in ten pleases the person.
func (p person) displeased() bool { return p.rater.Bad || p.Share(p.rater.Level) > 0.9 }

// silent reports whether the person says nothing about her taste, by calling all bad or by answering at random: then nothing can
// be said to be her favourite.
func (p person) silent() bool { return p.rater.Bad || p.rater.Lapse == 1 }

// isGood: nothing is noticeably better.
func isGood(m moment) Statement {
	return Statement{Said: m.verdict.Best.Confidence, Held: truth(m.good(m.pick) && !m.silent())}
}

// isTop: the pick is one of the best few.
func isTop(m moment) Statement {
	return Statement{Said: m.verdict.Best.Top, Held: truth(m.top() && !m.silent())}
}

// top reports whether the pick is among the best few of all options, as many as the study says: the options above it and half of
// those as good, itself one of them.
func (m moment) top() bool { return 1-m.Share(m.pick) <= m.verdict.Best.TopShare+1e-9 }

// judgeEnding judges an ending, under the name of its kind. A kind nobody has written a judge for is said flatly, and not true.
func judgeEnding(m moment) []Statement {
	s := Statement{Said: 1}
	if claim := endings[m.verdict.Kind]; claim != nil {
		s = claim(m)
	}
	s.Kind = "ending " + string(m.verdict.Kind)
	return []Statement{s}
}

// judgeRival: "and this one is as good", of a practical tie: the rival misses the pick by no more than the tolerance.
func judgeRival(m moment) []Statement {
	b := m.verdict.Best
	if m.verdict.Kind != prefer.PracticalTie || b.Rival == nil {
		return nil
	}
	return []Statement{{Said: b.RivalClose, Held: truth(m.pick-m.Worth(b.Rival) <= m.tolerance())}}
}

// judgeTaken: "she would take it", of a person who has called options bad.
func judgeTaken(m moment) []Statement {
	b := m.verdict.Best
	if b.Taken == 0 && b.Displeased == 0 {
		return nil
	}
	return []Statement{{Said: b.Taken, Held: truth(m.pick >= m.rater.Level && !m.rater.Bad)}}
}

// judgeDispleased: "she would take fewer than one in ten".
func judgeDispleased(m moment) []Statement {
	b := m.verdict.Best
	if b.Taken == 0 && b.Displeased == 0 {
		return nil
	}
	return []Statement{{Said: b.Displeased, Held: truth(m.displeased())}}
}
