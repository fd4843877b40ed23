package live

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestRepeatPlaces: of n questions rate·n are due to be repeats, less than one more or less, none of the first five, each
// stretch of 1/rate has one, and neither their places nor those of two raters are alike.
func TestRepeatPlaces(t *testing.T) {
	x := newIndex(prefer.Config{Seed: 5})
	for _, rate := range []float64{0.03, 0.15, 0.5} {
		c := Checks{RepeatRate: rate}
		gaps, differ := map[int]bool{}, 0
		for _, rater := range []string{"", "ann", "bo"} {
			last, before := 0, 0
			for n := range 400 {
				due := x.repeats(c, rater, n)
				if due < before || due > 0 && n <= firstRepeat {
					t.Errorf("rate %g: %d repeats are due after %d questions, %d before the last", rate, due, n, before)
				}
				if n > 2*firstRepeat && math.Abs(float64(due)-rate*float64(n)) > 1 {
					t.Errorf("rate %g: %d repeats are due after %d questions", rate, due, n)
				}
				if due > before {
					gaps[n-last], last = true, n
				}
				if before = due; rater == "bo" && due != x.repeats(c, "ann", n) {
					differ++
				}
			}
		}
		if len(gaps) < 3 || differ == 0 {
			t.Errorf("rate %g: the gaps between repeats are %v, and two raters differ %d times", rate, gaps, differ)
		}
	}
}

// TestChecksStayDue: what does not go with an ask comes with the first that it goes with, and what is skipped comes again.
func TestChecksStayDue(t *testing.T) {
	h := openRoom(t, freshStore(t), func(c *Config) { c.Workers = -1 })
	cfg := coffee
	cfg.Initial = 1000
	milk := func(v float64) prefer.Option { return prefer.Option{"milk": prefer.ValueOf(v)} }
	cup := func(milk, sugar float64) prefer.Option {
		return prefer.Option{"milk": prefer.ValueOf(milk), "sugar": prefer.ValueOf(sugar)}
	}
	catch := Catch{Better: cup(1, 0), Worse: cup(1, 5)}
	if err := h.Create(t.Context(), "coffee", cfg, Settings{Checks: Checks{Catch: []Catch{catch}, CatchEvery: 6, RepeatRate: 0.2}}); err != nil {
		t.Fatal(err)
	}
	var kinds string
	ask := func(a Ask, choice prefer.Choice) prefer.Question {
		t.Helper()
		a.Rater, a.Owner = "ann", true
		q, err := h.Ask(t.Context(), "coffee", a)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case q.Asked.Catch:
			kinds += "c"
			if right := map[prefer.Choice]prefer.Option{prefer.First: q.Asked.First, prefer.Second: q.Asked.Second}[q.Asked.Known]; !under(right, catch.Better) || !under(catch.Better, right) {
				t.Errorf("of %v and %v the log has %q as the right answer", q.Asked.First, q.Asked.Second, q.Asked.Known)
			}
		case q.Asked.RepeatOf != "":
			kinds += "r"
		default:
			kinds += "."
		}
		h.tell(q, choice)
		return q.Asked
	}
	checked := func() Checked {
		raters, err := h.open().Study.Raters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return h.open().Checked(raters[0])
	}
	for range 12 { // each under another condition, so nothing can be put again, and no catch pair goes with them
		ask(Ask{Fixed: milk(float64(len(kinds)) / 16)}, prefer.First)
	}
	if c := checked(); kinds != "............" || c.Catch != (CatchCount{0, 0, 2}) || c.Repeats.Of != 0 || c.Repeats.Due < 2 || c.Repeats.Due > 3 {
		t.Fatalf("under ever new conditions there are %s, %+v", kinds, c)
	}
	kinds = ""
	if q := ask(Ask{Fixed: milk(1)}, prefer.Skip); !maps.Equal(q.Fixed, milk(1)) {
		t.Errorf("the catch question has fixed %v", q.Fixed)
	}
	for range 16 {
		ask(Ask{Fixed: milk(1)}, prefer.First)
	}
	c := checked()
	if c.Catch.Of != 4 || c.Catch.Due != 4 || kinds[:4] != "c.c." {
		t.Errorf("where the catch pair goes with the condition there are %s, %+v", kinds, c)
	}
	// A question is put again if it has what is held.
	kinds = ""
	for range 12 {
		q := ask(Ask{Hold: cup(0.5, 2)}, prefer.First)
		if !maps.Equal(q.First, cup(0.5, 2)) && !maps.Equal(q.Second, cup(0.5, 2)) {
			t.Errorf("%s is about %v and %v", q.ID, q.First, q.Second)
		}
	}
	if now := checked(); now.Repeats.Of <= c.Repeats.Of || now.Catch.Of != c.Catch.Of {
		t.Errorf("with one option held there are %s, %+v after %+v", kinds, now, c)
	}
}

