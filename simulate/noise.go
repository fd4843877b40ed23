package simulate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/problem"
)

// Noise says how careful simulated people are. At most one of the fields is set; the zero value is Prior.
type Noise struct {
	// ErrorRate is the share of wrong answers about two of the best hundredth of all options (at least topOptions
	// of them): the paper's measure.
	ErrorRate float64
	// Sigma is the standard deviation of the noise on a difference, in units of the spread: the standard
	// deviation of the utility over all options.
	Sigma float64
}

var (
	// Prior is the noise the model expects: utilities keep the scale they were drawn with.
	Prior = Noise{}
	// Low is the paper's low noise, 10 % of answers about good options wrong.
	Low = Noise{ErrorRate: 0.1}
	// High is the paper's high noise, 30 %.
	High = Noise{ErrorRate: 0.3}
)

// ParseNoise reads "prior", "low", "high", an error rate like "20%", or σ in units of the spread like "0.25".
func ParseNoise(text string) (Noise, error) {
	switch text {
	case "prior":
		return Prior, nil
	case "low":
		return Low, nil
	case "high":
		return High, nil
	}
	fail := fmt.Errorf("simulate: noise %q, want prior, low, high, a share of wrong answers like 20%%, or σ in units of the spread like 0.25", text)
	var n Noise
	number, rate := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return n, fail
	case rate:
		n.ErrorRate = v / 100
	default:
		n.Sigma = v
	}
	if n == Prior || n.Validate() != nil {
		return Noise{}, fail
	}
	return n, nil
}

// String writes the form ParseNoise reads.
func (n Noise) String() string {
	switch {
	case n == Prior:
		return "prior"
	case n == Low:
		return "low"
	case n == High:
		return "high"
	case n.ErrorRate != 0:
		return strconv.FormatFloat(100*n.ErrorRate, 'g', 6, 64) + "%"
	}
	return strconv.FormatFloat(n.Sigma, 'g', -1, 64)
}

// MarshalText writes that form, in JSON too.
func (n Noise) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads it.
func (n *Noise) UnmarshalText(text []byte) (err error) {
	*n, err = ParseNoise(string(text))
	return err
}

// words says it in a sentence.
func (n Noise) words() string {
	switch {
	case n == Prior:
		return "as careful as the model expects"
	case n.ErrorRate != 0:
		return fmt.Sprintf("who answer %.3g %% of questions about good options wrongly", 100*n.ErrorRate)
	}
	return fmt.Sprintf("whose noise is %g of the spread of their utility", n.Sigma)
}

// Validate reports a field out of range.
func (n Noise) Validate() error {
	switch {
	case n.ErrorRate != 0 && n.Sigma != 0:
		return fmt.Errorf("simulate: Noise has an error rate, %g, and a σ, %g, want one of them", n.ErrorRate, n.Sigma)
	case n.ErrorRate != 0 && !(n.ErrorRate > 0 && n.ErrorRate < 0.5):
		return fmt.Errorf("simulate: Noise.ErrorRate = %g, want between 0 and 0.5", n.ErrorRate)
	case n.Sigma != 0 && !(n.Sigma > 0 && !math.IsInf(n.Sigma, 1)):
		return fmt.Errorf("simulate: Noise.Sigma = %g, want a positive number", n.Sigma)
	}
	return nil
}

const (
	topShare   = 0.01 // of the options are good, as in the paper …
	topOptions = 20   // … and at least so many, or all of a shorter list
)

// sigma returns the noise of a person in the units of the utility, whose values at many options are given; plain
// is the noise under Prior.
func (n Noise) sigma(values []float64, plain float64) (float64, error) {
	switch {
	case n.ErrorRate != 0:
		sigma, err := problem.TopOf(best(values), problem.Probit).Sigma(n.ErrorRate)
		if err != nil {
			err = fmt.Errorf("simulate: no noise makes %.3g %% of answers wrong: %w", 100*n.ErrorRate, err)
		}
		return sigma, err
	case n.Sigma != 0:
		if s := deviation(values); s > 0 {
			return n.Sigma * s, nil
		}
		return 0, fmt.Errorf("simulate: all %d options looked at have the same utility, so that noise %v has no unit", len(values), n)
	}
	return plain, nil
}

// best returns the utilities of the good options, in increasing order.
func best(values []float64) []float64 {
	s := slices.Sorted(slices.Values(values))
	return s[len(s)-min(len(s), max(topOptions, int(topShare*float64(len(s))))):]
}

func deviation(values []float64) float64 {
	mean, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(values)))
}
