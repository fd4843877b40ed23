package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer"
)

// distribution is where Optuna draws a parameter from.
type distribution struct {
	kind      string // "float", "int" or "categorical"
	low, high float64
	step      float64 // 0 for none
	log       bool
	choices   []prefer.Value
}

// readDistribution reads Optuna's JSON of a distribution, the names before version 3 included.
func readDistribution(text string) (distribution, error) {
	var in struct {
		Name       string `json:"name"`
		Attributes struct {
			Low     *float64          `json:"low"`
			High    *float64          `json:"high"`
			Step    float64           `json:"step"`
			Q       float64           `json:"q"`
			Log     bool              `json:"log"`
			Choices []json.RawMessage `json:"choices"`
		} `json:"attributes"`
	}
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return distribution{}, fmt.Errorf("distribution %s: %w", excerpt(text), explain(err))
	}
	at := in.Attributes
	d := distribution{step: at.Step, log: at.Log}
	switch in.Name {
	case "FloatDistribution", "UniformDistribution":
		d.kind = "float"
	case "LogUniformDistribution":
		d.kind, d.log = "float", true
	case "DiscreteUniformDistribution":
		d.kind, d.step = "float", at.Q
	case "IntDistribution", "IntUniformDistribution":
		d.kind = "int"
	case "IntLogUniformDistribution":
		d.kind, d.log = "int", true
	case "CategoricalDistribution":
		return readChoices(at.Choices)
	default:
		return distribution{}, fmt.Errorf("distribution %s is none of Optuna's", excerpt(text))
	}
	if at.Low == nil || at.High == nil || !(*at.Low <= *at.High) || !(d.step >= 0) {
		return distribution{}, fmt.Errorf("distribution %s has no range", excerpt(text))
	}
	d.low, d.high = *at.Low, *at.High
	return d, nil
}

func readChoices(raw []json.RawMessage) (distribution, error) {
	d := distribution{kind: "categorical"}
	for _, r := range raw {
		var v prefer.Value
		if err := json.Unmarshal(r, &v); err != nil || string(r) == "null" {
			return d, fmt.Errorf("choice %s is no number, word or true/false", excerpt(string(r)))
		}
		d.choices = append(d.choices, v)
	}
	if len(d.choices) == 0 {
		return d, errors.New("a categorical distribution has no choices")
	}
	return d, nil
}

// value returns what Optuna's stored number stands for: itself, or the number of a choice.
func (d distribution) value(x float64) (prefer.Value, error) {
	if d.kind != "categorical" {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return prefer.Value{}, fmt.Errorf("value %g is not finite", x)
		}
		return prefer.ValueOf(x), nil
	}
	if !(x >= 0 && x < float64(len(d.choices))) || x != math.Floor(x) {
		return prefer.Value{}, fmt.Errorf("value %g names none of %d choices", x, len(d.choices))
	}
	return d.choices[int(x)], nil
}

// merge widens d to hold what e holds, as Optuna lets ranges change from trial to trial. Different steps are
// given up; another kind is an error.
func (d distribution) merge(e distribution) (distribution, error) {
	if d.kind != e.kind || d.log != e.log || len(d.choices) != len(e.choices) {
		return d, fmt.Errorf("it is a %s here and a %s there, or has other choices or another scale", d.kind, e.kind)
	}
	for i, c := range d.choices {
		if c != e.choices[i] {
			return d, fmt.Errorf("its choice %d is %v here and %v there", i+1, c, e.choices[i])
		}
	}
	if d.step != e.step || d.low != e.low {
		d.step = 0
	}
	d.low, d.high = min(d.low, e.low), max(d.high, e.high)
	return d, nil
}

// maxSteps is how many steps of a real parameter make an ordinal one; beyond, it is as good as continuous.
const maxSteps = 64

// parameter suggests what d is in a Space. A real range with a step is an ordinal of its values, if they are
// few; all values that occur must be among them, up to rounding.
func (d distribution) parameter(name string, occur []float64) (p prefer.Parameter, note string) {
	p = prefer.Parameter{Name: name, Type: prefer.ParameterType(d.kind), Choices: d.choices}
	if d.kind == "categorical" {
		if len(d.choices) == 2 && kindOf(d.choices[0]) == "true/false" && kindOf(d.choices[1]) == "true/false" {
			p.Type, p.Choices = "bool", nil
		}
		return p, ""
	}
	p.Low, p.High, p.Log = d.low, d.high, d.log
	for _, x := range occur {
		if x < p.Low || x > p.High {
			note = fmt.Sprintf("%s is %g in a trial, outside of its range [%g, %g]: the range was widened", name, x, d.low, d.high)
			p.Low, p.High, d.step = min(p.Low, x), max(p.High, x), 0
		}
	}
	switch steps := (d.high - d.low) / d.step; {
	case d.kind == "int" && d.step > 1:
		p.Step = d.step
	case d.kind == "int" || d.step == 0:
	case steps > maxSteps:
		note = fmt.Sprintf("%s has steps of %g in Optuna: it is continuous here", name, d.step)
	default:
		for _, x := range occur {
			if d.snap(x) != x && math.Abs(d.snap(x)-x) > 1e-6*d.step {
				return p, fmt.Sprintf("%s is %g in a trial, off its steps of %g: it is continuous here", name, x, d.step)
			}
		}
		p.Type, p.Low, p.High, p.Log = "ordinal", 0, 0, false
		for k := 0.0; k <= math.Floor(steps+1e-6); k++ {
			p.Choices = append(p.Choices, prefer.ValueOf(d.low+k*d.step))
		}
	}
	return p, note
}

// snap returns the step nearest to x.
func (d distribution) snap(x float64) float64 { return d.low + math.Round((x-d.low)/d.step)*d.step }
