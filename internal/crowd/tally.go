package crowd

import (
	"fmt"

	"github.com/prefer-bo/prefer/internal/normal"
)

// Tally counts the duels of one option, with the 95 % interval of Wilson for the share that it wins. A tie is half a win.
type Tally struct {
	Won  int     `json:"won"`
	Lost int     `json:"lost"`
	Tied int     `json:"tied"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// NewTally counts duels that were won (1), lost (-1) or tied (0).
func NewTally(sides []int) Tally {
	t := Tally{Of: len(sides)}
	for _, side := range sides {
		*[...]*int{&t.Lost, &t.Tied, &t.Won}[1+side]++
	}
	t.Low, t.High = normal.WilsonHalves(2*t.Won+t.Tied, t.Of)
	return t
}

// A rater follows the order if the side on which an option is shown explains their choices: of at least orderAnswers preferences k of n are for
// what was shown first, and the 99 % interval of Wilson for the share behind them does not contain one half. The interval is the score test solved for the
// share, so this is
//
//	|2k − n| > z √n,   Φ(z) = 0.995.
//
// Ties, both bad and skips take no side.
const (
	orderAnswers = 10
	orderZ       = 2.5758293035489004
)

// Sides counts a rater's preferences, and those of them for what was shown first.
type Sides struct{ First, Of int }

// Add counts a preference.
func (s Sides) Add(first bool) Sides {
	s.Of++
	if first {
		s.First++
	}
	return s
}

// Follow reports whether these are the answers of a rater who follows the order.
func (s Sides) Follow() bool {
	off, n := float64(2*s.First-s.Of), float64(s.Of)
	return s.Of >= orderAnswers && off*off > orderZ*orderZ*n
}

// Why says in English what speaks most for a rater's being careless; so many of the pairs that came again had the same answer.
func (s Suspicion) Why(r RaterRecord, agreed, again int) string {
	if s.Catch > 0 {
		wrong := fmt.Sprintf("answered %d of %d catch questions wrong", r.Caught-r.Right, r.Caught)
		if r.Caught == 1 {
			wrong = "answered 1 of 1 catch question wrong"
		}
		if s.Catch >= max(s.Choices, s.Sides, s.Quick) {
			return wrong
		}
		s.Catch = 0
		return s.Why(r, agreed, again) + ", and " + wrong
	}
	side, of := "left", r.Left
	if 2*of < r.Sided {
		side, of = "right", r.Sided-of
	}
	switch most := max(s.Choices, s.Sides, s.Quick); {
	case most == s.Sides:
		return fmt.Sprintf("took what was on the %s %d times out of %d", side, of, r.Sided)
	case most == s.Choices && again > 2 && 4*agreed < 3*again:
		return fmt.Sprintf("said the same again %d times out of %d", agreed, again)
	case most == s.Quick:
		return fmt.Sprintf("took %.1f s, where others take %.1f, and answered as if by chance", r.Response.Seconds(), r.Usual.Seconds())
	}
	return "answered as if by chance"
}
