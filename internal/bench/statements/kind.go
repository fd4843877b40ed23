package statements

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/bench/trial"
)

// kinds are the kinds of statements: when each is made, and how it is judged. A judge returns Said and Held; name and answers are
// filled in, unless it names a kind of its own.
var kinds = []struct {
	name  string
	when  when
	judge func(m moment) []Statement
}{
	{"ending", atEnding, judgeEnding},
	{"as good as the pick", atEnding, judgeRival},
	{"confidence", atMark, judgeConfidence},
	{"better than n of 100", atMark, judgeRandom},
	{"among the best few", atMark, judgeTop},
	{"pleased", atMark, judgePleased},
	{"questions left", atMark, judgeLeft},
	{"importance", atMark, judgeImportance},
	{"order of a list", atMark, judgeOrder},
	{"places of a list", atMark, judgePlaces},
	{"runner-up", atMark, judgeRunnerUp},
	{"forecast", atMark, judgeForecast},
	{"forecast at the end", atEnd, judgeForecast},
	{"foretold as expected", atEnd, judgeForetold},
}

// when is the kind of moment at which a kind of statement is noted.
type when int

const (
	atMark   when = iota // at fixed numbers of answers, which do not depend on how the study goes
	atEnding             // when it first says that it is done
	atEnd                // after the last answer
)

func (w when) is(m moment) bool {
	return [...]bool{atMark: m.mark, atEnding: m.ending, atEnd: m.last}[w]
}

// judge returns the statements of a moment with the truth about them.
func judge(m moment) []Statement {
	var out []Statement
	for _, k := range kinds {
		if !k.when.is(m) {
			continue
		}
		for _, s := range k.judge(m) {
			if s.Answers = m.answers; s.Kind == "" {
				s.Kind = k.name
			}
			if k.when == atMark {
				s.Mark = m.answers
			}
			out = append(out, s)
		}
	}
	return out
}

// good reports whether an option of utility f is good enough: max f − f ≤ the tolerance of the person.
func (m moment) good(f float64) bool { return m.Max-f <= m.Tolerance() }

// judgeConfidence: "nothing is noticeably better".
func judgeConfidence(m moment) []Statement {
	return []Statement{{Said: m.verdict.Best.Confidence, Held: trial.Share(m.good(m.pick))}}
}

// judgeRandom: "better than n of 100 options". Held is the share of options that are truly worse.
func judgeRandom(m moment) []Statement {
	return []Statement{{Said: m.verdict.Best.Beats, Held: m.Share(m.pick)}}
}

// judgeTop: "one of the best 1 %", "one of the best three of the list".
func judgeTop(m moment) []Statement {
	return []Statement{{Said: m.verdict.Best.Top, Held: trial.Share(m.top())}}
}

// leftShare is how often the true number should be in the range: "about half".
const leftShare = 0.5

// judgeLeft: "about n to m more questions". Of a study that never ended it is known only that they are more than were asked.
func judgeLeft(m moment) []Statement {
	l := m.verdict.Left
	if m.ended > 0 && m.ended <= m.answers || l[1] == 0 {
		return nil
	}
	if m.ended == 0 {
		if l[1] > m.limit-m.answers {
			return nil // nobody knows
		}
		return []Statement{{Said: leftShare, Held: 0}}
	}
	more := m.ended - m.answers
	return []Statement{{Said: leftShare, Held: trial.Share(l[0] <= more && more <= l[1])}}
}

// endings are what the verdicts claim that end a study. One that was stopped by its budget knows no more than before: it is
// none.
var endings = map[prefer.VerdictKind]func(m moment) Statement{
	prefer.ClearWinner:  isGood,
	prefer.PracticalTie: isGood,
	prefer.GoodEnough:   isTop,
	prefer.NothingPleases: func(m moment) Statement {
		return Statement{Said: m.verdict.Best.Displeased, Held: trial.Share(m.displeased())}
	},
	prefer.Chance: func(m moment) Statement { return Statement{Said: 1, Held: trial.Share(m.Rater.Lapse == 1)} },
}

// displeased reports whether fewer than one option in ten pleases the person.
func (m moment) displeased() bool { return m.Rater.Bad || m.Share(m.Rater.Level) > 0.9 }

// silent reports whether the person says nothing about a taste, by calling all bad or by answering at random: then nothing can
// be called a favourite.
func (m moment) silent() bool { return m.Rater.Bad || m.Rater.Lapse == 1 }

