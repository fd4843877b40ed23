package acquisition

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// Task is what a method may know when it chooses a question.
type Task struct {
	Posterior *gp.Posterior

	// Mixture, if not nil, is believed in place of Posterior, which may then be nil: the utility with its hyper-parameters in doubt. Only "kg" knows how.
	Mixture *gp.Mixture

	// Duels, if not nil, are the answers that the posterior has learned from, for methods that have a model of their own.
	Duels *gp.Duels

	// Shown are the options of earlier questions, row by row in the unit cube. They are good places to start a search from; none is fine.
	Shown []float64

	// Previous is the best option found last time, or nil: a warm start.
	Previous []float64

	// Seed fixes every random choice of this search.
	Seed uint64

	// Sequence is the seed of what runs through a whole study, like the pairs of "random", and Count,
	// the number of questions before this one, the place in it.
	Sequence uint64
	Count    int

	// Noise is the look-ahead's σ. Defaults to the posterior's.
	Noise float64

	// Rater is the noise of the rater who will answer, relative to Noise: the look-ahead's σ is their
	// product. The cuts between outcomes stay in units of the posterior's noise. Defaults to 1.
	Rater float64

	// Domain is the set of options. Nil is the unit cube.
	Domain *Domain

	// Lower and Upper bound the continuous coordinates of the two options of the question; levels and
	// rows of a list are never out of bounds, and a circle has no ends: equal bounds hold it, others say nothing. Default to the unit cube; fantasy points and the best
	// option are always free in the whole domain.
	Lower, Upper []float64

	// Allowed, if not nil, reports whether an option may be in the question; fantasy points and the best option are free. Pure, and safe for concurrent use.
	Allowed func(x []float64) bool

	// Hold, if not nil, is one side of the question, A, as it is, whatever Lower, Upper and Allowed say; only the other side is searched.
	Hold []float64

	// Accept, if not nil, reports whether a pair may be asked. The best acceptable pair found is
	// chosen; if no pair found is acceptable the best one is returned as it is.
	Accept func(a, b []float64) bool

	// Avoid, if not nil, reports whether a pair is better not asked, as one that is nearly the same as an answered one. The knowledge gradient asks
	// such a pair only if no other that was found gains a tenth as much; other methods treat it as not acceptable.
	Avoid func(a, b []float64) bool

	// Search says how hard to look.
	Search Search
}

// Search is the effort of a search. The zero value is sized by the dimension.
type Search struct {
	// Candidates is the number of quasi-random points among the candidates whose pairs are ranked. Defaults to 24, in up to three dimensions to 96.
	Candidates int `json:"candidates"`
	// Starts is the number of pairs short local searches start from. Defaults to 8, in up to three dimensions to 24.
	Starts int `json:"starts"`
	// Finalists is the number of those that are continued to convergence. Defaults to 3, in up to three dimensions to 6.
	Finalists int `json:"finalists"`
	// Evals bounds the evaluations of each continued search. Defaults to 300.
	Evals   int `json:"evals"`
	dropped     // here, so that old logs are written as they were
	// Workers is the number of local searches that run at the same time; the result does not depend on it. Defaults to the number of processors.
	Workers int `json:"workers"`
}

// dropped are fields that searches had once. Studies that name them are read on.
type dropped struct {
	Nested bool `json:"nested,omitempty"` // climb once more with the inner maxima solved at every step
}

// WithDefaults spells out the defaults for d dimensions.
func (s Search) WithDefaults(d int) Search {
	low := d <= 3
	pick := func(v *int, usual, small int) {
		if *v == 0 {
			*v = usual
			if low {
				*v = small
			}
		}
	}
	pick(&s.Candidates, 24, 96)
	pick(&s.Starts, 8, 24)
	pick(&s.Finalists, 3, 6)
	pick(&s.Evals, 300, 300)
	return s
}

// Validate reports a field that makes no sense.
func (s Search) Validate() error {
	for name, v := range map[string]int{"Candidates": s.Candidates, "Starts": s.Starts, "Finalists": s.Finalists, "Evals": s.Evals, "Workers": s.Workers} {
		if v < 0 {
			return fmt.Errorf("acquisition: Search.%s = %d, want at least 0", name, v)
		}
	}
	return nil
}

// Choice is a question a method settled on.
type Choice struct {
	A, B []float64 // the two options

	// Value is the worth of the question in the method's own units: for the knowledge gradient the
	// expected rise of the best posterior mean; NaN for methods that put no number on it.
	Value float64

	// Best is the maximiser of the posterior mean, and Mean the mean there.
	Best []float64
	Mean float64

	// Fantasy are the best options after each outcome, in the order of gp.Answers.Outcomes; nil for methods without look-ahead.
	Fantasy [][]float64

	// Others are the acceptable pairs of other hills that the search has climbed on the way, or of the next best rows of a list, best first, each as a row of
	// two options: what else could be asked now. They are not searched for, so how many there are differs; methods that do not rank pairs have none.
	Others [][]float64

	// Starts are acceptable pairs that climbs of the knowledge gradient began at, none of them one of Others: worth less than these, and better than
	// a pair at random for callers that want more questions than there are hills. A list has none.
	Starts [][]float64

	// Partial is set when the context ended the search before it was done.
	Partial bool
}

func (t Task) withDefaults() Task {
	u := t.utility()
	d := u.Dim()
	t.Noise = cmp.Or(t.Noise, u.Noise())
	if t.Rater != 0 {
		t.Noise, t.Rater = t.Noise*t.Rater, 0
	}
	if t.Lower == nil {
		t.Lower = make([]float64, d)
	}
	if t.Upper == nil {
		t.Upper = ones(d)
	}
	t.Search = t.Search.WithDefaults(d)
	return t
}

func (t Task) accepts(a, b []float64) bool { return t.Accept == nil || t.Accept(a, b) }

// avoiding returns the task with Avoid made part of Accept.
func (t Task) avoiding() Task {
	accept, avoid := t.accepts, t.Avoid
	if avoid != nil {
		t.Accept = func(a, b []float64) bool { return accept(a, b) && !avoid(a, b) }
	}
	return t
}

func ones(d int) []float64 { return slices.Repeat([]float64{1}, d) }

func clone(x []float64) []float64 { return append([]float64(nil), x...) }
