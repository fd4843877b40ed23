package page

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestHistory: the latest ten of all answers, of one kind if asked for; one that the others do not bear out is marked.
func TestHistory(t *testing.T) {
	n := 0
	look := told(t, 24, prefer.Config{Space: space.Box(space.Float("size", 0, 1)), Initial: 99}, func(q prefer.Question) prefer.Choice {
		n++
		switch apart := q.First.Float("size") - q.Second.Float("size"); {
		case n == 3:
			return prefer.Skip
		case n > 15 && (apart > 0.5 || apart < -0.5): // once, and never mind which
			n = -99
			return map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[more(q, "size")]
		}
		return more(q, "size")
	})
	if text := look("/s/tea/history"); !strings.Contains(text, `dir="auto">bigger &lt;b&gt; is better</p>`) || !strings.Contains(text, `dir="auto">model m1, tokens 7</p>`) {
		t.Errorf("the history does not show what goes with an answer: %s", text)
	}
	for query, want := range map[string]int{"": 10, "?n=60": 24, "?kind=odd": 1, "?kind=skip": 1, "?kind=tie": 0, "?kind=odd&who=somebody": 0} {
		if got := strings.Count(look("/s/tea/history"+query), `<span class="num soft">`); got != want {
			t.Errorf("%q shows %d answers, want %d", query, got, want)
		}
	}
	for page, wants := range map[string][]string{"/s/tea/history?kind=odd": {"Contradicts the rest: judging by all other answers, its chance was "}, "/s/tea/history": {"Show more of 14 earlier ones", "Contradictions: 1"},
		"/s/tea/details": {"Show more of 14 earlier ones", "How the favourite developed"}, "/s/tea/path": {"after 23 answers"}} {
		for _, want := range wants {
			if text := look(page); !strings.Contains(text, want) {
				t.Errorf("%s does not say %q: %s", page, want, text)
			}
		}
	}
}
