package learn

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/coding"
)

// Words of the text form that are no parameter.
const (
	unitNoise = "noise"
	unitShare = "%"
)

// ParseTolerance reads the text form, of which Check knows whether its units are parameters.
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

// String writes the text form.
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

// Check reports a part that makes no sense in a space.
func (t Tolerance) Check(code *coding.Coding) error {
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
			return fmt.Errorf("prefer: Config.Tolerance has the unit %q, which is not a parameter of the study; want %s", name, units(code))
		case a.Context:
			return fmt.Errorf("prefer: Config.Tolerance has %g %s, but %s is a context, which nobody chooses, want %s", v, name, name, units(code))
		case !coding.IsNumber(a.Parameter):
			return fmt.Errorf("prefer: Config.Tolerance has %g %s, but %s has no amounts, want a parameter of numbers", v, name, name)
		case !(v > 0) || math.IsInf(v, 1):
			return fmt.Errorf("prefer: Config.Tolerance has %g %s, want a positive number", v, name)
		}
	}
	return nil
}

// units lists what an amount may be of.
func units(code *coding.Coding) string {
	all := append([]string{unitNoise, unitShare}, code.Numbers()...)
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}
