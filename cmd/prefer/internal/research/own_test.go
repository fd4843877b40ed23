package research

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestOwn: a search whose acquisition the other end computes, by asking the session itself, ends where the session's own does.
func TestOwn(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	want := k.ask("search", map[string]any{"model": m, "acquisition": "eubo"})["value"].(float64)
	for _, gradient := range []bool{true, false} {
		k.count++
		id := k.count
		k.write(map[string]any{"id": id, "op": "search", "model": m, "acquisition": "own", "gradient": gradient})
		var r map[string]any
		for r = k.read(); r["evaluate"] != nil; r = k.read() {
			pairs := k.numbers(r["pairs"])
			worth := k.ask("acquire", map[string]any{"model": m, "acquisition": "eubo", "pairs": matrix(pairs, 4), "gradient": r["gradient"]})
			values := map[string]any{"id": id, "value": vector(k.numbers(worth["value"]))}
			if r["gradient"] == true {
				values["gradient"] = matrix(k.numbers(worth["gradient"]), 4)
			}
			k.write(values)
		}
		if got, _ := r["value"].(float64); math.Abs(got-want) > 1e-8 {
			t.Errorf("gradient %t: %v, want the value %g", gradient, r, want)
		}
	}
}

// TestOwnFails: what the other end returns is checked, and the session goes on.
func TestOwnFails(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	for want, values := range map[string]func(n int) map[string]any{
		"the acquisition failed: out of ink":   func(int) map[string]any { return map[string]any{"error": "out of ink"} },
		"the acquisition returned no value":    func(int) map[string]any { return nil },
		"values of shape [1], want":            func(int) map[string]any { return map[string]any{"value": vector([]float64{1})} },
		"returned value[0] = NaN":              func(n int) map[string]any { return map[string]any{"value": vector(fill(n, math.NaN()))} },
		`unknown field "values"`:               func(int) map[string]any { return map[string]any{"values": 1} },
		"the acquisition returned no gradient": nil,
	} {
		k.count++
		k.write(map[string]any{"id": k.count, "op": "search", "model": m, "acquisition": "own", "gradient": true})
		r := k.read()
		for ; r["evaluate"] != nil; r = k.read() {
			n := len(k.numbers(r["pairs"])) / 4
			answer := map[string]any{"value": vector(fill(n, 1))}
			if values != nil {
				answer = values(n)
			}
			k.write(with(answer, map[string]any{"id": k.count}))
		}
		if !strings.Contains(fmt.Sprint(r["error"]), want) {
			t.Errorf("%v, want %q", r, want)
		}
	}
	k.ask("recommend", map[string]any{"model": m})
}

func fill(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
