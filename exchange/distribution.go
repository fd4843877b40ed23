package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// distribution is where Optuna draws a parameter from: a range with a step, 0 for none, or choices. Optuna's names of these are ours.
type distribution space.Parameter

var distributionTypes = map[string]string{
	"FloatDistribution": "float", "IntDistribution": "int", "CategoricalDistribution": "categorical",
}

func readDistribution(text string) (distribution, error) {
	var in struct {
		Name       string       `json:"name"`
		Attributes distribution `json:"attributes"`
	}
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return distribution{}, fmt.Errorf("distribution %s: %w", strictjson.Excerpt(text), strictjson.Explain(err))
	}
	d := in.Attributes
	d.Type = distributionTypes[in.Name]
	switch {
	case d.Type == "":
		return d, fmt.Errorf("distribution %s is not one of Optuna's", strictjson.Excerpt(text))
	case d.Type == "categorical" && len(d.Choices) == 0:
		return d, errors.New("a categorical distribution has no choices")
	case !(d.Low <= d.High) || !(d.Step >= 0):
		return d, fmt.Errorf("distribution %s has no range", strictjson.Excerpt(text))
	case d.Type != "categorical":
		d.Choices = nil
	}
	return d, nil
}

// value returns what Optuna's stored number stands for: itself, or the number of a choice.
func (d distribution) value(x float64) (space.Value, error) {
	if d.Type != "categorical" {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return space.Value{}, fmt.Errorf("value %g is not finite", x)
		}
		return space.ValueOf(x), nil
	}
	if !(x >= 0 && x < float64(len(d.Choices))) || x != math.Floor(x) {
		return space.Value{}, fmt.Errorf("value %g names none of %d choices", x, len(d.Choices))
	}
	return d.Choices[int(x)], nil
}

// merge widens d to hold what e holds, as Optuna lets ranges change from trial to trial. Different steps are given up; another kind is an error.
func (d distribution) merge(e distribution) (distribution, error) {
	if d.Type != e.Type || d.Log != e.Log || len(d.Choices) != len(e.Choices) {
		return d, fmt.Errorf("it is a %s here and a %s there, or has other choices or another scale", d.Type, e.Type)
	}
	for i, c := range d.Choices {
		if c != e.Choices[i] {
			return d, fmt.Errorf("its choice %d is %v here and %v there", i+1, c, e.Choices[i])
		}
	}
	if d.Step != e.Step || d.Low != e.Low {
		d.Step = 0
	}
	d.Low, d.High = min(d.Low, e.Low), max(d.High, e.High)
	return d, nil
}

// maxSteps is how many steps of a real parameter make an ordinal one; beyond, it is as good as continuous.
const maxSteps = 64

// parameter suggests what d is in a Space. A real range with a step is an ordinal of its values, if they are
// few; all values that occur must be among them, up to rounding.
func (d distribution) parameter(name string, occur []float64) (p space.Parameter, note string) {
	p = space.Parameter(d)
	p.Name, p.Step = name, 0
	if d.Type == "categorical" {
		if len(d.Choices) == 2 && kindOf(d.Choices[0]) == "true/false" && kindOf(d.Choices[1]) == "true/false" {
			p.Type, p.Choices = "bool", nil
		}
		return p, ""
	}
	for _, x := range occur {
		if x < p.Low || x > p.High {
			note = fmt.Sprintf("%s is %g in a trial, outside of its range [%g, %g]: the range was widened", name, x, d.Low, d.High)
			p.Low, p.High, d.Step = min(p.Low, x), max(p.High, x), 0
		}
	}
	switch steps := (d.High - d.Low) / d.Step; {
	case d.Type == "int" && d.Step > 1:
		p.Step = d.Step
	case d.Type == "int" || d.Step == 0:
	case steps > maxSteps:
		note = fmt.Sprintf("%s has steps of %g in Optuna: it is continuous here", name, d.Step)
	default:
		for _, x := range occur {
			if d.snap(x) != x && math.Abs(d.snap(x)-x) > 1e-6*d.Step {
				return p, fmt.Sprintf("%s is %g in a trial, off its steps of %g: it is continuous here", name, x, d.Step)
			}
		}
		p.Type, p.Low, p.High, p.Log = "ordinal", 0, 0, false
		for k := 0.0; k <= math.Floor(steps+1e-6); k++ {
			p.Choices = append(p.Choices, space.ValueOf(d.Low+k*d.Step))
		}
	}
	return p, note
}

func (d distribution) snap(x float64) float64 { return d.Low + math.Round((x-d.Low)/d.Step)*d.Step }
