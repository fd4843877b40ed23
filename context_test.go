package prefer

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

var quiet, babble = space.Option{"noise": space.ValueOf("quiet")}, space.Option{"noise": space.ValueOf("babble")}

// hearing is a space in which one setting is sought for each of two kinds of noise around.
func hearing(more ...space.Parameter) space.Space {
	noise := space.Categorical("noise", "quiet", "babble")
	noise.Context = true
	return space.Box(append([]space.Parameter{space.Float("gain", 0, 1), noise}, more...)...)
}

// heard is a study of hearing whose rater likes gain at 0.2 in quiet and at 0.85 in babble, after so many answers by turns.
func heard(t *testing.T, cfg Config, answers int) *Study {
	t.Helper()
	cfg.Space, cfg.Search = hearing(), little
	s := start(t, cfg)
	for k := range answers {
		hear(t, s, []space.Option{quiet, babble}[k%2])
	}
	return s
}

// likes is the utility of that rater.
func likes(o space.Option) float64 {
	best := 0.2
	if o.Word("noise") == "babble" {
		best = 0.85
	}
	return -8 * math.Abs(o.Float("gain")-best)
}

// hear asks under a context and answers.
func hear(t *testing.T, s *Study, fixed space.Option) Question {
	t.Helper()
	q, err := s.Ask(t.Context(), Request{Fixed: fixed})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []space.Option{q.First, q.Second} {
		if !maps.Equal(s.cfg.Space.Context(o), fixed) {
			t.Fatalf("asked under {%v}: %v against %v", fixed, q.First, q.Second)
		}
	}
	if q.Incumbent != nil && !maps.Equal(s.cfg.Space.Context(q.Incumbent), fixed) {
		t.Fatalf("asked under {%v} with the incumbent %v", fixed, q.Incumbent)
	}
	c := First
	if likes(q.First) < likes(q.Second) {
		c = Second
	}
	tell(t, s, q.ID, c)
	return q
}

// TestContext: a favourite that differs by context is found under each, by questions none of which goes across; opened again
// the study says the same, and goes on the same.
func TestContext(t *testing.T) {
	for _, cfg := range []Config{{Seed: 1}, {Seed: 1, Modelling: Modelling{Belief: beliefLikeliest}}, {Seed: 2, Method: "eubo"}, {Seed: 3, Method: "random"}} {
		s := heard(t, cfg, 24)
		again := reopen(t, s.Events(0))
		for _, fixed := range []space.Option{quiet, babble} {
			best, err := s.Best(t.Context(), Look{Fixed: fixed})
			if err != nil {
				t.Fatal(err)
			}
			if off := likes(best.Option); off < -1.2 || !maps.Equal(s.cfg.Space.Context(best.Option), fixed) {
				t.Errorf("%s: under {%v} the best is %v, which misses %.2f", cfg.Method, fixed, best.Option, -off)
			}
			if b, err := again.Best(t.Context(), Look{Fixed: fixed}); err != nil || marshal(t, b) != marshal(t, best) {
				t.Errorf("%s: opened again the best under {%v} is %+v, %v, it was %+v", cfg.Method, fixed, b, err, best)
			}
		}
		if a, b := hear(t, s, quiet), hear(t, again, quiet); marshal(t, a) != marshal(t, b) {
			t.Errorf("%s: opened again it asks %v, not %v", cfg.Method, b, a)
		}
	}
}

