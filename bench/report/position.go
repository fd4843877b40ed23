package report

import "strconv"

// Axis is what a position counts.
type Axis int

const (
	Answers Axis = iota // all answers, initial pairs included
	Iter                // questions after the initial pairs; negative before their end
)

// Position is a place in a run.
type Position struct {
	Axis Axis
	At   int
}

// String returns "15 answers" or "question 10".
func (p Position) String() string {
	if p.Axis == Answers {
		return strconv.Itoa(p.At) + " answers"
	}
	return "question " + strconv.Itoa(p.At)
}

// positions returns a position at each count of an axis.
func positions(axis Axis, at []int) []Position {
	out := make([]Position, len(at))
	for i, n := range at {
		out[i] = Position{axis, n}
	}
	return out
}
