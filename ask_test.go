package prefer

import (
	"errors"
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
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// unitPair returns a question's options in the unit cube.
func unitPair(t testing.TB, s *Study, q Question) (a, b []float64) {
	t.Helper()
	a, errA := unitOf(s.cfg.Space, q.First)
	b, errB := unitOf(s.cfg.Space, q.Second)
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	return a, b
}

// TestAskIsIdempotent: until it is answered a rater has one question, and may do with it what they like.
func TestAskIsIdempotent(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	for range 6 {
		q := ask(t, s, "ann")
		events := s.Events(0)
		for range 3 {
			again := ask(t, s, "ann")
			if !reflect.DeepEqual(again, q) {
				t.Fatalf("asked %+v, then %+v", q, again)
			}
			again.First["milk"] = space.ValueOf(0.123456)
			again.Second["grind"] = space.ValueOf(1)
		}
		if !reflect.DeepEqual(s.Events(0), events) {
			t.Fatal("asking again changed the log")
		}
		tell(t, s, q.ID, honest(q))
	}
}

// TestAskTogether: one rater in two windows is one rater.
func TestAskTogether(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	play(t, s, "ann", 5)
	var wg sync.WaitGroup
	got := make([]Question, 8)
	for i := range got {
		wg.Go(func() { got[i] = ask(t, s, "ann") })
	}
	wg.Wait()
	for _, q := range got {
		if !reflect.DeepEqual(q, got[0]) {
			t.Errorf("two windows ask %v and %v", q.ID, got[0].ID)
		}
	}
}

// TestDesign: a study begins with the pairs of its Sobol sequence, as many as Initial says, counting
// duels and questions that are open.
func TestDesign(t *testing.T) {
	for _, c := range []struct{ initial, observed, want int }{{0, 0, 2}, {7, 0, 7}, {-1, 0, 1}, {0, 1, 1}, {0, 9, 0}} {
		s := start(t, Config{Space: unitSquare(), Initial: c.initial, Separation: -1, Repeats: true, Seed: 11})
		for k := range c.observed {
			observe(t, s, space.Option{"x": space.ValueOf(0.1 * float64(k)), "y": space.ValueOf(0)}, space.Option{"x": space.ValueOf(0), "y": space.ValueOf(0.1)}, First)
		}
		design := 0
		want := make([]float64, 4)
		for k := range 9 {
			q := ask(t, s, fmt.Sprint("rater", k%2))
			if q.Method == methodDesign {
				sobol.Scrambled(4, 11).At(uint64(design), want)
				design++
				a, b := unitPair(t, s, q)
				if got := append(a, b...); !slices.Equal(got, want) && !slices.Equal(append(got[2:4:4], got[:2]...), want) {
					t.Errorf("%+v: pair %d is %v, want %v", c, design, got, want)
				}
				if q.Value != 0 || q.Partial {
					t.Errorf("%+v: a quasi-random pair has %+v", c, q)
				}
			} else if q.Method != "kg" || !(q.Value > 0) {
				t.Errorf("%+v: question %d has method %q and value %g", c, k, q.Method, q.Value)
			}
			tell(t, s, q.ID, Second)
		}
		if design != c.want {
			t.Errorf("%+v: %d quasi-random pairs, want %d", c, design, c.want)
		}
	}
}

// TestUndecided: somebody who can't tell anything apart is asked quasi-random pairs until they can.
func TestUndecided(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	for range 8 {
		q := ask(t, s, "")
		if q.Method != methodDesign {
			t.Fatalf("%s was chosen by %s on nothing but ties", q.ID, q.Method)
		}
		tell(t, s, q.ID, Tie)
	}
	tell(t, s, ask(t, s, "").ID, First)
	if q := ask(t, s, ""); q.Method != "kg" {
		t.Errorf("after a preference the question is by %s", q.Method)
	}
}

// TestSides: which side the method's first option stands on is a coin's decision.
func TestSides(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Method: "random", Separation: -1, Repeats: true, Initial: -1, Seed: 4})
	observe(t, s, space.Option{"x": space.ValueOf(0), "y": space.ValueOf(0)}, space.Option{"x": space.ValueOf(1), "y": space.ValueOf(1)}, First)
	swapped := 0
	x := make([]float64, 4)
	for k := range 64 {
		q := ask(t, s, "")
		a, _ := unitPair(t, s, q)
		sobol.Scrambled(4, 4).At(uint64(k), x)
		switch {
		case slices.Equal(a, x[2:]):
			swapped++
		case !slices.Equal(a, x[:2]):
			t.Fatalf("question %d is not the method's", k)
		}
		tell(t, s, q.ID, Tie)
	}
	if swapped < 20 || swapped > 44 { // three standard deviations
		t.Errorf("%d of 64 pairs were swapped", swapped)
	}
}

