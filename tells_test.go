package prefer

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// disliked returns a study of n questions all of whose options were called bad.
func disliked(t *testing.T, n int, cfg Config) *Study {
	t.Helper()
	cfg.Space = unitSpace(2)
	s := start(t, cfg)
	for range n {
		q := ask(t, s, "")
		tell(t, s, q.ID, BothBad)
	}
	return s
}

// TestNothingPleases: a rater who calls everything bad reads so, and not of a favourite.
func TestNothingPleases(t *testing.T) {
	s := disliked(t, 18, Config{Modelling: Modelling{Search: little}})
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Kind != NothingPleases || v.Best.Displeased < 0.9 || v.Best.Taken > 0.1 || v.Answers != 18 {
		t.Errorf("18 times both bad: %+v", v)
	}
	v, err = disliked(t, 2, Config{Modelling: Modelling{Search: little}}).Verdict(t.Context(), Look{})
	if err != nil || v.Kind != KeepGoing {
		t.Errorf("twice both bad: %+v, %v", v, err)
	}
}

// TestTakeTeaches: a rater who would take the pick is not displeased; one who would not may be.
func TestTakeTeaches(t *testing.T) {
	taken := func(words ...bool) float64 {
		s := start(t, Config{Space: unitSpace(2), Modelling: Modelling{Search: little}})
		play(t, s, "", 6)
		b, err := s.Best(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		pick := b.Option
		q := ask(t, s, "")
		tell(t, s, q.ID, BothBad)
		for _, w := range words {
			if _, err := s.Accept(t.Context(), "", pick, w); err != nil {
				t.Fatal(err)
			}
		}
		fit, err := s.beliefModel(t.Context(), s.view(""))
		if err != nil {
			t.Fatal(err)
		}
		x, _ := unitOf(s.cfg.Space, pick)
		var p float64
		for k, part := range fit.Belief.Parts {
			p += fit.Belief.Weights[k] * part.Acceptable(x, 0)
		}
		return p
	}
	nothing, yes, no := taken(), taken(true), taken(false)
	if !(yes > nothing+0.02 && no < nothing-0.05) {
		t.Errorf("taken with %.3f, after a yes %.3f, after a no %.3f", nothing, yes, no)
	}
}

// TestSkipsAreNothing: skips are no answers to anything.
func TestSkipsAreNothing(t *testing.T) {
	s := start(t, Config{Space: unitSpace(2), Budget: 6, Modelling: Modelling{Search: little}})
	for range 18 {
		q := ask(t, s, "")
		tell(t, s, q.ID, Skip)
	}
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil || v.Kind != KeepGoing || v.Answers != 0 || v.Given != 0 {
		t.Errorf("18 skips: %+v, %v", v, err)
	}
}

// TestBudget: each person's own, and a study that reaches it ends.
func TestBudget(t *testing.T) {
	s := start(t, Config{Space: unitSpace(4), Budget: 5, Modelling: Modelling{Search: little}})
	for i := range 5 {
		for _, rater := range []string{"ann", "bob"}[:1+i%2] {
			q := ask(t, s, rater)
			tell(t, s, q.ID, First)
		}
	}
	for rater, want := range map[string]VerdictKind{"ann": BudgetReached, "bob": KeepGoing, "": KeepGoing, "new": KeepGoing} {
		v, err := s.Verdict(t.Context(), Look{Rater: rater})
		if err != nil || v.Kind != want {
			t.Errorf("%q: %s after %d of %d answers, %v, want %s", rater, v.Kind, v.Given, v.Budget, err, want)
		}
	}
	for range 3 {
		tell(t, s, ask(t, s, "bob").ID, First)
	}
	for rater, want := range map[string]VerdictKind{"": BudgetReached, "new": KeepGoing} {
		v, err := s.Verdict(t.Context(), Look{Rater: rater})
		if err != nil || v.Kind != want || want == KeepGoing && v.Left[1] > 5 {
			t.Errorf("after all gave theirs, %q: %s, left %v, %v, want %s", rater, v.Kind, v.Left, err, want)
		}
	}
	for i := range 6 { // as an import brings them
		d := Duel{First: optionOf(s.cfg.Space, []float64{0.1, 0.1, 0.1, 0.1 * float64(i)}), Second: optionOf(s.cfg.Space, []float64{0.9, 0.9, 0.9, 0.9}), Rater: "new", Answer: Answer{Choice: First}}
		if _, err := s.Observe(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := s.Verdict(t.Context(), Look{Rater: "new"}); err != nil || v.Kind == BudgetReached || v.Given != 0 || v.Answers != 16 {
		t.Errorf("six duels were reported, none asked for: %s, %d given, %d answers, %v", v.Kind, v.Given, v.Answers, err)
	}
	if err := (Config{Space: unitSpace(1), Budget: -1}).Validate(); err == nil {
		t.Error("a negative budget was taken")
	}
}

// TestAveragedBelief: what is told about one study is what gp.Average says, and by the likeliest setting if that is
// wanted; questions are the same.
func TestAveragedBelief(t *testing.T) {
	f := func(u []float64) float64 { return 4 * u[0] }
	told, taken := seen(t, 2, 8, Config{}, f), seen(t, 2, 8, Config{Modelling: Modelling{Belief: beliefLikeliest}}, f)
	a, b := ask(t, told, ""), ask(t, taken, "")
	if a.First.String() != b.First.String() || a.Second.String() != b.Second.String() {
		t.Errorf("asked %v and %v, by another belief %v and %v", a.First, a.Second, b.First, b.Second)
	}
	var p [2]float64
	for i, s := range []*Study{told, taken} {
		belief, err := s.Belief(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		if p[i], err = belief.Prefers(optionOf(s.cfg.Space, []float64{0.9, 0.5}), optionOf(s.cfg.Space, []float64{0.1, 0.5})); err != nil {
			t.Fatal(err)
		}
	}
	if p[0] < 0.6 || math.Abs(p[0]-p[1]) < 1e-3 {
		t.Errorf("more of the first parameter wins with %.3f, at the likeliest setting %.3f", p[0], p[1])
	}
}

// TestForecast: what was recorded with the questions is what is counted.
func TestForecast(t *testing.T) {
	s := start(t, Config{Space: unitSpace(1), Modelling: Modelling{Search: little}})
	for i := range 12 {
		q := ask(t, s, "")
		if sum := q.Forecast[0] + q.Forecast[1] + q.Forecast[2]; math.Abs(sum-1) > 1e-9 {
			t.Fatalf("question %d: forecast %v adds up to %g", i, q.Forecast, sum)
		}
		choice := Second
		if q.First.Float("x1") > q.Second.Float("x1") {
			choice = First
		}
		tell(t, s, q.ID, choice)
	}
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil || v.Calibration.Of != 12 || v.Calibration.Right < 8 {
		t.Errorf("more is always better, and the calibration is %+v, %v", v.Calibration, err)
	}
	if f := start(t, Config{Space: unitSpace(1), Modelling: Modelling{Belief: beliefLikeliest}}); ask(t, f, "").Forecast != ([3]float64{}) {
		t.Error("a study of the old kind records forecasts")
	}
}

// TestTolerance: the forms of a tolerance, what is refused, and that a larger one is surer.
func TestTolerance(t *testing.T) {
	space := space.Box(space.Float("sugar", 0, 10), space.Categorical("milk", "oat", "cow"))
	for text, want := range map[string]string{"1": "1 noise", "0.67 noise": "0.67 noise", "5%": "5 %", "5 %, 1 sugar": "5 %, 1 sugar"} {
		got, err := ParseTolerance(text)
		if err != nil || got.String() != want {
			t.Errorf("%q is %q, %v", text, got, err)
		}
		if err := (Config{Space: space, Tolerance: got}).Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		data, err := got.MarshalJSON()
		var back Tolerance
		if err != nil || back.UnmarshalJSON(data) != nil || back.String() != want {
			t.Errorf("%q came back from %s as %q", text, data, back)
		}
	}
	for _, text := range []string{"", "-1", "a lot", "0 noise", "nan"} {
		if got, err := ParseTolerance(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
	for _, bad := range []Tolerance{{Share: 1}, {Noise: -1}, {Steps: map[string]float64{"salt": 1}}, {Steps: map[string]float64{"milk": 1}}, {Steps: map[string]float64{"sugar": -1}}} {
		if err := (Config{Space: space, Tolerance: bad}).Validate(); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	var sure []float64
	for _, tol := range []Tolerance{{Share: 0.01}, {Share: 0.2}, {Steps: map[string]float64{"x1": 0.05}}, {Steps: map[string]float64{"x1": 0.5}}} {
		s := seen(t, 1, 40, Config{Tolerance: tol, Answers: Answers{Forced: true}}, func(u []float64) float64 { return -30 * (u[0] - 0.4) * (u[0] - 0.4) })
		b, err := s.Best(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		sure = append(sure, b.Confidence)
	}
	if sure[0] >= sure[1] || sure[2] >= sure[3] {
		t.Errorf("sure of 1 %%, 20 %%, 0.05 and half of a parameter: %.3f", sure)
	}
}

// TestManyAnswersKeepLevels: however many answers there are, both bad teaches what a rater would take.
func TestManyAnswersKeepLevels(t *testing.T) {
	lower(t, &learn.DenseLimit, 3)
	lower(t, &learn.PlainLimit, 5)
	s := disliked(t, 3, Config{Modelling: Modelling{Search: little}})
	v := s.view("")
	if v.Duels.Len() != 6 || v.LevelRater(v.rater) != 0 {
		t.Errorf("three times both bad: %d duels", v.Duels.Len())
	}
	if p := v.Preferences(); p.Duels.Len() != 0 || p.LevelRater("") != -1 {
		t.Errorf("without levels: %d duels", p.Duels.Len())
	}
	if p := learned(t, s); p.State().Inference != gp.Reduced {
		t.Errorf("learned by %v inference", p.State().Inference)
	}
}