// TestContextAlone: a study all of whose duels are under one value of a context believes there what one without the parameter
// does: k((x, c), (x′, c)) = k(x, x′), and duels say nothing of the lengthscale along c. A trend is shared out among all coordinates,
// so there is none here.
func TestContextAlone(t *testing.T) {
	cfg := Config{Seed: 4, Modelling: Modelling{Search: little, Belief: beliefLikeliest, Model: gp.Model{Trend: gp.None()}, Alternatives: []Alternative{}}}
	for name, c := range map[string]struct {
		given space.Parameter
		value space.Value
	}{
		"choice": {space.Categorical("c", "a", "b", "d"), space.ValueOf("b")}, "switch": {space.Switch("c"), space.ValueOf(true)},
		"steps": {space.Int("c", 0, 9), space.ValueOf(7)}, "real": {space.Float("c", -5, 40), space.ValueOf(21.3)}, "circle": {space.Circle("c", 0, 24), space.ValueOf(7.5)},
	} {
		c.given.Context = true
		with, without := cfg, cfg
		with.Space, without.Space = space.Box(c.given, space.Float("x", 0, 1), space.Float("y", 0, 1)), unitSquare()
		under, alone := start(t, with), start(t, without)
		rng := rand.New(rand.NewPCG(9, 9))
		for range 14 {
			var pair [2]space.Option
			for i := range pair {
				pair[i] = space.Option{"x": space.ValueOf(rng.Float64()), "y": space.ValueOf(rng.Float64())}
			}
			worth := func(o space.Option) float64 { return -math.Hypot(o.Float("x")-0.3, o.Float("y")-0.6) }
			choice := First
			if worth(pair[0]) < worth(pair[1]) {
				choice = Second
			}
			observe(t, alone, pair[0], pair[1], choice)
			for i := range pair {
				pair[i] = maps.Clone(pair[i])
				pair[i]["c"] = c.value
			}
			observe(t, under, pair[0], pair[1], choice)
		}
		look := Look{Fixed: space.Option{"c": c.value}}
		v, err := under.Verdict(t.Context(), look)
		if err != nil {
			t.Fatal(name, err)
		}
		w, err := alone.Verdict(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := under.Belief(t.Context(), look)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := alone.Belief(t.Context(), Look{})
		if v.Best.Option["c"] != c.value {
			t.Errorf("%s: the best has c = %v, want %v", name, v.Best.Option["c"], c.value)
		}
		for _, p := range []string{"x", "y"} {
			if got, want := v.Best.Option.Float(p), w.Best.Option.Float(p); abs(got-want) > 1e-3 {
				t.Errorf("%s: best %s = %v, without the context %v", name, p, got, want)
			}
			along, _ := b.Slice(p, 5)
			want, _ := a.Slice(p, 5)
			for i := range along {
				if got, want := along[i].Mean-along[0].Mean, want[i].Mean-want[0].Mean; abs(got-want) > 5e-3 { // the fit stops at a tolerance
					t.Errorf("%s: the slice along %s rises by %v to point %d, without the context by %v", name, p, got, i, want)
				}
			}
		}
		value, err := under.Worth(t.Context(), look, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Worth(t.Context(), Look{}, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if abs(v.Best.Confidence-w.Best.Confidence) > 0.06 || abs(value[0]-want[0]) > 0.02*want[0] {
			t.Errorf("%s: confidence %v and value %v, without the context %v and %v", name, v.Best.Confidence, value[0], w.Best.Confidence, want[0])
		}
		if len(b.Axes) != 2 || len(b.Importance()) != 2 {
			t.Errorf("%s: axes %v, importance %v: a context is not ours to choose", name, b.Axes, b.Importance())
		}
	}
}

// TestContextValue: what a question is said to be worth under a context is what Eq. 3 gives there: the best mean after the answer
// among options under it, whatever other contexts gain.
func TestContextValue(t *testing.T) {
	cfg := Config{Seed: 5, Modelling: Modelling{Belief: beliefLikeliest, Alternatives: []Alternative{}, Search: little}, Answers: Answers{Forced: true}}
	noise := space.Categorical("noise", "quiet", "babble")
	noise.Context = true
	cfg.Space = space.Box(space.Int("gain", 0, 9), noise)
	s := start(t, cfg)
	for k := range 6 {
		hear(t, s, []space.Option{quiet, babble}[k%2])
	}
	worth, err := s.Worth(t.Context(), Look{Fixed: quiet}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	post := learned(t, s)
	at := func(g int) []float64 {
		x, err := s.state.code.Unit(space.Option{"gain": space.ValueOf(g), "noise": space.ValueOf("quiet")})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var rows []float64
	for g := range 10 {
		rows = append(rows, at(g)...)
	}
	top := func(p interface {
		Means(dst, x []float64, workers int)
	}) float64 {
		mean := make([]float64, 10)
		p.Means(mean, rows, 1)
		best := math.Inf(-1)
		for _, m := range mean {
			best = math.Max(best, m)
		}
		return best
	}
	best := 0.0
	for a := range 10 {
		for b := range a {
			u := learn.Single(post)
			p := u.Probability(at(a), at(b), 1, 0, false)
			first, second := post.Condition(at(a), at(b), 1), post.Condition(at(a), at(b), -1)
			best = math.Max(best, p*top(first)+(1-p)*top(second)-top(post))
		}
	}
	if want := best / post.Noise(); abs(worth[0]-want) > 0.02*want {
		t.Errorf("the next question is worth %v under the context, by Eq. 3 over the options there %v", worth[0], want)
	}
}

// TestContextRefused: what no context may be, and what no study with one does.
func TestContextRefused(t *testing.T) {
	given := func(p space.Parameter) space.Parameter { p.Context = true; return p }
	for _, c := range []struct {
		space space.Space
		says  string
	}{
		{space.Box(space.Float("gain", 0, 1), given(space.Categorical("noise", "quiet"))), `"noise" is a context with one value, quiet`},
		{space.Box(space.Float("gain", 0, 1), given(space.Ordinal("noise", space.ValueOf(3)))), `"noise" is a context with one value, 3`},
		{space.Box(space.Float("gain", 0, 1), given(space.Int("hour", 7, 7))), `"hour" is a context with one value, 7`},
		{space.Box(given(space.Switch("noise")), given(space.Int("hour", 0, 23))), `contexts only, as "noise"`},
	} {
		if _, err := New(t.Context(), Config{Space: c.space}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("a study with %q: %v", c.says, err)
		}
	}
	if _, err := New(t.Context(), Config{Space: space.Box(space.Float("gain", 0, 1), given(space.Int("hour", 0, 23))), Tolerance: Tolerance{Steps: map[string]float64{"hour": 1}}}); err == nil || !strings.Contains(err.Error(), "hour is a context") {
		t.Errorf("a tolerance of hours: %v", err)
	}

	s := heard(t, Config{Seed: 1}, 4)
	at := func(gain float64, noise string) space.Option {
		return space.Option{"gain": space.ValueOf(gain), "noise": space.ValueOf(noise)}
	}
	duel := Duel{First: at(0.1, "quiet"), Second: at(0.9, "babble"), Answer: Answer{Choice: First}}
	ask := func(r Request) func() error {
		return func() error { _, err := s.Ask(t.Context(), r); return err }
	}
	unchanged(t, s, "an ask", coded("context"), ask(Request{}))
	unchanged(t, s, "an ask with other conditions", coded("context"), ask(Request{Fixed: space.Option{"gain": space.ValueOf(0.5)}}))
	unchanged(t, s, "a wrong value", coded("option"), ask(Request{Fixed: space.Option{"noise": space.ValueOf("loud")}}))
	unchanged(t, s, "hold", coded("option"), ask(Request{Fixed: quiet, Hold: at(0.5, "babble")}))
	unchanged(t, s, "catch across", coded("context"), ask(Request{Fixed: quiet, Catch: &duel}))
	unchanged(t, s, "catch across, not said where", coded("context"), ask(Request{Catch: &duel}))
	unchanged(t, s, "catch elsewhere", coded("option"), ask(Request{Fixed: babble, Catch: &Duel{First: at(0.1, "quiet"), Second: at(0.9, "quiet")}}))
	unchanged(t, s, "blind", coded("context"), ask(Request{Blind: true}))
	unchanged(t, s, "blind with other conditions", coded("option"), ask(Request{Blind: true, Fixed: space.Option{"noise": space.ValueOf("quiet"), "gain": space.ValueOf(0.5)}}))
	unchanged(t, s, "observe", coded("context"), func() error { _, err := s.Observe(t.Context(), duel); return err })
	unchanged(t, s, "enqueue", coded("option"), func() error {
		return s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: space.Option{"gain": space.ValueOf(0.5)}}}})
	})
	unchanged(t, s, "take", coded("context"), func() error { _, err := s.Accept(t.Context(), "", nil, true); return err })
	unchanged(t, s, "best", coded("context"), func() error { _, err := s.Best(t.Context(), Look{}); return err })
	unchanged(t, s, "verdict", coded("context"), func() error { _, err := s.Verdict(t.Context(), Look{}); return err })
	unchanged(t, s, "belief", coded("context"), func() error { _, err := s.Belief(t.Context(), Look{}); return err })
	unchanged(t, s, "check", coded("context"), func() error { _, err := s.Blind(t.Context(), Look{}); return err })
	b, err := s.Belief(t.Context(), Look{Fixed: quiet})
	if err != nil {
		t.Fatal(err)
	}
	unchanged(t, s, "who wins across", coded("context"), func() error { _, err := b.Prefers(duel.First, duel.Second); return err })
	unchanged(t, s, "a slice along it", coded("context"), func() error { _, err := b.Slice("noise", 5); return err })
	if _, err := s.Ask(t.Context(), Request{}); !strings.Contains(err.Error(), `context "noise" is missing, want one of quiet, babble`) {
		t.Errorf("an ask without a context: %v", err)
	}
	events := s.Events(0)
	q := *events[1].Asked
	q.Second = at(q.Second.Float("gain"), "babble")
	if _, err := Open(t.Context(), []Event{events[0], {Seq: 2, Kind: kindAsked, Asked: &q}}, OpenOptions{}); !errors.Is(err, ErrEvents) || errcode.Of(err) != "context" {
		t.Errorf("a log with a question across contexts: %v", err)
	}
}

// TestContextCounts: answers, budgets, blind duels and endings are those of each context, and a context that nobody was asked under
// is no ending however much was learned elsewhere.
func TestContextCounts(t *testing.T) {
	s := heard(t, Config{Seed: 1, Budget: 6}, 0)
	for range 6 {
		hear(t, s, quiet)
	}
	stands, err := standings(t, s)
	if err != nil || len(stands) != 2 {
		t.Fatal(stands, err)
	}
	for i, want := range []struct {
		kind           VerdictKind
		answers, given int
	}{{BudgetReached, 6, 6}, {KeepGoing, 0, 0}} {
		if v := stands[i].Verdict; v.Kind != want.kind || v.Answers != want.answers || v.Given != want.given {
			t.Errorf("under {%v} the verdict is %s after %d answers, %d given; want %+v", stands[i].Fixed, v.Kind, v.Answers, v.Given, want)
		}
	}

	v, err := s.look(t.Context(), Look{Fixed: babble})
	if err != nil || len(v.shown) != 0 || v.Duels.Len() != 6 {
		t.Errorf("under babble %d numbers were shown and %d duels teach, %v; want none and 6", len(v.shown), v.Duels.Len(), err)
	}
	q, err := s.Ask(t.Context(), Request{Blind: true, Fixed: babble})
	if err != nil || q.First.Word("noise") != "babble" || q.Second.Word("noise") != "babble" {
		t.Fatalf("a blind duel under babble: %v, %v", q, err)
	}
	tell(t, s, q.ID, q.Blind.Pick)
	for i, want := range []crowd.Tally{{Of: 0}, {Of: 1, Won: 1}} {
		c, err := s.Blind(t.Context(), Look{Fixed: []space.Option{quiet, babble}[i]})
		if err != nil || c.Of != want.Of || c.Won != want.Won || c.Stale != 0 {
			t.Errorf("blind duels under context %d: %+v, %v, want %+v", i, c, err, want)
		}
	}
	hear(t, s, babble)
	hear(t, s, babble)
	hear(t, s, quiet)
	v, _ = s.look(t.Context(), Look{Fixed: babble})
	if n := v.withoutLast(1).Duels.Len(); n != 7 {
		t.Errorf("before the last answer under babble there were %d duels, want 7", n)
	}
	if n := v.withoutLast(3).Duels.Len(); n != 0 {
		t.Errorf("before the last three of two answers under babble there were %d duels, want none", n)
	}
}

// TestContextAhead: what is chosen ahead is what an ask under the same context chooses, none of it is handed out under another, and
// nothing is in stock. An option that waits to be tried waits for its context.
func TestContextAhead(t *testing.T) {
	s, plain := heard(t, Config{Seed: 6}, 3), heard(t, Config{Seed: 6}, 3)
	open, err := s.Ask(t.Context(), Request{Fixed: babble})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Host().Prefetch(t.Context(), ""); err != nil || n == 0 {
		t.Fatal("nothing is chosen ahead:", n, err)
	}
	if n, err := s.Host().Stock(t.Context(), 4); n != 0 || err != nil {
		t.Errorf("%d questions in stock, %v, want none", n, err)
	}
	_, text := s.Host().Export("")
	twin := reopen(t, s.Events(0))
	if !twin.Host().Import(text) {
		t.Error("what was chosen ahead is not taken elsewhere")
	}
	for i, study := range []*Study{s, twin} {
		tell(t, study, open.ID, First)
		if !study.Host().Ready("") {
			t.Errorf("study %d has nothing ready", i)
		}
	}
	if q, err := plain.Ask(t.Context(), Request{Fixed: babble}); err != nil {
		t.Fatal(err)
	} else {
		tell(t, plain, q.ID, First)
	}
	if a, b := hear(t, twin, quiet), hear(t, plain, quiet); marshal(t, a) != marshal(t, b) {
		t.Errorf("under the other context it asks %v, without looking ahead %v", a, b)
	}
	undo(t, plain, plain.History()[len(plain.History())-1].ID)
	if _, ok, err := s.Host().AskStocked(t.Context(), "", 9); ok || err != nil {
		t.Errorf("a question from the stock: %v, %v", ok, err)
	}

	wanted := space.Option{"gain": space.ValueOf(0.77), "noise": space.ValueOf("babble")}
	if err := twin.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: wanted}}}); err != nil {
		t.Fatal(err)
	}
	if q := hear(t, twin, quiet); q.Enqueued {
		t.Errorf("under quiet it asks about what waits for babble: %v", q)
	}
	if q := hear(t, twin, babble); !q.Enqueued || !maps.Equal(q.First, wanted) && !maps.Equal(q.Second, wanted) {
		t.Errorf("under babble it does not ask about %v: %v", wanted, q)
	}
	if q := hear(t, twin, babble); q.Enqueued || len(twin.state.queue) != 0 {
		t.Errorf("it is asked about twice: %v", q)
	}
}

