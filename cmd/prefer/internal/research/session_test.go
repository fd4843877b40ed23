package research

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// talk is a session and the other end of its pipes.
type talk struct {
	t     *testing.T
	in    io.WriteCloser
	out   *bufio.Reader
	ended chan error
	count int
	raw   []byte // after the latest line
}

func start(t *testing.T) *talk {
	t.Helper()
	inR, in := io.Pipe()
	outR, out := io.Pipe()
	k := &talk{t: t, in: in, out: bufio.NewReader(outR), ended: make(chan error, 1)}
	go func() {
		k.ended <- Serve(context.Background(), inR, out, Options{Version: "test", Workers: 2})
		out.Close()
	}()
	t.Cleanup(func() { in.Close(); outR.Close() })
	if h := k.read(); h["protocol"] != 1.0 || h["prefer"] != "test" {
		t.Fatalf("it says hello with %v", h)
	}
	return k
}

// framed is a request as it travels.
func framed(t *testing.T, fields map[string]any) string {
	t.Helper()
	var out strings.Builder
	w := &session{out: bufio.NewWriter(&out)}
	if err := w.write(maps.Clone(fields)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (k *talk) write(fields map[string]any) {
	k.t.Helper()
	if _, err := io.WriteString(k.in, framed(k.t, fields)); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) read() map[string]any {
	k.t.Helper()
	line, err := k.out.ReadBytes('\n')
	if err != nil {
		k.t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(line, &r); err != nil {
		k.t.Fatalf("%s: %v", line, err)
	}
	count, _ := r["bytes"].(float64)
	k.raw = make([]byte, int(count))
	if _, err := io.ReadFull(k.out, k.raw); err != nil {
		k.t.Fatal(err)
	}
	return r
}

// ask makes a request and returns the reply, which must be none of an error.
func (k *talk) ask(op string, fields map[string]any) map[string]any {
	k.t.Helper()
	r := k.try(op, fields)
	if r["error"] != nil {
		k.t.Fatalf("%s: %v", op, r["error"])
	}
	return r
}

func (k *talk) try(op string, fields map[string]any) map[string]any {
	k.t.Helper()
	k.count++
	all := map[string]any{"id": k.count, "op": op}
	for name, v := range fields {
		all[name] = v
	}
	k.write(all)
	r := k.read()
	if r["id"] != float64(k.count) {
		k.t.Fatalf("%s: the reply to request %d is %v", op, k.count, r)
	}
	return r
}

// numbers are those of an array in a reply.
func (k *talk) numbers(v any) []float64 {
	k.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		k.t.Fatal(err)
	}
	var a Array
	if err := json.Unmarshal(text, &a); err != nil {
		k.t.Fatal(err)
	}
	if err := a.take("array", k.raw); err != nil {
		k.t.Fatal(err)
	}
	return a.Data
}

// duels of a taste for the point (3, 0.2) of the box [0, 5] × [0, 1].
func duels() map[string]any {
	f := func(x []float64) float64 { return -(x[0]-3)*(x[0]-3)/4 - 8*(x[1]-0.2)*(x[1]-0.2) }
	var a, b []float64
	var outcome []int
	for i := range 20 {
		u := func(k int) float64 { _, r := math.Modf(float64(i*4+k+1) * 0.6180339887498949); return r }
		x, y := []float64{5 * u(0), u(1)}, []float64{5 * u(2), u(3)}
		o := 1
		if f(x) < f(y) {
			o = -1
		}
		a, b, outcome = append(a, x...), append(b, y...), append(outcome, o)
	}
	return map[string]any{"a": matrix(a, 2), "b": matrix(b, 2), "outcome": outcome, "lower": []float64{0, 0}, "upper": []float64{5, 1}}
}

// with returns fields with some others.
func with(fields map[string]any, more map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range []map[string]any{fields, more} {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// TestErrors: a request that makes no sense is answered by the field and its value, and the session goes on.
func TestErrors(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	points := func(x ...float64) map[string]any { return map[string]any{"model": m, "x": matrix(x, 2)} }
	pairs := func(name string, x ...float64) map[string]any {
		return map[string]any{"model": m, "acquisition": name, "pairs": matrix(x, 4)}
	}
	for i, c := range []struct {
		op     string
		fields map[string]any
		field  string
		want   string
	}{
		{"fitt", nil, "op", `op = "fitt", want one of fit,`},
		{"fit", map[string]any{}, "a", "a is not an array of rows"},
		{"fit", with(duels(), map[string]any{"b": matrix([]float64{1, 1}, 2)}), "b", "b has 1 rows and a has 20"},
		{"fit", with(duels(), map[string]any{"outcome": []int{1}}), "outcome", "outcome has 1 numbers, want 20"},
		{"fit", with(duels(), map[string]any{"ties": false, "outcome": make([]int, 20)}), "outcome", "outcome[0] = 0 is not on offer"},
		{"fit", with(duels(), map[string]any{"upper": []float64{1, 1}}), "a", "want 0 to 1: give lower and upper"},
		{"fit", with(duels(), map[string]any{"upper": []float64{0, 1}}), "upper", "upper[0] = 0, want a finite number above lower[0] = 0"},
		{"fit", with(duels(), map[string]any{"lower": []float64{0}}), "lower", "lower has 1 numbers, want 2"},
		{"fit", with(duels(), map[string]any{"inference": "mcmc"}), "inference", `unknown inference "mcmc"`},
		{"fit", with(duels(), map[string]any{"cut": "beta(1,2)"}), "cut", `prior "beta(1,2)", want gamma(shape,rate)`},
		{"fit", with(duels(), map[string]any{"noise": -1}), "noise", `noise = -1, want a positive number or "learn"`},
		{"fit", with(duels(), map[string]any{"noise": "guess"}), "noise", `noise = "guess", want`},
		{"fit", with(duels(), map[string]any{"noise": 1, "hyper": map[string]any{"lengthscale": []float64{1, 1}, "outputscale": 1}}), "noise", "noise = 1 beside hyper"},
		{"fit", with(duels(), map[string]any{"hyper": map[string]any{"lengthscale": []float64{1, 1}, "outputscale": -1}}), "hyper", "outputscale = -1"},
		{"fit", with(duels(), map[string]any{"colour": "red"}), "", `unknown field "colour"`},
		{"fit", with(duels(), map[string]any{"grades": "many"}), "grades", "grades is a string, want a int"},
		{"posterior", map[string]any{"model": 99, "x": matrix([]float64{1, 1}, 2)}, "model", "model = 99, and there is none"},
		{"posterior", map[string]any{"model": m}, "x", "x is missing"},
		{"posterior", map[string]any{"model": m, "x": matrix([]float64{1, 1, 1}, 3)}, "x", "x has the shape [1 3], want rows of 2"},
		{"posterior", points(1, math.NaN()), "x", "x[0][1] = NaN, want a finite number"},
		{"posterior", points(1, 1, 7, 0), "x", "x[1][0] = 7, want 0 to 5"},
		{"posterior", with(points(1, 1), map[string]any{"covariance": "full"}), "covariance", `covariance = "full", want joint`},
		{"moments", with(points(1, 1), map[string]any{"points": 0}), "points", "points = 0, want 1 to 64"},
		{"moments", with(points(1, 1), map[string]any{"points": 2}), "x", "x has the shape [1 2], want rows of 4"},
		{"draw", with(points(1, 1), map[string]any{"count": 0}), "count", "count = 0, want 1 to"},
		{"condition", map[string]any{"model": m, "a": []float64{1}, "b": []float64{1, 1}, "outcome": 1}, "a", "a has 1 numbers, want 2"},
		{"condition", map[string]any{"model": m, "a": []float64{1, 0}, "b": []float64{1, 1}, "outcome": 0}, "outcome", "outcome = 0 is not on offer"},
		{"acquire", pairs("thompson", 1, 1, 2, 1), "acquisition", `acquisition = "thompson" has no value`},
		{"acquire", pairs("kg", 1, 1, 2, 2), "pairs", "pairs[0][3] = 2, want 0 to 1"},
		{"acquire", with(pairs("kg", 1, 1, 2, 1), map[string]any{"noise": -2}), "noise", "noise = -2"},
		{"acquire", with(pairs("eubo", 1, 1, 2, 1), map[string]any{"one_shot": true}), "one_shot", "one_shot is the knowledge gradient's"},
		{"search", map[string]any{"model": m, "acquisition": "best"}, "acquisition", `acquisition = "best", want one of kg`},
		{"search", map[string]any{"model": m, "acquisition": "kg", "lower": []float64{4, 0}, "upper": []float64{1, 1}}, "lower", "lower[0] = 4, want at most upper[0] = 1"},
		{"search", map[string]any{"model": m, "acquisition": "kg", "hold": []float64{9, 0}}, "hold", "hold[0][0] = 9, want 0 to 5"},
		{"search", map[string]any{"model": m, "acquisition": "kg", "effort": map[string]any{"starts": -1}}, "effort", "Search.Starts = -1"},
	} {
		e, _ := k.try(c.op, c.fields)["error"].(map[string]any)
		field, _ := e["field"].(string)
		message, _ := e["message"].(string)
		if field != c.field || !strings.Contains(message, c.want) {
			t.Errorf("%d: %s: field %q, %q, want field %q, %q", i, c.op, field, message, c.field, c.want)
		}
	}
	k.ask("posterior", points(1, 1))
	k.ask("drop", map[string]any{"models": []any{m}})
	if e := k.try("posterior", points(1, 1)); e["error"] == nil {
		t.Error("a model that was dropped answers")
	}
}

// long is a request that takes minutes unless it is ended.
func long(id int, model any) map[string]any {
	pairs := slices.Repeat([]float64{1, 0.3, 4.5, 0.9}, 300_000)
	return map[string]any{"id": id, "op": "acquire", "model": model, "acquisition": "kg", "pairs": matrix(pairs, 4)}
}

// TestInputEnds: an input that ends while a request is at work ends the session at once, one that ends in between without a word.
func TestInputEnds(t *testing.T) {
	k := start(t)
	k.in.Close()
	if err := <-k.ended; err != nil {
		t.Errorf("between requests: %v", err)
	}
	k = start(t)
	m := k.ask("fit", duels())["model"]
	k.write(long(7, m))
	k.in.Close()
	select {
	case err := <-k.ended:
		if !errors.Is(err, errEnded) {
			t.Errorf("in a request: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("it does not end")
	}
}

// TestWhole: of a file every request is answered.
func TestWhole(t *testing.T) {
	fit := framed(t, with(duels(), map[string]any{"id": 1, "op": "fit"}))
	var out strings.Builder
	in := fit + "\n" + `{"id": 2, "op": "recommend", "model": 1}`
	if err := Serve(t.Context(), strings.NewReader(in), &out, Options{Whole: true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(out.String(), "\n", 4)
	if len(lines) != 4 || !strings.Contains(lines[2], `"id":2`) || strings.Contains(lines[2], "error") {
		t.Errorf("it says %s", out.String())
	}
}

// TestRubbish: after a line that is none nobody knows where the next one begins.
func TestRubbish(t *testing.T) {
	for in, want := range map[string]string{
		"rubbish\n": `"rubbish" is not a line of JSON`,
		`{"id": 1, "op": "drop", "bytes": 8}` + "\n1234": "bytes = 8, and the input ended before",
		`{"id": 1, "op": "drop", "bytes": -1}` + "\n":    "bytes = -1, want 0 to",
		`{"id": "x"}`: "is not a line of JSON with an id",
	} {
		var out strings.Builder
		if err := Serve(t.Context(), strings.NewReader(in), &out, Options{Whole: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

// TestCancel: a request that was cancelled is an error, and the session goes on.
func TestCancel(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	k.write(long(70, m))
	k.write(map[string]any{"cancel": 70})
	if e := k.read(); !strings.Contains(fmt.Sprint(e["error"]), "cancelled") {
		t.Errorf("after a cancel it says %v", e)
	}
	k.write(map[string]any{"cancel": 70})
	k.ask("recommend", map[string]any{"model": m})
}

// TestMutations: whatever a byte of a request becomes, it is answered or refused, and nothing panics.
func TestMutations(t *testing.T) {
	pairs := matrix([]float64{1, 0.3, 4.5, 0.9}, 4)
	requests := []map[string]any{
		with(duels(), map[string]any{"id": 1, "op": "fit", "ties": true, "grades": 1, "noise": 1, "inference": "sparse", "sparse": map[string]any{"inducing": 20, "sobol": 8, "nodes": 20}}),
		with(duels(), map[string]any{"id": 2, "op": "fit", "hyper": map[string]any{"lengthscale": []float64{0.5, 0.5}, "outputscale": 9, "noise": 2, "cuts": []float64{0}, "trend": 3}}),
		{"id": 3, "op": "posterior", "model": 1, "x": matrix([]float64{1, 0.3}, 2), "covariance": "joint"},
		{"id": 4, "op": "moments", "model": 2, "x": pairs, "points": 2},
		{"id": 5, "op": "draw", "model": 2, "x": matrix([]float64{1, 0.3}, 2), "count": 3, "seed": 1, "gradient": true},
		{"id": 6, "op": "acquire", "model": 2, "acquisition": "kg", "pairs": pairs, "gradient": true, "noise": 1},
		{"id": 7, "op": "acquire", "model": 1, "acquisition": "logei", "pairs": pairs, "samples": 32, "best": 0.5},
		{"id": 8, "op": "condition", "model": 2, "a": []float64{1, 0.5}, "b": []float64{3, 0.5}, "outcome": 1},
		{"id": 9, "op": "search", "model": 2, "acquisition": "eubo", "lower": []float64{1, 0.2}, "hold": []float64{3, 0.5}, "effort": map[string]any{"candidates": 8, "starts": 2}},
	}
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var in strings.Builder
		for _, q := range requests {
			text := []byte(framed(t, q))
			if rng.IntN(3) == 0 {
				line := strings.IndexByte(string(text), '\n')
				text[rng.IntN(line)] = "0123456789-.\"{}[],:eaxn"[rng.IntN(23)]
			}
			in.Write(text)
		}
		var out strings.Builder
		if err := Serve(t.Context(), strings.NewReader(in.String()), &out, Options{Whole: true}); strings.Contains(out.String(), "panicked") {
			t.Errorf("seed %d: %v, it says %.2000q", seed, err, out.String())
		}
	}
}
