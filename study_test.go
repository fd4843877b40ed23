package prefer

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

var ctx = context.Background()

// coffee is the space of most tests: a linear and a logarithmic parameter, neither of them a unit
// range.
func coffee() space.Space {
	return space.Box(space.Float("milk", 0, 0.5), space.LogFloat("grind", 0.1, 10))
}

// cup is a setting of coffee.
func cup(milk, grind float64) space.Option {
	return space.Option{"milk": space.ValueOf(milk), "grind": space.ValueOf(grind)}
}

// little is the effort of a search in tests that do not depend on how good a question is.
var little = acquisition.Search{Candidates: 16, Starts: 4, Finalists: 1, Evals: 60}

func unitSquare() space.Space { return space.Box(space.Float("x", 0, 1), space.Float("y", 0, 1)) }

// taste is the utility behind the tests' answers: milk 0.2 and grind 1 are best, one unit is one
// unit of noise. Of other spaces it is NaN, and honest answers Second.
func taste(o space.Option) float64 {
	if _, coffee := o["milk"]; !coffee {
		return math.NaN()
	}
	milk, grind := (o.Float("milk")-0.2)/0.5, math.Log10(o.Float("grind"))/2
	return -40*milk*milk - 25*grind*grind
}

// honest answers a question by taste, without noise.
func honest(q Question) Choice {
	if taste(q.First) > taste(q.Second) {
		return First
	}
	return Second
}

// clock returns a source of times that a test can predict: noon, and a second more at every reading.
func clock() func() time.Time {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.FixedZone("elsewhere", 7200))
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}
}