// TestContextCatch: a catch question is under the context of its pair, a repeat under that of the question it repeats.
func TestContextCatch(t *testing.T) {
	s := heard(t, Config{Seed: 7}, 1)
	known := Duel{First: space.Option{"gain": space.ValueOf(0.9), "noise": space.ValueOf("babble")}, Second: space.Option{"gain": space.ValueOf(0), "noise": space.ValueOf("babble")}}
	q, err := s.Ask(t.Context(), Request{Catch: &known})
	if err != nil || !maps.Equal(q.Fixed, babble) {
		t.Fatalf("a catch question of babble has {%v}, %v", q.Fixed, err)
	}
	if again, err := s.Ask(t.Context(), Request{Fixed: babble}); err != nil || again.ID != q.ID {
		t.Errorf("an ask under its context does not return it: %v, %v", again, err)
	}
	if _, err := s.Ask(t.Context(), Request{Fixed: quiet}); !errors.Is(err, ErrOpen) {
		t.Errorf("an ask under another context while it is open: %v", err)
	}
	tell(t, s, q.ID, First)
	if q, err = s.Ask(t.Context(), Request{Repeat: "q1"}); err != nil || !maps.Equal(q.Fixed, quiet) {
		t.Errorf("a repeat of a question in quiet has {%v}, %v", q.Fixed, err)
	}
}

