package live

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
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
	h := openTestStudies(t, freshStore(t), func(c *Config) { c.Workers = -1 })
	cfg := coffee
	cfg.Initial = 1000
	milk := func(v float64) space.Option { return space.Option{"milk": space.ValueOf(v)} }
	cup := func(milk, sugar float64) space.Option {
		return space.Option{"milk": space.ValueOf(milk), "sugar": space.ValueOf(sugar)}
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
			if right := map[prefer.Choice]space.Option{prefer.First: q.Asked.First, prefer.Second: q.Asked.Second}[q.Asked.Known]; !meets(right, catch.Better) || !meets(catch.Better, right) {
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

// TestChecksOfSeveral: a rater who always has several questions open gets their checks, too.
func TestChecksOfSeveral(t *testing.T) {
	h := openTestStudies(t, freshStore(t), func(c *Config) { c.Workers = -1 })
	cfg := coffee
	cfg.Initial = 1000
	catch := Catch{Better: space.Option{"milk": space.ValueOf(1), "sugar": space.ValueOf(0)}, Worse: space.Option{"milk": space.ValueOf(0), "sugar": space.ValueOf(5)}}
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
	cfg.Space = space.Box(append(cfg.Space.Parameters[:2:2], space.Categorical("cup", "small", "large"), space.Switch("ice"))...)
	cfg.Space.Constraints = []string{`ice ? milk < 0.9 : true`}
	sweet := func(names ...string) space.Option {
		o := space.Option{"milk": space.ValueOf(1), "sugar": space.ValueOf(len(names))}
		for _, n := range names {
			o[n] = space.ValueOf("small")
		}
		return o
	}
	x := newIndex(prefer.Config{Seed: 1})
	study, err := prefer.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	pair := Catch{Better: sweet(), Worse: space.Option{"milk": space.ValueOf(0), "sugar": space.ValueOf(5)}}
	c := Checks{Catch: []Catch{pair}}
	if err := (Settings{Checks: c}).Validate(t.Context(), cfg); err != nil {
		t.Error(err)
	}
	if err := (Settings{Checks: Checks{Catch: []Catch{{Better: sweet("cup"), Worse: pair.Worse}}}}).Validate(t.Context(), cfg); err == nil {
		t.Error("a pair was taken of which one side alone has a cup")
	}
	for _, k := range []struct {
		fixed space.Option
		goes  bool
	}{
		{nil, false},
		{space.Option{"cup": space.ValueOf("large")}, false},
		{space.Option{"cup": space.ValueOf("large"), "ice": space.ValueOf(false)}, true},
		{space.Option{"cup": space.ValueOf("large"), "ice": space.ValueOf(true)}, false}, // the constraint
		{space.Option{"cup": space.ValueOf("large"), "ice": space.ValueOf(false), "milk": space.ValueOf(1)}, false},
		{space.Option{"cup": space.ValueOf("huge"), "ice": space.ValueOf(false)}, false},
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
