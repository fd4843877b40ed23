// Package pairs decides which pairs of options a person may be asked about, and finds some: the quasi-random ones a study begins with, rivals of the pick
// and its neighbours. Points are in the coordinates of the model.
package pairs

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

// Asked is a pair that a rater was asked about.
type Asked = learn.Awaited

// Distances of both options, in the parameter that differs most, up to which a question is another one.
const (
	Same        = 1e-3 // a repetition
	Close       = 0.05 // too close to what another rater is looking at
	LikeSkipped = 0.1  // too close to what was skipped lately
)

// Clash reports whether one of the questions is about the same pair, in either order.
func Clash(c *coding.Coding, qs []Asked, a, b []float64, tol float64) bool {
	return slices.ContainsFunc(qs, func(q Asked) bool {
		return c.Near(a, q.A, tol) && c.Near(b, q.B, tol) || c.Near(a, q.B, tol) && c.Near(b, q.A, tol)
	})
}

// Rules says which pairs may be asked. The last three rules are made by Learn.
type Rules struct {
	Past       []Asked                   // what was asked before, …
	Recent     []Asked                   // … lately to the rater, …
	Skipped    []Asked                   // … was skipped lately, …
	Pending    []Asked                   // … or is open
	Answers    []learn.Answered          // of the rater; about a list, of everybody
	Separation float64                   // least distance of two options
	Repeats    bool                      // a pair may be asked twice
	Hold       []float64                 // one side, or nil
	Fixed      func(x []float64)         // puts a point under the conditions
	Allowed    func(x []float64) bool    // an option may be shown; nil: all of the space
	Accept     func(a, b []float64) bool // a pair is worth a person's time; nil: all are
	Again      func(a, b []float64) bool // Accept of a pair that may come again after a pause
	Avoid      func(a, b []float64) bool // a pair had better not be asked: a near-repeat; nil: none
}

// Learn makes the rules that spare a rater hopeless or boring pairs, and near-repeats of those in Answers. Answers that contradict the others, by the fit if
// there is one, are worth asking again.
func (r *Rules) Learn(c *coding.Coding, fit *learn.Fit) {
	var sure, doubted []Asked
	judge := !r.Repeats && fit != nil && fit.Duels.Len() <= learn.PlainLimit && fit.HasSites()
	for _, t := range r.Answers {
		list := &sure
		if judge {
			if _, against := fit.Contradicts(t); against {
				list = &doubted
			}
		}
		*list = append(*list, t.Awaited)
	}
	past, separation := r.Past, r.Separation
	switch {
	case c.List != nil:
		separation = 0 // items that differ are never the same picture twice
		if fit != nil && !r.Repeats {
			past = settled(c, fit.Belief, past, slices.Concat(sure, doubted), doubted, r.Recent)
		}
	case sure != nil && !r.Repeats:
		r.Avoid = func(a, b []float64) bool { return NearRepeat(c, sure, a, b) }
	}
	if separation <= 0 && r.Repeats && len(r.Skipped) == 0 && len(r.Pending) == 0 {
		return
	}
	repeats, skipped, pending := r.Repeats, r.Skipped, r.Pending
	accept := func(past []Asked) func(a, b []float64) bool {
		return func(a, b []float64) bool {
			return !(separation > 0 && c.Gap(a, b) < separation || !repeats && Clash(c, past, a, b, Same) ||
				Clash(c, skipped, a, b, LikeSkipped) || Clash(c, pending, a, b, Close))
		}
	}
	r.Accept, r.Again = accept(past), accept(r.Recent)
}

// Free reports whether no condition narrows the options.
func (r Rules) Free() bool { return r.Hold == nil && r.Allowed == nil }

// Accepts reports whether a pair is worth a rater's time.
func (r Rules) Accepts(a, b []float64) bool { return r.Accept == nil || r.Accept(a, b) }

// Avoids reports whether a pair had better not be asked.
func (r Rules) Avoids(a, b []float64) bool { return r.Avoid != nil && r.Avoid(a, b) }

// Usable reports whether the pair may be asked at all, worthwhile or not.
func (r Rules) Usable(c *coding.Coding, a, b []float64) bool {
	if slices.Equal(a, b) || r.Allowed != nil && !(r.Allowed(a) && r.Allowed(b)) {
		return false
	}
	return c.Contains(a) && c.Contains(b)
}

// Tries is the number of pairs of the sequence that Design looks at under constraints and conditions, which can leave few; without, designTries.
const (
	designTries = 256
	Tries       = 1 << 13
)

// Design returns the pair of that number of the seed's scrambled Sobol sequence, or the next one that the rules let through and that was not asked. If
// the rules leave hardly any pair, it is the next pair of different options of the space.
func (r Rules) Design(c *coding.Coding, seed uint64, number int) (a, b []float64, err error) {
	pairs := c.Pairs(seed)
	tries := designTries
	if len(c.Constraints) > 0 || r.Allowed != nil {
		tries = Tries
	}
	var first [2][]float64
	good := func(i int, a, b []float64) bool {
		r.Fixed(a)
		r.Fixed(b)
		if r.Hold != nil {
			copy(a, r.Hold)
		}
		if !r.Usable(c, a, b) {
			return false
		}
		if first[0] == nil {
			first = [2][]float64{slices.Clone(a), slices.Clone(b)}
		}
		return r.Accepts(a, b) && !r.Avoids(a, b) && (i == 0 && r.Accept == nil || !Clash(c, r.Past, a, b, Same))
	}
	for i := range tries {
		if a, b := pairs(uint64(number + i)); good(i, a, b) {
			return a, b, nil
		}
	}
	if first[0] == nil { // of a set that is a hundredth of the space pairs are a ten-thousandth
		options := c.Scarce(r.Fixed, r.Allowed, splitmix.At(seed, uint64(number)))
		for i, a := range options {
			for _, b := range options[:i] {
				if a, b := slices.Clone(a), slices.Clone(b); good(i, a, b) {
					return a, b, nil
				}
			}
		}
	}
	if first[0] == nil {
		return nil, nil, coding.Refuse("option", "none of %d pairs of options tried satisfies the constraints and conditions", tries)
	}
	return first[0], first[1], nil
}
