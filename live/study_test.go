package live

import (
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestWeight: the estimate is what BenchmarkStudyMemory measured, to a third, and grows with what a study holds.
func TestWeight(t *testing.T) {
	weight := func(n int, people prefer.People, raters int) float64 {
		r := &Study{Config: prefer.Config{People: people}}
		r.index.standing = n
		r.index.said = map[string][]prefer.Entry{}
		for i := range raters {
			r.index.said[fmt.Sprint(i)] = make([]prefer.Entry, n/raters)
		}
		return float64(r.weight())
	}
	for n, measured := range map[int]float64{500: 34.5e6, 100: 1.2e6} {
		if got := weight(n, prefer.Shared, 1); got < measured/1.5 || got > measured*1.5 {
			t.Errorf("%d answers weigh %.2g, measured %.2g", n, got, measured)
		}
	}
	if many, one := weight(500, prefer.PerRater, 50), weight(500, prefer.Shared, 50); many > one/10 {
		t.Errorf("50 utilities of ten answers weigh %.2g, one of 500 %.2g", many, one)
	}
	if sparse, dense := weight(1001, prefer.Shared, 1), weight(1000, prefer.Shared, 1); sparse > dense/2 {
		t.Errorf("the sparse model weighs %.2g, the dense one %.2g", sparse, dense)
	}
}
