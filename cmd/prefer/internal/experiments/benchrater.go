package experiments

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/research"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// benchRater is a rater for programs in any language to ask.
type benchRater struct {
	Taste  string `help:"Which taste: a seed, and a number among the tastes of that seed." default:"0:0" placeholder:"SEED:N"`
	Family string `help:"Family of tastes: smooth, rugged, or one by name. Defaults to any." placeholder:"NAME"`
	Shape  string `help:"What it is about: box (continuous parameters), mixed, list (60 items with features), plain list, or any." enum:"any,box,mixed,list,plain list" default:"box"`
	Dim    int    `help:"Number of parameters or features. Defaults to any from 1 to 8." placeholder:"N"`
	Rater  string `help:"Kind of rater: ${taste_raters}." default:"ordinary" placeholder:"NAME"`
	Seed   uint64 `help:"Seed of the rater's noise."`
}

// raterHello is the first line: what the taste is about. Of a list a point is the number of an item.
type raterHello struct {
	Family string      `json:"family"`
	Shape  string      `json:"shape"`
	Rater  string      `json:"rater"`
	Parts  []raterPart `json:"parts"`
	Items  [][]float64 `json:"items,omitempty"`
}

type raterPart struct {
	Kind   string `json:"kind"`
	Levels int    `json:"levels,omitempty"`
}

type raterRequest struct {
	A    []float64 `json:"a"`
	B    []float64 `json:"b"`
	Pick []float64 `json:"pick"`
}

// raterJudgement is how good a pick is by the taste itself.
type raterJudgement struct {
	Missed  float64 `json:"missed"`  // (max f − f(pick)) / (max f − mean f)
	Noticed float64 `json:"noticed"` // probability that one answer between the best option and the pick goes to the best
}

func (c benchRater) Run(ctx context.Context, s cli.Streams) error {
	taste, err := c.taste()
	if err != nil {
		return err
	}
	rater, err := taste.Rater(c.Rater)
	if err != nil {
		return cli.WrapFlagError(err, "--rater", c.Rater)
	}
	out := json.NewEncoder(s.Out)
	if err := out.Encode(newRaterHello(taste, rater)); err != nil {
		return err
	}
	lines := make(chan []byte)
	go func() { // a read cannot be called off
		defer close(lines)
		for in := bufio.NewReader(s.In); ; {
			line, err := in.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) > 0 {
				lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	for answers := uint64(0); ; {
		var line []byte
		var more bool
		select {
		case line, more = <-lines:
		case <-ctx.Done():
		}
		if !more {
			return context.Cause(ctx)
		}
		var q raterRequest
		err := strictjson.Decode(line, &q)
		if err == nil {
			err = q.check(taste)
		}
		var reply any
		switch {
		case err != nil:
			reply = map[string]string{"error": err.Error()}
		case q.Pick != nil:
			reply = judgePick(taste, rater, taste.Utility(q.Pick))
		default:
			said := rater.Answer(taste.Utility(q.A), taste.Utility(q.B), c.Seed, answers)
			reply = map[string]string{"reply": strings.ReplaceAll(string(said), "_", " ")} // in words
			answers++
		}
		if err := out.Encode(reply); err != nil {
			return err
		}
	}
}

func (c benchRater) taste() (*problem.Taste, error) {
	first, second, _ := strings.Cut(c.Taste, ":")
	seed, err1 := strconv.ParseUint(first, 10, 64)
	index, err2 := strconv.ParseUint(second, 10, 31)
	if err1 != nil || err2 != nil {
		return nil, cli.FlagError("--taste", c.Taste, "want SEED:N as in 7:3")
	}
	o := problem.TasteOptions{Family: c.Family, Dim: c.Dim}
	for o.Shape.String() != c.Shape {
		o.Shape++
	}
	taste, err := problem.NewTaste(seed, int(index), o)
	return taste, cli.Usage(err)
}

func newRaterHello(t *problem.Taste, r problem.TasteRater) raterHello {
	kinds := map[problem.PartKind]string{problem.Continuous: "continuous", problem.Ordered: "ordered", problem.Unordered: "unordered"}
	parts := xslices.Map(t.Parts, func(p problem.Part) raterPart { return raterPart{kinds[p.Kind], p.Levels} })
	return raterHello{Family: t.Family, Shape: t.Shape.String(), Rater: r.Name, Parts: append([]raterPart{}, parts...), Items: t.Items}
}

func (q raterRequest) check(t *problem.Taste) error {
	if (q.Pick == nil) == (q.A == nil) || (q.A == nil) != (q.B == nil) {
		return fmt.Errorf(`want {"a": […], "b": […]} or {"pick": […]}`)
	}
	for _, x := range [][]float64{q.A, q.B, q.Pick} {
		if x != nil && len(x) != t.Dim() {
			return fmt.Errorf("%v has %d coordinates, want %d", x, len(x), t.Dim())
		}
		for j, v := range x {
			levels := len(t.Items)
			if t.Items == nil {
				levels = t.Parts[j].Levels
			}
			if levels == 0 && !(v >= 0 && v <= 1) {
				return fmt.Errorf("coordinate %d is %g, want 0 to 1", j, v)
			} else if levels > 0 && (v != math.Trunc(v) || v < 0 || v >= float64(levels)) {
				return fmt.Errorf("coordinate %d is %g, want a whole number from 0 to %d", j, v, levels-1)
			}
		}
	}
	return nil
}

// judgePick holds an option of utility f against the best one. An answer goes to the best if it lapses that way, or if
//
//	max f − f + σε > δ,   Φ((max f − f − δ)/σ).
func judgePick(t *problem.Taste, r problem.TasteRater, f float64) raterJudgement {
	gap := t.Max - f
	p := 0.5 * math.Erfc((r.Delta-gap)/r.Sigma/math.Sqrt2)
	if r.Sigma == 0 && gap == r.Delta { // nothing to go by
		p = 0.5
	}
	j := raterJudgement{Noticed: r.Lapse/2 + (1-r.Lapse)*p}
	if gap > 0 {
		j.Missed = gap / (t.Max - t.Mean)
	}
	return j
}

type Research struct {
	Workers int `help:"Processors per request; results do not depend on it. Defaults to all." least:"0" placeholder:"N"`
}

func (c Research) Run(ctx context.Context, s cli.Streams) error {
	whole := true // the end of a file is known beforehand; the end of a pipe is the end of its writer
	if f, ok := s.In.(*os.File); ok {
		info, err := f.Stat()
		whole = err == nil && info.Mode().IsRegular()
	}
	err := research.Serve(ctx, s.In, s.Out, research.Options{Version: cli.ThisBuild().Version, Workers: cmp.Or(c.Workers, runtime.GOMAXPROCS(0)), Whole: whole, Stderr: s.Err})
	if stop := context.Cause(ctx); stop != nil && errors.Is(err, stop) {
		return stop
	}
	return err
}
