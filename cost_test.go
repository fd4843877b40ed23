package prefer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

func costSpace(constraint string) space.Space {
	return space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Float("y", 0, 1), space.Int("n", 0, 9), space.Categorical("c", "a", "bcd")}, Constraints: []string{constraint}}
}

// TestCostSteps: steps of expressions counted by hand: one for each node, loops as often as their lists are long, words by their length.
func TestCostSteps(t *testing.T) {
	for text, want := range map[string]float64{
		"x <= y":                                 3,
		"x + 0.5*y <= 1":                         7,
		"x > 0 ? y > 0 : x + y < 1":              1 + 3 + 5,
		"sum([x, y, n]) <= 2":                    8, // as x + y + n, which may be a word
		"all([x, y], {# < 1})":                   1 + 3 + 2*4,
		"all(1..100, {# < x})":                   1 + (3 + 100) + 100*4,
		"let a = x; a < 1":                       1 + 1 + 3,
		"count([x, y, n], {# > 0.5}) >= 2":       1 + (1 + 4 + 3*4) + 1,
		"len(c + c) < 5":                         1 + (1 + (3 + 4) + 6) + 1,
		"any([x, y], {all([x, y], {# < x})})":    1 + 3 + 2*(1+1+3+2*4),
		`reduce([x, y, n], {#acc + #}, 0.0) < 3`: 32, // it may be a word, and grow
	} {
		cs, err := coding.Compile(costSpace(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if cs[0].Steps != want {
			t.Errorf("%q takes %v steps, want %v", text, cs[0].Steps, want)
		}
	}
}

// TestCostly: what loops for long, or makes words and lists that grow, is refused when a study is made, at once and by name.
func TestCostly(t *testing.T) {
	nested := "x < 2"
	for range 3000 {
		nested = "abs(" + nested[:strings.IndexByte(nested, '<')] + ")" + nested[strings.IndexByte(nested, '<'):]
	}
	double := "let a0 = c + c; "
	for i := range 40 {
		double += fmt.Sprintf("let a%d = a%d + a%d; ", i+1, i, i)
	}
	for text, want := range map[string]string{
		"x + y <= 1.5":                              "",
		`c in ["a", "bcd"] and sum([x, y]) < 2`:     "",
		"len(filter([x, y, n/9], {# > 0.5})) <= 2":  "has a loop",
		"all([x, y], {# < 1})":                      "has a loop",
		nested:                                      "",
		strings.Repeat("x < 2 && ", 1200) + "y < 2": "",
		"sum(1..990, {sum(1..990, {# * x})}) >= 0":  `constraint 0, "sum(1..990, {sum(1..990, {# * x})}) >= 0", has a loop`,
		double + "len(a40) > 0":                     "any number of steps",
		`len(repeat(c, int(n))) < 9`:                "any number of steps",
	} {
		cfg := Config{Space: costSpace(text)}
		_, err := New(t.Context(), cfg)
		for by, err := range map[string]error{"New": err, "Validate": cfg.Validate()} {
			if want == "" && err != nil || want != "" && (errcode.Of(err) != "costly" || !strings.Contains(err.Error(), want) || len(err.Error()) > 500) {
				t.Errorf("%.60q: %s says %.600v, want %q", text, by, err, want)
			}
		}
	}
	long := strings.Repeat("x < 2 && ", 1200) + "y < 2"
	two := costSpace(long)
	two.Constraints = append(two.Constraints, long, long)
	if _, err := New(t.Context(), Config{Space: two}); errcode.Of(err) != "costly" || !strings.Contains(err.Error(), "constraints 0 to 2") {
		t.Errorf("three constraints that are too much together: %v", err)
	}
}

// TestCostlyLog: the log of a study from before there was a limit opens, is read and answered; what would compute its constraint says why not.
func TestCostlyLog(t *testing.T) {
	s, err := New(t.Context(), Config{Space: costSpace("x + y <= 1.5")})
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Ask(t.Context(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	events := slices.Clone(s.Events(0))
	first := *events[0].Created
	first.Config.Space.Constraints = []string{"sum(1..990, {sum(1..990, {# * x})}) < -1"} // nothing satisfies it: 16384 tries would take 10 minutes
	events[0].Created = &first
	if s, err = Open(t.Context(), events, OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(t.Context(), q.ID, Answer{Choice: First}); err != nil {
		t.Errorf("the open question cannot be answered: %v", err)
	}
	if got := s.History(); len(got) != 1 {
		t.Errorf("the history has %d answers, want 1", len(got))
	}
	_, ask := s.Ask(t.Context(), Request{})
	_, best := s.Best(t.Context(), Look{})
	_, verdict := s.Verdict(t.Context(), Look{})
	_, observed := s.Observe(t.Context(), Duel{First: q.First, Second: q.Second, Answer: Answer{Choice: First}})
	_, stock := s.Host().Stock(t.Context(), 3)
	for what, err := range map[string]error{"ask": ask, "best": best, "verdict": verdict, "observe": observed, "stock": stock, "enqueue": s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: q.First}}})} {
		if errcode.Of(err) != "costly" || !strings.Contains(err.Error(), "1..990") {
			t.Errorf("%s: %v, want what is wrong with the constraint", what, err)
		}
	}
}

// countdown is a context that ends when somebody has looked at it so many times.
type countdown struct {
	context.Context
	left *atomic.Int64
}

func (c countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestCostEnd: wherever in a search the time is over, no constraint is computed from then on but those of the question, and that meets them.
func TestCostEnd(t *testing.T) {
	for name, space := range map[string]space.Space{
		"floats": {Parameters: []space.Parameter{space.Float("x", 0, 1), space.Float("y", 0, 1)}, Constraints: []string{"x + y <= 0.8"}},
		"mixed":  {Parameters: []space.Parameter{space.Float("x", 0, 1), space.Int("n", 0, 9), space.Categorical("c", "a", "b")}, Constraints: []string{`c == "a" ? x < 0.3 : n > 6`}},
		"few":    {Parameters: []space.Parameter{space.Int("m", 0, 9), space.Int("n", 0, 9)}, Constraints: []string{"m > n"}},
	} {
		s := start(t, Config{Space: space, Initial: 2, Seed: 1, Modelling: Modelling{Belief: beliefLikeliest, Search: acquisition.Search{Candidates: 64, Starts: 2, Finalists: 1, Evals: 30}}})
		for k := range 6 {
			tell(t, s, ask(t, s, "").ID, []Choice{First, Second}[k%2])
		}
		code := s.state.code
		partial := 0
		for k := int64(1); k < 1e5; k = 1 + k*4 {
			ctx := countdown{t.Context(), new(atomic.Int64)}
			ctx.left.Store(k)
			v := s.view("")
			q, _, err := s.choose(ctx, v, Request{})
			if err != nil {
				t.Fatalf("%s, after %d looks: %v", name, k, err)
			}
			if _, _, err := code.Pair(q.First, q.Second); err != nil {
				t.Errorf("%s, after %d looks: %v", name, k, err)
			}
			if q.Partial {
				partial++
			}
			ctx.left.Store(k)
			if _, _, err := s.pick(ctx, v); err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, after %d looks: %v", name, k, err)
			}
			ctx.left.Store(k)
			if b, err := s.believe(ctx, v); err == nil {
				err = b.Find(ctx)
				if err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s, after %d looks: %v", name, k, err)
				}
			}
		}
		if partial < 3 {
			t.Errorf("%s: %d searches were cut short", name, partial)
		}
		over := countdown{t.Context(), new(atomic.Int64)}
		out := make([]float64, code.Dim)
		code.Spread(out, []float64{0.999, 0.999, 0.1}[:len(code.Axes)])
		if code.Domain(t.Context()).Feasible(out) || !code.Domain(over).Feasible(out) {
			t.Errorf("%s: a constraint is computed after the end", name)
		}
	}
}

// TestCornered: constraints may leave nothing but what the margin keeps the first questions away from.
func TestCornered(t *testing.T) {
	s, err := New(t.Context(), Config{Space: space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Float("y", 0, 1)}, Constraints: []string{"x + y <= 0.1"}}, Initial: 2, Method: "eubo"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		q, err := s.Ask(t.Context(), Request{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(t.Context(), q.ID, Answer{Choice: First}); err != nil {
			t.Fatal(err)
		}
	}
}
