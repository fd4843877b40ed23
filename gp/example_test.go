package gp_test

import (
	"context"
	"fmt"
	"log"

	"github.com/prefer-bo/prefer/gp"
)

// Three answers about one parameter: 0.3 beat both ends, and the low end beat the high one.
func Example() {
	duels := &gp.Duels{Dim: 1}
	for _, pair := range [][2]float64{{0.3, 1}, {0.3, 0}, {0, 1}} {
		if err := duels.Add(pair[:1], pair[1:], +1); err != nil {
			log.Fatal(err)
		}
	}
	post, err := gp.Model{}.Fit(context.Background(), duels, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("0.3 before 1:", post.Prob([]float64{0.3}, []float64{1}, +1) > 0.7)
	fmt.Println("best near the winner:", post.Mean([]float64{0.3}) > post.Mean([]float64{0.8}))
	// One imagined answer more, exactly and without a refit.
	next := post.Condition([]float64{0.3}, []float64{0.8}, +1)
	fmt.Println("it would help 0.3:", next.Mean([]float64{0.3}) > post.Mean([]float64{0.3}))
	// Output:
	// 0.3 before 1: true
	// best near the winner: true
	// it would help 0.3: true
}
