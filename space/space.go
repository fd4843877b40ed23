package space

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// Items crossed with parameters are one space: forty prompts, each at any temperature, are options like {"item": "p17", "temperature": 0.4}. The item is
// the first axis, and its values are the points of the list (item.go): the coordinates of its features, or a name of its own without any. The search
// sees a part with as many levels as there are items, each a row of those coordinates.
//
// With names the model is, of an item i at the setting x,
//
//	f(i, x) = t(x) + g_i(x),   t the trend (package gp), g_i independent draws of Matérn-5/2 with common lengthscales:
//
// what the parameters do whatever the item is, which every answer teaches, and what is the item's alone, a level of its own and how it departs from the
// others. With long lengthscales g_i is a number, and f a sum of effects; with short ones every item has a best setting of its own. Features take
// the place of names, and the Matérn part is then a function of features and parameters together.

// maxCrossed is the number of items up to which they are crossed with parameters: a search tries each of them at a setting.
const maxCrossed = 1000

// Space is what a study searches: named parameters under constraints, a list of items, or a list crossed with parameters.
type Space struct {
	Parameters []Parameter `json:"params,omitempty"`

	// Constraints are expressions in the parameters that every option satisfies, like "brightness + 0.05*blur <= 2.2" or "shadow ? blur > 2 : true". A
	// parameter whose name is no identifier is $env["its name"].
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

// maxParameters: pairs of options are points of one Sobol sequence, which has 64 dimensions.
const maxParameters = 32

// Validate reports what is wrong with the space.
func (s Space) Validate() error {
	if len(s.Items) > 0 {
		if err := s.checkItems(); err != nil || len(s.Parameters) == 0 {
			return err
		}
		if err := s.checkCrossed(); err != nil {
			return err
		}
		return s.checkParameters()
	}
	switch given := s.Contexts(); {
	case s.Own:
		return fmt.Errorf("prefer: Space.Own = true beside parameters alone, want it with items")
	case len(s.Circular) > 0:
		return fmt.Errorf("prefer: Space.Circular = %v beside parameters alone, want it with items: a parameter has circular = true and a range", s.Circular)
	case len(s.Parameters) == 0:
		return fmt.Errorf("prefer: Space has no parameters and no items")
	case len(s.Parameters) > maxParameters:
		return fmt.Errorf("prefer: Space has %d parameters, at most %d are supported", len(s.Parameters), maxParameters)
	case len(given) == len(s.Parameters):
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
	if s.Own && len(s.described().Features) == 0 {
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

// Parse reads an option as a person types its values. Every parameter must be there, unless the option is partial: then those that are there are read.
func (s Space) Parse(values map[string]string, partial bool) (Option, error) {
	if len(s.Items) > 0 && !s.Crossed() {
		id, ok := values[itemParameter]
		if !ok || len(values) != 1 {
			return nil, refuse(itemParameter, values, "an option of a list is %q = the item's id, not %v", itemParameter, values)
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
			return nil, refuse(name, values[name], "option has %q, which is not a parameter of the study", name)
		}
		v, err := s.Parameters[i].parse(text)
		if err != nil {
			return nil, err
		}
		o[name] = v
	}
	if partial {
		return o, nil
	}
	if _, ok := o[itemParameter]; !ok && s.Crossed() {
		return nil, refuse(itemParameter, nil, "option has no %q, want the id of one of the %d items", itemParameter, len(s.Items))
	}
	for _, p := range s.Parameters {
		if _, ok := o[p.Name]; !ok {
			return nil, refuse(p.Name, nil, "option has no %q, want %s", p.Name, p.Allowed())
		}
	}
	return o, nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Contexts returns those parameters whose values the situation gives.
func (s Space) Contexts() []Parameter {
	return slices.DeleteFunc(slices.Clone(s.Parameters), func(p Parameter) bool { return !p.Context })
}

// Context returns the values that an option, or what is fixed, has of the contexts; nil if there is none.
func (s Space) Context(o Option) Option {
	var out Option
	for _, p := range s.Contexts() {
		if v, ok := o[p.Name]; ok {
			if out == nil {
				out = Option{}
			}
			out[p.Name] = p.Canonical(v)
		}
	}
	return out
}

// Crossed reports whether options are items with a setting of parameters.
func (s Space) Crossed() bool { return len(s.Items) > 0 && len(s.Parameters) > 0 }

func (s Space) checkCrossed() error {
	if n := len(s.Items); n > maxCrossed {
		return fmt.Errorf("prefer: Space has %d items beside %d parameters, at most %d can be crossed with parameters: leave some out, or search the list first", n, len(s.Parameters), maxCrossed)
	}
	if n := len(s.Parameters); n >= maxParameters {
		return fmt.Errorf("prefer: Space has %d parameters beside its items, at most %d are supported", n, maxParameters-1)
	}
	features := s.described().Features
	for _, p := range s.Parameters {
		if p.Name == itemParameter || p.Name == "text" {
			return fmt.Errorf("prefer: a parameter is called %q beside %d items, where that is what an option's item is called, want another name", p.Name, len(s.Items))
		}
		if _, both := features[p.Name]; both {
			return fmt.Errorf("prefer: %q is both a parameter and a feature of the items, want two names", p.Name)
		}
	}
	return nil
}

// refuse returns the error of a parameter with a value that makes no sense.
func refuse(name string, value any, format string, args ...any) error {
	return &errcode.Error{Code: "option", Field: name, Value: value, Detail: fmt.Sprintf(format, args...), Err: errcode.ErrInvalid}
}
