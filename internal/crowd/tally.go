package crowd

import "github.com/prefer-bo/prefer/internal/normal"

// Tally counts the duels of one option, with the 95 % interval of Wilson for the share that it wins. A tie is half a win.
type Tally struct {
	Won  int     `json:"won"`
	Lost int     `json:"lost"`
	Tied int     `json:"tied"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Count adds a duel that was won (side > 0), lost (side < 0) or tied.
func (t *Tally) Count(side int) {
	t.Of++
	switch {
	case side > 0:
		t.Won++
	case side < 0:
		t.Lost++
	default:
		t.Tied++
	}
}

// Interval sets Low and High.
func (t *Tally) Interval() { t.Low, t.High = normal.WilsonHalves(2*t.Won+t.Tied, t.Of) }
