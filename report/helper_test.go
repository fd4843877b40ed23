package report

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/space"
)

// coffee is a space of every kind of parameter.
func coffee() space.Space {
	return space.Space{
		Parameters: []space.Parameter{
			space.Float("sugar", 0, 5), space.LogFloat("grind", 0.1, 10), space.Categorical("milk", "none", "oat", "cow"), space.Int("cups", 1, 6),
		},
		Constraints: []string{"sugar + cups <= 9"},
	}
}

// taste is a hidden utility of coffee, by rater: NaN of what is not coffee.
func taste(rater string, o space.Option) float64 {
	sweet := 1.2
	if rater == "ben" {
		sweet = 4
	}
	v := -1.5*math.Pow(chart.NumberOf(o, "sugar")-sweet, 2)/4 - math.Pow(math.Log(chart.NumberOf(o, "grind")/2), 2)/3
	switch o["milk"].String() {
	case "oat":
		v += 1.5
	case "cow":
		v += 0.4
	}
	return v
}

// clock ticks a minute with every look.
func clock() func() time.Time {
	now := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Minute); return now }
}

// played returns a study with n answers of the raters in turn, to quasi-random questions: cheap, and the report does not
// mind.
func played(t *testing.T, cfg prefer.Config, n int, utility func(string, space.Option) float64, raters ...string) *prefer.Study {
	t.Helper()
	ctx := context.Background()
	cfg.Initial, cfg.Now = max(n, 1), clock()
	s, err := prefer.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		rater := raters[k%len(raters)]
		q, err := s.Ask(ctx, prefer.Request{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		a := prefer.Answer{Choice: prefer.First, ResponseTime: time.Duration(1500+377*k%4000) * time.Millisecond, Swapped: k%3 == 0}
		switch d := utility(rater, q.First) - utility(rater, q.Second); {
		case k == 6:
			a.Choice = prefer.Skip
		case math.Abs(d) < 0.3 && !cfg.Answers.Forced:
			a.Choice = prefer.Tie
		case d < 0:
			a.Choice = prefer.Second
		}
		if _, err := s.Tell(ctx, q.ID, a); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// written returns the page about a study.
func written(t *testing.T, s *prefer.Study, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(context.Background(), &b, s, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// flavours is a list of items with or without features.
func flavours(n int, features bool) space.Space {
	var s space.Space
	for i := range n {
		it := space.Item{ID: fmt.Sprintf("flavour %d", i+1), Text: fmt.Sprintf("number %d on the menu", i+1)}
		if features {
			it.Features = map[string]space.Value{"cocoa": space.ValueOf(float64(i*7%n) / float64(n)), "vegan": space.ValueOf(i%2 == 0)}
		}
		s.Items = append(s.Items, it)
	}
	return s
}

// value writes a value of a parameter as reports do.
func value(s *prefer.Study, name string, v space.Value) string {
	return view.New(s, language.English(), "").Value(name, v)
}
