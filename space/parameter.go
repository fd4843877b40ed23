package space

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Parameter is one coordinate of a Space. Both ends of a range are included; of a circle they are the same value, which is shown as Low.
type Parameter struct {
	Name string `json:"name"`

	// Type is "float" (also if empty), "int", "ordinal", "categorical" or "bool". Float, Circle, Int, Ordinal, Categorical and Switch make parameters of these types.
	Type string `json:"type"`

	// Low and High are the ends of a float or an int.
	Low  float64 `json:"low"`
	High float64 `json:"high"`

	// Log lays the range out in ratios instead of differences: 1 to 100 has its middle at 10. Low must be positive.
	Log bool `json:"log,omitempty"`

	// Step is the distance of neighbouring values of an int. Defaults to 1.
	Step float64 `json:"step,omitempty"`

	// Circular closes the range of a float or an int to a circle, as that of a hue, an angle or an hour of the day: High is Low
	// again, High − Low the period, and what is best may lie across that seam. The step of an int divides the period.
	Circular bool `json:"circular,omitempty"`

	// Choices are the values of an ordinal, in order, or of a categorical.
	Choices []Value `json:"choices,omitempty"`

	// Context says that the situation gives the value, as that of the noise around or the temperature outside: it is never recommended, and no question goes
	// across two of its values. Every ask and every look says which it is (Request.Fixed, Look.Fixed). The utility is learned across all of them.
	Context bool `json:"context,omitempty"`
}

const (
	typeFloat       = "float"
	typeInt         = "int"
	typeOrdinal     = "ordinal"
	typeCategorical = "categorical"
	typeBool        = "bool"
)

const (
	maxLevels  = 100_000 // values of an int
	maxChoices = 1000    // of an ordinal or a categorical
	maxWhole   = 1 << 53 // beyond, a float64 skips integers
)

// Float returns a real parameter.
func Float(name string, low, high float64) Parameter {
	return Parameter{Name: name, Type: typeFloat, Low: low, High: high}
}

// LogFloat returns a positive parameter searched in ratios.
func LogFloat(name string, low, high float64) Parameter {
	return Parameter{Name: name, Type: typeFloat, Low: low, High: high, Log: true}
}

// Circle returns a real parameter without ends: high is low again, as 360 degrees of a hue are 0.
func Circle(name string, low, high float64) Parameter {
	return Parameter{Name: name, Type: typeFloat, Low: low, High: high, Circular: true}
}

// Int returns a whole number from low to high, every one; set Step to leave some out.
func Int(name string, low, high int) Parameter {
	return Parameter{Name: name, Type: typeInt, Low: float64(low), High: float64(high), Step: 1}
}

// Ordinal returns a choice among values that have an order: sizes, grades, powers of two.
func Ordinal(name string, choices ...Value) Parameter {
	return Parameter{Name: name, Type: typeOrdinal, Choices: choices}
}

// Categorical returns a choice among words that have none: every choice is equally far from every other.
func Categorical(name string, choices ...string) Parameter {
	p := Parameter{Name: name, Type: typeCategorical}
	p.Choices = append(p.Choices, xslices.Map(choices, ValueOf)...)
	return p
}

// Switch returns a yes or no.
func Switch(name string) Parameter { return Parameter{Name: name, Type: typeBool} }

// MarshalJSON writes the fields that belong to the type.
func (p Parameter) MarshalJSON() ([]byte, error) {
	if p.Type != typeOrdinal && p.Type != typeCategorical && p.Type != typeBool {
		type plain Parameter
		return json.Marshal(plain(p))
	}
	fields := struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Choices *[]Value `json:"choices,omitempty"`
		Context bool     `json:"context,omitempty"`
	}{Name: p.Name, Type: p.Type, Context: p.Context}
	if p.Type != typeBool {
		fields.Choices = &p.Choices
	}
	return json.Marshal(fields)
}

