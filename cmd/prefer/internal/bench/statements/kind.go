package statements

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// kinds are the kinds of statements: when each is made, and how it is judged. A judge returns Said and Held; name and answers are
// filled in, unless it names a kind of its own.
var kinds = []struct {
	name  string
	when  int
	judge func(m moment) []Statement
}{
	{"ending", atEnding, judgeEnding},
	{"ten more answers", atMark, judgeTenMore},
	{"confidence", atMark, judgeConfidence},
	{"better than n of 100", atMark, func(m moment) []Statement { return []Statement{{Said: m.verdict.Best.Beats, Held: m.Share(m.pick)}} }}, // Held is the share that is truly worse
	{"among the best few", atMark, judgeTop},
	{"pleased", atMark, judgePleased},
	{"questions left", atMark, judgeLeft},
	{"importance", atMark, judgeImportance},
	{"order of a list", atMark, judgeOrder},
	{"places of a list", atMark, judgePlaces},
	{"forecast", atMark, judgeForecast},
	{"forecast at the end", atEnd, judgeForecast},
	{"predicted as expected", atEnd, judgeForetold},
}

// Moments at which statements are noted.
const (
	atMark   = iota // at fixed numbers of answers, which do not depend on how the study goes
	atEnding        // when it first says that it is done
	atEnd           // after the last answer
)

// claim is one statement that is true or not.
func claim(said float64, held bool) []Statement {
	return []Statement{{Said: said, Held: trial.Share(held)}}
}

