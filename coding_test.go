package prefer

// unit and option are the coding of a space, for tests that need one or two points.

func (s Space) unit(o Option) ([]float64, error) {
	c, err := newCoding(s)
	if err != nil {
		return nil, err
	}
	return c.unit(o)
}

func (s Space) option(x []float64) Option {
	c, err := newCoding(s)
	if err != nil {
		panic(err)
	}
	return c.option(x)
}