// TestIncumbent: the best option shown before, by the posterior mean of the moment.
func TestIncumbent(t *testing.T) {
	s := start(t, Config{Space: coffee(), Modelling: Modelling{Alternatives: defaultAlternatives(3)}})
	if q := ask(t, s, ""); q.Incumbent != nil {
		t.Errorf("the incumbent of the first question is %v", q.Incumbent)
	}
	for k := range 6 {
		q := ask(t, s, "")
		tell(t, s, q.ID, honest(q))
		p := learned(t, s)
		next := ask(t, s, "")
		inc, err := unitOf(s.cfg.Space, next.Incumbent)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Events(0)[:2+2*k] {
			if e.Kind != kindAsked {
				continue
			}
			a, b := unitPair(t, s, *e.Asked)
			if m := math.Max(p.Mean(a), p.Mean(b)); m > p.Mean(inc)+1e-9 {
				t.Errorf("the incumbent of %s has mean %g, but %s showed one with %g", next.ID, p.Mean(inc), e.Asked.ID, m)
			}
		}
	}
}

// TestWithin: however short the time there is a question; if it was too short, one that says so.
func TestWithin(t *testing.T) {
	six := space.Box()
	for j := range 6 {
		six.Parameters = append(six.Parameters, space.Float(fmt.Sprint("x", j), 0, 1))
	}
	// An effort that takes far longer than any of the deadlines.
	effort := acquisition.Search{Candidates: 100, Starts: 100, Finalists: 50, Evals: 5000}
	template := start(t, Config{Space: six, Modelling: Modelling{Search: effort}, Initial: -1})
	all := simulated(25, 6, 3)
	option := func(x []float64) space.Option { return optionOf(six, x) }
	for i := range all.Outcome {
		observe(t, template, option(all.A[6*i:6*i+6]), option(all.B[6*i:6*i+6]), Second)
	}
	for _, ready := range []bool{false, true} {
		for _, within := range []time.Duration{1, time.Millisecond, 5 * time.Millisecond} {
			s := reopen(t, template.Events(0))
			if ready {
				learned(t, s)
			}
			began := time.Now()
			q, err := s.Ask(ctx, Request{Within: within})
			took := time.Since(began)
			if err != nil || !q.Partial {
				t.Errorf("ready %t, within %v: %+v, %v", ready, within, q, err)
			}
			if took > 30*time.Second { // the whole search would take minutes; a busy machine may need seconds for its end
				t.Errorf("ready %t, within %v: took %v", ready, within, took)
			}
			if ready && (q.Method != "kg" || q.Incumbent == nil) {
				t.Errorf("ready, within %v: asked by %q with incumbent %v", within, q.Method, q.Incumbent)
			}
			if !ready && within == 1 && q.Method != methodDesign {
				t.Errorf("not ready, within %v: asked by %q", within, q.Method)
			}
			tell(t, s, q.ID, First) // and the study goes on
			if !s.Events(0)[len(s.Events(0))-2].Asked.Partial {
				t.Error("the log does not say that the question is partial")
			}
		}
	}
}

