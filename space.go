package prefer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// Space is what a study searches: named parameters under constraints, a list of items, or a list crossed with parameters (cross.go).
type Space struct {
	Parameters []Parameter `json:"params,omitempty"`

	// Constraints are expressions in the parameters that every option satisfies, like
	// "brightness + 0.05*blur <= 2.2" or "shadow ? blur > 2 : true". A parameter whose name is no
	// identifier is $env["its name"].
	Constraints []string `json:"constraints,omitempty"`

	// Items is the list to choose from. Beside Parameters an option is an item with a setting of each, as a prompt at a temperature.
	Items []Item `json:"items,omitempty"`

	// Circular has the periods of those features of items that are circles, like {"hue": 360}: values that differ by a
	// period are the same. A parameter says so itself (Parameter.Circular).
	Circular map[string]float64 `json:"circular,omitempty"`

	// Own says that items have something of their own beside their features, so that one may be liked for what no feature sees: the utility is
	// the sum of effects of the features and one number per item. Without it items with alike features are alike.
	Own bool `json:"own,omitempty"`
}

// Box returns the space of the given parameters.
func Box(parameters ...Parameter) Space { return Space{Parameters: parameters} }

// dimension returns the number of parameters and of the items' features; items without features count as 1.
func dimension(s Space) int {
	d := len(s.Parameters)
	if len(s.Items) > 0 {
		d += max(1, len(s.Features()))
	}
	return d
}

// continuousCount returns the number of real parameters that have ends and are searched.
func continuousCount(s Space) int {
	n := 0
	for _, p := range s.Parameters {
		if continuous(p) && !p.Circular && !p.Context {
			n++
		}
	}
	return n
}

// maxParameters: pairs of options are points of one Sobol sequence, which has 64 dimensions.
const maxParameters = 32

// newCoding returns the coordinates of a space, or the first thing about it that makes no sense.
func newCoding(s Space) (*coding, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	code, err := layOut(s)
	if err != nil {
		return nil, err
	}
	if len(s.Constraints) > 0 && code.costly == nil {
		err = code.feasible()
	}
	return code, err
}

func (s Space) check() error {
	if len(s.Items) > 0 {
		if err := s.checkItems(); err != nil || len(s.Parameters) == 0 {
			return err
		}
		if err := s.checkCrossed(); err != nil {
			return err
		}
		return s.checkParameters()
	}
	if s.Own {
		return fmt.Errorf("prefer: Space.Own = true beside parameters alone, want it with items")
	}
	if len(s.Circular) > 0 {
		return fmt.Errorf("prefer: Space.Circular = %v beside parameters alone, want it with items: a parameter has circular = true and a range", s.Circular)
	}
	if len(s.Parameters) == 0 {
		return fmt.Errorf("prefer: Space has no parameters and no items")
	}
	if len(s.Parameters) > maxParameters {
		return fmt.Errorf("prefer: Space has %d parameters, at most %d are supported", len(s.Parameters), maxParameters)
	}
	if given := s.Contexts(); len(given) == len(s.Parameters) {
		return fmt.Errorf("prefer: Space has contexts only, as %q, which are given and never recommended: want a parameter to search", given[0].Name)
	}
	return s.checkParameters()
}

func (s Space) checkItems() error {
	if len(s.Parameters) == 0 && len(s.Constraints) > 0 {
		return fmt.Errorf("prefer: Space has %d items and %d constraints, which are about parameters, and no parameters: leave items out in place of forbidding them", len(s.Items), len(s.Constraints))
	}
	if err := validateItems(s.Items, s.Own); err != nil {
		return err
	}
	if s.Own && len(s.Features()) == 0 {
		return fmt.Errorf("prefer: Space.Own = true and the items have no features, want false: without features all that an item has is its own")
	}
	return s.validateCircular()
}

func (s Space) checkParameters() error {
	seen := map[string]bool{}
	for i, p := range s.Parameters {
		switch {
		case p.Name == "":
			return fmt.Errorf("prefer: parameter %d has no name", i)
		case seen[p.Name]:
			return fmt.Errorf("prefer: two parameters are called %q", p.Name)
		}
		if err := p.validate(); err != nil {
			return err
		}
		seen[p.Name] = true
	}
	return nil
}

// feasibleTries is the number of quasi-random options among which one must satisfy the constraints.
const feasibleTries = 1 << 14

// feasible reports constraints that nothing seems to satisfy, or that cannot be computed.
func (c *coding) feasible() error {
	seq := sobol.Scrambled(len(c.axes), 1)
	u := make([]float64, len(c.axes))
	x := make([]float64, c.dim)
	for i := range feasibleTries {
		seq.At(uint64(i), u)
		c.spread(x, u)
		if unmet, err := c.unmetAt(x); unmet == "" || err != nil {
			return err
		}
	}
	var all []string
	for _, k := range c.constraints[:min(3, len(c.constraints))] {
		all = append(all, quoted(k.text))
	}
	if more := len(c.constraints) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return fmt.Errorf("prefer: none of %d random options satisfies the constraints %s: they allow nothing, or too little to be found by chance; "+
		"an equality is not met by chance: leave one of its parameters out, and work it out from the others", feasibleTries, strings.Join(all, " and "))
}

// Parse reads an option as a person types its values. Every parameter must be there.
func (s Space) Parse(values map[string]string) (Option, error) {
	o, err := s.ParseSome(values)
	if err != nil {
		return nil, err
	}
	if _, ok := o[itemParameter]; !ok && s.Crossed() {
		return nil, fmt.Errorf("prefer: option has no %q, want the id of one of the %d items: %w", itemParameter, len(s.Items), ErrOption)
	}
	for _, p := range s.Parameters {
		if _, ok := o[p.Name]; !ok {
			return nil, fmt.Errorf("prefer: option has no %q, want %s: %w", p.Name, p.allowed(), ErrOption)
		}
	}
	return o, nil
}

// ParseSome reads those values of an option that are there, as a person types them.
func (s Space) ParseSome(values map[string]string) (Option, error) {
	if len(s.Items) > 0 && !s.Crossed() {
		id, ok := values[itemParameter]
		if !ok || len(values) != 1 {
			return nil, fmt.Errorf("prefer: an option of a list is %q = the item's id, not %v: %w", itemParameter, values, ErrOption)
		}
		return ItemOption(id), nil
	}
	o := Option{}
	for name, text := range values {
		if name == itemParameter && s.Crossed() {
			o[name] = ValueOf(text)
			continue
		}
		i := slices.IndexFunc(s.Parameters, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("prefer: option has %q, which is no parameter of the study: %w", name, ErrOption)
		}
		v, err := s.Parameters[i].parse(text)
		if err != nil {
			return nil, err
		}
		o[name] = v
	}
	return o, nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
