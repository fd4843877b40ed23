package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/space"
	"github.com/rogpeppe/go-internal/testscript"
)

// truth is a taste that a study is to find out.
type truth struct {
	utility func(space.Option, space.Item) float64
	best    float64 // the highest utility there is
	near    float64 // a pick this far below it is near enough
}

// truths are the tastes of the scripts. Utilities are in units of what a person just notices.
var truths = map[string]truth{
	// Two spoons of sugar.
	"sweet": {
		utility: func(o space.Option, _ space.Item) float64 { return -2 * math.Abs(o.Float("sugar")-2) },
		best:    0, near: 1,
	},
	// Coffee for few, ground medium, of arabica. The favourite satisfies the constraint.
	"mixed": {
		utility: func(o space.Option, _ space.Item) float64 {
			bean := map[string]float64{"arabica": 3, "blend": 2}[o["bean"].String()]
			grind := math.Log10(o.Float("grind")) - 0.3
			cups := o.Float("cups") - 3
			return bean - 9*grind*grind - 0.4*cups*cups
		},
		best: 3, near: 1,
	},
	// Things that are about half-way, warm and made of wood.
	"features": {
		utility: func(_ space.Option, it space.Item) float64 {
			size, warmth := it.Features["size"].Float()-50, it.Features["warmth"].Float()-0.8
			material := map[string]float64{"wood": 3, "stone": 1}[it.Features["material"].String()]
			return material - size*size/150 - 12*warmth*warmth
		},
		best: 3, near: 1.5,
	},
	// Half of the things will do, the others will not, and nothing but trying tells which.
	"plain": {
		utility: func(o space.Option, _ space.Item) float64 {
			if strings.ContainsAny(o.Item()[4:], "02468") {
				return 6
			}
			return 0
		},
		best: 6, near: 0,
	},
}

// thingsCommand is "things FILE N [features]": writes a list of N items as a table.
func thingsCommand(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("id")
	if len(args) > 2 {
		b.WriteString(",size,warmth,material")
	}
	for i := range n {
		fmt.Fprintf(&b, "\nt%04d", i)
		if len(args) > 2 {
			fmt.Fprintf(&b, ",%d,%.3f,%s", 1+rng.IntN(100), rng.Float64(), []string{"wood", "stone", "glass"}[rng.IntN(3)])
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()+"\n"), 0o644))
}

// rateCommand is "rate STUDY TRUTH MOST": a simulated rater answers "prefer ask" with "prefer tell" until the
// study is done, which must be after MOST questions, and the pick must be near the truth.
func rateCommand(ts *testscript.TestScript, _ bool, args []string) {
	study, t := ts.MkAbs(args[0]), truths[args[1]]
	most, err := strconv.Atoi(args[2])
	ts.Check(err)
	rng := rand.New(rand.NewPCG(3, 4))
	for questions := 0; ; questions++ {
		out, code := prefers(ts, "ask", study, "--json")
		if code == cli.ExitDone {
			gap := t.best - t.utility(pick(ts, study))
			ts.Logf("%s: done after %d questions, %.3g below the best", args[1], questions, gap)
			if !(gap <= t.near) {
				ts.Fatalf("the pick is %g below the best, want at most %g", gap, t.near)
			}
			return
		}
		if questions == most {
			ts.Fatalf("not done after %d questions", most)
		}
		var q struct {
			First, Second space.Option
			Items         map[string]space.Item
		}
		ts.Check(json.Unmarshal(out, &q))
		difference := t.utility(q.First, q.Items[q.First.Item()]) - t.utility(q.Second, q.Items[q.Second.Item()]) + 0.3*rng.NormFloat64()
		choice := "tie"
		switch {
		case difference > 1:
			choice = "first"
		case difference < -1:
			choice = "second"
		}
		prefers(ts, "tell", study, choice)
	}
}

// pick returns what "prefer best" says.
func pick(ts *testscript.TestScript, study string) (space.Option, space.Item) {
	out, _ := prefers(ts, "best", study, "--json")
	var f struct {
		Best struct{ Option space.Option }
		Item *space.Item
	}
	ts.Check(json.Unmarshal(out, &f))
	if f.Item == nil {
		return f.Best.Option, space.Item{}
	}
	return f.Best.Option, *f.Item
}

// prefers runs a command line in this process; the study lives in its file alone.
func prefers(ts *testscript.TestScript, args ...string) (out []byte, code int) {
	var stdout, stderr bytes.Buffer
	code = run(args, cli.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
	if code != 0 && code != cli.ExitDone {
		ts.Fatalf("prefer %s: exit code %d: %s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.Bytes(), code
}