func start(t testing.TB, cfg Config) *Study {
	t.Helper()
	if cfg.Now == nil {
		cfg.Now = clock()
	}
	s, err := New(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func reopen(t testing.TB, events []Event) *Study {
	t.Helper()
	s, err := Open(ctx, events, OpenOptions{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(t testing.TB, s *Study, rater string) Question {
	t.Helper()
	q, err := s.Ask(ctx, Request{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func tell(t testing.TB, s *Study, id QuestionID, c Choice) AnswerID {
	t.Helper()
	a, err := s.Tell(ctx, id, Answer{Choice: c})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func undo(t testing.TB, s *Study, id AnswerID) {
	t.Helper()
	if err := s.Undo(ctx, id); err != nil {
		t.Fatal(err)
	}
}

func observe(t testing.TB, s *Study, first, second space.Option, c Choice) AnswerID {
	t.Helper()
	a, err := s.Observe(ctx, Duel{First: first, Second: second, Answer: Answer{Choice: c}})
	if err != nil {
		t.Fatal(err)
	}
	return a[0]
}

// play asks rater and answers by taste, count times.
func play(t testing.TB, s *Study, rater string, count int) (ids []AnswerID) {
	t.Helper()
	for range count {
		q := ask(t, s, rater)
		ids = append(ids, tell(t, s, q.ID, honest(q)))
	}
	return ids
}

func learned(t testing.TB, s *Study) *gp.Posterior {
	t.Helper()
	v := s.view("")
	f, err := s.questionFits.Get(ctx, v.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	return f.Post
}

// fingerprint is a posterior to the last bit: hyper-parameters, evidence, and mean and variance on a
// grid.
func fingerprint(p *gp.Posterior) []uint64 {
	h := p.Hyper()
	v := append(slices.Clone(h.Kernel.Lengthscale), h.Kernel.Outputscale, p.Evidence())
	v = append(v, h.Cuts...)
	x := make([]float64, p.Dim())
	for i := range 25 {
		for j := range x {
			x[j] = math.Mod(0.05+0.37*float64(i*(j+1)), 1)
		}
		v = append(v, p.Mean(x), p.Variance(x))
	}
	bits := make([]uint64, len(v))
	for i := range v {
		bits[i] = math.Float64bits(v[i])
	}
	return bits
}

func sameBits(t testing.TB, what string, a, b *Study) {
	t.Helper()
	if !slices.Equal(fingerprint(learned(t, a)), fingerprint(learned(t, b))) {
		t.Errorf("%s: the posteriors differ", what)
	}
}

func TestStudyBegins(t *testing.T) {
	s := start(t, Config{Space: coffee(), Seed: 3})
	ev := s.Events(0)
	if len(ev) != 1 || ev[0].Seq != 1 || ev[0].Kind != kindCreated || ev[0].Created == nil {
		t.Fatalf("a new study's log is %+v", ev)
	}
	if ev[0].Created.Kernels != gp.Kernels() || ev[0].Created.Config.Method != "kg" || ev[0].Created.Config.Seed != 3 {
		t.Errorf("the log begins with %+v", ev[0].Created)
	}
	if want := time.Date(2026, 1, 1, 10, 0, 1, 0, time.UTC); !ev[0].Time.Equal(want) || ev[0].Time.Location() != time.UTC {
		t.Errorf("the log begins at %v, want %v", ev[0].Time, want)
	}
}

// TestEventsCount: what the log says after a few steps, in the order they happened.
func TestEventsCount(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	q := ask(t, s, "ann")
	a := tell(t, s, q.ID, First)
	observe(t, s, cup(0.1, 1), cup(0.2, 2), Tie)
	undo(t, s, a)
	var got []EventKind
	for i, e := range s.Events(0) {
		if e.Seq != i+1 {
			t.Errorf("event %d has number %d", i+1, e.Seq)
		}
		got = append(got, e.Kind)
	}
	if want := []EventKind{kindCreated, kindAsked, kindAnswered, kindObserved, kindUndone}; !slices.Equal(got, want) {
		t.Errorf("the log is %v, want %v", got, want)
	}
	ev := s.Events(0)
	if ev[1].Asked.Rater != "ann" || ev[2].Answered.Question != q.ID || ev[2].Answered.ID != a || ev[4].Undone.Answer != a {
		t.Error("the events do not point at each other")
	}
	if part := s.Events(3); len(part) != 2 || &part[0] != &ev[3] || cap(part) != 2 || s.Events(9) != nil && len(s.Events(9)) != 0 {
		t.Errorf("the log after event 3 is %v, want the last two events, not copied, without room to append", part)
	}
}

// unchanged runs something that must fail with the sentinel, and only that one, and checks that the
// log and the open questions are as before.
func unchanged(t *testing.T, s *Study, name string, want error, try func() error) {
	t.Helper()
	before, open := s.Events(0), fmt.Sprint(s.openIDs())
	err := try()
	if want != nil && !wraps(err, want) {
		t.Errorf("%s: error %v, want %v", name, err, want)
	}
	for _, other := range []error{coded("option"), coded("answer"), coded("key"), coded("no_question"), coded("no_answer"), ErrConflict, ErrEvents} {
		if other != want && wraps(err, other) {
			t.Errorf("%s: error %v is also %v", name, err, other)
		}
	}
	if err != nil && !strings.HasPrefix(err.Error(), "prefer: ") {
		t.Errorf("%s: the text %q does not begin with the package", name, err)
	}
	if !reflect.DeepEqual(s.Events(0), before) || fmt.Sprint(s.openIDs()) != open {
		t.Errorf("%s: the study has changed", name)
	}
}

// openIDs lists the open questions by rater.
func (s *Study) openIDs() map[string][]QuestionID {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := map[string][]QuestionID{}
	for r, open := range s.state.open {
		for _, q := range open {
			ids[r] = append(ids[r], q.ID)
		}
	}
	return ids
}

func TestTellRefuses(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	done := ask(t, s, "")
	answer := tell(t, s, done.ID, First)
	gone := ask(t, s, "")
	undo(t, s, answer)
	tell(t, s, done.ID, Second) // gone is withdrawn now
	q := ask(t, s, "")
	if _, err := s.Tell(ctx, q.ID, Answer{Choice: Tie, Key: "used"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Observe(ctx, Duel{First: cup(0, 1), Second: cup(0.5, 1), Answer: Answer{Choice: First, Key: "seen"}}); err != nil {
		t.Fatal(err)
	}
	q = ask(t, s, "")
	for _, c := range []struct {
		name   string
		id     QuestionID
		answer Answer
		want   error
	}{
		{"answered already", done.ID, Answer{Choice: First}, coded("no_question")},
		{"withdrawn", gone.ID, Answer{Choice: First}, coded("no_question")},
		{"unknown", "q99", Answer{Choice: First}, coded("no_question")},
		{"no question", "", Answer{Choice: First}, coded("no_question")},
		{"no choice", q.ID, Answer{}, coded("answer")},
		{"strange choice", q.ID, Answer{Choice: "left"}, coded("answer")},
		{"strength without grades", q.ID, Answer{Choice: First, Strength: 1}, coded("answer")},
		{"negative strength", q.ID, Answer{Choice: Second, Strength: -1}, coded("answer")},
		{"a strong tie", q.ID, Answer{Choice: Tie, Strength: 1}, coded("answer")},
		{"negative time", q.ID, Answer{Choice: First, ResponseTime: -1}, coded("answer")},
		{"key of another question", q.ID, Answer{Choice: First, Key: "used"}, coded("key")},
		{"key of an observed duel", q.ID, Answer{Choice: First, Key: "seen"}, coded("key")},
	} {
		unchanged(t, s, c.name, c.want, func() error { _, err := s.Tell(ctx, c.id, c.answer); return err })
	}
	if again := ask(t, s, ""); again.ID != q.ID {
		t.Errorf("the open question is now %q, was %q", again.ID, q.ID)
	}
}

// TestTellKeys: an answer is applied once, however often it is sent.
func TestTellKeys(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	q := ask(t, s, "")
	first, err := s.Tell(ctx, q.ID, Answer{Choice: First, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	before := s.Events(0)
	for range 3 {
		id, err := s.Tell(ctx, q.ID, Answer{Choice: First, Key: "k"})
		if err != nil || id != first {
			t.Errorf("told again: %q, %v, want %q", id, err, first)
		}
	}
	if r := reopen(t, before); true {
		if id, err := r.Tell(ctx, q.ID, Answer{Choice: First, Key: "k"}); err != nil || id != first {
			t.Errorf("told again after a restart: %q, %v, want %q", id, err, first)
		}
	}
	if !reflect.DeepEqual(s.Events(0), before) {
		t.Error("telling again has changed the log")
	}
	undo(t, s, first)
	second, err := s.Tell(ctx, q.ID, Answer{Choice: Second, Key: "k"})
	if err != nil || second == first {
		t.Errorf("the key of an undone answer: %q, %v, want a new answer", second, err)
	}
}

func TestObserve(t *testing.T) {
	s := start(t, Config{Space: coffee(), Answers: Answers{Grades: 1}})
	a, b := cup(0.1, 1), cup(0.4, 3)
	ids, err := s.Observe(ctx, Duel{First: a, Second: b, Rater: "ann", Answer: Answer{Choice: Second, Strength: 1, Key: "k"}})
	if err != nil {
		t.Fatal(err)
	}
	id := ids[0]
	a["milk"] = space.ValueOf(0.5) // the caller's map is the caller's
	d := s.view("").Duels
	if d.Len() != 1 || d.Outcome[0] != -2 || math.Abs(d.A[0]-0.2) > 1e-15 || math.Abs(d.A[1]-0.5) > 1e-15 || math.Abs(d.B[0]-0.8) > 1e-15 {
		t.Errorf("the duel is %+v", d)
	}
	e := s.Events(0)[1].Observed
	if e.ID != id || e.Duel.Rater != "ann" || e.Duel.First.Float("milk") != 0.1 {
		t.Errorf("the log has %+v", e)
	}
	q := ask(t, s, "")
	if _, err := s.Tell(ctx, q.ID, Answer{Choice: First, Key: "told"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		duel Duel
		want error
	}{
		{"outside", Duel{First: cup(0.6, 1), Second: b, Answer: Answer{Choice: First}}, coded("option")},
		{"outside, second", Duel{First: b, Second: cup(0, 0.01), Answer: Answer{Choice: First}}, coded("option")},
		{"nothing", Duel{First: b, Answer: Answer{Choice: First}}, coded("option")},
		{"skip", Duel{First: b, Second: cup(0, 1), Answer: Answer{Choice: Skip}}, coded("answer")},
		{"both bad", Duel{First: b, Second: cup(0, 1), Answer: Answer{Choice: BothBad}}, coded("answer")},
		{"strength", Duel{First: b, Second: cup(0, 1), Answer: Answer{Choice: First, Strength: 2}}, coded("answer")},
		{"key of a told answer", Duel{First: b, Second: cup(0, 1), Answer: Answer{Choice: First, Key: "told"}}, coded("key")},
	} {
		unchanged(t, s, c.name, c.want, func() error { _, err := s.Observe(ctx, c.duel); return err })
		unchanged(t, s, c.name+", after another", c.want, func() error {
			_, err := s.Observe(ctx, Duel{First: b, Second: cup(0, 1), Answer: Answer{Choice: First}}, c.duel)
			if err == nil || !strings.HasPrefix(err.Error(), "prefer: duel 2: ") {
				t.Errorf("%s: %v does not say which", c.name, err)
			}
			return err
		})
	}
	undo(t, s, id)
	if n := s.view("").Duels.Len(); n != 1 {
		t.Errorf("after undoing the observed duel there are %d, want the told one", n)
	}
	keyed := Duel{First: b, Second: cup(0, 1), Answer: Answer{Choice: First, Key: "again"}}
	seq := s.Seq()
	several, err := s.Observe(ctx, keyed, Duel{First: cup(0, 1), Second: b, Answer: Answer{Choice: Tie}}, keyed)
	if err != nil || len(several) != 3 || several[0] != several[2] || several[0] == several[1] || s.Seq() != seq+2 || s.view("").Duels.Len() != 3 {
		t.Errorf("three duels, one of them twice, are %v, %v: %d events, %d duels", several, err, s.Seq()-seq, s.view("").Duels.Len())
	}
	if once, err := s.Observe(ctx, keyed); err != nil || once[0] != several[0] || s.Seq() != seq+2 {
		t.Errorf("a duel again is %v, %v", once, err)
	}
}

// TestUndo takes answers back at every depth and compares with a study that never had them.
func TestUndo(t *testing.T) {
	const n = 7
	full := start(t, Config{Space: coffee()})
	ids := play(t, full, "", n)
	for depth := range n {
		i := n - 1 - depth
		s := reopen(t, full.Events(0))
		undo(t, s, ids[i])

		// The same log without the answer: its question stays asked, later answers stay.
		never := newState()
		never.cfg, never.code = s.state.cfg, s.state.code
		for j, told := range s.state.answers {
			if j != i {
				never.answers = append(never.answers, told)
			}
		}
		want, err := (&learn.Cache{Model: s.cfg.Model}).Get(ctx, never.evidence(nil))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(fingerprint(learned(t, s)), fingerprint(want.Post)) {
			t.Errorf("depth %d: not the posterior without the answer", depth)
		}

		q := full.Events(0)[1+2*i].Asked
		if open := ask(t, s, ""); !reflect.DeepEqual(open, s.state.pose(*q)) {
			t.Errorf("depth %d: open is %+v, want %+v again", depth, open, *q)
		}
		unchanged(t, s, "undone twice", coded("no_answer"), func() error { return s.Undo(ctx, ids[i]) })
	}
	unchanged(t, full, "unknown", coded("no_answer"), func() error { return full.Undo(ctx, "a99") })
}

// TestUndoRedo: taking the last answer back and giving it again is as if nothing had happened, and all
// the way back is a fresh start with the same questions.
func TestUndoRedo(t *testing.T) {
	const n = 6
	s := start(t, Config{Space: coffee()})
	ids := play(t, s, "", n)
	before := fingerprint(learned(t, s))
	undo(t, s, ids[n-1])
	q := ask(t, s, "")
	ids[n-1] = tell(t, s, q.ID, honest(q))
	if !slices.Equal(fingerprint(learned(t, s)), before) {
		t.Error("undo and redo changed the posterior")
	}
	for i := n - 1; i >= 0; i-- {
		undo(t, s, ids[i])
		if got := ask(t, s, "").ID; got != QuestionID(fmt.Sprint("q", i+1)) {
			t.Errorf("after %d steps back %q is open", n-i, got)
		}
		if got := s.view("").Duels.Len(); got != i {
			t.Errorf("after %d steps back there are %d duels", n-i, got)
		}
	}
}

// TestUndoWithdraws: the question asked since is gone, other raters' questions are not, and nothing
// stands in the way of going on.
func TestUndoWithdraws(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	q1 := ask(t, s, "ann")
	a1 := tell(t, s, q1.ID, First)
	q2 := ask(t, s, "ann")
	other := ask(t, s, "bob")
	undo(t, s, a1)
	if got := ask(t, s, "ann"); got.ID != q1.ID {
		t.Errorf("ann is asked %q, want %q again", got.ID, q1.ID)
	}
	unchanged(t, s, "withdrawn", coded("no_question"), func() error { _, err := s.Tell(ctx, q2.ID, Answer{Choice: First}); return err })
	if got := ask(t, s, "bob"); got.ID != other.ID {
		t.Errorf("bob is asked %q, want %q still", got.ID, other.ID)
	}
	tell(t, s, q1.ID, Second)
	q3 := ask(t, s, "ann")
	if q3.ID == q2.ID || q3.ID == q1.ID {
		t.Errorf("ann is asked %q again", q3.ID)
	}
	if pending := s.view("").pending; len(pending) != 2 {
		t.Errorf("%d questions are pending, want ann's and bob's", len(pending))
	}
}

// TestConcurrentUse: eight goroutines ask, tell, take back and look at one study; afterwards the log
// replays to the same study.
func TestConcurrentUse(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 3
	}
	j := &testJournal{t: t}
	s := start(t, Config{Space: coffee(), Journal: j, Modelling: Modelling{Model: gp.Model{MaxEvals: 15}, Search: little}})
	var wg sync.WaitGroup
	for g := range 8 {
		rater := fmt.Sprint("rater", g%6) // two of them share a name
		wg.Go(func() {
			for k := range rounds {
				r := Request{Rater: rater, Another: (g+k)%7 == 6}
				if (g+k)%3 == 0 {
					r.Within = time.Duration(k)*time.Millisecond + 1
				}
				q, err := s.Ask(ctx, r)
				if err != nil {
					t.Error(err)
					return
				}
				c := honest(q)
				if (g+k)%4 == 3 {
					c = []Choice{Tie, BothBad, Skip}[k%3]
				}
				a, err := s.Tell(ctx, q.ID, Answer{Choice: c})
				if err != nil && errcode.Of(err) != "no_question" { // a namesake was faster
					t.Error(err)
				}
				switch (g + k) % 5 {
				case 0:
					if err := s.Undo(ctx, a); err != nil && errcode.Of(err) != "no_answer" {
						t.Error(err)
					}
				case 1:
					_, err = s.Observe(ctx, Duel{First: q.First, Second: q.Second, Answer: Answer{Choice: honest(q)}})
				case 2:
					_, err = s.Best(ctx, Look{})
				case 3:
					_, err = s.Belief(ctx, Look{})
				case 4:
					s.Events(0)
					s.Config()
				}
				if err != nil && errcode.Of(err) != "no_question" {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	events := s.Events(0)
	if !reflect.DeepEqual(events, j.events) {
		t.Error("the journal and the log differ")
	}
	r := reopen(t, events)
	sameBits(t, "replayed", s, r)
	if live, replayed := ask(t, s, "new"), ask(t, r, "new"); !reflect.DeepEqual(live, replayed) {
		t.Errorf("the live study asks %+v, the replayed one %+v", live, replayed)
	}
}

// gapAfter plays a simulated rater's study of count questions and returns f* − f(x̂).
func gapAfter(t *testing.T, p problem.Problem, r problem.Rater, method string, seed uint64, count int) float64 {
	t.Helper()
	var sp space.Space
	for j := range p.Dim {
		sp.Parameters = append(sp.Parameters, space.Float(fmt.Sprint("x", j), p.Lower[j], p.Upper[j]))
	}
	s := start(t, Config{Space: sp, Method: method, Seed: seed})
	unit := func(o space.Option) []float64 {
		u, err := unitOf(sp, o)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for k := range count {
		q := ask(t, s, "")
		c := Second
		if r.Answer(unit(q.First), unit(q.Second), problem.At(seed, uint64(k))) {
			c = First
		}
		tell(t, s, q.ID, c)
	}
	b, err := s.Belief(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Gap(unit(b.Best()))
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// TestConvergence: with a rater who errs in one of ten close calls, the knowledge gradient is far ahead
// of random pairs after forty questions. Median gaps over forty seeds were 0.02 and 3.6 on branin2,
// 0.25 and 2.3 on hartmann6; a quarter leaves room for other kernels and changed defaults.
func TestConvergence(t *testing.T) {
	if testing.Short() {
		t.Skip("six studies of forty questions on each problem; the full suite runs it")
	}
	const seeds, questions, margin = 3, 40, 0.25
	for _, name := range []string{"branin2", "hartmann6"} {
		p, err := problem.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := problem.NewRater(p, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		var kg, random []float64
		for seed := range uint64(seeds) {
			kg = append(kg, gapAfter(t, p, r, "kg", seed, questions))
			random = append(random, gapAfter(t, p, r, "random", seed, questions))
		}
		t.Logf("%s: median gap %.3g by kg, %.3g by random (%.2g and %.2g)", name, median(kg), median(random), kg, random)
		if !(median(kg) <= margin*median(random)) {
			t.Errorf("%s: median gap %.3g by kg, %.3g by random, want at most %g of it", name, median(kg), median(random), margin)
		}
	}
}

// TestConvergenceQuadratic: on a parabola in one dimension fifteen answers leave every seed within two
// thousandths of the range of utilities. Measured: at most 1.1e-3.
func TestConvergenceQuadratic(t *testing.T) {
	if testing.Short() {
		t.Skip("six studies of fifteen questions; the full suite runs it")
	}
	p := problem.Quadratic(1)
	r, err := problem.NewRater(p, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	width := p.Gap([]float64{0})
	for seed := range uint64(6) {
		if g := gapAfter(t, p, r, "kg", seed, 15); g > 2e-3*width {
			t.Errorf("seed %d: gap %.3g, want at most two thousandths of %.3g", seed, g, width)
		}
	}
}

// TestTellRater: only the rater who was asked can answer.
func TestTellRater(t *testing.T) {
	s := start(t, Config{Space: unitSquare()})
	q := ask(t, s, "anna")
	before := len(s.Events(0))
	if _, err := s.Tell(t.Context(), q.ID, Answer{Choice: First, Rater: "ben"}); errcode.Of(err) != "answer" || len(s.Events(0)) != before {
		t.Errorf("ben answered anna's question: %v", err)
	}
	if _, err := s.Tell(t.Context(), q.ID, Answer{Choice: First, Rater: "anna"}); err != nil {
		t.Error(err)
	}
}