// judge returns the statements of a moment with the truth about them.
func judge(m moment) (out []Statement) {
	now := [...]bool{atMark: m.mark, atEnding: m.ending, atEnd: m.last}
	for _, k := range kinds {
		if !now[k.when] {
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

// judgeConfidence: "nothing is noticeably better".
func judgeConfidence(m moment) []Statement {
	return claim(m.verdict.Best.Confidence, m.Max-m.pick <= m.Tolerance())
}

const leftShare = 0.8 // how often the true number should be in the range: of eight studies in ten

// judgeLeft: "about n to m more questions". Of a study that never ended it is known only that they are more than were asked.
func judgeLeft(m moment) []Statement {
	l, more := m.verdict.Left, m.ended-m.answers
	switch {
	case l[1] == 0 || m.ended > 0 && more <= 0 || m.ended == 0 && l[1] > m.limit-m.answers: // nothing is said, or the truth is unknown
		return nil
	case m.ended == 0:
		return claim(leftShare, false)
	}
	return claim(leftShare, l[0] <= more && more <= l[1])
}

// endings are what the verdicts claim that end a study. One that was stopped by its budget knows no more than before: it is none.
var endings = map[prefer.VerdictKind]func(m moment) []Statement{
	prefer.Settled:        judgeSettled,
	prefer.NothingPleases: func(m moment) []Statement { return claim(m.verdict.Best.Displeased, m.displeased()) },
}

// displeased reports whether fewer than one option in ten pleases the person.
func (m moment) displeased() bool { return m.Rater.Bad || m.Share(m.Rater.Level) > 0.9 }

// judgeSettled: the pick is better than so many of 100 options, at the end of a study. Of one who says nothing about a taste it is better than none.
func judgeSettled(m moment) []Statement {
	s := Statement{Said: m.verdict.Best.Beats}
	if !m.Rater.Bad && m.Rater.Lapse < 1 { // else all is bad, or the answers are random: nothing is a favourite then
		s.Held = m.Share(m.pick)
	}
	return []Statement{s}
}

// judgeTenMore: ten more answers add so much to the share of options that the pick is better than. Held is what they truly added.
func judgeTenMore(m moment) []Statement {
	if m.later == nil {
		return nil
	}
	return []Statement{{Said: m.verdict.TenMore, Held: m.Share(*m.later) - m.Share(m.pick)}}
}

// bestOfSpace is prefer.Best.TopShare in a space; in a list it is larger.
const bestOfSpace = 0.01

// judgeTop: the pick is among the best few of a list, as many as the study says: the options above it and half of those as good, itself one of them. Of a
// space no sentence says it, and it is too bold where tastes are rugged.
func judgeTop(m moment) []Statement {
	s := claim(m.verdict.Best.Top, 1-m.Share(m.pick) <= m.verdict.Best.TopShare+1e-9)
	if m.verdict.Best.TopShare <= bestOfSpace {
		s[0].Kind = "among the best 1%"
	}
	return s
}

// judgeEnding judges an ending, under the name of its kind. A kind without a judge counts as said with certainty and false.
func judgeEnding(m moment) []Statement {
	s := claim(1, false)
	if known := endings[m.verdict.Kind]; known != nil {
		s = known(m)
	}
	s[0].Kind = "ending " + string(m.verdict.Kind)
	return s
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
func judgeOrder(m moment) (out []Statement) {
	worth := m.worths()
	if worth == nil {
		return nil
	}
	list := m.belief.Ranking(ranked)
	for i, r := range list[:len(list)-1] {
		if !r.Tied() {
			out = append(out, claim(r.Above, worth[m.item(r)] > worth[m.item(list[i+1])])...)
		}
	}
	return out
}

// judgePlaces: the true place of an item is in the range of places it may have.
func judgePlaces(m moment) (out []Statement) {
	worth := m.worths()
	if worth == nil {
		return nil
	}
	for _, r := range m.belief.Ranking(ranked) {
		place := 1 + len(xslices.Filter(worth, func(f float64) bool { return f > worth[m.item(r)] }))
		out = append(out, claim(placeShare, r.Low <= place && place <= r.High)...)
	}
	return out
}

// item returns the number of an item of the ranking.
func (m moment) item(r prefer.Ranked) int { return int(m.Point(r.Option)[0]) }

// worths returns the true worth of the items of a list, crossed with parameters each at its best; nil where there is no list.
func (m moment) worths() []float64 {
	if m.Items == nil {
		return m.items
	}
	return xslices.Times(len(m.Items), func(i int) float64 { return m.Utility([]float64{float64(i)}) })
}

const heldOut = 40 // the number of random pairs whose answers are forecast

// judgeForecast holds Belief.Prefers against the probability that the person takes the first of two random options, if made to choose,
//
//	p = (1 − lapse)·Φ((f₁ − f₂)/σ) + lapse/2,
//
// so the expected bits −p log₂ q − (1−p) log₂(1−q) are without the chance of an answer drawn. Said is the probability of the
// likelier side, held what it truly is.
func judgeForecast(m moment) []Statement {
	rng := rand.New(rand.NewPCG(m.Mood, 1)) // the same at every moment of a study
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
	return claim(1-chance, math.Abs(m.verdict.Calibration.Score) <= off)
}

const mostBits = 20 // the surprise at what was called impossible: one in a million

// bits returns −p log₂ q, q no less than 2⁻²⁰.
func bits(p, q float64) float64 { return p * math.Min(mostBits, -math.Log2(q)) }

const (
	hardlyNoise = 0.25 // a true loss below this much of the noise hardly matters …
	hardlyShare = 0.2  // … and so does one below this part of the largest
	endPart     = 0.2  // the lower and the upper end of a range, and the neighbourhood of a value
	lossSteps   = 41   // values of a continuous part in a true loss
)

// judgeImportance judges what is said of each parameter: "hardly matters" and "matters", which are true by the loss of setting it at random with the others
// as in the pick, and the direction, "lower", "higher", "around 3", "this choice wins", which is true if that end of the range, that neighbourhood or that
// choice has a value within the tolerance of the best there is. The first of several that matters is said to matter most with a probability: its loss must be the
// largest.
func judgeImportance(m moment) (out []Statement) {
	if m.Items != nil { // features: the pick cannot be changed in one alone
		return nil
	}
	said := m.belief.Importance()
	at := m.Point(m.belief.Best())
	slice, loss := make([][]float64, len(at)), make([]float64, len(at))
	trueTop := math.Inf(-1)
	for j := range at {
		slice[j], loss[j] = m.slice(at, j)
		trueTop = math.Max(trueTop, loss[j])
	}
	line := math.Max(hardlyNoise*m.Rater.Sigma, hardlyShare*trueTop)
	add := func(kind string, held bool) {
		out = append(out, Statement{Kind: kind, Said: 1, Held: trial.Share(held)})
	}
	for place, i := range said {
		number, err := strconv.Atoi(i.Parameter[1:])
		if err != nil {
			continue // the item of a list that is crossed with parameters
		}
		j := number - 1
		switch i.Kind {
		case "unknown":
		case "hardly":
			add("hardly matters", loss[j] < line)
		default:
			add("matters", loss[j] >= line)
			add("direction", m.direction(slice[j], j, i.Kind, m.Coordinate(j, i.At)))
			if place == 0 && len(said) > 1 {
				out = append(out, Statement{Kind: "matters most", Said: i.Most, Held: trial.Share(loss[j] == trueTop)})
			}
		}
	}
	return out
}

// slice returns the true utility along part j through x, and what is lost on average by leaving x.
func (m moment) slice(x []float64, j int) ([]float64, float64) {
	y := slices.Clone(x)
	steps := lossSteps
	if p := m.Parts[j]; p.Levels > 0 {
		steps = p.Levels
	}
	values, mean, allowed := make([]float64, steps), 0.0, 0.0
	for i := range values {
		if y[j] = float64(i); m.Parts[j].Kind == problem.Continuous {
			y[j] /= lossSteps - 1
		}
		if values[i] = m.Utility(y); !math.IsInf(values[i], -1) { // else it breaks a constraint, or is of another context
			mean += values[i] / float64(steps)
			allowed++
		}
	}
	return values, m.Utility(x) - mean*(float64(steps)/allowed)
}

// direction reports whether what is said to win does: an end of the range, the neighbourhood of a value, or a choice.
func (m moment) direction(values []float64, j int, kind string, v float64) bool {
	p, there := m.Parts[j], math.Inf(-1)
	if p.Kind == problem.Ordered {
		v /= float64(p.Levels - 1)
	}
	for i, f := range values {
		t := float64(i) / float64(len(values)-1)
		if p.Kind == problem.Unordered {
			t = float64(i)
		}
		var said bool
		switch kind {
		case "lower":
			said = t <= endPart
		case "higher":
			said = t >= 1-endPart
		case "around":
			said = math.Abs(t-v) <= endPart
		case "chosen":
			said = t == v
		case "with", "without":
			said = (kind == "with") == (i == 1)
		}
		if said {
			there = math.Max(there, f)
		}
	}
	return slices.Max(values)-there <= m.Tolerance()
}
