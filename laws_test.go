package prefer

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// step does the k-th thing of a life with everything in it: three raters, answers of every kind, undo
// of recent and of old answers, duels from elsewhere, a question that stays open. It returns the question.
func step(t testing.TB, s *Study, k int) Question {
	t.Helper()
	rater := []string{"ann", "bob", ""}[k%3]
	q := ask(t, s, rater)
	choice := honest(q)
	switch k % 7 {
	case 2:
		choice = Tie
	case 4:
		choice = BothBad
	case 5:
		choice = Skip
	}
	if k%10 != 9 { // else the question stays open for a while
		tell(t, s, q.ID, choice)
	}
	s.mu.Lock()
	answers := s.state.answers
	s.mu.Unlock()
	switch k % 6 {
	case 3:
		undo(t, s, answers[len(answers)-1].id)
	case 5:
		if old := answers[len(answers)/2]; !old.undone {
			undo(t, s, old.id)
		}
	case 4:
		observe(t, s, cup(0.02*float64(k%20), 1), cup(0.3, 0.2+0.1*float64(k)), First)
	}
	return q
}

// TestReplay: at many points of such a life the study rebuilt from its log, and the one rebuilt from
// its log in JSON, have the same posterior and ask the question the live one asks next, to the bit.
func TestReplay(t *testing.T) {
	steps, every := 36, 3
	if testing.Short() {
		steps, every = 18, 5
	}
	s := start(t, Config{Space: coffee(), Seed: 77, Answers: Answers{Grades: 1}, Modelling: Modelling{Search: little}})
	chosen := 0 // questions compared that had to be chosen
	for k := range steps {
		if k%every != 0 {
			step(t, s, k)
			continue
		}
		fromJSON, err := readLines(lines(t, s.Events(0)))
		if err != nil {
			t.Fatal(err)
		}
		replayed := map[string]*Study{"events": reopen(t, s.Events(0)), "JSON": reopen(t, fromJSON)}
		for name, r := range replayed {
			sameBits(t, fmt.Sprintf("step %d, replayed from %s", k, name), s, r)
			if got, want := r.openIDs(), s.openIDs(); !reflect.DeepEqual(got, want) {
				t.Errorf("step %d, replayed from %s: open are %v, want %v", k, name, got, want)
			}
		}
		before := len(s.view("").past)
		live := step(t, s, k)
		if len(s.view("").past) > before && live.Method == "kg" {
			chosen++
		}
		for name, r := range replayed {
			if got := ask(t, r, live.Rater); !reflect.DeepEqual(got, live) {
				t.Errorf("step %d, replayed from %s: asks %+v, live %+v", k, name, got, live)
			}
		}
	}
	if chosen < 2 {
		t.Errorf("only %d questions were chosen by the model: this test tests little", chosen)
	}
}

// TestReplayGoesOn: a study that was closed and opened after every step has the same log in the end as
// one that never was.
func TestReplayGoesOn(t *testing.T) {
	const steps = 14
	whole := start(t, Config{Space: coffee(), Seed: 78})
	parts := start(t, Config{Space: coffee(), Seed: 78})
	for k := range steps {
		step(t, whole, k)
		step(t, parts, k)
		parts = reopen(t, parts.Events(0))
	}
	a, b := whole.Events(0), parts.Events(0)
	for i := range a {
		a[i].Time, b[i].Time = a[0].Time, a[0].Time
		ja, _ := json.Marshal(a[i])
		jb, _ := json.Marshal(b[i])
		if string(ja) != string(jb) {
			t.Fatalf("event %d is\n%s, want\n%s", i+1, jb, ja)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d events, want %d", len(b), len(a))
	}
}

// trajectory plays a study and returns its questions.
func trajectory(t testing.TB, cfg Config, count int, between func(*Study)) []Question {
	t.Helper()
	s := start(t, cfg)
	var qs []Question
	for k := range count {
		if between != nil {
			between(s)
		}
		q := ask(t, s, "")
		qs = append(qs, q)
		c := honest(q)
		if k%5 == 3 {
			c = Tie
		}
		tell(t, s, q.ID, c)
	}
	return qs
}

func sameQuestions(t testing.TB, what string, got, want []Question) {
	t.Helper()
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("%s: question %d is %+v, want %+v", what, i+1, got[i], want[i])
		}
	}
}

const lawQuestions = 9

// everyMethod lists the methods, in a short test those whose searches differ in kind.
func everyMethod() []string {
	if testing.Short() {
		return []string{"kg", "thompson", "random"}
	}
	return acquisition.Methods()
}

