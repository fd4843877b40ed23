// Command utility learns what somebody likes from thirty answers, with package gp alone: the layer
// below studies, for readers who want to see the model at work.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/gp"
)

// taste is the hidden utility: this person likes coffee strong (0.7) and hardly sweet (0.2), and cares more about strength.
func taste(x []float64) float64 {
	return -30*math.Pow(x[0]-0.7, 2) - 8*math.Pow(x[1]-0.2, 2)
}

func main() {
	rng := rand.New(rand.NewPCG(1, 2))
	duels := &gp.Duels{Dim: 2}
	for range 30 {
		a := []float64{rng.Float64(), rng.Float64()}
		b := []float64{rng.Float64(), rng.Float64()}
		answer := gp.Outcome(1)
		if taste(a)-taste(b)+rng.NormFloat64() < 0 { // σ = 1: close calls are often wrong
			answer = -1
		}
		if err := duels.Add(a, b, answer); err != nil {
			log.Fatal(err)
		}
	}

	belief, err := gp.Model{}.Fit(context.Background(), duels, nil)
	if err != nil {
		log.Fatal(err)
	}

	best, top := []float64{0, 0}, math.Inf(-1)
	for i := range 101 * 101 {
		x := []float64{float64(i%101) / 100, float64(i/101) / 100}
		if m := belief.Mean(x); m > top {
			best, top = x, m
		}
	}
	h := belief.Hyper()
	fmt.Printf("after %d answers: best guess strength %.2f, sweetness %.2f (truth 0.70, 0.20)\n", duels.Len(), best[0], best[1])
	fmt.Printf("lengthscales %.2f and %.2f: strength matters more\n", h.Kernel.Lengthscale[0], h.Kernel.Lengthscale[1])
	fmt.Printf("would beat a middling cup with probability %.2f\n", belief.Prob(best, []float64{0.5, 0.5}, 1))
}
