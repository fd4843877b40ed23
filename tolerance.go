package prefer

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// Tolerance is what does not matter: a pick is good enough if nothing is better than it by more than the largest of its
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

// Words of the text form that are no parameter.
const (
	unitNoise = "noise"
	unitShare = "%"
)

// ParseTolerance reads the text form. Units other than noise and % are names of parameters, which Config.Validate checks.
func ParseTolerance(text string) (Tolerance, error) {
	var t Tolerance
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		number, unit := part, unitNoise
		if i := strings.IndexFunc(part, func(r rune) bool { return r == ' ' || r == '%' }); i > 0 {
			number, unit = part[:i], strings.TrimSpace(part[i:])
		}
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return Tolerance{}, fmt.Errorf("prefer: tolerance %q, want a positive number and a unit: \"0.67 noise\", \"5 %%\" or an amount of a parameter like \"1 sugar\"", part)
		}
		switch unit {
		case unitNoise:
			t.Noise = v
		case unitShare:
			t.Share = v / 100
		default:
			if t.Steps == nil {
				t.Steps = map[string]float64{}
			}
			t.Steps[unit] = v
		}
	}
	return t, nil
}

// IsZero reports whether nothing is stated.
func (t Tolerance) IsZero() bool { return t.Noise == 0 && t.Share == 0 && len(t.Steps) == 0 }

func (t Tolerance) clone() Tolerance {
	t.Steps = maps.Clone(t.Steps)
	return t
}

func (t Tolerance) String() string {
	var parts []string
	if t.Noise != 0 {
		parts = append(parts, fmt.Sprintf("%v %s", t.Noise, unitNoise))
	}
	if t.Share != 0 {
		parts = append(parts, fmt.Sprintf("%v %s", 100*t.Share, unitShare))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Steps)) {
		parts = append(parts, fmt.Sprintf("%v %s", t.Steps[name], name))
	}
	return strings.Join(parts, ", ")
}

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

// check reports a part that makes no sense in a space.
func (t Tolerance) check(code *coding.Coding) error {
	for _, part := range []struct {
		name  string
		value float64
	}{{"Noise", t.Noise}, {"Share", t.Share}} {
		if !(part.value >= 0) || math.IsInf(part.value, 1) {
			return fmt.Errorf("prefer: Config.Tolerance.%s = %g, want a positive number", part.name, part.value)
		}
	}
	if t.Share >= 1 {
		return fmt.Errorf("prefer: Config.Tolerance.Share = %g, want less than 1: a pick at random has 1", t.Share)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Steps)) {
		a := code.Axis(name)
		switch v := t.Steps[name]; {
		case a == nil || a.Feature:
			return fmt.Errorf("prefer: Config.Tolerance has the unit %q, which is no parameter of the study; want %s", name, enumerate(append([]string{unitNoise, unitShare}, code.Numbers()...), "or"))
		case a.Context:
			return fmt.Errorf("prefer: Config.Tolerance has %g %s, but %s is a context, which nobody chooses, want %s", v, name, name, enumerate(append([]string{unitNoise, unitShare}, code.Numbers()...), "or"))
		case !coding.IsNumber(a.Parameter):
			return fmt.Errorf("prefer: Config.Tolerance has %g %s, but %s has no amounts, want a parameter of numbers", v, name, name)
		case !(v > 0) || math.IsInf(v, 1):
			return fmt.Errorf("prefer: Config.Tolerance has %g %s, want a positive number", v, name)
		}
	}
	return nil
}

// tolerance returns the stated tolerance, or the default one.
func (c Config) tolerance() learn.Tolerance {
	if c.Tolerance.IsZero() {
		return learn.Tolerance(DefaultTolerance())
	}
	return learn.Tolerance(c.Tolerance)
}
