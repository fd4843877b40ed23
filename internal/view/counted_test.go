package view

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/space"
)

// TestCounted: the parameter that answers follow is said with its count, of every kind. Ties, skips, small differences and what was chosen back do not count,
// and nothing is said of too few answers or of chance.
func TestCounted(t *testing.T) {
	sugar, ice, kind, hue := space.Float("sugar", 0, 5), space.Switch("ice"), space.Categorical("kind", "tea", "mate", "cola"), space.Circle("hue", 0, 360)
	number := func(a, b float64) [2]space.Value { return [2]space.Value{space.ValueOf(a), space.ValueOf(b)} }
	for _, c := range []struct {
		want  string
		param space.Parameter
		pairs [][2]space.Value // of which the first is taken
	}{
		{"the one with lower sugar was chosen 9 of 10 times", sugar, [][2]space.Value{number(0, 3), number(1, 4), number(2, 3), number(1, 5), number(0, 5), number(3, 4), number(5, 2), number(2, 4), number(3, 3.1), number(0, 1), number(1, 3)}},
		{"", sugar, [][2]space.Value{number(0, 3), number(1, 4), number(2, 3), number(1, 5)}},
		{"the one with ice was chosen 6 of 6 times", ice, repeated(6, [2]space.Value{space.ValueOf(true), space.ValueOf(false)})},
		{"kind mate was chosen 8 of 8 times", kind, append(repeated(5, [2]space.Value{space.ValueOf("mate"), space.ValueOf("tea")}), repeated(3, [2]space.Value{space.ValueOf("mate"), space.ValueOf("cola")})...)},
		{"the one with hue nearer to 0 was chosen 12 of 12 times", hue, append(repeated(6, number(350, 200)), repeated(6, number(10, 160))...)},
		{"", hue, append(repeated(6, number(350, 170)), repeated(6, number(170, 350))...)},
	} {
		ctx := t.Context()
		s, err := prefer.New(ctx, prefer.Config{Space: space.Box(c.param, space.Float("other", 0, 1))})
		if err != nil {
			t.Fatal(err)
		}
		tell := func(first, second space.Value, choice prefer.Choice) prefer.AnswerID {
			t.Helper()
			other := space.ValueOf(0.5)
			id, err := s.Observe(ctx, prefer.Duel{First: space.Option{c.param.Name: first, "other": other}, Second: space.Option{c.param.Name: second, "other": other}, Answer: prefer.Answer{Choice: choice}})
			if err != nil {
				t.Fatal(err)
			}
			return id[0]
		}
		for i, pair := range c.pairs {
			if i%2 == 0 {
				tell(pair[0], pair[1], prefer.First)
			} else {
				tell(pair[1], pair[0], prefer.Second)
			}
		}
		tell(c.pairs[0][1], c.pairs[0][0], prefer.Tie)
		if err := s.Undo(ctx, tell(c.pairs[0][1], c.pairs[0][0], prefer.First)); err != nil {
			t.Fatal(err)
		}
		if got := New(s, language.English(), "").Counted("", nil); got != c.want {
			t.Errorf("%s: %q, want %q", c.param.Name, got, c.want)
		}
	}
	if p := atLeast(14, 16); math.Abs(p-137.0/65536) > 1e-12 {
		t.Errorf("14 of 16 or more have probability %v", p)
	}
}

func repeated[T any](n int, v T) (out []T) {
	for range n {
		out = append(out, v)
	}
	return out
}
