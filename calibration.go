package prefer

import (
	"math"

	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/space"
)

// Calibration is how the forecasts fared that were recorded with the questions. Under the model
//
//	S = Σ_i [log p_i(o_i) + H(p_i)],   H(p) = −Σ_o p(o) log p(o),
//
// is a martingale whatever chose the questions, with variance Σ_i [Σ_o p_i(o) log² p_i(o) − H²]: Score is S in units of its standard deviation. Far below 0
// the model is too bold; far above, too timid. Late questions are near 50:50 and say little: it is a display and a diagnosis, not a guard.
type Calibration struct {
	Right int     `json:"right"` // answers that were the likeliest one
	Of    int     `json:"of"`
	Score float64 `json:"score"`
}

// count adds a question that was answered.
func (f *forecasts) count(p [3]float64, side int) {
	o := 1 - side // 0 first, 1 tie, 2 second
	var h, square float64
	likeliest := true
	for _, v := range p {
		if v > 0 {
			h -= v * math.Log(v)
			square += v * math.Log(v) * math.Log(v)
		}
		likeliest = likeliest && v <= p[o]
	}
	f.Of++
	if likeliest {
		f.Right++
	}
	f.sum += math.Log(math.Max(p[o], 1e-12)) + h
	f.variance += square - h*h
}

// forecasts gathers a Calibration.
type forecasts struct {
	Calibration
	sum, variance float64
}

func (f forecasts) done() Calibration {
	if f.variance > 0 {
		f.Score = f.sum / math.Sqrt(f.variance)
	}
	return f.Calibration
}

// BlindCheck is what blind duels say about the study's pick. It rests on no model: it counts.
type BlindCheck struct {
	// Kind is "unchecked" without a duel of this pick, "holds" where it is preferred to its rivals (Low > 1/2), "fails" where they are preferred to it
	// (High < 1/2), else "undecided".
	Kind string       `json:"kind"`
	Pick space.Option `json:"pick"`

	// Tally counts all duels of the pick but skips: Won, Lost and Tied (can't tell, both bad) Of so many, and Low and High, the 95 % interval of
	// Wilson for the share of wins, in which a tie is half a win. Strong and Random count those against either kind of rival.
	crowd.Tally
	Strong crowd.Tally `json:"strong"`
	Random crowd.Tally `json:"random"`

	// Stale counts the duels of an earlier pick, further from this one than Config.Separation: they say nothing about it.
	Stale int `json:"stale"`

	// Take and Decline count the raters who said that they would take the pick, and that they would not; see Study.Accept.
	Take    int `json:"take"`
	Decline int `json:"decline"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// blindFails is the Kind of a check that its pick has not passed.
const blindFails = "fails"
