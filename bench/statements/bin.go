package statements

// Bin is the truth about statements that sounded about as sure.
type Bin struct {
	Kind   string  `json:"kind"`
	Family string  `json:"family"`
	From   float64 `json:"from"` // Said is at least
	Below  float64 `json:"below"`
	Truth
}

// binEdges are closer where it matters: what is said with confidence.
var binEdges = []float64{0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001}

// binned are the kinds whose Said is a probability.
var binned = []string{"confidence", "better than n of 100", "among the best few", "forecast"}

// newBins counts them by what was said, over all raters who show their taste.
func newBins(studies []Study) []Bin {
	var out []Bin
	for _, kind := range binned {
		for _, family := range []string{"smooth", "rugged"} {
			some := telling(studies, family)
			for i, from := range binEdges[:len(binEdges)-1] {
				below := binEdges[i+1]
				t := truthOf(some, func(s Statement) bool { return s.Kind == kind && s.Said >= from && s.Said < below })
				if t.Statements > 0 {
					out = append(out, Bin{kind, family, from, below, t})
				}
			}
		}
	}
	return out
}
