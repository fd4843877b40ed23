package people

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Kinship is the share of the variance of a taste that kindred people have in common: ρ of f_r = √ρ g + √(1−ρ) h_r.
const Kinship = 0.7

// kind is a kind of population: for person r of n, how much of the taste is the first and the second common taste. The rest is the person's own.
type kind struct {
	name string
	of   func(r, n int) (g1, g2 float64)
}

var kinds = []kind{
	{"same", func(int, int) (float64, float64) { return 1, 0 }},
	{"kindred", func(int, int) (float64, float64) { return math.Sqrt(Kinship), 0 }},
	{"camps", camps(2)},
	{"uneven camps", camps(4)}, // 9 : 3
	{"outlier", func(r, n int) (float64, float64) {
		if r < max(1, int(math.Round(float64(n)/10))) { // one in ten, and one at least
			return -math.Sqrt(Kinship), 0
		}
		return math.Sqrt(Kinship), 0
	}},
	{"strangers", func(int, int) (float64, float64) { return 0, 0 }},
}

// camps gives one person in so many the second taste.
func camps(every int) func(r, n int) (float64, float64) {
	return func(r, _ int) (float64, float64) {
		if r%every == every-1 {
			return 0, math.Sqrt(Kinship)
		}
		return math.Sqrt(Kinship), 0
	}
}

// Populations returns the names of the populations:
//
//	same          one utility
//	kindred       f_r = √ρ g + √(1−ρ) h_r, ρ = 0.7
//	camps         the same with two tastes g, every other person with the second
//	uneven camps  one in four with the second
//	outlier       kindred, but one in ten has −g in place of g
//	strangers     independent tastes
//
// The tastes g and h are of package problem, each less its mean and divided by its spread over the space. Everybody's noise is
// that of an ordinary rater of the same taste times exp(0.3 z), z normal; below half of it a person can't tell.
func Populations() []string { return trial.Distinct(kinds, func(k kind) string { return k.name }) }

// Population is the people who answer in one study, and the newcomer who joins at the end.
type Population struct {
	People   []*trial.Person
	newcomer *trial.Person
	mean     trial.TasteSpace // the mean of the standardised utilities of all but the careless
	Alike    [][]float64      // correlations of utilities over the space
}

const likenessPoints = 1024 // the number of options that true correlations are computed at: ±0.03 at 0

// draw draws the population of a cell. Populations of one space and number have the same g and the same h_r, whatever their kind and size; the careless come
// last.
func (c Cell) Draw() (*Population, error) {
	o, err := options(c.Space, c.Family)
	if err != nil {
		return nil, err
	}
	seed := c.seed(seedTastes)
	kind := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == c.Population })]
	blends := blender{seed: seed, options: o, drawn: map[int]*problem.Taste{}}
	out := &Population{}
	var honest []*problem.Taste
	for r := range c.People + 1 {
		index := r
		if r == c.People {
			index = newcomerIndex
		}
		g1, g2 := kind.of(index, c.People)
		who := &trial.Person{Name: fmt.Sprintf("p%02d", r+1), Mood: c.seed(seedMood + uint64(index)), Outlier: g1 < 0}
		if g2 > 0 {
			who.Camp = 1
		}
		if who.Taste, err = blends.taste(g1, g2, index); err != nil {
			return nil, err
		}
		if r < c.People && r >= c.People-c.Careless {
			who.Careless = 1 + (c.People-1-r)%2
		}
		if who.Rater, err = who.Taste.Rater([]string{"ties", "random", "random"}[who.Careless]); err != nil {
			return nil, err
		}
		level := math.Exp(0.3 * rand.New(rand.NewPCG(who.Mood, 1)).NormFloat64())
		who.Rater.Sigma, who.Rater.Delta = level*who.Rater.Sigma, level*who.Rater.Delta
		if r == c.People {
			out.newcomer = who
			continue
		}
		out.People = append(out.People, who)
		if who.Careless == 0 {
			honest = append(honest, who.Taste)
		}
	}
	equal := slices.Repeat([]float64{1 / float64(len(honest))}, len(honest))
	if out.mean.Taste, err = problem.Sum(seed, honest, equal); err != nil {
		return nil, err
	}
	out.Alike = alike(rand.New(rand.NewPCG(seed, 2)), out.People)
	return out, nil
}

const newcomerIndex = 1000 // the number of the newcomer's own taste, the same in groups of any size: of the first camp, no outlier

// blender makes the tastes of people, drawing what they have in common once.
type blender struct {
	seed    uint64
	options problem.TasteOptions
	drawn   map[int]*problem.Taste // by number: 0 and 1 are common, 2 and more are one's own
	team    *problem.Taste         // of those who have nothing of their own
}

// taste is g1 and g2 of what is common, and for the rest the person's own.
func (b *blender) taste(g1, g2 float64, person int) (*problem.Taste, error) {
	rest := math.Sqrt(1 - g1*g1 - g2*g2)
	if rest == 0 && b.team != nil {
		return b.team, nil
	}
	var of []*problem.Taste
	var weights []float64
	for k, w := range [3]float64{g1, g2, rest} {
		if w == 0 {
			continue
		}
		i := [3]int{0, 1, 2 + person}[k]
		if b.drawn[i] == nil {
			t, err := problem.NewTaste(b.seed, i, b.options)
			if err != nil {
				return nil, err
			}
			b.drawn[i] = t
		}
		of, weights = append(of, b.drawn[i]), append(weights, w)
	}
	t, err := problem.Sum(b.seed+uint64(person), of, weights)
	if rest == 0 {
		b.team = t
	}
	return t, err
}

// alike returns the correlations of the people's utilities over the space.
func alike(rng *rand.Rand, people []*trial.Person) [][]float64 {
	z := make([][]float64, len(people))
	x := xslices.Times(likenessPoints, func(i int) []float64 { return people[0].Random(rng) })
	for r, who := range people {
		var mean, square float64
		z[r] = make([]float64, len(x))
		for i := range x {
			z[r][i] = who.Utility(x[i])
			mean += z[r][i] / likenessPoints
		}
		for i := range z[r] {
			z[r][i] -= mean
			square += z[r][i] * z[r][i]
		}
		for i := range z[r] {
			z[r][i] /= math.Sqrt(square)
		}
	}
	out := make([][]float64, len(people))
	for r := range z {
		out[r] = make([]float64, len(people))
		for q := range z {
			for i, v := range z[r] {
				out[r][q] += v * z[q][i]
			}
		}
	}
	return out
}
