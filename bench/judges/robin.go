package judges

import (
	"context"
	"math/rand/v2"
)

// robin asks every pair in turn: rounds in which everybody meets somebody, by the circle method, and all over again after the last. The best has won the largest share.
type robin struct {
	r          *rand.Rand
	circle     []int // in which neighbours across meet; −1 sits out
	at         int
	a, b       int
	wins, duel []float64
}

func newRobin(r *rand.Rand, n int) *robin {
	c := r.Perm(n)
	if n%2 == 1 {
		c = append(c, -1)
	}
	return &robin{r: r, circle: c, wins: make([]float64, n), duel: make([]float64, n)}
}

func (p *robin) next(context.Context) (int, int, error) {
	for {
		n := len(p.circle)
		if p.at == n/2 { // turn all but the first by one
			last := p.circle[n-1]
			copy(p.circle[2:], p.circle[1:n-1])
			p.circle[1], p.at = last, 0
		}
		p.a, p.b = p.circle[p.at], p.circle[n-1-p.at]
		if p.at++; p.a >= 0 && p.b >= 0 {
			return p.a, p.b, nil
		}
	}
}

func (p *robin) told(_ context.Context, tookA, _ bool) error {
	p.duel[p.a]++
	p.duel[p.b]++
	if tookA {
		p.wins[p.a]++
	} else {
		p.wins[p.b]++
	}
	return nil
}

func (p *robin) pick(context.Context) (int, float64, error) {
	share := make([]float64, len(p.wins))
	for i, w := range p.wins {
		share[i] = (w + 0.5) / (p.duel[i] + 1)
	}
	return most(p.r, share), 0, nil
}