// TestBestFor: the best with a value of an ordinary parameter, or feature, is the best of all options that have it, and one option
// is its own.
func TestBestFor(t *testing.T) {
	s := start(t, Config{Space: space.Box(space.Int("x", 0, 9), space.Ordinal("size", space.ValueOf("S"), space.ValueOf("M"), space.ValueOf("L"))), Seed: 3, Modelling: Modelling{Search: little}})
	for range 8 {
		q := ask(t, s, "")
		c := First
		if abs(q.First.Float("x")-3) > abs(q.Second.Float("x")-3) {
			c = Second
		}
		tell(t, s, q.ID, c)
	}
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []string{"S", "M", "L"} {
		var want space.Option
		top := math.Inf(-1)
		for x := range 10 {
			o := space.Option{"x": space.ValueOf(x), "size": space.ValueOf(size)}
			if mean, _, _ := b.Utility(o); mean > top {
				want, top = o, mean
			}
		}
		got, err := s.Best(t.Context(), Look{Fixed: space.Option{"size": space.ValueOf(size)}})
		if err != nil || !maps.Equal(got.Option, want) || abs(got.Mean-top) > 1e-9 || got.Rival != nil && got.Rival.Word("size") != size {
			t.Errorf("best with size %s: %+v, %v, want %v with %v", size, got, err, want, top)
		}
	}
	all := space.Option{"x": space.ValueOf(4), "size": space.ValueOf("M")}
	v, err := s.Verdict(t.Context(), Look{Fixed: all})
	if err != nil || !maps.Equal(v.Best.Option, all) || v.Best.Confidence != 1 || v.Best.Beats != 1 || v.Value != 0 {
		t.Errorf("of one option the verdict is %+v, %v", v, err)
	}
	if _, err := s.Best(t.Context(), Look{Fixed: space.Option{"colour": space.ValueOf("red")}}); errcode.Of(err) != "option" {
		t.Errorf("best with a colour nobody has: %v", err)
	}

	s = start(t, Config{Space: list(gallery(40)...), Seed: 3, Modelling: Modelling{Search: little}})
	judge(t, s, 8, func(id string) float64 { return float64(len(id)) })
	b, _ = s.Belief(t.Context(), Look{})
	want, top := "", math.Inf(-1)
	for _, it := range gallery(40) {
		if mean, _, _ := b.Utility(space.ItemOption(it.ID)); it.Features["style"] == space.ValueOf("round") && mean > top {
			want, top = it.ID, mean
		}
	}
	v, err = s.Verdict(t.Context(), Look{Fixed: space.Option{"style": space.ValueOf("round")}})
	if err != nil || v.Best.Option.Item() != want || v.Items >= 40 || v.Unseen > v.Items {
		t.Errorf("the best round item: %v of %d, %d unseen, %v, want %s", v.Best.Option, v.Items, v.Unseen, err, want)
	}
}