// TestWithinNegative: no time at all is a mistake, not a hurry.
func TestWithinNegative(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	if _, err := s.Ask(ctx, Request{Within: -time.Second}); err == nil || !strings.Contains(err.Error(), "Request.Within = -1s") || len(s.Events(0)) != 1 {
		t.Errorf("error %v, %d events", err, len(s.Events(0)))
	}
}

// TestWithinBehindAnother: waiting for another rater's question to be chosen is no excuse.
func TestWithinBehindAnother(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	play(t, s, "", 5)
	s.asking <- struct{}{} // somebody is choosing, and not in a hurry
	q, err := s.Ask(ctx, Request{Rater: "bob", Within: time.Millisecond})
	if err != nil || !q.Partial {
		t.Errorf("asked %+v, %v", q, err)
	}
	<-s.asking
}

// TestKeepQuestion: a question chosen before another was asked is not kept, for it may be the same.
func TestKeepQuestion(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	v := s.view("")
	slow, _, err := s.choose(ctx, v, Request{Rater: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s, "bob")
	if q, kept, err := s.keepQuestion(ctx, chosenQuestion{Question: slow, view: v}, false); kept || err != nil {
		t.Errorf("kept %+v, %v", q, err)
	}
	if len(s.Events(0)) != 2 {
		t.Errorf("the log has %d events, want 2", len(s.Events(0)))
	}
}

// TestPending: raters who answer at the same time are asked different questions, in the design and
// after it, whatever the method; and after the design by the method, which has a next best pair unless it draws
// just one.
func TestPending(t *testing.T) {
	for _, repeats := range []bool{false, true} {
		for _, method := range everyMethod() {
			for _, answers := range []int{0, 8} {
				name := fmt.Sprintf("%s, repeats %t, %d answers", method, repeats, answers)
				s := start(t, Config{Space: coffee(), Repeats: repeats, Method: method, Modelling: Modelling{Search: little}})
				play(t, s, "", answers)
				for k := range 6 {
					if q := ask(t, s, fmt.Sprint("rater", k)); answers > 0 && q.Method != method && method != "thompson" {
						t.Errorf("%s: question %d is of method %s", name, k+1, q.Method)
					}
				}
				open := s.view("").pending
				if len(open) != 6 {
					t.Fatalf("%s: %d questions are open, want 6", name, len(open))
				}
				for i, q := range open {
					if pairs.Clash(s.state.code, askedPairs(open[:i]), q.a, q.b, pairs.Close) {
						t.Errorf("%s: question %d is one that another rater is looking at", name, i+1)
					}
				}
			}
		}
	}
}

// TestPendingCrowd: so it is in one dimension with twelve raters, where the same few pairs are best for all.
func TestPendingCrowd(t *testing.T) {
	for _, method := range []string{"kg", "eubo", "logei"} {
		s := start(t, Config{Space: space.Box(space.Float("x", 0, 1)), Method: method, Seed: 4, Answers: Answers{Forced: true}})
		for range 12 {
			q := ask(t, s, "")
			c := Second
			if math.Abs(q.First.Float("x")-0.6) < math.Abs(q.Second.Float("x")-0.6) {
				c = First
			}
			tell(t, s, q.ID, c)
		}
		for k := range 12 {
			ask(t, s, fmt.Sprint("rater", k))
			open := s.view("").pending
			if last := open[len(open)-1]; len(open) != k+1 || pairs.Clash(s.state.code, askedPairs(open[:k]), last.a, last.b, pairs.Close) {
				t.Errorf("%s: question %d, {%v} or {%v}, is one that another rater is looking at", method, k+1, last.First, last.Second)
			}
		}
	}
}

// TestPendingIsAwaited: an open question leaves the mean and takes what its answer is expected to tell from the covariance,
// so what is asked next is what the method chooses on that posterior.
func TestPendingIsAwaited(t *testing.T) {
	likelier := defaultAlternatives(3)
	likelier[0].Odds = 2
	s := start(t, Config{Modelling: Modelling{Margin: -1, Alternatives: likelier}, Space: unitSquare(), Separation: -1, Repeats: true, Seed: 2})
	for range 8 {
		q := ask(t, s, "")
		c := Second
		if q.First.Float("x") > q.Second.Float("x") {
			c = First
		}
		tell(t, s, q.ID, c)
	}
	first := ask(t, s, "ann")
	a, b := unitPair(t, s, first)
	v := s.view("")
	fit, err := s.questionFits.Get(ctx, v.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	var posts []*gp.Posterior
	for _, p := range fit.Belief.Parts {
		posts = append(posts, p.Await(a, b))
	}
	if len(posts) != 2 {
		t.Fatalf("%d models", len(posts))
	}
	task := acquisition.Task{Mixture: gp.NewMixture(posts, fit.Belief.Weights), Shown: v.shown, Seed: splitmix.At(2, 9), Count: 9, Noise: 1}
	task.Accept = learnedRules(t, s, v, nil, "").Accept
	c, err := acquisition.Ask(ctx, "kg", task)
	if err != nil {
		t.Fatal(err)
	}
	q := ask(t, s, "bob")
	if ga, gb := unitPair(t, s, q); !samePair(ga, gb, c.A, c.B) || q.Value != c.Value {
		t.Errorf("asked %v %v with value %g, the method says %v %v with %g", ga, gb, q.Value, c.A, c.B, c.Value)
	}
}

func samePair(a, b, c, d []float64) bool {
	return slices.Equal(a, c) && slices.Equal(b, d) || slices.Equal(a, d) && slices.Equal(b, c)
}

// TestMargin: the method's first questions stay inside, the initial pairs and the best option need not, and
// later nothing need.
func TestMargin(t *testing.T) {
	if m := innerHalf(2); math.Abs((1-2*m)*(1-2*m)-0.5) > 1e-15 {
		t.Errorf("the margin in two dimensions is %g, which does not leave half", m)
	}
	s := start(t, Config{Space: unitSquare(), Seed: 3, Modelling: Modelling{Search: little}})
	outside, best := map[string]int{}, 0
	for k := range 26 {
		q := ask(t, s, "")
		a, b := unitPair(t, s, q)
		for _, x := range append(a, b...) {
			if m := innerHalf(2); x < m || x > 1-m {
				if k < s.cfg.Initial+2*marginQuestions {
					outside[q.Method]++
				} else {
					outside["late"]++
				}
			}
		}
		c := Second
		if q.First.Float("x") > q.Second.Float("x") {
			c = First
		}
		tell(t, s, q.ID, c)
		if learnt, err := s.Best(ctx, Look{}); err == nil && learnt.Option.Float("x") > 0.9 {
			best++
		}
	}
	if outside["kg"] > 0 || outside[methodDesign] == 0 || outside["late"] == 0 || best == 0 {
		t.Errorf("coordinates outside by method: %v, best outside %d times", outside, best)
	}
}

// TestMarginAtOnce: with questions open at once the margin is kept until as many of the method's are not open as it is kept for
// in turn, and left after that.
func TestMarginAtOnce(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Seed: 3, Modelling: Modelling{Search: little}})
	m, closed := innerHalf(2), 0
	var open []Question
	outside, late := 0, 0
	for range 30 {
		for len(open) < 6 {
			q := ask(t, s, fmt.Sprint("r", len(s.state.order)))
			a, b := unitPair(t, s, q)
			for _, x := range append(a, b...) {
				if x >= m && x <= 1-m || q.Method == methodDesign {
					continue
				}
				if closed < 2*marginQuestions {
					outside++
				} else {
					late++
				}
			}
			open = append(open, q)
		}
		q := open[0]
		open = open[1:]
		c := Second
		if q.First.Float("x") > q.Second.Float("x") {
			c = First
		}
		tell(t, s, q.ID, c)
		if q.Method != methodDesign {
			closed++
		}
	}
	if outside > 0 || late == 0 {
		t.Errorf("%d coordinates outside while the margin is to be kept, %d later", outside, late)
	}
}

