package people

import (
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
)

// TestCamps: camps that are said are right whichever is told first; one person in the wrong one of four is a quarter; where there are
// none, saying so is wrong, and the careless are in nobody's camp.
func TestCamps(t *testing.T) {
	for _, c := range []struct {
		camps []int // of p01, p02, …
		said  [][]string
		want  map[string]float64
	}{
		{[]int{0, 1, 0, 1}, [][]string{{"p01", "p03"}, {"p02", "p04"}}, map[string]float64{campsFound: 1, campsPlaced: 1}},
		{[]int{0, 1, 0, 1}, [][]string{{"p02", "p04"}, {"p01", "p03", "p05"}}, map[string]float64{campsFound: 1, campsPlaced: 1}},
		{[]int{0, 1, 0, 1}, [][]string{{"p01", "p03", "p02"}, {"p04", "p05"}}, map[string]float64{campsFound: 1, campsPlaced: 0.75}},
		{[]int{0, 1, 0, 1}, nil, map[string]float64{campsFound: 0}},
		{[]int{0, 0, 0, 0}, nil, map[string]float64{campsWrong: 0}},
		{[]int{0, 0, 0, 0}, [][]string{{"p01", "p02"}, {"p03", "p04"}}, map[string]float64{campsWrong: 1}},
	} {
		g := game{Population: &Population{}}
		for i, at := range append(c.camps, 0) {
			who := &trial.Person{Name: []string{"p01", "p02", "p03", "p04", "p05"}[i], Camp: at}
			if i == 4 {
				who.Careless = 1
			}
			g.People = append(g.People, who)
		}
		var said prefer.Group
		for i, names := range c.said {
			said.Camps = slices.Grow(said.Camps, 1)[:i+1]
			said.Camps[i].Raters = names
		}
		g.camps(said, 20)
		if len(g.said.values) != len(c.want) {
			t.Errorf("%v: %+v, want %v", c.said, g.said.values, c.want)
		}
		for _, v := range g.said.values {
			if want, ok := c.want[v.Measure]; !ok || v.Sum != want {
				t.Errorf("%v: %+v, want %v", c.said, v, c.want)
			}
		}
	}
}
