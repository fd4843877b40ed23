package prefer

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// lower gives a limit another value until the test ends.
func lower[T any](t *testing.T, limit *T, to T) {
	old := *limit
	*limit = to
	t.Cleanup(func() { *limit = old })
}

// says returns what a study says about a rater, and the question it asks their next, as one text; about all raters, too, if that is
// wanted. The question stays in the log.
func says(t *testing.T, s *Study, rater string, fixed space.Option, all bool) (string, Question) {
	t.Helper()
	best, err := s.Best(ctx, Look{Rater: rater, Fixed: fixed})
	if err != nil {
		t.Fatalf("best: %v", err)
	}
	verdict, err := s.Verdict(ctx, Look{Rater: rater, Fixed: fixed})
	if err != nil {
		t.Fatalf("verdict: %v", err)
	}
	belief, err := s.Belief(ctx, Look{Rater: rater, Fixed: fixed})
	if err != nil {
		t.Fatalf("belief: %v", err)
	}
	mean, sd, err := belief.Utility(best.Option)
	if err != nil {
		t.Fatal(err)
	}
	var raters []Rater
	var group Group
	if all {
		if raters, err = s.Raters(ctx); err != nil {
			t.Fatalf("raters: %v", err)
		}
	}
	if all && s.people() == PerRater {
		if group, err = s.Group(ctx, Look{Fixed: fixed}); err != nil {
			t.Fatalf("group: %v", err)
		}
	}
	q, err := s.Ask(ctx, Request{Rater: rater, Fixed: fixed})
	if err != nil {
		t.Fatalf("ask: %v", err)
	}
	text, err := json.Marshal([]any{best, verdict, fmt.Sprint(belief.Warnings), mean, sd, raters, group, q})
	if err != nil {
		t.Fatal(err)
	}
	return string(text), q
}