// isGood: nothing is noticeably better.
func isGood(m moment) Statement {
	return Statement{Said: m.verdict.Best.Confidence, Held: trial.Share(m.good(m.pick) && !m.silent())}
}

// isTop: the pick is one of the best few.
func isTop(m moment) Statement {
	return Statement{Said: m.verdict.Best.Top, Held: trial.Share(m.top() && !m.silent())}
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
	return []Statement{{Said: b.RivalClose, Held: trial.Share(m.pick-m.Worth(b.Rival) <= m.Tolerance())}}
}

// judgePleased: "this person would take it" and "would take fewer than one in ten", where options have been called bad.
func judgePleased(m moment) []Statement {
	b := m.verdict.Best
	if b.Taken == 0 && b.Displeased == 0 {
		return nil
	}
	return []Statement{
		{Kind: "would take the pick", Said: b.Taken, Held: trial.Share(m.pick >= m.Rater.Level && !m.Rater.Bad)},
		{Kind: "would take hardly any", Said: b.Displeased, Held: trial.Share(m.displeased())},
	}
}

const (
	ranked     = 10  // places of a list that are judged
	placeShare = 0.9 // chance with which an item has one of the places it may have
)

// judgeOrder: an item of a ranking that is not tied with the next is better than it.
func judgeOrder(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	var out []Statement
	list := m.belief.Ranking(ranked)
	for i, r := range list[:len(list)-1] {
		if !r.Tied() {
			out = append(out, Statement{Said: r.Above, Held: trial.Share(m.Worth(r.Option) > m.Worth(list[i+1].Option))})
		}
	}
	return out
}

// judgePlaces: the true place of an item is in the range of places it may have.
func judgePlaces(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	worth := m.worths()
	var out []Statement
	for _, r := range m.belief.Ranking(ranked) {
		better := 0
		for _, f := range worth {
			if f > m.Worth(r.Option) {
				better++
			}
		}
		out = append(out, Statement{Said: placeShare, Held: trial.Share(r.Low <= better+1 && better+1 <= r.High)})
	}
	return out
}

// judgeRunnerUp: number 2 of a list misses the true second, or what is left above it, by no more than the tolerance.
func judgeRunnerUp(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	worth := m.worths()
	slices.Sort(worth)
	second := m.belief.Ranking(2)[1].Option
	return []Statement{{Said: 1, Held: trial.Share(worth[len(worth)-2]-m.Worth(second) <= m.Tolerance())}}
}

// worths returns the true utilities of the list.
func (m moment) worths() []float64 {
	out := make([]float64, len(m.Items))
	for i := range out {
		out[i] = m.Utility([]float64{float64(i)})
	}
	return out
}

// heldOut is the number of random pairs whose answers are forecast.
const heldOut = 40

// judgeForecast holds Belief.Prefers against the probability that the person takes the first of two random options, if
// made to choose,
//
//	p = (1 − lapse)·Φ((f₁ − f₂)/σ) + lapse/2,
//
// so the expected bits −p log₂ q − (1−p) log₂(1−q) are without the chance of an answer drawn. Said is the probability of the
// likelier side, held what it truly is.
func judgeForecast(m moment) []Statement {
	rng := m.drawn()
	out := make([]Statement, heldOut)
	for i := range out {
		x, y := m.Random(rng), m.Random(rng)
		q, err := m.belief.Prefers(m.Option(x), m.Option(y))
		if err != nil {
			panic("statements: " + err.Error())
		}
		p := m.Rater.Chooses(m.Utility(x), m.Utility(y))
		if q < 0.5 {
			p, q = 1-p, 1-q
		}
		out[i] = Statement{Said: q, Held: p, Bits: bits(p, q) + bits(1-p, 1-q)}
	}
	return out
}

// judgeForetold: forecasts fared about as expected. A score of more than 2.5 standard deviations is said to be off, which one
// in eighty is by chance; an honest model is not, whatever the person.
func judgeForetold(m moment) []Statement {
	const off, chance = 2.5, 0.0124 // 2Φ(−2.5)
	return []Statement{{Said: 1 - chance, Held: trial.Share(math.Abs(m.verdict.Calibration.Score) <= off)}}
}

// mostBits is the surprise at what was called impossible: one in a million.
const mostBits = 20

// bits returns −p log₂ q, q no less than 2⁻²⁰.
func bits(p, q float64) float64 { return p * math.Min(mostBits, -math.Log2(q)) }
