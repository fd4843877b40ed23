package prefer

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Option is one setting of every parameter, by name, in the user's units.
type Option map[string]Value

// Float returns the number a parameter is set to, or NaN if there is none.
func (o Option) Float(name string) float64 {
	if v, ok := o[name]; ok {
		return v.Float()
	}
	return math.NaN()
}

// String lists the settings in the order of their names: "milk 0.2, sugar 1.5".
func (o Option) String() string {
	parts := make([]string, 0, len(o))
	for _, name := range slices.Sorted(maps.Keys(o)) {
		parts = append(parts, name+" "+o[name].String())
	}
	return strings.Join(parts, ", ")
}

func (o Option) clone() Option { return maps.Clone(o) }