// TestLimits: a process that lives through the counts at which learning changes, from dense to reduced and to sparse inference among them, says at each
// what a process says that is opened from the same log, with or without the snapshot of an answer ago.
func TestLimits(t *testing.T) {
	lower(t, &learn.DenseLimit, 24)
	lower(t, &learn.PlainLimit, 29)
	lower(t, &learn.RefitAlways, 15)
	lower(t, &learn.RefitAtOnce, 15)
	lower(t, &learn.RefitGrowth, 5)
	lower(t, &learn.CrowdLimit, 12)
	lower(t, &learn.PerRaterAlways, 6)
	lower(t, &learn.PerRaterGrowth, 3)
	lower(t, &jointAnswers, 28)
	lower(t, &worthKeeping, 1)
	var named, described []space.Item
	for i := range 12 {
		named = append(named, space.Item{ID: fmt.Sprint("i", i)})
		described = append(described, space.Item{ID: fmt.Sprint("i", i), Features: space.Option{"size": space.ValueOf(float64(i)), "age": space.ValueOf(float64(i * i % 7))}})
	}
	room := space.Categorical("room", "quiet", "loud")
	room.Context = true
	quiet := space.Option{"room": space.ValueOf("quiet")}
	earlier := make([]Duel, 6)
	for i := range earlier {
		x := float64(i) / 6
		earlier[i] = Duel{First: space.Option{"x": space.ValueOf(x), "y": space.ValueOf(0.1)}, Second: space.Option{"x": space.ValueOf(1 - x), "y": space.ValueOf(0.9)}, Rater: "1", Answer: Answer{Choice: First}}
	}
	turns := func(i int) string { return []string{"ann", "bob", "cleo"}[i%3] }
	mostly := func(i int) string { // of all answers ann gives all but six
		if i%2 == 1 && i < 12 {
			return []string{"bob", "cleo"}[i/2%2]
		}
		return "ann"
	}
	for _, c := range []struct {
		name    string
		cfg     Config
		who     func(int) string
		fixed   space.Option
		perfect bool  // there are no ties
		sparse  bool  // answers are learned by sparse inference in the end
		at      []int // answers after which everything is compared
	}{
		{name: "shared", cfg: Config{Space: unitSquare()}, sparse: true, at: []int{16, 24, 25, 27, 30, 31, 32, 34}},
		{name: "forced", cfg: Config{Space: unitSquare(), Answers: Answers{Forced: true}}, perfect: true, sparse: true, at: []int{24, 26, 30, 31}},
		{name: "likeliest", cfg: Config{Space: unitSquare(), Modelling: Modelling{Belief: beliefLikeliest}}, perfect: true, sparse: true, at: []int{24, 26, 30, 31}},
		{name: "per rater", cfg: Config{Space: unitSquare(), People: PerRater}, who: mostly, perfect: true, sparse: true, at: []int{13, 30, 31, 36, 37}},
		{name: "earlier", cfg: Config{Space: unitSquare(), Modelling: Modelling{Earlier: earlier}}, perfect: true, sparse: true, at: []int{24, 25, 30, 31}},
		{name: "names", cfg: Config{Space: space.Space{Items: named}}, sparse: true, at: []int{24, 26, 30, 31}},
		{name: "features", cfg: Config{Space: space.Space{Items: described}}, sparse: true, at: []int{24, 26, 30, 31}},
		{name: "crossed", cfg: Config{Space: space.Space{Items: named, Parameters: []space.Parameter{space.Float("x", 0, 1)}}}, sparse: true, at: []int{24, 26, 30, 31}},
		{name: "contexts", cfg: Config{Space: space.Box(space.Float("x", 0, 1), room)}, fixed: quiet, sparse: true, at: []int{24, 26, 30, 31}},
		{name: "levels", cfg: Config{Space: unitSquare(), Modelling: Modelling{BothBad: badAtLevel}}, at: []int{23, 24, 25, 40, 42, 43}},
		{name: "levels per rater", cfg: Config{Space: unitSquare(), Modelling: Modelling{BothBad: badAtLevel}, People: PerRater}, who: mostly, at: []int{18, 22, 28, 46, 47}},
		{name: "bad ties", cfg: Config{Space: unitSquare(), Modelling: Modelling{BothBad: badAsTie}, People: PerRater}, at: []int{22, 47, 48}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Search, c.cfg.Initial, c.cfg.Seed = little, 12, 3
			s := start(t, c.cfg)
			rng := rand.New(rand.NewPCG(7, 7))
			who := c.who
			if who == nil {
				who = turns
			}
			var snapshot []byte
			seen := map[gp.Inference]bool{}
			for n := 0; len(c.at) > 0; n++ {
				rater, bad := who(n), c.cfg.BothBad != "" && n%4 == 3
				var q Question
				if n == c.at[0] {
					events := s.Events(0)
					final := len(c.at) == 1
					got, asked := says(t, s, rater, c.fixed, final)
					q, c.at = asked, c.at[1:]
					for _, snapshot := range [][]byte{nil, snapshot} {
						fresh, err := Open(ctx, events, OpenOptions{Snapshot: snapshot, Now: clock()})
						if err != nil {
							t.Fatal(err)
						}
						if want, _ := says(t, fresh, rater, c.fixed, final); got != want {
							t.Errorf("%d answers, snapshot of %d bytes: a process that lived through them says\n%s\nand one that was opened\n%s", n, len(snapshot), got, want)
						}
					}
					for _, f := range append(s.questionFits.Ready(), s.beliefFits.Ready()...) {
						seen[f.Post.State().Inference] = true
					}
				} else if bad {
					q = ask(t, s, rater)
				} else {
					// Most answers are about pairs at random, which costs nothing.
					dir := s.state.list
					if c.fixed != nil {
						v, err := s.view(rater).withFixed(c.fixed)
						if err != nil {
							t.Fatal(err)
						}
						dir = v.code
					}
					x := dir.Points(64, 5)
					row := func() space.Option { i := rng.IntN(len(x) / dir.Dim); return dir.Option(x[i*dir.Dim : (i+1)*dir.Dim]) }
					q = Question{First: row(), Second: row()}
				}
				answer := Answer{Choice: First}
				worth := func(o space.Option) (v float64) {
					x, err := s.state.code.Unit(o)
					if err != nil {
						t.Fatal(err)
					}
					for _, x := range x {
						v -= (math.Mod(x, 1) - 0.4) * (math.Mod(x, 1) - 0.4)
					}
					return v
				}
				switch f, g := worth(q.First), worth(q.Second); {
				case bad:
					answer.Choice = BothBad
				case !c.perfect && n%5 == 4:
					answer.Choice = Tie
				case g > f:
					answer.Choice = Second
				}
				var err error
				if q.ID != "" {
					_, err = s.Tell(ctx, q.ID, answer)
				} else {
					_, err = s.Observe(ctx, Duel{First: q.First, Second: q.Second, Rater: rater, Answer: answer})
				}
				if err != nil {
					t.Fatal(err)
				}
				snapshot = s.Host().Snapshot()
			}
			if !seen[gp.EP] || !seen[gp.Reduced] && !c.sparse || seen[gp.Sparse] != c.sparse {
				t.Errorf("answers were learned by %v, want ep, and sparse: %t, else reduced", seen, c.sparse)
			}
		})
	}
}

// TestThousand is the walk across the limits as they are: what was learned densely is of no use to what is learned from more than 330 answers.
func TestThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a thousand duels; the full suite runs it")
	}
	s := start(t, Config{Space: unitSquare(), Modelling: Modelling{Search: little}, Confidence: 0.999})
	all := simulated(learn.PlainLimit+learn.PlainLimit/20, 2, 8)
	option := func(x []float64) space.Option {
		return space.Option{"x": space.ValueOf(x[0]), "y": space.ValueOf(x[1])}
	}
	for i, o := range all.Outcome {
		if i == learn.DenseLimit || i == learn.PlainLimit {
			ask(t, s, "")
		}
		observe(t, s, option(all.A[2*i:2*i+2]), option(all.B[2*i:2*i+2]), map[gp.Outcome]Choice{1: First, -1: Second, 0: Tie}[o])
	}
	events := s.Events(0)
	got, _ := says(t, s, "", nil, false)
	fresh, err := Open(ctx, events, OpenOptions{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := says(t, fresh, "", nil, false); got != want {
		t.Errorf("a process that lived through a thousand answers says\n%s\nand one that was opened\n%s", got, want)
	}
}
