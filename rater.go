package prefer

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/normal"
)

// People says whose utility a study learns.
type People string

const (
	// Shared: all raters share one utility, and each has a noise of their own, so that a careless rater or a noisy judge counts for less.
	Shared People = "shared"
	// PerRater: every rater has their own utility, learned from their answers and, as far as Config.Kinship finds people alike, from those of others.
	PerRater People = "per_rater"
)

// Rater is what a study knows about one of those who answer.
type Rater struct {
	Name    string `json:"name"`
	Answers int    `json:"answers"`         // not undone, skips included, blind duels and practice not
	Clear   int    `json:"clear,omitempty"` // preferences that they called clear, or stronger
	Ties    int    `json:"ties"`
	BothBad int    `json:"both_bad"`
	Skips   int    `json:"skips"`
	Counted int    `json:"counted"` // answers that count, as in Verdict.Answers: no skips, no checks (Entry.Counts)

	// Noise is how noisy the answers are, 1 being usual: in a shared study with several raters a careless
	// one has more and counts for less. 0 where it cannot be told.
	Noise float64 `json:"noise,omitempty"`

	// Left counts the preferences for what was shown on the left, which is the question's first option unless the answer says Swapped. Observed duels
	// none of which is Swapped have no sides: an import puts the winner first.
	Left Share `json:"left"`

	// FollowsOrder says that the side on which an option was shown explains their choices (crowd.Sides has the rule).
	FollowsOrder bool `json:"follows_order,omitempty"`

	// Position is how far the rater leans to what is shown first; nil where sides were not recorded, or where it is not clear that they lean to a side.
	Position *positionBias `json:"position_bias,omitempty"`

	// Agreed counts the repeated questions that they answered as before.
	Agreed Share `json:"agreed"`

	// Odds is the log of how much likelier the answers are of a rater who does not look than of one who answers by taste (internal/crowd/careless.go has the
	// formula); 0 of fewer than 8 preferences. Careless says that the odds are high enough to call the rater careless, and Why what speaks most for it.
	Odds     float64 `json:"odds,omitempty"`
	Careless bool    `json:"careless,omitempty"`
	Why      string  `json:"why,omitempty"`

	// Out says that the rater is excluded from what the group learns (Change.Exclude), OutWhy why, in the owner's words.
	Out    bool   `json:"out,omitempty"`
	OutWhy string `json:"out_why,omitempty"`

	// MedianResponse is the median of the response times that were recorded; 0 if none was.
	MedianResponse time.Duration `json:"median_response_ns,omitempty"`
}

// count counts an answer that is no preference.
func (r *Rater) count(c Choice) {
	switch c {
	case Tie:
		r.Ties++
	case BothBad:
		r.BothBad++
	case Skip:
		r.Skips++
	}
}

// positionBias is b_r of g = f(first) − f(second) ± b_r + ε, by which a rater leans to what is shown first, or to what is shown second where it is negative,
// in units of the usual noise (package gp, position.go). At 1 a rater takes the option shown first 84 times in a hundred between equal options.
type positionBias struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// String writes it as "0.8 ± 0.2", with a real minus.
func (b positionBias) String() string {
	return strings.Replace(fmt.Sprintf("%.1f ± %.1f", b.Mean, b.SD), "-", "−", 1)
}

// clearBias returns the bias of a rater in a fit where it is clearly not 0: more than two standard deviations from it.
func clearBias(fit *learn.Fit, rater string) *positionBias {
	if mean, sd := fit.Bias(rater); math.Abs(mean) > 2*sd {
		return &positionBias{Mean: mean, SD: sd}
	}
	return nil
}

// Share is a count out of a total, with the 95 % interval of Wilson for the share behind it.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func newShare(count, of int) Share {
	low, high := normal.Wilson(count, of)
	return Share{Count: count, Of: of, Low: low, High: high}
}
