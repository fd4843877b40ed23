// Command quickstart finds somebody's favourite coffee in eighteen questions. The somebody is simulated,
// so that the program runs by itself; put a person in place of answer and it is the whole of a real one.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// taste is what the study does not know: 0.15 l of milk and a grind of 2 are best.
func taste(cup space.Option) float64 {
	milk, grind := cup.Float("milk"), cup.Float("grind")
	return 8 - 200*math.Pow(milk-0.15, 2) - 6*math.Pow(math.Log(grind/2), 2)
}

// answer compares two cups as people do: with noise, and without an opinion on close calls.
func answer(q prefer.Question, rng *rand.Rand) prefer.Choice {
	switch d := taste(q.First) - taste(q.Second) + rng.NormFloat64(); {
	case d > 0.3:
		return prefer.First
	case d < -0.3:
		return prefer.Second
	}
	return prefer.Tie
}

func main() {
	ctx := context.Background()
	study, err := prefer.New(ctx, prefer.Config{Space: space.Box(
		space.Float("milk", 0, 0.5),      // litres
		space.LogFloat("grind", 0.5, 20), // tenths of a millimetre, compared in ratios
	)})
	if err != nil {
		log.Fatal(err)
	}

	rng := rand.New(rand.NewPCG(7, 7))
	for range 18 {
		q, err := study.Ask(ctx, prefer.Request{})
		if err != nil {
			log.Fatal(err)
		}
		choice := answer(q, rng)
		fmt.Printf("%3s  milk %.2f grind %4.1f   or   milk %.2f grind %4.1f?   %s\n", q.ID,
			q.First.Float("milk"), q.First.Float("grind"), q.Second.Float("milk"), q.Second.Float("grind"), choice)
		if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: choice}); err != nil {
			log.Fatal(err)
		}
	}

	verdict, err := study.Verdict(ctx, prefer.Look{})
	if err != nil {
		log.Fatal(err)
	}
	best := verdict.Best.Option
	fmt.Printf("\nbest: milk %.2f, grind %.1f (truth 0.15, 2.0)\n", best.Float("milk"), best.Float("grind"))
	fmt.Println(verdict.Sentence)

	belief, err := study.Belief(ctx, prefer.Look{})
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range belief.Importance() {
		fmt.Println(i.Sentence)
	}
}
