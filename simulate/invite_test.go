package simulate

import (
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Nothing is better than their favourite, and they take it against anything that is far behind.
func TestInvite(t *testing.T) {
	for _, space := range []space.Space{mixedSpace(), plainList(30)} {
		l, err := newLandscape(space)
		if err != nil {
			t.Fatal(err)
		}
		far := 0
		for seed := range uint64(8) {
			p, err := Invite(prefer.Config{Space: space}, Low, seed)
			if err != nil {
				t.Fatal(err)
			}
			if better, among := p.Better(p.Best()); better != 0 || among != len(l[0].options) || p.Loss(p.Best()) != 0 {
				t.Errorf("seed %d: %d of %d are better than the favourite, which loses %g", seed, better, among, p.Loss(p.Best()))
			}
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 50 {
				o := l[0].options[rng.IntN(len(l[0].options))]
				a := p.Answer(prefer.Question{First: o, Second: p.Best()})
				if p.Loss(o) < 8 {
					continue
				}
				if far++; a.Choice != prefer.Second {
					t.Errorf("seed %d: %+v although the first is behind by %g", seed, a, p.Loss(o))
				}
			}
		}
		if far < 20 {
			t.Errorf("only %d options were far behind", far)
		}
	}
}
