package prefer

import (
	"errors"
	"math"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestGainsOfTheQuestion: the reported gain of an asked pair is the one it was chosen for, also if other raters are asked meanwhile.
func TestGainsOfTheQuestion(t *testing.T) {
	hour := space.Int("hour", 0, 3)
	hour.Context = true
	for name, cfg := range map[string]Config{
		"box":      {Space: space.Box(space.Float("x", 0, 4), space.Int("n", 1, 9), space.Categorical("k", "a", "b", "c"))},
		"walls":    {Space: space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), space.Float("y", 0, 1)}, Constraints: []string{"x + y <= 1.3"}}},
		"list":     {Space: space.Space{Items: []space.Item{{ID: "a", Features: space.Option{"f": space.ValueOf(0)}}, {ID: "b", Features: space.Option{"f": space.ValueOf(1)}}, {ID: "c", Features: space.Option{"f": space.ValueOf(3)}}, {ID: "d", Features: space.Option{"f": space.ValueOf(7)}}}}},
		"eubo":     {Space: space.Box(space.Float("x", 0, 4)), Method: "eubo"},
		"people":   {Space: space.Box(space.Float("x", 0, 4)), People: PerRater},
		"contexts": {Space: space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1), hour}}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Seed = 7
			s, err := New(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			var fixed space.Option
			if name == "contexts" {
				fixed = space.Option{"hour": space.ValueOf(2)}
			}
			checked := 0
			for i := range 6 {
				for _, rater := range []string{"ann", "bob"} {
					if _, err := s.Ask(t.Context(), Request{Rater: rater, Fixed: fixed}); err != nil {
						t.Fatal(err)
					}
				}
				for _, rater := range []string{"ann", "bob"} { // bob's was chosen with ann's in mind, and ann's before there was his
					q := s.OpenQuestions(rater)[0]
					if rater == "bob" && q.Method != methodDesign && q.Method != methodNeighbour {
						got, err := s.Worth(t.Context(), Look{Rater: rater}, "", [][2]space.Option{{q.First, q.Second}, {q.Second, q.First}})
						if err != nil {
							t.Fatal(err)
						}
						if tol := 1e-4 * math.Max(math.Abs(q.Value), 1e-6); math.Abs(got[0]-q.Value) > tol || math.Abs(got[0]-got[1]) > tol {
							t.Errorf("question %s of %s was asked for %.9g; it is worth %.9g", q.ID, rater, q.Value, got)
						}
						checked++
					}
				}
				for _, rater := range []string{"ann", "bob"} {
					choice := First
					if i%2 == 1 {
						choice = Second
					}
					if _, err := s.Tell(t.Context(), s.OpenQuestions(rater)[0].ID, Answer{Choice: choice}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if checked < 3 {
				t.Errorf("only %d questions of the method were checked", checked)
			}
		})
	}
}

// TestGainsByOthers: other methods than the study's, and nothing changes by looking.
func TestGainsByOthers(t *testing.T) {
	s := seen(t, 2, 20, Config{}, tasteFor)
	at := func(x, y float64) space.Option { return optionOf(unitSpace(2), []float64{x, y}) }
	pairs := [][2]space.Option{{at(0.1, 0.5), at(0.9, 0.5)}, {at(0.1, 0.5), at(0.1, 0.5)}}
	before := len(s.Events(0))
	eubo, err := s.Worth(t.Context(), Look{}, "eubo", pairs)
	if err != nil {
		t.Fatal(err)
	}
	kg, err := s.Worth(t.Context(), Look{}, "kg", pairs)
	if err != nil {
		t.Fatal(err)
	}
	if !(eubo[0] >= eubo[1]) || !(kg[0] > 100*kg[1]) || kg[1] < 0 { // a tie of an option with itself tells how readily ties are said, which the models disagree about
		t.Errorf("eubo %g, kg %g of a pair and of an option with itself", eubo, kg)
	}
	if len(s.Events(0)) != before {
		t.Error("looking wrote to the log")
	}
	if _, err := s.Worth(t.Context(), Look{}, "thompson", pairs); errcode.Of(err) != "method" {
		t.Errorf("thompson: %v", err)
	}
	if _, err := s.Worth(t.Context(), Look{}, "mine", pairs); errcode.Of(err) != "method" {
		t.Errorf("mine: %v", err)
	}
	var pair *Error
	if _, err := s.Worth(t.Context(), Look{}, "", [][2]space.Option{pairs[0], {at(0, 0), {"x1": space.ValueOf(3)}}}); !errors.As(err, &pair) || pair.Field != "pairs[1]" || !errors.Is(err, ErrInvalid) || errcode.Of(err) != "option" {
		t.Errorf("a pair that is none: %v", err)
	}
	if none, err := s.Worth(t.Context(), Look{}, "", [][2]space.Option{}); err != nil || len(none) != 0 {
		t.Errorf("no pairs: %v, %v", none, err)
	}
}