// TestTwoRuns: the seed decides everything, the clock nothing.
func TestTwoRuns(t *testing.T) {
	for _, method := range everyMethod() {
		cfg := Config{Space: coffee(), Seed: 21, Method: method, Modelling: Modelling{Search: little}}
		want := trajectory(t, cfg, lawQuestions, nil)
		late := cfg
		now := clock()
		for range 1000 {
			now()
		}
		late.Now = now
		sameQuestions(t, method+", run again", trajectory(t, late, lawQuestions, nil), want)
		cfg.Seed = 22
		if reflect.DeepEqual(trajectory(t, cfg, 1, nil), want[:1]) {
			t.Errorf("%s: another seed begins with the same question", method)
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	for _, method := range []string{"kg", "eubo", "thompson"} {
		cfg := Config{Space: coffee(), Seed: 23, Method: method, Modelling: Modelling{Search: acquisition.Search{Workers: 1}}}
		want := trajectory(t, cfg, lawQuestions, nil)
		cfg.Search.Workers = 8
		sameQuestions(t, method+", eight workers", trajectory(t, cfg, lawQuestions, nil), want)
	}
}

func TestGOMAXPROCSDoesNotMatter(t *testing.T) {
	cfg := Config{Space: coffee(), Seed: 24, Modelling: Modelling{Search: acquisition.Search{Workers: 3}}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := trajectory(t, cfg, lawQuestions, nil)
	runtime.GOMAXPROCS(2)
	sameQuestions(t, "two processors", trajectory(t, cfg, lawQuestions, nil), want)
}

// TestLookingChangesNothing: whatever is looked at between questions, and however impatiently, no later
// question changes.
func TestLookingChangesNothing(t *testing.T) {
	cfg := Config{Space: coffee(), Seed: 25, Modelling: Modelling{Search: little}}
	want := trajectory(t, cfg, lawQuestions, nil)
	looks := 0
	sameQuestions(t, "with looking", trajectory(t, cfg, lawQuestions, func(s *Study) {
		looks++
		b, err := s.Best(ctx, Look{})
		if err != nil {
			t.Fatal(err)
		}
		for name := range b.Option { // and what a caller does with the answer is their business
			b.Option[name] = space.ValueOf(0)
		}
		belief, err := s.Belief(ctx, Look{})
		if err != nil {
			t.Fatal(err)
		}
		belief.Importance()
		if _, err := belief.Slice("milk", 5); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Verdict(ctx, Look{}); err != nil {
			t.Fatal(err)
		}
		s.Events(0)
		s.Config()
	}), want)
	if looks != lawQuestions {
		t.Errorf("looked %d times", looks)
	}
}

// observed returns a study of duels nobody asked for: duel i is about the settings pairs[i], in the
// order and with the sides turned as asked.
func observed(t testing.TB, pairs [][2]space.Option, order []int, turn bool) *Study {
	t.Helper()
	s := start(t, Config{Space: coffee()})
	for _, i := range order {
		a, b := pairs[i][0], pairs[i][1]
		c := honest(Question{First: a, Second: b})
		if i%5 == 4 {
			c = Tie
		}
		if turn {
			a, b = b, a
			c = map[Choice]Choice{First: Second, Second: First, Tie: Tie}[c]
		}
		observe(t, s, a, b, c)
	}
	return s
}

// TestSymmetry: which side an option stood on, and in which order duels came, changes no mean. At the
// same hyper-parameters to 1e-9; with hyper-parameters fitted on each list, to what rounding makes of
// the path of their search.
func TestSymmetry(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pairs := make([][2]space.Option, 18)
	natural := make([]int, len(pairs))
	for i := range pairs {
		natural[i] = i
		for side := range 2 {
			pairs[i][side] = optionOf(coffee(), []float64{rng.Float64(), rng.Float64()})
		}
	}
	base := observed(t, pairs, natural, false)
	fitted := learned(t, base)
	for name, s := range map[string]*Study{
		"sides swapped":    observed(t, pairs, natural, true),
		"duels permuted":   observed(t, pairs, rng.Perm(len(pairs)), false),
		"swapped permuted": observed(t, pairs, rng.Perm(len(pairs)), true),
	} {
		fixed, err := s.cfg.Model.Condition(s.view("").Duels, fitted.Hyper(), nil)
		if err != nil {
			t.Fatal(err)
		}
		refitted := learned(t, s)
		for i := range 30 {
			x := []float64{math.Mod(0.31*float64(i), 1), math.Mod(0.57*float64(i), 1)}
			for what, p := range map[string]*gp.Posterior{"fixed": fixed, "refitted": refitted} {
				tol := map[string]float64{"fixed": 1e-9, "refitted": 1e-6}[what]
				if d := p.Mean(x) - fitted.Mean(x); math.Abs(d) > tol {
					t.Errorf("%s: mean at %v with %s hyper-parameters differs by %g", name, x, what, d)
				}
			}
		}
	}
}

// TestSkipAndUndoLeaveNoTrace: of two studies with the same duels, one of which also skipped and took
// back, the posteriors have the same bits.
func TestSkipAndUndoLeaveNoTrace(t *testing.T) {
	plain := start(t, Config{Space: coffee()})
	busy := start(t, Config{Space: coffee()})
	for k := range 6 {
		a, b := cup(0.07*float64(k), 1), cup(0.3, 0.2+float64(k))
		observe(t, plain, a, b, First)
		undo(t, busy, observe(t, busy, b, a, First))
		tell(t, busy, ask(t, busy, "").ID, Skip)
		observe(t, busy, a, b, First)
	}
	sameBits(t, "with detours", busy, plain)
}
