package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

func forced(s space.Space) prefer.Config {
	return prefer.Config{Space: s, Answers: prefer.Answers{Forced: true}}
}

// TestJobs: the result is a function of the seed, however many people come at a time; another seed is another crowd.
func TestJobs(t *testing.T) {
	c := Config{Study: forced(space.Box(space.Float("x", 0, 1))), Raters: 2, Noise: []Noise{Prior, High}, MaxQuestions: 6, Seed: 5, Jobs: 1}
	one, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Jobs = 4
	var last Progress
	c.Progress = func(p Progress) {
		if p.Questions < last.Questions || p.Done < last.Done || p.Share < last.Share {
			t.Errorf("progress goes from %+v back to %+v", last, p)
		}
		last = p
	}
	many, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one, many); d != "" {
		t.Errorf("one and four at a time differ:\n%s", d)
	}
	asked := 0
	for _, l := range many.Levels {
		for _, p := range l.People {
			asked += p.Pick.Questions
		}
	}
	if want := (Progress{Runs: 4, Done: 4, Questions: asked, Share: 1}); last != want {
		t.Errorf("the last progress is %+v, want %+v", last, want)
	}
	c.Seed, c.Progress, c.MaxQuestions = 6, nil, 4
	other, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if one.Levels[0].People[0].JND == 0 || one.Levels[0].People[0].Pick.Loss == other.Levels[0].People[0].Pick.Loss {
		t.Error("another seed has the same people")
	}
	if _, err := json.Marshal(one); err != nil {
		t.Error(err)
	}
}

