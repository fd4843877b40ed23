package research

import (
	"fmt"
	"math"
)

// values answer a call.
type values struct {
	head
	Value    *Array `json:"value"`    // n
	Gradient *Array `json:"gradient"` // n×2d, if it was wanted
	Error    string `json:"error"`
}

// caller is the acquisition of whoever sent request id. Until it has its values the session serves on: to compute them, one may ask for
// the posterior, or for a search within the search.
func (s *session) caller(id uint64, m *model) batch {
	d := m.box.dim()
	return func(rows, value, grad []float64) error {
		pairs := matrix(m.box.out(append([]float64(nil), rows...)), 2*d)
		if err := s.write(reply{"id": id, "evaluate": "pairs", "pairs": pairs, "gradient": grad != nil}); err != nil {
			return err
		}
		v, raw, err := s.awaitValues(id)
		if err != nil {
			return err
		}
		if v.Error != "" {
			return wrong("", "the acquisition failed: %s", v.Error)
		}
		if err := v.Value.returned(raw, "value", value, len(value)); err != nil {
			return err
		}
		if grad == nil {
			return nil
		}
		if err := v.Gradient.returned(raw, "gradient", grad, len(value), 2*d); err != nil {
			return err
		}
		m.box.back(grad)
		return nil
	}
}

// awaitValues serves other requests until the values of request id come.
func (s *session) awaitValues(id uint64) (v values, raw []byte, err error) {
	for f := range s.frames {
		if f.Op == "" && f.ID == id {
			return v, f.raw, f.decode(&v)
		}
		if err := s.handle(f); err != nil {
			return v, nil, err
		}
	}
	return v, nil, fmt.Errorf("research: the input ended before the values of request %d came", id)
}

// returned copies an array of that shape that an acquisition returned. A value of −∞ is as good as none, and stays; a gradient there does not count.
func (a *Array) returned(raw []byte, name string, to []float64, shape ...int) error {
	if a == nil {
		return wrong(name, "the acquisition returned no %s, want %v numbers", name, shape)
	}
	if fmt.Sprint(a.Shape) != fmt.Sprint(shape) {
		return wrong(name, "the acquisition returned %ss of shape %v, want %v", name, a.Shape, shape)
	}
	if err := a.take(name, raw); err != nil {
		return err
	}
	for i, v := range a.Data {
		if math.IsNaN(v) || math.IsInf(v, 1) || name == "gradient" && math.IsInf(v, -1) {
			return wrong(name, "the acquisition returned %s[%d] = %g, want a number", name, i, v)
		}
	}
	copy(to, a.Data)
	return nil
}
