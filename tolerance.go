package prefer

import (
	"encoding/json"
	"maps"

	"github.com/prefer-bo/prefer/internal/learn"
)

// Tolerance is what does not matter: nothing is noticeably better than a pick if nothing is by more than the largest of its
// parts. Each is a difference of utility that people can mean:
//
//	Noise   multiples of the noise of one answer: 1 is recognised 84 times in a hundred
//	Share   parts of max f − mean f, the most that a pick can gain over one at random; free of shift and scale, so
//	        that it means something for a rater without noise too
//	Steps   amounts of parameters, in their own units: what is lost at the best option by moving it that far
//
// Its text form is "0.67 noise", "5 %" or "1 sugar", several of them joined by commas; in JSON noise alone is a number.
type Tolerance struct {
	Noise float64
	Share float64
	Steps map[string]float64
}

// DefaultTolerance is that of a study that states none: 0.67σ, recognised 75 times in a hundred, or a twentieth of what a
// pick can gain over one at random, whichever is more.
func DefaultTolerance() Tolerance { return Tolerance{Noise: forcedJND, Share: 0.05} }

const forcedJND = 0.6744897501960817 // Φ⁻¹(0.75)

// ParseTolerance reads the text form. Units other than noise and % are names of parameters, which Config.Validate checks.
func ParseTolerance(text string) (Tolerance, error) {
	t, err := learn.ParseTolerance(text)
	return Tolerance(t), err
}

// IsZero reports whether nothing is stated.
func (t Tolerance) IsZero() bool { return t.Noise == 0 && t.Share == 0 && len(t.Steps) == 0 }

func (t Tolerance) clone() Tolerance {
	t.Steps = maps.Clone(t.Steps)
	return t
}

func (t Tolerance) String() string { return learn.Tolerance(t).String() }

// MarshalJSON writes a number of noise alone, as logs always had it, else the text form.
func (t Tolerance) MarshalJSON() ([]byte, error) {
	if t.Share == 0 && len(t.Steps) == 0 {
		return json.Marshal(t.Noise)
	}
	return json.Marshal(t.String())
}

// UnmarshalJSON reads both.
func (t *Tolerance) UnmarshalJSON(data []byte) (err error) {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*t, err = ParseTolerance(text)
		return err
	}
	*t = Tolerance{}
	return json.Unmarshal(data, &t.Noise)
}

// MarshalText writes the text form, for flags.
func (t Tolerance) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads it.
func (t *Tolerance) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTolerance(string(text))
	return err
}