// TestContextValues: every setting of a few contexts that the constraints leave, else what was asked about.
func TestContextValues(t *testing.T) {
	given := func(p space.Parameter) space.Parameter { p.Context = true; return p }
	sp := space.Box(given(space.Int("hour", 6, 12)), space.Float("x", 0, 1), given(space.Switch("rain")))
	sp.Constraints = []string{"!rain || hour < 8"}
	s := start(t, Config{Space: sp, Seed: 1})
	var got []string
	for _, o := range s.Contexts() {
		got = append(got, fmt.Sprintf("%v%.1v", o["hour"], o["rain"]))
	}
	if want := "6f 6t 7f 7t 8f 9f 10f 11f 12f"; strings.Join(got, " ") != want {
		t.Errorf("contexts %v, want %v", got, want)
	}
	if _, err := s.Best(t.Context(), Look{Fixed: space.Option{"hour": space.ValueOf(9), "rain": space.ValueOf(true)}}); errcode.Of(err) != "option" {
		t.Errorf("the best where the constraints leave nothing: %v", err)
	}
	s = start(t, Config{Space: space.Box(given(space.Float("outside", -20, 40)), space.Float("x", 0, 1)), Seed: 1, Modelling: Modelling{Search: little}})
	for _, c := range []float64{21.3, -5, 21.3} {
		q, err := s.Ask(t.Context(), Request{Fixed: space.Option{"outside": space.ValueOf(c)}})
		if err != nil || q.First.Float("outside") != c || q.Second.Float("outside") != c {
			t.Fatalf("at %v it asks %v against %v, %v", c, q.First, q.Second, err)
		}
		tell(t, s, q.ID, First)
	}
	if got := fmt.Sprint(s.Contexts()); got != "[outside 21.3 outside -5]" {
		t.Errorf("temperatures asked at: %v", got)
	}
	if s := start(t, Config{Space: unitSquare()}); s.Contexts() != nil {
		t.Errorf("a study without contexts has %v", s.Contexts())
	}
}

