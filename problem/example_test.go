package problem_test

import (
	"fmt"

	"github.com/prefer-bo/prefer/problem"
)

func Example() {
	p, err := problem.ByName("branin2")
	if err != nil {
		panic(err)
	}
	rate, _ := problem.Noise("low")
	r, err := problem.NewRater(p, rate)
	if err != nil {
		panic(err)
	}
	good, fair := []float64{0.54, 0.15}, []float64{0.55, 0.16}
	wins := 0
	for i := range uint64(100) {
		if r.Answer(good, fair, problem.At(1, i)) {
			wins++
		}
	}
	fmt.Printf("gaps %.3f and %.3f, σ = %.3f: the better one wins %d of 100\n", p.Gap(good), p.Gap(fair), r.Sigma, wins)
	_, err = problem.Noise("loud")
	fmt.Println(err)
	// Output:
	// gaps 0.012 and 0.100, σ = 0.072: the better one wins 91 of 100
	// problem: noise "loud", want none, low, high or an error rate between 0 and 0.5
}
