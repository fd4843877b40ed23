package prefer

import "math"

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