// TestContextSnapshot: a snapshot has the pick of every context.
func TestContextSnapshot(t *testing.T) {
	s := heard(t, Config{Seed: 2}, 8)
	want, err := standings(t, s)
	if err != nil {
		t.Fatal(err)
	}
	quick, err := Open(t.Context(), s.Events(0), OpenOptions{Snapshot: s.Host().Snapshot()})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		v, err := quick.look(t.Context(), Look{Fixed: w.Fixed})
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := quick.picks.Get(quick.pickKey(v)); !ok || marshal(t, b) != marshal(t, w.Verdict.Best) {
			t.Errorf("the snapshot has under {%v} %+v, %v, want %+v", w.Fixed, b, ok, w.Verdict.Best)
		}
	}
}

// TestContextCircle: the end of a circle is its beginning, of a context as well.
func TestContextCircle(t *testing.T) {
	hour := space.Circle("hour", 0, 24)
	hour.Context = true
	s := start(t, Config{Space: space.Box(space.Float("light", 0, 1), hour), Modelling: Modelling{Search: little}})
	at := func(h float64) Request { return Request{Fixed: space.Option{"hour": space.ValueOf(h)}} }
	q, err := s.Ask(t.Context(), at(24))
	if err != nil || q.First.Float("hour") != 0 {
		t.Fatal(q, err)
	}
	if again, err := s.Ask(t.Context(), at(0)); err != nil || again.ID != q.ID {
		t.Errorf("at 0 it asks %v, %v, at 24 it asked %v", again, err, q)
	}
	tell(t, s, q.ID, First)
	midnight, err := s.Best(t.Context(), Look{Fixed: space.Option{"hour": space.ValueOf(24)}})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := s.Best(t.Context(), Look{Fixed: space.Option{"hour": space.ValueOf(0)}}); err != nil || marshal(t, b) != marshal(t, midnight) {
		t.Errorf("the best at 0 is %+v, %v, at 24 %+v", b, err, midnight)
	}
	if got := fmt.Sprint(s.Contexts()); got != "[hour 0]" {
		t.Errorf("hours asked at: %v", got)
	}
}

// standing is a verdict under one setting of the contexts.
type standing struct {
	Fixed   space.Option
	Verdict Verdict
}

// standings returns the verdicts under all of Contexts.
func standings(t *testing.T, s *Study) (out []standing, err error) {
	t.Helper()
	for _, fixed := range s.Contexts() {
		v, err := s.Verdict(t.Context(), Look{Fixed: fixed})
		if err != nil {
			return nil, err
		}
		out = append(out, standing{fixed, v})
	}
	return out, nil
}
