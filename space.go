package prefer

import (
	"fmt"
	"math"
)

// Space is the box of parameters a study searches. Both ends of every range are included.
type Space struct {
	Parameters []Parameter `json:"params,omitempty"`

	// Constraints are expressions in the parameters that every option satisfies, like
	// "brightness + 0.05*blur <= 2.2".
	Constraints []string `json:"constraints,omitempty"`

	// Items is the list to choose from, in place of Parameters and Constraints.
	Items []Item `json:"items,omitempty"`
}

// Parameter is one coordinate of a Space.
type Parameter struct {
	Name string  `json:"name"`
	Type string  `json:"type"` // "float"; the empty string means the same
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`

	// Log lays the range out in ratios instead of differences: 1 to 100 has its middle at 10. Low
	// must be positive.
	Log bool `json:"log,omitempty"`

	// Step is the distance of neighbouring values of an "int". Defaults to 1.
	Step float64 `json:"step,omitempty"`

	// Choices are the values of an "ordinal", in order, or of a "categorical".
	Choices []Value `json:"choices,omitempty"`
}

// Float returns a real parameter.
func Float(name string, low, high float64) Parameter {
	return Parameter{Name: name, Type: "float", Low: low, High: high}
}

// LogFloat returns a positive parameter searched in ratios.
func LogFloat(name string, low, high float64) Parameter {
	return Parameter{Name: name, Type: "float", Low: low, High: high, Log: true}
}

// Box returns the space of the given parameters.
func Box(parameters ...Parameter) Space { return Space{Parameters: parameters} }

// Dim returns the number of parameters.
func (s Space) Dim() int { return len(s.Parameters) }

// Validate reports the first parameter that makes no sense.
func (s Space) Validate() error {
	if len(s.Parameters) == 0 {
		return fmt.Errorf("prefer: Space has no parameters")
	}
	if len(s.Parameters) > maxParameters {
		return fmt.Errorf("prefer: Space has %d parameters, at most %d are supported", len(s.Parameters), maxParameters)
	}
	seen := map[string]bool{}
	for i, p := range s.Parameters {
		switch {
		case p.Name == "":
			return fmt.Errorf("prefer: parameter %d has no name", i)
		case seen[p.Name]:
			return fmt.Errorf("prefer: two parameters are called %q", p.Name)
		case p.Type != "" && p.Type != "float":
			return fmt.Errorf("prefer: parameter %q has type %q, want \"float\"", p.Name, p.Type)
		case !finite(p.Low) || !finite(p.High):
			return fmt.Errorf("prefer: parameter %q has range [%g, %g], want finite ends", p.Name, p.Low, p.High)
		case p.Low >= p.High:
			return fmt.Errorf("prefer: parameter %q has range [%g, %g], want low < high", p.Name, p.Low, p.High)
		case p.Log && p.Low <= 0:
			return fmt.Errorf("prefer: parameter %q is on a log scale with low = %g, want low > 0", p.Name, p.Low)
		case !finite(p.High-p.Low) || p.Log && !finite(p.High/p.Low):
			return fmt.Errorf("prefer: parameter %q has range [%g, %g], which is wider than a float64", p.Name, p.Low, p.High)
		}
		seen[p.Name] = true
	}
	return nil
}

// maxParameters: pairs of options are points of one Sobol sequence, which has 64 dimensions.
const maxParameters = 32

// The two functions below are the one place where user units and the unit cube of the model meet.

// unit returns the point of the unit cube that o stands for.
func (s Space) unit(o Option) ([]float64, error) {
	u := make([]float64, len(s.Parameters))
	for i, p := range s.Parameters {
		v, ok := o[p.Name]
		if !ok {
			return nil, fmt.Errorf("prefer: option has no %q: %w", p.Name, ErrOption)
		}
		x := v.Float()
		if !(x >= p.Low && x <= p.High) {
			return nil, fmt.Errorf("prefer: option has %q = %v outside [%g, %g]: %w", p.Name, v, p.Low, p.High, ErrOption)
		}
		if p.Log {
			u[i] = math.Log(x/p.Low) / math.Log(p.High/p.Low)
		} else {
			u[i] = (x - p.Low) / (p.High - p.Low)
		}
		u[i] = min(u[i], 1) // (high−low)/(high−low) can round to 1+ε on a log scale
	}
	if len(o) > len(s.Parameters) {
		for name := range o {
			if !s.has(name) {
				return nil, fmt.Errorf("prefer: option has %q, which is no parameter of the study: %w", name, ErrOption)
			}
		}
	}
	return u, nil
}

// option returns the setting at a point of the unit cube. 0 and 1 are the ends exactly.
func (s Space) option(u []float64) Option {
	o := make(Option, len(u))
	for i, p := range s.Parameters {
		var x float64
		switch {
		case u[i] <= 0:
			x = p.Low
		case u[i] >= 1:
			x = p.High
		case p.Log:
			x = p.Low * math.Pow(p.High/p.Low, u[i])
		default:
			x = p.Low + u[i]*(p.High-p.Low)
		}
		o[p.Name] = Number(min(max(x, p.Low), p.High))
	}
	return o
}

func (s Space) has(name string) bool {
	for _, p := range s.Parameters {
		if p.Name == name {
			return true
		}
	}
	return false
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