// TestEveryAnswer: a direct run, with a verdict after every answer, ends where the simulation does, and so the quantiles
// are its quantiles.
func TestEveryAnswer(t *testing.T) {
	ctx := context.Background()
	c := Config{Study: forced(space.Box(space.Float("x", 0, 1))), Raters: 2, MaxQuestions: 10, Seed: 1}
	c.Study.Confidence = 0.6
	got, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	full := c.withDefaults()
	s, err := prefer.New(t.Context(), full.Study)
	if err != nil {
		t.Fatal(err)
	}
	full.Study = s.Config()
	l, err := newLandscape(full.Study.Space)
	if err != nil {
		t.Fatal(err)
	}
	var needed []int
	for i, person := range got.Levels[0].People {
		p, err := invite(full, l, i, Prior)
		if err != nil {
			t.Fatal(err)
		}
		cfg := full.Study
		cfg.Seed = splitmix.At(cfg.Seed, p.seed)
		s, err := prefer.New(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		v := prefer.Verdict{Kind: prefer.KeepGoing}
		n := 0
		for v.Kind == prefer.KeepGoing && n < c.MaxQuestions {
			n++
			q, err := s.Ask(ctx, prefer.Request{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Tell(ctx, q.ID, p.answer(q, n)); err != nil {
				t.Fatal(err)
			}
			if v, err = s.Verdict(ctx, prefer.Look{}); err != nil {
				t.Fatal(err)
			}
		}
		if want := p.judge(n, v.Best); person.Verdict != v.Kind || person.Pick != want {
			t.Errorf("person %d: %v %+v, want %v %+v", i, person.Verdict, person.Pick, v.Kind, want)
		}
		if v.Kind != prefer.KeepGoing {
			needed = append(needed, n)
		}
	}
	if len(needed) == 0 || got.Levels[0].Verdicts.Count != len(needed) {
		t.Errorf("%d verdicts, want the %d of the direct run, and more than none", got.Levels[0].Verdicts.Count, len(needed))
	}
}

// TestKinds: a space of everything under a constraint, lists with and without features, ties and grades, a study per
// rater. Losses are never negative, and with a strong and simple taste picks improve on a random option.
func TestKinds(t *testing.T) {
	for name, study := range map[string]prefer.Config{
		"mixed": {Space: mixedSpace()}, "features": forced(featuredList(30)), "list": {Space: plainList(8), People: prefer.PerRater},
		"graded": {Space: space.Box(space.Float("x", 0, 1)), Answers: prefer.Answers{Grades: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Run(context.Background(), Config{Study: study, Raters: 1, Noise: []Noise{Low}, MaxQuestions: 10, Seed: 2})
			if err != nil {
				t.Fatal(err)
			}
			level := r.Levels[0]
			if level.Finished != 1 || len(level.Budgets) != 1 {
				t.Fatalf("%+v", level.Summary)
			}
			for _, p := range level.People {
				k := p.Pick
				if k.Questions < 4 || k.Questions > 10 || k.Loss < 0 || k.Share > 0.75 || math.IsNaN(k.Loss+k.Share) || k.Good != (k.Loss <= p.JND) {
					t.Errorf("%+v", p)
				}
			}
		})
	}
}

// TestTruth: a taste of one's own with its peak at 0.3, hardly any noise.
func TestTruth(t *testing.T) {
	r, err := Run(context.Background(), Config{
		Study: forced(space.Box(space.Float("x", 0, 1))), Raters: 1, MaxQuestions: 12,
		Truth: func(int) func(space.Option) float64 {
			return func(o space.Option) float64 { return -100 * math.Abs(o.Float("x")-0.3) }
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Levels[0].People {
		if p.Pick.Loss > 10 || math.Abs(p.JND-0.05*100*(0.09+0.49)/2) > 0.01 {
			t.Errorf("%+v: the pick is more than 0.1 away", p)
		}
	}
}

// TestBudget: a study's budget ends it, and is no verdict.
func TestBudget(t *testing.T) {
	study := prefer.Config{Space: space.Box(space.Float("x", 0, 1), space.Float("y", 0, 1), space.Float("z", 0, 1)), Budget: 5, Confidence: 0.999}
	r, err := Run(context.Background(), Config{Study: study, Raters: 2, MaxQuestions: 50})
	if err != nil {
		t.Fatal(err)
	}
	l := r.Levels[0]
	if r.MaxQuestions != 5 || len(l.Endings) != 1 || l.Endings[0].Kind != prefer.BudgetReached || l.Endings[0].Count != 2 || l.Verdicts.Count != 0 {
		t.Errorf("at most %d questions, endings %+v, %d verdicts", r.MaxQuestions, l.Endings, l.Verdicts.Count)
	}
	for _, p := range l.People {
		if p.Pick.Questions != 5 {
			t.Errorf("%+v", p)
		}
	}
}

// TestDecisive: somebody decisive has the taste of the one who is not, and never says that they can't tell.
func TestDecisive(t *testing.T) {
	c, err := Config{Study: prefer.Config{Space: plainList(30), Answers: prefer.Answers{Grades: 1}}}.Complete()
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLandscape(c.Study.Space)
	if err != nil {
		t.Fatal(err)
	}
	ties := map[bool]int{}
	for rater := range 10 {
		for _, c.Decisive = range []bool{false, true} {
			p, err := invite(c, l, rater, Prior)
			if err != nil {
				t.Fatal(err)
			}
			for k := range 100 {
				a := p.answer(prefer.Question{First: l[0].options[k%30], Second: l[0].options[(k*7+1)%30]}, k)
				if a.Choice == prefer.Tie {
					ties[c.Decisive]++
				}
			}
		}
	}
	if ties[true] != 0 || ties[false] == 0 {
		t.Errorf("ties %v", ties)
	}
}

// TestStop: a simulation that is stopped returns who had finished.
func TestStop(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	r, err := Run(ctx, Config{
		Study: forced(space.Box(space.Float("x", 0, 1))), Raters: 50, MaxQuestions: 5, Jobs: 1,
		Progress: func(p Progress) {
			if p.Done == 3 {
				stop()
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
	if n := r.Levels[0].Finished; n != 3 || r.Levels[0].Good.Of != 3 {
		t.Errorf("%d have finished, want 3", n)
	}
}

func TestRunErrors(t *testing.T) {
	box := forced(space.Box(space.Float("x", 0, 1)))
	for want, c := range map[string]Config{
		"Raters = -1":     {Study: box, Raters: -1},
		"MaxQuestions":    {Study: box, MaxQuestions: -4},
		"Jobs":            {Study: box, Jobs: -1},
		"ErrorRate":       {Study: box, Noise: []Noise{{ErrorRate: 0.7}}},
		"no parameters":   {},
		"want one of":     {Study: box, Noise: []Noise{{ErrorRate: 0.1, Sigma: 2}}},
		"span 0":          {Study: box, Noise: []Noise{Low}, Truth: func(int) func(space.Option) float64 { return func(space.Option) float64 { return 1 } }},
		"too few to know": {Study: forced(space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1)}, Constraints: []string{"x < 0.0002"}})},
	} {
		if _, err := Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestParts: parts made one by one, after a trip through JSON, add up to what Run returns, and the parts of a
// smaller simulation are the first of a larger one.
func TestParts(t *testing.T) {
	ctx := context.Background()
	c := Config{Study: forced(space.Box(space.Float("x", 0, 1))), Raters: 3, Noise: []Noise{Prior, {ErrorRate: 0.2}}, MaxQuestions: 5, Seed: 9}
	want, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	parts := make([]*One, c.Parts())
	for _, p := range []int{4, 0, 5, 2, 1, 3} {
		few := c
		few.Raters = p/2 + 1
		one, err := Part(ctx, few, p)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		parts[p] = new(One)
		if err := json.Unmarshal(text, parts[p]); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Merge(c, parts)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Run and the sum of its parts differ:\n%s", d)
	}
	parts[3] = nil // rater 1 at the second level
	got, err = Merge(c, parts)
	if err != nil {
		t.Fatal(err)
	}
	var there []int
	for _, p := range got.Levels[1].People {
		there = append(there, p.Rater)
	}
	if !slices.Equal(there, []int{0, 2}) || got.Levels[0].Finished != 3 {
		t.Errorf("without part 3 the second level has raters %v and the first %d, want [0 2] and 3", there, got.Levels[0].Finished)
	}
	if _, err := Merge(c, parts[1:]); err == nil || !strings.Contains(err.Error(), "5 parts, want 6") {
		t.Errorf("five of six parts: %v", err)
	}
	if _, err := Part(ctx, c, -1); err == nil {
		t.Error("part -1 is not an error")
	}
}

// TestNoiseJSON: what is written can be read.
func TestNoiseJSON(t *testing.T) {
	want := []Noise{Prior, Low, High, {ErrorRate: 0.125}, {Sigma: 0.3}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got []Noise
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s is read as\n%s", text, d)
	}
	for _, bad := range []string{`"loud"`, `3`, `"60%"`} {
		if err := json.Unmarshal([]byte(bad), &got[0]); err == nil {
			t.Errorf("%s is taken for %v", bad, got[0])
		}
	}
}
