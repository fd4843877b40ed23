package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/problem"
)

// speak gives a rater lines and returns its replies.
func speak(t *testing.T, c benchRater, lines []string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Run(t.Context(), cli.Streams{In: strings.NewReader(strings.Join(lines, "\n")), Out: &out}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// TestBenchRater: a program hears what the taste's rater says to the same questions in package problem.
func TestBenchRater(t *testing.T) {
	for _, c := range []benchRater{
		{Taste: "5:2", Shape: "box", Dim: 3, Rater: "ordinary", Seed: 9}, {Taste: "5:3", Shape: "mixed", Family: "smooth", Rater: "ties often"},
		{Taste: "5:4", Shape: "list", Rater: "careless"}, {Taste: "5:5", Shape: "plain list", Rater: "exact"},
	} {
		taste, err := c.taste()
		if err != nil {
			t.Fatal(err)
		}
		rater, err := taste.Rater(c.Rater)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		var lines, want []string
		for k := range uint64(50) {
			a, b := taste.Random(rng), taste.Random(rng)
			line, _ := json.Marshal(map[string][]float64{"a": a, "b": b})
			lines = append(lines, string(line))
			want = append(want, fmt.Sprintf(`{"reply":%q}`, rater.Answer(taste.Utility(a), taste.Utility(b), c.Seed, k)))
		}
		pick, _ := json.Marshal(map[string][]float64{"pick": taste.At})
		got := speak(t, c, append(lines, string(pick)))
		var hello raterHello
		if err := json.Unmarshal([]byte(got[0]), &hello); err != nil {
			t.Fatal(err)
		}
		if hello.Family != taste.Family || len(hello.Parts) != len(taste.Parts) || len(hello.Items) != len(taste.Items) || hello.Shape != c.Shape {
			t.Errorf("%+v says it is about %+v", c, hello)
		}
		for j, p := range taste.Parts {
			if hello.Parts[j].Levels != p.Levels || (hello.Parts[j].Kind == "continuous") != (p.Levels == 0) {
				t.Errorf("%+v: part %d is %+v, want %+v", c, j, hello.Parts[j], p)
			}
		}
		for k, w := range want {
			if got[k+1] != w {
				t.Fatalf("%+v: question %d, %s: %s, want %s", c, k, lines[k], got[k+1], w)
			}
		}
		var best raterJudgement
		if err := json.Unmarshal([]byte(got[51]), &best); err != nil || best.Missed != 0 {
			t.Errorf("%+v: of the best option %s, %v", c, got[51], err)
		}
	}
}

// TestJudge counts answers between the best option and a pick.
func TestJudge(t *testing.T) {
	taste, err := benchRater{Taste: "1:1", Shape: "box", Dim: 2}.taste()
	if err != nil {
		t.Fatal(err)
	}
	const n = 20000
	for _, kind := range []string{"exact", "ordinary", "ties", "careless ties"} {
		r, err := taste.Rater(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, gap := range []float64{0, 0.3 * taste.Sigma, 2 * taste.Sigma} {
			won := 0.0
			for k := range uint64(n) {
				if r.Answer(taste.Max, taste.Max-gap, 3, k) == problem.First {
					won += 1.0 / n
				}
			}
			got := judgePick(taste, r, taste.Max-gap)
			if math.Abs(got.Noticed-won) > 0.015 {
				t.Errorf("%s, gap %g: noticed %.3f, counted %.3f", kind, gap, got.Noticed, won)
			}
			if want := gap / (taste.Max - taste.Mean); math.Abs(got.Missed-want) > 1e-9 {
				t.Errorf("%s, gap %g: missed %g, want %g", kind, gap, got.Missed, want)
			}
		}
	}
	if mean := judgePick(taste, problem.TasteRater{Rater: problem.Rater{Sigma: 1}}, taste.Mean).Missed; mean != 1 {
		t.Errorf("an option as good as the mean misses %g, want 1", mean)
	}
}

// TestBenchRaterMisuse: what makes no sense is said, and the next line is answered as if it had not been.
func TestBenchRaterMisuse(t *testing.T) {
	c := benchRater{Taste: "5:2", Shape: "mixed", Family: "linear", Dim: 2, Rater: "exact"}
	taste, err := c.taste()
	if err != nil {
		t.Fatal(err)
	}
	good, _ := json.Marshal(map[string][]float64{"pick": taste.At})
	for line, word := range map[string]string{
		`{"a": [0, 0]}`: "want {", `{}`: "want {", `{"a": [0, 0], "b": [0, 0], "pick": [0, 0]}`: "want {", `nonsense`: "invalid",
		`{"pick": [0]}`: "1 coordinates, want 2", `{"pick": [9, 9]}`: "is 9, want", `{"pick": [0.5, 0.5]}`: "is 0.5, want a whole number", `{"x": 1}`: "unknown field",
	} {
		got := speak(t, c, []string{line, string(good)})
		if said := got[1]; !strings.Contains(said, `"error":`) || !strings.Contains(strings.ReplaceAll(said, `\"`, `"`), word) {
			t.Errorf("%s: %s, want an error with %q", line, said, word)
		}
		if !strings.HasPrefix(got[2], `{"missed":0,`) {
			t.Errorf("after %s: %s", line, got[2])
		}
	}
	for _, c := range []benchRater{{Taste: "7", Shape: "box"}, {Taste: "a:1", Shape: "box"}, {Taste: "1:-1", Shape: "box"}, {Taste: "1:1", Shape: "box", Family: "none such"},
		{Taste: "1:1", Shape: "box", Dim: -1, Rater: "exact"}, {Taste: "1:1", Shape: "box", Rater: "grumpy"}} {
		if err := c.Run(t.Context(), cli.Streams{In: strings.NewReader(""), Out: io.Discard}); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// TestBenchRaterEnds: waiting for a line ends with the context.
func TestBenchRaterEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, _ := io.Pipe() // nothing ever comes
	stop()
	if err := (benchRater{Taste: "1:1", Shape: "box", Dim: 1, Rater: "exact"}).Run(ctx, cli.Streams{In: in, Out: io.Discard}); err == nil {
		t.Error("no error after the end of the context")
	}
}
