package crowd

import (
	"fmt"
	"math"

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

// A rater follows the order if the side on which an option is shown explains their choices: k of n preferences are for what was shown first, and this is
// more than 1/orderChance times as likely of a coin whose share of heads is Beta(2, 2) as of a fair coin,
//
//	2ⁿ B(k + 2, n − k + 2)/B(2, 2) > 1/orderChance.
//
// The ratio is a martingale for a rater who answers by taste, since sides are drawn at random. So that rater is accused after any answer, however many there
// are, with a probability of at most orderChance (Ville's inequality; Robbins 1970, Statistical methods related to the law of the iterated logarithm).
// Fewer than ten preferences are never enough. Ties, both bad and skips take no side.
const orderChance = 0.03

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
func (s Sides) Follow() bool { return shareOdds(s.First, s.Of-s.First, 2, 2) > -math.Log(orderChance) }

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
