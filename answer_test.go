package prefer

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestAnswerMeanings tells every answer there is to the same question and looks at the duels.
func TestAnswerMeanings(t *testing.T) {
	graded, forced := Answers{Grades: 2}, Answers{Forced: true}
	for _, c := range []struct {
		name    string
		offer   Answers
		answer  Answer
		outcome []gp.Outcome
		ok      bool
	}{
		{"first", Answers{}, Answer{Choice: First}, []gp.Outcome{1}, true},
		{"second", Answers{}, Answer{Choice: Second}, []gp.Outcome{-1}, true},
		{"tie", Answers{}, Answer{Choice: Tie}, []gp.Outcome{0}, true},
		{"skip", Answers{}, Answer{Choice: Skip}, nil, true},
		{"both bad", Answers{}, Answer{Choice: BothBad}, []gp.Outcome{0, 1, 1}, true},
		{"swapped", Answers{}, Answer{Choice: First, Swapped: true, ResponseTime: time.Second}, []gp.Outcome{1}, true},
		{"strong where all are plain", Answers{}, Answer{Choice: First, Strength: 1}, nil, false},
		{"graded, plain", graded, Answer{Choice: First}, []gp.Outcome{1}, true},
		{"graded, clearly", graded, Answer{Choice: Second, Strength: 1}, []gp.Outcome{-2}, true},
		{"graded, by far", graded, Answer{Choice: First, Strength: 2}, []gp.Outcome{3}, true},
		{"graded, beyond", graded, Answer{Choice: First, Strength: 3}, nil, false},
		{"graded, below", graded, Answer{Choice: First, Strength: -1}, nil, false},
		{"graded tie", graded, Answer{Choice: Tie}, []gp.Outcome{0}, true},
		{"graded strong tie", graded, Answer{Choice: Tie, Strength: 1}, nil, false},
		{"graded strong skip", graded, Answer{Choice: Skip, Strength: 1}, nil, false},
		{"graded strong both bad", graded, Answer{Choice: BothBad, Strength: 1}, nil, false},
		{"forced, first", forced, Answer{Choice: First}, []gp.Outcome{1}, true},
		{"forced, tie", forced, Answer{Choice: Tie}, nil, false},
		{"forced, both bad", forced, Answer{Choice: BothBad}, []gp.Outcome{1, 1}, true},
		{"forced, skip", forced, Answer{Choice: Skip}, nil, true},
		{"nothing", Answers{}, Answer{}, nil, false},
		{"other words", Answers{}, Answer{Choice: "First"}, nil, false},
	} {
		s := start(t, Config{Space: coffee(), Answers: c.offer, Initial: -1, Modelling: Modelling{BothBad: badAsTie}})
		observe(t, s, cup(0.2, 1), cup(0.45, 8), First) // an incumbent
		q := ask(t, s, "")
		_, err := s.Tell(ctx, q.ID, c.answer)
		if (err == nil) != c.ok || !c.ok && errcode.Of(err) != "answer" {
			t.Errorf("%s: error %v", c.name, err)
		}
		d := s.view("").Duels
		if got := d.Outcome[1:]; !slices.Equal(got, c.outcome) {
			t.Errorf("%s: outcomes %v, want %v", c.name, got, c.outcome)
			continue
		}
		a, _ := unitOf(s.cfg.Space, q.First)
		b, _ := unitOf(s.cfg.Space, q.Second)
		inc, _ := unitOf(s.cfg.Space, q.Incumbent)
		sides := [][2][]float64{{a, b}}
		if c.answer.Choice == BothBad {
			sides = [][2][]float64{{a, b}, {inc, a}, {inc, b}}
			if c.offer.Forced {
				sides = sides[1:]
			}
		}
		for i := range c.outcome {
			if !slices.Equal(d.A[2*i+2:2*i+4], sides[i][0]) || !slices.Equal(d.B[2*i+2:2*i+4], sides[i][1]) {
				t.Errorf("%s: duel %d is between %v and %v, want %v", c.name, i, d.A[2*i+2:2*i+4], d.B[2*i+2:2*i+4], sides[i])
			}
		}
	}
}

