package statements

import "github.com/prefer-bo/prefer"

// endings are the verdicts that end a study: what each claims. Others, keep_going and budget_reached, end nothing.
var endings = map[prefer.VerdictKind]func(m moment) Statement{
	prefer.ClearWinner:  isGood,
	prefer.PracticalTie: isGood,
	"good_enough":       isTop,
	"nothing_pleases":   func(m moment) Statement { return Statement{Said: 1, Held: truth(m.rater.Bad || m.rater.Level > m.Max)} },
	"chance":            func(m moment) Statement { return Statement{Said: 1, Held: truth(m.rater.Lapse == 1)} },
}

func endingOf(k prefer.VerdictKind) func(m moment) Statement { return endings[k] }

// isGood: nothing is noticeably better. Who has shown no taste, by saying that all is bad or by chance, has no favourite.
func isGood(m moment) Statement {
	return Statement{Said: m.verdict.Best.Confidence, Held: truth(m.good(m.pick) && !m.rater.Bad && m.rater.Lapse < 1)}
}

// topShare is what good enough claims: to be among the best hundredth.
const topShare = 0.01

// isTop: the pick is in the best 1 %.
func isTop(m moment) Statement {
	return Statement{Said: m.verdict.Best.Confidence, Held: truth(m.Share(m.pick) >= 1-topShare && !m.rater.Bad && m.rater.Lapse < 1)}
}

// judgeEnding judges an ending, under the name of its kind.
func judgeEnding(m moment) []Statement {
	s := endings[m.verdict.Kind](m)
	s.Kind = "ending " + string(m.verdict.Kind)
	return []Statement{s}
}

// judgeRival: "and this one is as good", of a practical tie: the rival misses the pick by no more than the tolerance.
func judgeRival(m moment) []Statement {
	b := m.verdict.Best
	if m.verdict.Kind != prefer.PracticalTie || b.Rival == nil {
		return nil
	}
	return []Statement{{Said: b.RivalClose, Held: truth(m.pick-m.worth(b.Rival) <= m.tolerance())}}
}
