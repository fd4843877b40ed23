package prefer

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/space"
)

// favour answers by the distance from what is liked, exactly, until the study ends, and returns the verdicts on the way and the questions.
func favour(t *testing.T, s *Study, most int, likes space.Option) (verdicts []Verdict, asked []Question) {
	t.Helper()
	far := func(o space.Option) (d float64) {
		for name, v := range likes {
			d += math.Abs(o.Float(name) - v.Float())
		}
		return d
	}
	for range most {
		q := ask(t, s, "")
		c := First
		if far(q.Second) < far(q.First) {
			c = Second
		}
		tell(t, s, q.ID, c)
		v, err := s.Verdict(ctx, Look{})
		if err != nil {
			t.Fatal(err)
		}
		if verdicts, asked = append(verdicts, v), append(asked, q); v.Kind.Done() {
			break
		}
	}
	return verdicts, asked
}

// TestFavouriteNearEnd: somebody whose favourite is near an end of the range, and who never errs, is asked nothing twice and gets it; the study does not
// end while nothing next to its pick was shown.
func TestFavouriteNearEnd(t *testing.T) {
	for _, c := range []struct {
		seed  uint64
		likes float64
	}{{0, 4}, {1, 4.6}, {2, 0.3}} {
		s := start(t, Config{Space: space.Space{Parameters: []space.Parameter{{Name: "sugar", Low: 0, High: 5}}}, Seed: c.seed})
		verdicts, asked := favour(t, s, 30, space.Option{"sugar": space.ValueOf(c.likes)})
		last := verdicts[len(verdicts)-1]
		if pick := last.Best.Option.Float("sugar"); last.Kind != Settled || math.Abs(pick-c.likes) > 0.45 {
			t.Errorf("seed %d: %s with %.3g after %d answers, want it to be done near %g", c.seed, last.Kind, pick, len(asked), c.likes)
		}
		held, tried := 0, 0
		for i, v := range verdicts[:len(verdicts)-1] {
			if v.Untried == nil {
				continue
			}
			held++
			if v.Kind != KeepGoing || v.Left[0] < 1 || !strings.Contains(v.Sentence, "nothing near it with sugar between") {
				t.Errorf("seed %d: with %v untried the verdict is %s, %q", c.seed, v.Untried, v.Kind, v.Sentence)
			}
			if asked[i+1].Method == methodNeighbour {
				tried++
			}
		}
		if tried < held {
			t.Errorf("seed %d: %d verdicts were held back, and %d questions tried what was missing", c.seed, held, tried)
		}
		for i, q := range asked {
			for _, p := range asked[:i] {
				a, b, x, y := q.First.Float("sugar")/5, q.Second.Float("sugar")/5, p.First.Float("sugar")/5, p.Second.Float("sugar")/5
				reach := min(0.05, math.Abs(a-b)/4) - 1e-12
				if math.Abs(a-x) < reach && math.Abs(b-y) < reach || math.Abs(a-y) < reach && math.Abs(b-x) < reach {
					t.Errorf("seed %d: question %d is a near-repeat: %v | %v after %v | %v", c.seed, i+1, q.First, q.Second, p.First, p.Second)
				}
			}
		}
	}
}

