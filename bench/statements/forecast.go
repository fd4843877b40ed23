package statements

import "math"

// heldOut is the number of random pairs whose answers are foretold.
const heldOut = 40

// judgeForecast holds Belief.Prefers against the probability that the person takes the first of two random options, were she
// to choose,
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
		p := m.rater.Chooses(m.Utility(x), m.Utility(y))
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
	return []Statement{{Said: 1 - chance, Held: truth(math.Abs(m.verdict.Foretold.Score) <= off)}}
}

// mostBits is the surprise at what was called impossible: one in a million.
const mostBits = 20

// bits returns −p log₂ q, q no less than 2⁻²⁰.
func bits(p, q float64) float64 { return p * math.Min(mostBits, -math.Log2(q)) }