// TestBothBadIncumbent: the incumbent recorded in the question counts, not today's; and it does not
// lose to itself, whatever rounding does to it between user units and the cube.
func TestBothBadIncumbent(t *testing.T) {
	best, worse, third := cup(0.2, 1), cup(0.45, 8), cup(0.3, 0.3)
	for _, c := range []struct {
		name           string
		first, second  space.Option
		incumbent      space.Option
		want           []gp.Outcome
		incumbentFirst bool
	}{
		{"elsewhere", worse, third, best, []gp.Outcome{0, 1, 1}, true},
		{"first of the pair", best, third, best, []gp.Outcome{0}, false},
		{"second of the pair", third, best, best, []gp.Outcome{0}, false},
		{"none yet", third, worse, nil, []gp.Outcome{0}, false},
		{"an ulp away", third, worse, cup(0.30000000000000004, 0.3), []gp.Outcome{0}, false},
	} {
		s := start(t, Config{Space: coffee(), Modelling: Modelling{BothBad: badAsTie}})
		events := append(s.Events(0), Event{Seq: 2, Kind: kindAsked,
			Asked: &Question{ID: "mine", First: c.first, Second: c.second, Incumbent: c.incumbent, Method: "kg"}})
		s = reopen(t, events)
		tell(t, s, "mine", BothBad)
		d := s.view("").Duels
		if !slices.Equal(d.Outcome, c.want) {
			t.Errorf("%s: outcomes %v, want %v", c.name, d.Outcome, c.want)
		}
		if c.incumbentFirst {
			inc, _ := unitOf(s.cfg.Space, c.incumbent)
			if !slices.Equal(d.A[2:4], inc) || !slices.Equal(d.A[4:6], inc) {
				t.Errorf("%s: the duels were won by %v, want the incumbent %v", c.name, d.A[2:], inc)
			}
		}
	}
}

// TestBothBadLowers: both options fall behind the incumbent, at the same hyper-parameters. Each is
// further behind than a tie would put it. Compared with before the better one and the two together
// fall; the worse one may rise a little on its own, for neither being good also makes them alike.
func TestBothBadLowers(t *testing.T) {
	const visible = 0.05 // of the noise
	for seed := range uint64(5) {
		s := start(t, former(Config{Space: coffee(), Seed: seed, Modelling: Modelling{BothBad: badAsTie}}))
		play(t, s, "", 8)
		before := learned(t, s)
		q := ask(t, s, "")
		a, _ := unitOf(s.cfg.Space, q.First)
		b, _ := unitOf(s.cfg.Space, q.Second)
		inc, _ := unitOf(s.cfg.Space, q.Incumbent)
		after := func(c Choice) *gp.Posterior {
			twin := reopen(t, s.Events(0))
			tell(t, twin, q.ID, c)
			p, err := twin.cfg.Model.Condition(twin.view("").Duels, before.Hyper(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		behind := func(p *gp.Posterior) (float64, float64) {
			return p.Mean(inc) - p.Mean(a), p.Mean(inc) - p.Mean(b)
		}
		a0, b0 := behind(before)
		at, bt := behind(after(Tie))
		a1, b1 := behind(after(BothBad))
		if !(a1 > at+visible && b1 > bt+visible) {
			t.Errorf("seed %d: %.3f and %.3f behind after both bad, %.3f and %.3f after a tie", seed, a1, b1, at, bt)
		}
		if !(math.Min(a1, b1) > math.Min(a0, b0)+visible && a1+b1 > a0+b0+visible) {
			t.Errorf("seed %d: %.3f and %.3f behind after both bad, %.3f and %.3f before", seed, a1, b1, a0, b0)
		}
	}
}

func TestAnswerJSON(t *testing.T) {
	a := Answer{Choice: BothBad, Strength: 2, Key: "k", Swapped: true, ResponseTime: 2140 * time.Millisecond}
	data, err := json.Marshal(a)
	if want := `{"choice":"both_bad","strength":2,"key":"k","swapped":true,"response_ns":2140000000}`; err != nil || string(data) != want {
		t.Errorf("written %s (%v), want %s", data, err, want)
	}
	var back Answer
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, a) {
		t.Errorf("read %+v (%v)", back, err)
	}
	if data, err := json.Marshal(Answer{Choice: First}); err != nil || string(data) != `{"choice":"first"}` {
		t.Errorf("a plain answer is written %s (%v)", data, err)
	}
}
