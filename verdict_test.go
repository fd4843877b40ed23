package prefer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
	"gonum.org/v1/gonum/mat"
)

func unitSpace(d int) space.Space {
	var s space.Space
	for j := range d {
		s.Parameters = append(s.Parameters, space.Float(fmt.Sprintf("x%d", j+1), 0, 1))
	}
	return s
}

// seen returns a study of unit parameters that has seen n duels of uniform pairs, answered by
// utility f under unit noise.
func seen(t testing.TB, d, n int, cfg Config, f func(u []float64) float64) *Study {
	t.Helper()
	cfg.Space = unitSpace(d)
	s, err := New(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	for range n {
		a, b := make([]float64, d), make([]float64, d)
		for j := range d {
			a[j], b[j] = rng.Float64(), rng.Float64()
		}
		ans := Answer{Choice: First}
		if f(a)-f(b)+rng.NormFloat64() < 0 {
			ans.Choice = Second
		}
		if _, err := s.Observe(t.Context(), Duel{First: optionOf(cfg.Space, a), Second: optionOf(cfg.Space, b), Answer: ans}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestVerdictAtTheStart(t *testing.T) {
	s, err := New(ctx, Config{Space: unitSpace(2)})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Kind != KeepGoing || v.Left[0] < 1 || v.Left[1] < v.Left[0] || v.Best.Confidence > 0.5 {
		t.Errorf("before any answer: %+v", v)
	}
}

func TestSettled(t *testing.T) {
	s := seen(t, 1, 120, Config{Answers: Answers{Forced: true}}, func(u []float64) float64 { return -60 * (u[0] - 0.3) * (u[0] - 0.3) })
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Kind != Settled || math.Abs(v.Best.Option.Float("x1")-0.3) > 0.1 || v.Left != ([2]int{}) {
		t.Errorf("one sharp hill: %+v", v)
	}
	if v.Value < 0 || v.Value > 0.07 {
		t.Errorf("the next question is worth %g", v.Value)
	}
}

// TestRivalHill: where two hills are equally high, the other one is named.
func TestRivalHill(t *testing.T) {
	s := seen(t, 1, 150, Config{Answers: Answers{Forced: true}}, func(u []float64) float64 {
		return 6 * math.Cos(4*math.Pi*(u[0]-0.25)) // hills of equal height at 0.25 and 0.75
	})
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	far := math.Abs(v.Best.Option.Float("x1") - v.Best.Rival.Float("x1"))
	if v.Best.RivalClose < 0.5 || far < 0.3 {
		t.Errorf("two equal hills: %+v", v)
	}
}

// TestTenMore: what ten more answers are expected to add falls with what is left to gain, and to end a study takes less at a higher confidence.
func TestTenMore(t *testing.T) {
	for _, c := range []struct{ beats, confidence, more, enough float64 }{
		{0.5, 0.9, 0.1862, 0}, {0.96, 0.9, 0.0114, 0}, {0.97, 0.9, 0.0076, 1}, {0.97, 0.95, 0.0076, 0}, {0.99, 0.95, 0, 1}, {1, 0.999, 0, 1},
	} {
		b := Best{Beats: c.beats, Confidence: c.confidence}
		if got := b.tenMore(); math.Abs(got-c.more) > 1e-9 {
			t.Errorf("better than %g: ten more answers add %g, want %g", c.beats, got, c.more)
		}
		for d, want := range map[int]bool{1: true, 2: c.enough == 1} { // with one parameter the confidence is enough
			cfg := Config{Confidence: c.confidence, Space: unitSpace(d)}
			if got := cfg.settled(b); got != want {
				t.Errorf("better than %g of %d parameters at a confidence of %g: settled is %t", c.beats, d, c.confidence, got)
			}
			if !cfg.settled(Best{Confidence: (1 + c.confidence) / 2}) { // as where everybody says "can't tell"
				t.Errorf("%d parameters, and surely nothing is noticeably better: not settled", d)
			}
		}
	}
}

// TestConfidenceAgainstGrid: in one dimension the probability is known from a dense grid and many
// draws, here through another library's Cholesky.
func TestConfidenceAgainstGrid(t *testing.T) {
	for _, n := range []int{8, 25, 60} {
		s := seen(t, 1, n, Config{Modelling: Modelling{Alternatives: []Alternative{}, Belief: beliefLikeliest}, Answers: Answers{Forced: true}, Tolerance: Tolerance{Noise: forcedJND, Share: 0.1}}, func(u []float64) float64 { return 3 * math.Sin(5*u[0]) })
		fit, err := s.beliefModel(t.Context(), s.view(""))
		if err != nil {
			t.Fatal(err)
		}
		post := fit.Post
		peaks, _ := s.cfg.recommend(t.Context(), fit, s.view(""))
		at := learn.Assess(fit.Belief, s.state.code, s.cfg.Seed, s.cfg.tolerance(), peaks, s.view("").shown, -1, nil)
		got := at.Within

		const grid, count = 160, 4000
		pts := make([]float64, grid+1)
		pts[0] = peaks[0].X[0]
		for i := range grid {
			pts[i+1] = float64(i) / (grid - 1)
		}
		cov := mat.NewSymDense(grid+1, nil)
		mean := make([]float64, grid+1)
		for i := range pts {
			mean[i] = post.Mean(pts[i : i+1])
			for j := range i + 1 {
				cov.SetSym(i, j, post.Covariance(pts[i:i+1], pts[j:j+1]))
			}
			cov.SetSym(i, i, cov.At(i, i)+1e-8)
		}
		var ch mat.Cholesky
		if !ch.Factorize(cov) {
			t.Fatal("grid covariance is not positive definite")
		}
		var l mat.TriDense
		ch.LTo(&l)
		rng := rand.New(rand.NewPCG(9, 9))
		within, better, best := 0, 0.0, 0
		z := mat.NewVecDense(grid+1, nil)
		var f mat.VecDense
		for range count {
			for i := range grid + 1 {
				z.SetVec(i, rng.NormFloat64())
			}
			f.MulVec(&l, z)
			top, all, above := math.Inf(-1), 0.0, 0
			for i := range mean {
				v := f.AtVec(i) + mean[i]
				top = math.Max(top, v)
				if i > 0 {
					all += v / grid
					if v > f.AtVec(0)+mean[0] {
						above++
					}
				}
			}
			if f.AtVec(0)+mean[0] >= top-math.Max(forcedJND, 0.1*(top-all)) {
				within++
			}
			better += float64(above) / grid / count
			if above <= grid/100 {
				best++
			}
		}
		if math.Abs(at.Beats-(1-better)) > 0.03 {
			t.Errorf("%d duels: better than %.3f of all, on a dense grid %.3f", n, at.Beats, 1-better)
		}
		if got, want := at.Best, float64(best)/count; math.Abs(got-want) > 0.06 {
			t.Errorf("%d duels: in the best 1 %% with %.3f, on a dense grid %.3f", n, got, want)
		}
		if want := float64(within) / count; math.Abs(got-want) > 0.05 {
			t.Errorf("%d duels: confidence %.3f, on a dense grid %.3f", n, got, want)
		}
	}
}

// TestLooking: Best, Belief and Verdict between asks change no later question.
func TestLooking(t *testing.T) {
	run := func(look bool) []Question {
		s, err := New(ctx, Config{Space: unitSpace(2), Seed: 4, Modelling: Modelling{Search: little}})
		if err != nil {
			t.Fatal(err)
		}
		var qs []Question
		for i := range 9 {
			q, err := s.Ask(t.Context(), Request{Rater: "anna"})
			if err != nil {
				t.Fatal(err)
			}
			qs = append(qs, q)
			if look {
				for _, f := range []func(context.Context) error{
					func(ctx context.Context) error { _, err := s.Best(ctx, Look{}); return err },
					func(ctx context.Context) error { _, err := s.Belief(ctx, Look{}); return err },
					func(ctx context.Context) error { _, err := s.Verdict(ctx, Look{}); return err },
				} {
					if err := f(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := s.Tell(t.Context(), q.ID, Answer{Choice: []Choice{First, Second, Tie}[i%3]}); err != nil {
				t.Fatal(err)
			}
		}
		return qs
	}
	a, b := run(false), run(true)
	for i := range a {
		if a[i].First.String() != b[i].First.String() || a[i].Second.String() != b[i].Second.String() {
			t.Errorf("question %d: %v against %v, after looking %v against %v", i, a[i].First, a[i].Second, b[i].First, b[i].Second)
		}
	}
}

// TestLeft: the estimate shrinks with every answer until it says that the study is late, never passes a budget, and in
// the end is what is left of that.
func TestLeft(t *testing.T) {
	s := start(t, Config{Space: unitSpace(3)})
	last := [2]int{1 << 30, 1 << 30}
	outlasted := false
	for n := range 200 {
		now, late := s.cfg.left(s.state.code, 0, n)
		outlasted = outlasted || late
		if !outlasted && (now[0] > last[0] || now[1] > last[1]) || now[0] < 1 || now[1] < now[0] {
			t.Errorf("after %d answers: %v left, before %v", n, now, last)
		}
		last = now
	}
	if !outlasted {
		t.Error("200 answers are not called late")
	}
	for n := range 20 {
		v := Verdict{Kind: KeepGoing, Answers: n}
		v.Left, v.Late = s.cfg.left(s.state.code, 0, n)
		if v = v.For(n, 20); v.Left[1] > 20-n || v.Left[0] < 1 || v.Kind != KeepGoing {
			t.Errorf("after %d of 20 answers: %+v", n, v)
		}
	}
}

// TestRangeJSON: a range is two numbers in a list, as it was.
func TestRangeJSON(t *testing.T) {
	data, err := json.Marshal(Verdict{Left: [2]int{3, 9}})
	if err != nil || !strings.Contains(string(data), `"left":[3,9]`) {
		t.Errorf("%s, %v", data, err)
	}
	var back Verdict
	if err := json.Unmarshal(data, &back); err != nil || back.Left != ([2]int{3, 9}) {
		t.Errorf("read back as %+v, %v", back.Left, err)
	}
	if err := json.Unmarshal([]byte(`{"left":{"low":1}}`), &back); err == nil {
		t.Error("an object was read")
	}
}

// TestPickLooksBack: an open question changes no pick, and the pick before the last answer is the one remembered from then, so that a verdict computes none again.
func TestPickLooksBack(t *testing.T) {
	for name, c := range map[string]Config{"box": {Space: unitSquare()}, "list": {Space: space.Space{Items: names(8)}}} {
		s := start(t, c)
		var before string
		for k := range 8 {
			q := ask(t, s, "ann")
			if open := s.pickKey(s.view("ann")); k > 0 && open != before {
				t.Errorf("%s, question %d: the pick is another while it is open", name, k+1)
			}
			tell(t, s, q.ID, First)
			v := s.view("ann")
			if k > 0 && s.pickKey(v.withoutLast(1)) != before {
				t.Errorf("%s, answer %d: the pick before it is another than then", name, k+1)
			}
			if before = s.pickKey(v); k > 0 && before == s.pickKey(v.withoutLast(1)) {
				t.Errorf("%s, answer %d: it changes nothing", name, k+1)
			}
		}
	}
}