func (p Parameter) validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("prefer: parameter %q "+format, append([]any{p.Name}, args...)...)
	}
	if p.Circular && p.kind() != typeFloat && p.kind() != typeInt {
		return bad("is %s and has circular = true, which only a float or an int has", p.kind())
	}
	if only, ok := p.only(); ok && p.Context {
		return bad("is a context with one value, %v, want at least 2: what is the same in every question is not a condition, leave it out", only)
	}
	switch p.Type {
	case "", typeFloat, typeInt:
		if len(p.Choices) > 0 {
			return bad("is %s and has choices, which only an ordinal or a categorical has", p.kind())
		}
		for _, f := range p.rangeFlaws() {
			if f.is {
				return bad(f.text, f.args...)
			}
		}
		return nil
	case typeOrdinal, typeCategorical:
		if p.Low != 0 || p.High != 0 || p.Log || p.Step != 0 {
			return bad("is %s and has a range, which only a float or an int has", p.kind())
		}
		if len(p.Choices) < 2 || len(p.Choices) > maxChoices {
			return bad("has %d choices, want 2 to %d", len(p.Choices), maxChoices)
		}
		for i, c := range p.Choices {
			if slices.Contains(p.Choices[:i], c) {
				return bad("has the choice %v twice", c)
			}
			if c.kind == number && !finite(c.num) {
				return bad("has the choice %v, want a finite number", c)
			}
		}
		return nil
	case typeBool:
		if p.Low != 0 || p.High != 0 || p.Log || p.Step != 0 || len(p.Choices) > 0 {
			return bad("is bool and has a range or choices, which a bool has not")
		}
		return nil
	}
	return bad("has type %q, want float, int, ordinal, categorical or bool", p.Type)
}

// only returns the value of a parameter that has no other; ok is false if it has.
func (p Parameter) only() (_ Value, ok bool) {
	switch p.kind() {
	case typeOrdinal, typeCategorical:
		if len(p.Choices) == 1 {
			return p.Choices[0], true
		}
	case typeFloat, typeInt:
		return ValueOf(p.Low), p.Low == p.High
	}
	return Value{}, false
}

// flaw is something that may be wrong with a parameter, and how an error says it.
type flaw struct {
	is   bool
	text string
	args []any
}

// rangeFlaws lists what may be wrong with the range of a float or an int, the gravest first.
func (p Parameter) rangeFlaws() []flaw {
	whole := func(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= maxWhole }
	isInt, ends, step, period := p.Type == typeInt, []any{p.Low, p.High}, p.step(), p.High-p.Low
	top := p.Low + math.Floor(period/step)*step
	return []flaw{
		{!finite(p.Low) || !finite(p.High), "has range [%g, %g], want finite ends", ends},
		{p.Low >= p.High && p.Circular, "is circular from %g to %g, a period of %g, want a positive one", []any{p.Low, p.High, period}},
		{p.Circular && p.Log, "has circular = true and log = true, want one of them: ratios have no circle", nil},
		{p.Low >= p.High, "has range [%g, %g], want low < high", ends},
		{p.Log && p.Low <= 0, "is on a log scale with low = %g, want low > 0", []any{p.Low}},
		{!finite(period) || p.Log && !finite(p.High/p.Low), "has range [%g, %g], which is wider than a float64", ends},
		{!isInt && p.Step != 0, "is float and has step = %g, which only an int has", []any{p.Step}},
		{isInt && (!whole(p.Low) || !whole(p.High)), "is int with range [%g, %g], want whole numbers", ends},
		{isInt && (!finite(p.Step) || p.Step < 0 || !whole(p.Step)), "has step = %g, want a positive whole number", []any{p.Step}},
		{isInt && p.Log && step != 1, "is on a log scale with step = %g, want step 1", []any{p.Step}},
		{isInt && p.Circular && math.Mod(period, step) != 0, "is circular with step = %g, which does not divide its period of %g", []any{step, period}},
		{isInt && p.Circular && period < 2*step, "is circular with step = %g, the whole period: it has one value, want at least 2", []any{step}},
		{isInt && math.Mod(period, step) != 0, "has range [%g, %g] with step %g, which does not reach %g: want high = %g or %g", []any{p.Low, p.High, step, p.High, top, top + step}},
		{isInt && period/step >= maxLevels, "has %g values, want at most %d: take a larger step or a float", []any{period/step + 1, maxLevels}},
	}
}

