package prefer

import (
	"math"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/normal"
)

// left predicts how many more answers a study takes, whatever the budget: what simulated studies of as many parameters took that had not ended after as many
// answers (docs/statements.md). Their numbers are roughly log-normal, so the middle half of those beyond n answers is
//
//	N = m·exp(s·Φ⁻¹(F + (1 − F)·{¼, ¾})),   F = Φ(log(n/m)/s).
//
// It is a function of the number of answers alone and shrinks with each, until the study has outlasted three of four:
// then late is set, which is why it may grow.
func (cfg *Config) left(code *coding.Coding, answers int) (_ [2]int, late bool) {
	d := float64(coding.Dimension(cfg.Space) - len(cfg.Space.Contexts())) // items without features count as 1
	m, spread := typicalAnswers*math.Pow(d, typicalGrowth), typicalSpread
	if t := code.Table(); t != nil && code.Named() {
		m = typicalList * math.Sqrt(float64(len(t.Back)))
		if d--; d > 0 {
			m += typicalAnswers * math.Pow(d, typicalGrowth)
		}
	}
	past := 0.0
	if answers > 0 {
		past = normal.CDF(math.Log(float64(answers)/m) / spread)
	}
	at := func(q float64) int {
		return max(1, int(math.Ceil(m*math.Exp(spread*normal.Quantile(past+(1-past)*q))))-answers)
	}
	return [2]int{at(0.25), min(at(0.75), maxLeft)}, past > 0.75
}

// The median number of answers to an ending in one dimension, how it grows with the dimension, and the spread of its log.
const (
	typicalAnswers = 9.5
	typicalGrowth  = 1.1
	typicalSpread  = 0.5
	typicalList    = 6.0
	maxLeft        = 999
)