// TestHeldBack: seventeen answers of somebody who likes 4 leave the study sure of 5 without anything between 4.02 and 5 having been shown. It says so and goes on.
// A budget ends the turn all the same; and so does the study once 4.6 has lost to 5, too.
func TestHeldBack(t *testing.T) {
	s := start(t, Config{Space: space.Space{Parameters: []space.Parameter{{Name: "sugar", Low: 0, High: 5}}}})
	observe := func(better, worse float64) {
		d := Duel{First: space.Option{"sugar": space.ValueOf(better)}, Second: space.Option{"sugar": space.ValueOf(worse)}, Answer: Answer{Choice: First}}
		if _, err := s.Observe(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range [][2]float64{{4.02, 3.8}, {2.1, 1.98}, {3.75, 1.25}, {3.75, 2.67}, {3.75, 2.61}, {5, 0}, {5, 2.93}, {5, 0.07}, {5, 2.9},
		{5, 0.16}, {5, 2.91}, {5, 0.22}, {5, 2.89}, {5, 0.25}, {5, 2.87}, {5, 0.28}, {5, 2.86}} {
		observe(p[0], p[1])
	}
	v, err := s.Verdict(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Best.Confidence < 0.9 || v.Kind != KeepGoing || len(v.Untried) != 1 || v.Untried[0][0].Float("sugar") != 4.02 || v.Untried[0][1].Float("sugar") != 5 {
		t.Errorf("%s at a confidence of %g with %v untried, want to go on for what is between 4.02 and 5", v.Kind, v.Best.Confidence, v.Untried)
	}
	if v.Left[0] != 1 || !strings.Contains(v.Sentence, "nothing near it with sugar between 4.02 and 5 has been shown yet") {
		t.Errorf("%v left, %q", v.Left, v.Sentence)
	}
	if stopped := v.For(10, 10); stopped.Kind != BudgetReached {
		t.Errorf("with a budget it is %s", stopped.Kind)
	}
	if q := ask(t, s, ""); q.Method != methodNeighbour || math.Abs(q.First.Float("sugar")-q.Second.Float("sugar")) > 0.5 {
		t.Errorf("the next question is %v | %v by %s, want the pick and a neighbour", q.First, q.Second, q.Method)
	}
	observe(5, 4.6)
	if v, err = s.Verdict(ctx, Look{}); err != nil || v.Untried != nil || v.Kind != Settled {
		t.Errorf("after 5 has beaten 4.6 it is %s with %v untried, %v", v.Kind, v.Untried, err)
	}
}

// TestUntried: what is missing next to a pick is told by hand, on all kinds of ordered parameters.
func TestUntried(t *testing.T) {
	number := func(low, high float64) space.Parameter { return space.Parameter{Name: "x", Low: low, High: high} }
	log, circle := number(1, 100), number(0, 360)
	log.Log, circle.Circular = true, true
	whole := space.Parameter{Name: "x", Type: "int", Low: 1, High: 5}
	hundred := space.Parameter{Name: "x", Type: "int", Low: 0, High: 100}
	sizes := space.Parameter{Name: "x", Type: "ordinal", Choices: []space.Value{space.ValueOf("s"), space.ValueOf("m"), space.ValueOf("l")}}
	one := func(v float64) space.Option { return space.Option{"x": space.ValueOf(v)} }
	size := func(v string) space.Option { return space.Option{"x": space.ValueOf(v)} }
	two := func(x, y float64) space.Option { return space.Option{"x": space.ValueOf(x), "y": space.ValueOf(y)} }
	for i, c := range []struct {
		space []space.Parameter
		pick  space.Option
		shown []space.Option
		want  string
	}{
		{[]space.Parameter{number(0, 10)}, one(5.0), []space.Option{one(4.2), one(5.8)}, ""},
		{[]space.Parameter{number(0, 10)}, one(5.0), []space.Option{one(4.2), one(6.5)}, "x 5–x 6.5"},
		{[]space.Parameter{number(0, 10)}, one(5.0), []space.Option{one(4.7), one(5.8)}, "x 0–x 5"}, // 4.7 is the pick itself, nearly
		{[]space.Parameter{number(0, 10)}, one(9.9), []space.Option{one(9.2)}, ""},                  // the end
		{[]space.Parameter{number(0, 10)}, one(9.6), []space.Option{one(9), one(10)}, ""},
		{[]space.Parameter{hundred}, one(100), []space.Option{one(96), one(80)}, "x 80–x 100"},
		{[]space.Parameter{hundred}, one(99), []space.Option{one(93)}, ""}, // 100 is too near to be asked
		{[]space.Parameter{log}, one(10.0), []space.Option{one(7), one(14)}, ""},
		{[]space.Parameter{log}, one(10.0), []space.Option{one(6), one(17)}, "x 6–x 10; x 10–x 17"},
		{[]space.Parameter{whole}, one(4.0), []space.Option{one(5), one(1)}, "x 1–x 4"},
		{[]space.Parameter{sizes}, size("l"), []space.Option{size("m"), size("s")}, ""},
		{[]space.Parameter{sizes}, size("m"), []space.Option{size("s"), size("m")}, "x m–x l"},
		{[]space.Parameter{circle}, one(2.0), []space.Option{one(335), one(60)}, "x 2–x 60"},
		{[]space.Parameter{number(0, 1), {Name: "y", Low: 0, High: 1}}, two(0.5, 0.5), []space.Option{two(0.42, 0.42), two(0.58, 0.58)}, ""},
		{[]space.Parameter{number(0, 1), {Name: "y", Low: 0, High: 1}}, two(0.5, 1), []space.Option{two(0.42, 0.8), two(0.58, 0.2), two(0.7, 0.93)}, "x 0.5–x 0.7"},
		{[]space.Parameter{number(0, 1), {Name: "b", Type: "bool"}}, space.Option{"x": space.ValueOf(0.5), "b": space.ValueOf(true)}, nil, ""}, // not ordered: no rule
	} {
		s := start(t, Config{Space: space.Space{Parameters: c.space}})
		for i := 0; i+1 < len(c.shown); i += 2 {
			if _, err := s.Observe(ctx, Duel{First: c.shown[i], Second: c.shown[i+1], Answer: Answer{Choice: First}}); err != nil {
				t.Fatal(err)
			}
		}
		if len(c.shown)%2 == 1 {
			if _, err := s.Observe(ctx, Duel{First: c.shown[len(c.shown)-1], Second: c.pick, Answer: Answer{Choice: First}}); err != nil {
				t.Fatal(err)
			}
		}
		v := s.view("")
		pick, err := v.code.Unit(c.pick)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, side := range pairs.FindUntried(v.code, pick, v.tried(), 0.02) {
			got = append(got, short(side.Between[0])+"–"+short(side.Between[1]))
			v.Duels.A, v.Duels.B = append(v.Duels.A, pick...), append(v.Duels.B, side.Neighbour...)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("case %d: %q is untried next to %v, want %q", i, got, c.pick, c.want)
		}
		if left := pairs.FindUntried(v.code, pick, v.tried(), 0.02); len(left) > 0 {
			t.Errorf("case %d: once tried, %v is still missing", i, left[0].Between)
		}
	}
}

// TestStockRepeats: a near-repeat of what the rater has answered is not taken from stock, unless another rater asks.
func TestStockRepeats(t *testing.T) {
	for _, rater := range []string{"ann", "bob"} {
		s := start(t, Config{Space: space.Space{Parameters: []space.Parameter{{Name: "x", Low: 0, High: 1}}}})
		q := ask(t, s, "ann")
		tell(t, s, q.ID, First)
		near := &asked{Question: Question{First: maps.Clone(q.First), Second: maps.Clone(q.Second), Method: "kg", From: s.Seq()}}
		near.First["x"] = space.ValueOf(q.First.Float("x") + 0.01)
		var err error
		if near.a, near.b, err = s.state.code.Pair(near.First, near.Second); err != nil {
			t.Fatal(err)
		}
		s.stock.left = []stocked{{near, 1}}
		if _, ok, err := s.Host().AskStocked(ctx, rater, 5); err != nil || ok != (rater == "bob") {
			t.Errorf("%s: asked is %t, %v", rater, ok, err)
		}
	}
}

// TestNearRepeatsContradicted: a pair like one that was answered is to be avoided, unless that answer contradicts the others, or another rater gave it.
func TestNearRepeatsContradicted(t *testing.T) {
	parameters := []space.Parameter{{Name: "x", Low: 0, High: 1}, {Name: "y", Low: 0, High: 1}, {Name: "z", Low: 0, High: 1}}
	s := start(t, Config{Space: space.Space{Parameters: parameters}, Answers: Answers{Forced: true}})
	sum := func(o space.Option) float64 { return o.Float("x") + o.Float("y") + o.Float("z") }
	widest := 0.0 // the widest question is answered against the others
	for range 24 {
		q := ask(t, s, "ann")
		d := sum(q.First) - sum(q.Second)
		wrong := math.Abs(d) > 0.5 && widest == 0
		if wrong {
			widest = d
		}
		c := First // more is better
		if d < 0 != wrong {
			c = Second
		}
		tell(t, s, q.ID, c)
	}
	v := s.view("ann")
	f, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
	if err != nil {
		t.Fatal(err)
	}
	before, after, other := learnedRules(t, s, v, nil, "ann"), learnedRules(t, s, v, f, "ann"), learnedRules(t, s, v, f, "bob")
	for _, told := range v.said {
		a, b := slices.Clone(told.a), told.b
		a[0] = math.Abs(a[0] - 0.001)
		contradicts := math.Abs(sum(told.question.First)-sum(told.question.Second)) == math.Abs(widest)
		if !before.Avoids(a, b) || after.Avoids(a, b) == contradicts {
			t.Errorf("%v | %v, answered against the others: %t; like it is to be avoided: %t, after learning %t", told.question.First, told.question.Second, contradicts, before.Avoids(a, b), after.Avoids(a, b))
		}
	}
	if other.Avoid != nil {
		t.Error("what ann has answered is to be avoided with bob")
	}
}

// short writes an option with its numbers to three digits.
func short(o space.Option) string {
	out := maps.Clone(o)
	for name, v := range o {
		out[name] = space.ValueOf(sentence.Value(v))
	}
	return out.String()
}