// TestBenchmarkSetting: without rules the pair is the method's own, to the bit.
func TestBenchmarkSetting(t *testing.T) {
	for _, method := range everyMethod() {
		s := start(t, Config{Space: unitSquare(), Method: method, Separation: -1, Repeats: true, Modelling: Modelling{Margin: -1, LookAhead: 0.5, Search: little}, Seed: 9, Initial: 3})
		for k := range 7 {
			v := s.view("")
			fit, err := s.questionFits.Get(ctx, v.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			q := ask(t, s, "")
			if k >= 3 {
				c, err := acquisition.Ask(ctx, method, acquisition.Task{Posterior: fit.Post, Mixture: fit.Belief.Mixture(), Shown: v.shown, Seed: splitmix.At(9, uint64(k)), Sequence: 9, Count: k, Noise: 0.5, Search: little})
				if err != nil {
					t.Fatal(err)
				}
				if a, b := unitPair(t, s, q); !samePair(a, b, c.A, c.B) || q.Method != method {
					t.Errorf("%s: question %d is %v %v by %s, the method says %v %v", method, k+1, a, b, q.Method, c.A, c.B)
				}
				if q.Value != c.Value && !(q.Value == 0 && math.IsNaN(c.Value)) {
					t.Errorf("%s: question %d has value %g, the method says %g", method, k+1, q.Value, c.Value)
				}
			}
			c := Second
			if q.First.Float("x") > q.Second.Float("x") {
				c = First
			}
			tell(t, s, q.ID, c)
		}
	}
}

// learnedRules returns which pairs a rater may be asked about.
func learnedRules(t *testing.T, s *Study, v view, fit *learn.Fit, rater string) pairs.Rules {
	_, rules, err := s.cfg.rules(v, Request{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	rules.Learn(v.code, fit)
	return rules
}

// TestAccept holds each rule against pairs just inside and just outside it, in both orders.
func TestAccept(t *testing.T) {
	here := []*asked{{a: []float64{0.5, 0.5}, b: []float64{0.2, 0.9}}}
	for _, c := range []struct {
		name   string
		cfg    Config
		view   view
		radius float64
	}{
		{"repeats", Config{Separation: -1}, view{code: &coding.Coding{}, past: here}, pairs.Same},
		{"skipped", Config{Separation: -1, Repeats: true}, view{code: &coding.Coding{}, skipped: here}, pairs.LikeSkipped},
		{"pending", Config{Separation: -1, Repeats: true}, view{code: &coding.Coding{}, pending: here}, pairs.Close},
	} {
		c.cfg.Space = unitSquare()
		accept := learnedRules(t, start(t, c.cfg), c.view, nil, "").Accept
		for _, off := range []struct {
			by float64
			ok bool
		}{{0, false}, {0.9, false}, {1.1, true}} {
			x, y := []float64{0.5, 0.5 - off.by*c.radius}, []float64{0.2, 0.9}
			if accept(x, y) != off.ok || accept(y, x) != off.ok {
				t.Errorf("%s: a pair %g of the rule away is accepted: %t, want %t", c.name, off.by, accept(x, y), off.ok)
			}
		}
	}
	accept := learnedRules(t, start(t, Config{Space: unitSquare(), Separation: 0.1, Repeats: true}), view{code: &coding.Coding{}}, nil, "").Accept
	x := []float64{0.5, 0.5}
	if accept(x, []float64{0.59, 0.41}) || !accept(x, []float64{0.5, 0.61}) {
		t.Error("Separation 0.1 does not part 0.09 from 0.11")
	}
	if learnedRules(t, start(t, Config{Space: unitSquare(), Separation: -1, Repeats: true}), view{code: &coding.Coding{}, past: here}, nil, "").Accept != nil {
		t.Error("without rules there is one")
	}
}

// line plays a study of one parameter whose best is at 0.3, without noise, and returns it.
func line(t *testing.T, cfg Config, count int) *Study {
	t.Helper()
	cfg.Space = space.Box(space.Float("x", 0, 1))
	cfg.Search = little
	s := start(t, cfg)
	for range count {
		q := ask(t, s, "")
		c := Second
		if math.Abs(q.First.Float("x")-0.3) < math.Abs(q.Second.Float("x")-0.3) {
			c = First
		}
		tell(t, s, q.ID, c)
	}
	return s
}

// TestSeparation: no two options of a pair are closer than the rule says, from the first question on.
// In one dimension both the design and the method would break the larger ones.
func TestSeparation(t *testing.T) {
	closest := func(s *Study) float64 {
		least := math.Inf(1)
		for _, q := range s.state.order {
			least = math.Min(least, coding.Gap(q.a, q.b))
		}
		return least
	}
	const count = 30
	for _, c := range []struct{ rule, least float64 }{{0, 0.02}, {0.1, 0.1}, {0.3, 0.3}} {
		if got := closest(line(t, Config{Separation: c.rule, Seed: 1}, count)); got < c.least-coding.SameOption {
			t.Errorf("Separation %g: a pair is %g apart, want %g", c.rule, got, c.least)
		}
	}
	if got := closest(line(t, Config{Separation: -1, Repeats: true, Seed: 1}, count)); got > 0.1 {
		t.Errorf("without the rule pairs are at least %g apart: this test tests nothing", got)
	}
	if got := closest(line(t, Config{Initial: 60, Separation: 0.05}, 60)); got < 0.05-coding.SameOption {
		t.Errorf("a quasi-random pair is %g apart, want 0.05", got)
	}
	if got := closest(line(t, Config{Initial: 60, Separation: -1, Repeats: true}, 60)); got > 0.05 {
		t.Errorf("without the rule quasi-random pairs are at least %g apart: this test tests nothing", got)
	}
}

// TestRepeats: a pair is asked once, in either order, quasi-random ones that the rules shifted included.
func TestRepeats(t *testing.T) {
	for _, cfg := range []Config{{Seed: 1}, {Seed: 2, Initial: 40}, {Seed: 2, Initial: 40, Separation: 0.3, Repeats: true}} {
		s := line(t, cfg, 40)
		order := s.state.order
		for i, q := range order {
			if pairs.Clash(s.state.code, askedPairs(order[:i]), q.a, q.b, pairs.Same) {
				t.Errorf("%+v: question %d was asked before", cfg, i+1)
			}
		}
	}
}

// TestSkip: a skipped pair is no data and nothing like it is asked for the next twenty questions; an
// undone skip never was one.
func TestSkip(t *testing.T) {
	s := start(t, Config{Space: coffee(), Seed: 5})
	play(t, s, "", 8)
	before := fingerprint(learned(t, s))
	var last AnswerID
	for range skipMemory + 5 {
		q := ask(t, s, "")
		a, b := unitPair(t, s, q)
		if v := s.view(""); pairs.Clash(v.code, askedPairs(v.skipped), a, b, pairs.LikeSkipped) {
			t.Errorf("%s is like a pair that was skipped", q.ID)
		}
		last = tell(t, s, q.ID, Skip)
	}
	if !slices.Equal(fingerprint(learned(t, s)), before) {
		t.Error("skipping taught something")
	}
	if n := len(s.view("").skipped); n != skipMemory {
		t.Errorf("%d skips are remembered, want %d", n, skipMemory)
	}
	undo(t, s, last)
	if n := len(s.view("").skipped); n != skipMemory-1 {
		t.Errorf("after an undo %d skips are remembered, want %d", n, skipMemory-1)
	}
}

// TestNarrowRules: where the rules leave nothing to ask there is a question nevertheless.
func TestNarrowRules(t *testing.T) {
	s := start(t, Config{Space: space.Box(space.Float("x", 0, 1)), Separation: 0.5, Method: "random"})
	for range 60 {
		q := ask(t, s, "")
		tell(t, s, q.ID, Skip)
	}
}