// TestChecksOfSeveral: who always has several questions open gets her checks, too.
func TestChecksOfSeveral(t *testing.T) {
	h := openRoom(t, freshStore(t), func(c *Config) { c.Workers = -1 })
	cfg := coffee
	cfg.Initial = 1000
	catch := Catch{Better: prefer.Option{"milk": prefer.ValueOf(1), "sugar": prefer.ValueOf(0)}, Worse: prefer.Option{"milk": prefer.ValueOf(0), "sugar": prefer.ValueOf(5)}}
	if err := h.Create(t.Context(), "coffee", cfg, Settings{Checks: Checks{Catch: []Catch{catch}, CatchEvery: 5, RepeatRate: 0.2}}); err != nil {
		t.Fatal(err)
	}
	for range 40 {
		qs, err := h.AskSeveral(t.Context(), "coffee", Ask{Rater: "ann", Owner: true}, 3)
		if err != nil || len(qs) != 3 {
			t.Fatal(len(qs), err)
		}
		h.tell(qs[0], prefer.First)
	}
	for _, q := range h.open().Study.OpenQuestions("ann") {
		h.tell(Question{Asked: q}, prefer.First)
	}
	raters, err := h.open().Study.Raters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := h.open().Checked(raters[0]); c.Catch.Of != 8 || c.Catch.Due != 8 || c.Repeats.Of != c.Repeats.Due || c.Repeats.Due != 8 {
		t.Errorf("of 42 questions with three open at a time the checks were %+v", c)
	}
}

// TestCatchLeavesOpen: a pair goes with asks that fix what it leaves out, and is refused if its sides leave out other things.
func TestCatchLeavesOpen(t *testing.T) {
	cfg := coffee
	cfg.Space = prefer.Box(append(cfg.Space.Parameters[:2:2], prefer.Categorical("cup", "small", "large"), prefer.Switch("ice"))...)
	cfg.Space.Constraints = []string{`ice ? milk < 0.9 : true`}
	sweet := func(names ...string) prefer.Option {
		o := prefer.Option{"milk": prefer.ValueOf(1), "sugar": prefer.ValueOf(len(names))}
		for _, n := range names {
			o[n] = prefer.ValueOf("small")
		}
		return o
	}
	x := newIndex(prefer.Config{Seed: 1})
	study, err := prefer.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	pair := Catch{Better: sweet(), Worse: prefer.Option{"milk": prefer.ValueOf(0), "sugar": prefer.ValueOf(5)}}
	c := Checks{Catch: []Catch{pair}}
	if err := (Settings{Checks: c}).Validate(t.Context(), cfg); err != nil {
		t.Error(err)
	}
	if err := (Settings{Checks: Checks{Catch: []Catch{{Better: sweet("cup"), Worse: pair.Worse}}}}).Validate(t.Context(), cfg); err == nil {
		t.Error("a pair was taken of which one side alone has a cup")
	}
	for _, k := range []struct {
		fixed prefer.Option
		goes  bool
	}{
		{nil, false},
		{prefer.Option{"cup": prefer.ValueOf("large")}, false},
		{prefer.Option{"cup": prefer.ValueOf("large"), "ice": prefer.ValueOf(false)}, true},
		{prefer.Option{"cup": prefer.ValueOf("large"), "ice": prefer.ValueOf(true)}, false}, // the constraint
		{prefer.Option{"cup": prefer.ValueOf("large"), "ice": prefer.ValueOf(false), "milk": prefer.ValueOf(1)}, false},
		{prefer.Option{"cup": prefer.ValueOf("huge"), "ice": prefer.ValueOf(false)}, false},
	} {
		got := x.catchFor(study.Config().Space, c, Ask{Fixed: k.fixed})
		if (len(got) == 1) != k.goes {
			t.Errorf("under %v there are %v", k.fixed, got)
		}
		if k.goes && fmt.Sprint(got[0].First) != "cup large, ice false, milk 1, sugar 0" {
			t.Errorf("under %v the pair is %v", k.fixed, got)
		}
	}
}
