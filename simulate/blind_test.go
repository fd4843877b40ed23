package simulate

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

var blindPeople = flag.Int("blind", 0, "number of simulated people per row of the table of blind checks in docs/concepts/how-sure.md (80 take some minutes)")

// blindSeed is the first seed of the table: that eight duels are a check was settled looking at 0 to 79.
const blindSeed = 1000

// blindPerson answers, and knows what an option is worth to them in units of their noise.
type blindPerson struct {
	answer func(prefer.Question) prefer.Answer
	loss   func(space.Option) float64
}

// TestBlindPower rehearses what a blind check says: how often it holds after so many answers, and how often the pick of
// which it says so misses less than two thirds of the noise. -blind=80 makes the table of docs/concepts/how-sure.md.
func TestBlindPower(t *testing.T) {
	n := *blindPeople
	if n == 0 {
		t.Skip("minutes; run with -blind=80")
	}
	square := space.Box(space.Float("x", 0, 1), space.Float("y", 0, 1))
	for _, answers := range []int{5, 20} {
		blindRow(t, fmt.Sprintf("drawn from the prior, two parameters, %d answers", answers), n, answers, func(seed uint64) (prefer.Config, blindPerson) {
			cfg := prefer.Config{Space: square, Seed: seed}
			p, err := Invite(cfg, Prior, seed)
			if err != nil {
				t.Fatal(err)
			}
			return cfg, blindPerson{p.Answer, p.Loss}
		})
	}
	for _, name := range []string{"branin2", "ackley6", "alpine7"} {
		p, err := problem.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		sigma, err := problem.Calibrate(p, 0.1, problem.Calibration{})
		if err != nil {
			t.Fatal(err)
		}
		blindRow(t, name+" with noise 0.1, 30 answers", max(10, n/8), 30, func(seed uint64) (prefer.Config, blindPerson) {
			var sp space.Space
			for i := range p.Dim {
				sp.Parameters = append(sp.Parameters, space.Float(fmt.Sprint("x", i), 0, 1))
			}
			f := func(o space.Option) float64 {
				u := make([]float64, p.Dim)
				for i := range u {
					u[i] = o.Float(fmt.Sprint("x", i))
				}
				return p.UnitUtility(u) / sigma
			}
			rng := rand.New(rand.NewPCG(seed, 0xb11d))
			return prefer.Config{Space: sp, Seed: seed, Answers: prefer.Answers{Forced: true}}, blindPerson{
				func(q prefer.Question) prefer.Answer {
					if f(q.First)-f(q.Second)+rng.NormFloat64() > 0 {
						return prefer.Answer{Choice: prefer.First}
					}
					return prefer.Answer{Choice: prefer.Second}
				}, func(o space.Option) float64 { return p.Optimum/sigma - f(o) }}
		})
	}
}

// blindRow plays studies, checks their picks and prints a row of the table.
func blindRow(t *testing.T, name string, n, answers int, invite func(seed uint64) (prefer.Config, blindPerson)) {
	t.Run(name, func(t *testing.T) { playBlind(t, name, n, answers, invite) })
}

func playBlind(t *testing.T, name string, n, answers int, invite func(seed uint64) (prefer.Config, blindPerson)) {
	ctx := context.Background()
	count, right := map[string]int{}, map[string]int{}
	var sum prefer.BlindCheck
	for seed := range uint64(n) {
		cfg, who := invite(blindSeed + seed)
		s, err := prefer.New(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for k := range answers + 8 {
			q, err := s.Ask(ctx, prefer.Request{Blind: k >= answers})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Tell(ctx, q.ID, who.answer(q)); err != nil {
				t.Fatal(err)
			}
		}
		c, err := s.Blind(ctx, prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		count[c.Kind]++
		if who.loss(c.Pick) < 0.67 {
			right[c.Kind]++
		}
		sum.Strong.Won, sum.Strong.Tied, sum.Strong.Of = sum.Strong.Won+c.Strong.Won, sum.Strong.Tied+c.Strong.Tied, sum.Strong.Of+c.Strong.Of
		sum.Random.Won, sum.Random.Tied, sum.Random.Of = sum.Random.Won+c.Random.Won, sum.Random.Tied+c.Random.Tied, sum.Random.Of+c.Random.Of
	}
	taken := func(won, tied, of int) float64 { return (float64(won) + float64(tied)/2) / float64(of) }
	t.Logf("| %s | %d/%d | %d/%d | %d/%d | %d/%d | %.2f | %.2f |", name, count["holds"], n, right["holds"], count["holds"],
		right["undecided"], count["undecided"], right["fails"], count["fails"], taken(sum.Strong.Won, sum.Strong.Tied, sum.Strong.Of), taken(sum.Random.Won, sum.Random.Tied, sum.Random.Of))
}
