package prefer

import (
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// unitOf and optionOf are the coding of a space, for tests that need one or two points.

func unitOf(s space.Space, o space.Option) ([]float64, error) {
	c, err := coding.New(s)
	if err != nil {
		return nil, err
	}
	return c.Unit(o)
}

func optionOf(s space.Space, x []float64) space.Option {
	c, err := coding.New(s)
	if err != nil {
		panic(err)
	}
	return c.Option(x)
}
