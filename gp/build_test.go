package gp

import "fmt"

// How tests build duels, one at a time; studies fill in the fields of Duels.

// AddBy appends one duel answered by a rater. Duels added before without one count as rater 0's.
func (d *Duels) AddBy(a, b []float64, o Outcome, rater int) error {
	if err := checkRater(d.Len(), rater); err != nil {
		return err
	}
	if d.Rater != nil && len(d.Rater) != d.Len() {
		return fmt.Errorf("gp: Duels.Rater has %d entries for %d duels, want one each or nil", len(d.Rater), d.Len())
	}
	if err := d.Add(a, b, o); err != nil {
		return err
	}
	if d.Rater == nil {
		d.Rater = make([]int, d.Len())
	}
	d.Rater[d.Len()-1] = rater
	return nil
}

// AddAbove appends a rater's answer that x is above their level: they would take it.
func (d *Duels) AddAbove(x []float64, rater int) error { return d.addLevel(x, +1, rater) }

// AddBelow appends a rater's answer that x is below their level: they would not take it. "Both bad" says so of both options.
func (d *Duels) AddBelow(x []float64, rater int) error { return d.addLevel(x, -1, rater) }

func (d *Duels) addLevel(x []float64, o Outcome, rater int) error {
	if d.Level != nil && len(d.Level) != d.Len() {
		return fmt.Errorf("gp: Duels.Level has %d entries for %d duels, want one each or nil", len(d.Level), d.Len())
	}
	if err := d.AddBy(x, x, o, rater); err != nil {
		return err
	}
	if d.Level == nil {
		d.Level = make([]bool, d.Len())
	}
	d.Level[d.Len()-1] = true
	return nil
}

// AddSide appends one duel answered by a rater, with the side that option a was shown on: +1 first, −1 second, 0 if sides were not drawn at random.
func (d *Duels) AddSide(a, b []float64, o Outcome, rater int, side int8) error {
	if err := checkSide(d.Len(), side); err != nil {
		return err
	}
	if err := d.AddBy(a, b, o, rater); err != nil {
		return err
	}
	if d.Side == nil {
		d.Side = make([]int8, d.Len())
	}
	d.Side[d.Len()-1] = side
	return nil
}

// Level returns the level of a rater in the same draw: ℓ_r takes its place beside f in the formula of Function. It panics for a
// rater without level duels, whose level is independent of f: Posterior.Level tells its law.
func (f *Function) Level(rater int) float64 {
	l, ok := f.level[rater]
	if !ok {
		panic("gp: Function.Level: a rater without level duels")
	}
	return l
}
