package research

import (
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
)

// TestSearch: every method asks two different options within the bounds, the same ones for the same seed.
func TestSearch(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	for _, name := range acquisition.Methods() {
		fields := map[string]any{"model": m, "acquisition": name, "seed": 2, "lower": []float64{1, 0.1}, "upper": []float64{2, 0.6}}
		r := k.ask("search", fields)
		a, b := k.numbers(r["a"]), k.numbers(r["b"])
		for _, x := range [][]float64{a, b} {
			if x[0] < 1 || x[0] > 2 || x[1] < 0.1 || x[1] > 0.6 {
				t.Errorf("%s asks %v, which is out of bounds", name, x)
			}
		}
		again := k.ask("search", fields)
		if fmt.Sprint(k.numbers(again["a"]), k.numbers(again["b"])) != fmt.Sprint(a, b) || fmt.Sprint(a) == fmt.Sprint(b) {
			t.Errorf("%s asks %v and %v, then %v and %v", name, a, b, again["a"], again["b"])
		}
		if _, number := r["value"].(float64); number != (name != "thompson" && name != "random") {
			t.Errorf("%s has the value %v", name, r["value"])
		}
	}
	r := k.ask("search", map[string]any{"model": m, "acquisition": "kg", "hold": []float64{5, 1}})
	if a := k.numbers(r["a"]); a[0] != 5 || a[1] != 1 {
		t.Errorf("with (5, 1) held it asks %v", a)
	}
}

func TestRecommend(t *testing.T) {
	k := start(t)
	r := k.ask("recommend", map[string]any{"model": k.ask("fit", duels())["model"]})
	if x := k.numbers(r["x"]); x[0] < 2 || x[0] > 4.5 || x[1] > 0.5 {
		t.Errorf("it recommends %v, want about (3, 0.2)", x[:2])
	}
}