func (p Parameter) kind() string { return cmp.Or(p.Type, typeFloat) }

func (p Parameter) step() float64 { return cmp.Or(p.Step, 1) }

// Values returns all values of a parameter that is not real, in order; nil of one that is.
func (p Parameter) Values() []Value {
	switch p.kind() {
	case typeFloat:
		return nil
	case typeInt:
		n := int(math.Round((p.High - p.Low) / p.step()))
		if !p.Circular {
			n++
		}
		return xslices.Times(n, func(i int) Value { return ValueOf(p.Low + float64(i)*p.step()) })
	case typeBool:
		return []Value{ValueOf(false), ValueOf(true)}
	}
	return p.Choices
}

// Allowed says which values there are, for errors: "a number in [0, 5]".
func (p Parameter) Allowed() string {
	switch kind := p.kind(); {
	case p.Circular && kind == typeInt:
		return fmt.Sprintf("%g, %g, … up to %g, or %g, which is %g again", p.Low, p.Low+p.step(), p.High-p.step(), p.High, p.Low)
	case p.Circular:
		return fmt.Sprintf("a number from %g to %g, which is %g again", p.Low, p.High, p.Low)
	case kind == typeFloat:
		return fmt.Sprintf("a number in [%g, %g]", p.Low, p.High)
	case kind == typeInt && p.step() == 1:
		return fmt.Sprintf("a whole number from %g to %g", p.Low, p.High)
	case kind == typeInt:
		return fmt.Sprintf("%g, %g, … up to %g", p.Low, p.Low+p.step(), p.High)
	case kind == typeBool:
		return "true or false"
	}
	words := make([]string, 0, len(p.Choices))
	for i, c := range p.Choices {
		if i == 12 && len(p.Choices) > 13 {
			words = append(words, fmt.Sprintf("… (%d choices)", len(p.Choices)))
			break
		}
		words = append(words, c.String())
	}
	return "one of " + strings.Join(words, ", ")
}

func (p Parameter) parse(text string) (Value, error) {
	fail := refuse(p.Name, text, "%q = %q, want %s", p.Name, text, p.Allowed())
	switch p.kind() {
	case typeFloat, typeInt:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || p.check(ValueOf(x)) != nil {
			return Value{}, fail
		}
		return p.Canonical(ValueOf(x)), nil
	case typeBool:
		switch strings.ToLower(text) {
		case "true", "yes", "on", "1":
			return ValueOf(true), nil
		case "false", "no", "off", "0":
			return ValueOf(false), nil
		}
		return Value{}, fail
	}
	for _, c := range p.Choices {
		if c.String() == text {
			return c, nil
		}
	}
	return Value{}, fail
}

// Canonical returns the value by which the others that are the same are known: the end of a circle is its beginning.
func (p Parameter) Canonical(v Value) Value {
	if p.Circular && v == ValueOf(p.High) {
		return ValueOf(p.Low)
	}
	return v
}

// check reports a value the parameter does not have.
func (p Parameter) check(v Value) error {
	ok := false
	switch x := v.Float(); p.kind() {
	case typeFloat:
		ok = x >= p.Low && x <= p.High
	case typeInt:
		ok = x >= p.Low && x <= p.High && math.Mod(x-p.Low, p.step()) == 0
	case typeBool:
		ok = v.kind == boolean
	default:
		ok = slices.Contains(p.Choices, v)
	}
	if !ok {
		return refuse(p.Name, v, "option has %q = %v, want %s", p.Name, v, p.Allowed())
	}
	return nil
}
