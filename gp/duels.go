package gp

import (
	"fmt"
	"math"
)

// Duels are the answers the utility is learned from, pairs or about one option, points row by row in the unit cube.
type Duels struct {
	Dim     int
	A, B    []float64 // n × Dim each: the first and the second option of each question
	Outcome []Outcome // n
	Rater   []int     // n, who answered, numbered from 0; nil for one rater

	// Level marks the level duels, of option A with the level of the rater (level.go): +1 is above it, −1 below. B repeats A
	// there and says nothing. n, or nil for none.
	Level []bool

	// Side says which option was shown first (position.go): +1 A, −1 B, 0 if it is not known that sides were drawn at random. n, or nil for none.
	Side []int8
}

// Len returns the number of duels.
func (d *Duels) Len() int { return len(d.Outcome) }

// maxCoordinate is far outside the unit cube that the priors are made for and small enough for every squared distance to be finite.
const maxCoordinate = 1e6

// Add appends one duel. It returns an error, and changes nothing, if a point has the wrong number
// of coordinates or one that is not a number of reasonable size. Where duels have raters it is rater 0's.
func (d *Duels) Add(a, b []float64, o Outcome) error {
	if err := checkPoint(d.Len(), "a", a, d.Dim); err != nil {
		return err
	}
	if err := checkPoint(d.Len(), "b", b, d.Dim); err != nil {
		return err
	}
	d.A = append(d.A, a...)
	d.B = append(d.B, b...)
	d.Outcome = append(d.Outcome, o)
	if d.Rater != nil {
		d.Rater = append(d.Rater, 0)
	}
	if d.Level != nil {
		d.Level = append(d.Level, false)
	}
	if d.Side != nil {
		d.Side = append(d.Side, 0)
	}
	return nil
}

// levels returns the numbers of the level duels; nil where there are none.
func (d *Duels) levels() []int {
	var at []int
	for i, l := range d.Level {
		if l {
			at = append(at, i)
		}
	}
	return at
}

// against reports whether duel i is against a level.
func (d *Duels) against(i int) bool { return d.Level != nil && d.Level[i] }

// validate checks shapes, coordinates and that every outcome is on offer.
func (d *Duels) validate(offer Answers) error {
	if d.Dim < 1 {
		return fmt.Errorf("gp: Duels.Dim = %d, want at least 1", d.Dim)
	}
	n := d.Len()
	if len(d.A) != n*d.Dim || len(d.B) != n*d.Dim {
		return fmt.Errorf("gp: %d duels in %d dimensions need %d coordinates on each side, have %d and %d",
			n, d.Dim, n*d.Dim, len(d.A), len(d.B))
	}
	if d.Rater != nil && len(d.Rater) != n {
		return fmt.Errorf("gp: Duels.Rater has %d entries for %d duels, want one each or nil", len(d.Rater), n)
	}
	if d.Level != nil && len(d.Level) != n {
		return fmt.Errorf("gp: Duels.Level has %d entries for %d duels, want one each or nil", len(d.Level), n)
	}
	if err := d.validateSides(); err != nil {
		return err
	}
	for i, r := range d.Rater {
		if err := checkRater(i, r); err != nil {
			return err
		}
	}
	for i, o := range d.Outcome {
		if d.against(i) && o != 1 && o != -1 {
			return fmt.Errorf("gp: duel %d: outcome %d against a level, want 1 (above) or -1 (below)", i, o)
		}
		if !offer.Has(o) {
			return fmt.Errorf("gp: duel %d: outcome %d is not on offer (ties %t, grades %d)", i, o, offer.Ties, offer.Grades)
		}
		if err := checkPoint(i, "a", d.A[i*d.Dim:(i+1)*d.Dim], d.Dim); err != nil {
			return err
		}
		if err := checkPoint(i, "b", d.B[i*d.Dim:(i+1)*d.Dim], d.Dim); err != nil {
			return err
		}
	}
	return nil
}

func checkPoint(duel int, side string, x []float64, dim int) error {
	if len(x) != dim {
		return fmt.Errorf("gp: duel %d: option %s has %d coordinates, want %d", duel, side, len(x), dim)
	}
	for j, v := range x {
		if !(math.Abs(v) <= maxCoordinate) {
			return fmt.Errorf("gp: duel %d: option %s[%d] = %g, want a coordinate of the unit cube (at most %g in size)", duel, side, j, v, float64(maxCoordinate))
		}
	}
	return nil
}
