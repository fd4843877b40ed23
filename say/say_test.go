package say

import (
	"cmp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/space"
)

// TestHeadline: a headline says whose the pick is, and leaves names as they are written.
func TestHeadline(t *testing.T) {
	for _, c := range []struct {
		kind   prefer.VerdictKind
		raters int
		of     string // whose it is, if the reader is somebody else
		want   string
	}{
		{prefer.Settled, 1, "", "This is your favourite"},
		{prefer.Settled, 2, "", "This is the team's favourite"},
		{prefer.Settled, 1, "élan", "This is élan's favourite"},
		{prefer.KeepGoing, 0, "", "Your favourite so far"},
		{prefer.KeepGoing, 3, "", "The team's favourite so far"},
		{prefer.KeepGoing, 1, "élan", "élan's favourite so far"},
		{prefer.BudgetReached, 1, "", "The best so far"},
		{prefer.BudgetReached, 2, "", "The team's best so far"},
	} {
		v := prefer.Verdict{Kind: c.kind, Raters: c.raters, Answers: 5}
		if got := In("en").Headline(v, c.of); got != c.want {
			t.Errorf("%s of %d people, %q: %q, want %q", c.kind, c.raters, c.of, got, c.want)
		}
	}
}

// TestMoreAtBudget: at the end of a budget every language says what ten more answers would add, as a number of the options that were named, or that it is little.
func TestMoreAtBudget(t *testing.T) {
	best := prefer.Best{Option: space.Option{"x": space.ValueOf(1.0)}, Beats: 0.8, TopShare: 0.01}
	for _, tag := range language.Tags() {
		v := prefer.Verdict{Kind: prefer.BudgetReached, Best: best, TenMore: 0.07, Given: 9, Answers: 9}
		if more := In(tag).More(v); !strings.Contains(more, "7") {
			t.Errorf("%s: %q", tag, more)
		}
		if v.TenMore = 0.001; strings.ContainsAny(In(tag).More(v), "0123456789") {
			t.Errorf("%s: %q", tag, In(tag).More(v))
		}
	}
	v := prefer.Verdict{Best: best, TenMore: 0.07, Answers: 9}
	if said := v.For(9, 9).Sentence; said != "keep going: better than about 80% of all options so far, 0 more questions at most" {
		t.Error(said)
	}
}

// TestUntried: every language names the parameter and both values.
func TestUntried(t *testing.T) {
	v := prefer.Verdict{Kind: prefer.KeepGoing, Answers: 9, Untried: [][2]space.Option{{{"sugar": space.ValueOf(4.021)}, {"sugar": space.ValueOf(5.0)}}}, Left: [2]int{1, 9}}
	said := map[string]bool{}
	for _, tag := range language.Tags() {
		l, _ := language.Of(tag)
		text := In(l.Tag()).More(v)
		for _, part := range []string{"sugar", "4.02", "5"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q lacks %q", l.Tag(), text, part)
			}
		}
		said[text] = true
	}
	if len(said) != 8 {
		t.Errorf("%d different texts, want 8", len(said))
	}
}

// TestEnglish: the sentences of a study's results are the English of this package.
func TestEnglish(t *testing.T) {
	ctx := t.Context()
	s, err := prefer.New(ctx, prefer.Config{Seed: 1, Initial: 1, Space: space.Box(space.Float("sugar", 0, 5), space.Switch("ice"))})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	compare := func() {
		t.Helper()
		b, err := s.Belief(ctx, prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range b.Importance() {
			kinds[string(i.Kind)] = true
			if got := In("en").Importance(i); got != i.Sentence || got == "" {
				t.Errorf("%s: %q, want %q", i.Kind, got, i.Sentence)
			}
		}
	}
	compare()
	for n := range 24 { // the less sugar, the better
		first, second := float64(n%6)/2, 1+float64(n%6)/2+float64(n%3)/2
		duel := prefer.Duel{First: option(first, n%2 == 0), Second: option(second, n%4 < 2), Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}}
		if _, err := s.Observe(ctx, duel); err != nil {
			t.Fatal(err)
		}
	}
	compare()
	for _, choice := range []prefer.Choice{"", prefer.First, prefer.Tie, prefer.Second} {
		if choice != "" {
			q, err := s.Ask(ctx, prefer.Request{Rater: "ann", Blind: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Tell(ctx, q.ID, prefer.Answer{Choice: choice}); err != nil {
				t.Fatal(err)
			}
		}
		c, err := s.Blind(ctx, prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		kinds[string(c.Kind)] = true
		if got := In("en").Blind(c); got != c.Sentence || got == "" {
			t.Errorf("%s: %q, want %q", c.Kind, got, c.Sentence)
		}
	}
	if len(kinds) < 4 {
		t.Errorf("only %v were said", kinds)
	}
}

func option(sugar float64, ice bool) space.Option {
	return space.Option{"sugar": space.ValueOf(sugar), "ice": space.ValueOf(ice)}
}

// TestVerdictInEnglish: the sentence of a verdict makes the claim of this package, with the same numbers.
func TestVerdictInEnglish(t *testing.T) {
	best := prefer.Best{Option: space.Option{"x": space.ValueOf(1.0)}, Confidence: 0.999, Top: 0.97, TopShare: 0.01, Beats: 0.98, Displeased: 0.96}
	list := best
	list.TopShare = 0.05
	for _, c := range []struct {
		v    prefer.Verdict
		both string // in the sentence, and in the claim unless that has another text
		own  string
	}{
		{prefer.Verdict{Kind: prefer.Settled, Best: best}, "better than about 98% of all options", "You’d pick it over about 98% of all options."},
		{prefer.Verdict{Kind: prefer.Settled, Best: best, Raters: 2}, "better than about 98% of all options", "It is better than about 98% of all options."},
		{prefer.Verdict{Kind: prefer.Settled, Best: list, Items: 40}, "97% sure that this is one of the best 2 of 40", ""},
		{prefer.Verdict{Kind: prefer.Settled, Best: list, Items: 20}, "97% sure that this is the best of the list", ""},
		{prefer.Verdict{Kind: prefer.NothingPleases, Best: best}, "here is good enough; 96% sure that fewer than one option in ten is", "96% sure that fewer than one option in ten is good enough."},
		{prefer.Verdict{Kind: prefer.BudgetReached, Best: list, Items: 20}, "18 of the other 19", ""},
		{prefer.Verdict{Kind: prefer.BudgetReached, Best: best, Items: 20}, "98% of all options", "You’d pick it over about 98% of all options."},
		{prefer.Verdict{Kind: prefer.KeepGoing, Best: best, FollowsOrder: true}, "ost answers follow the order in which the options were shown, so they do not say which is better", ""},
	} {
		c.v.Answers = 9
		if said, claim := c.v.For(9, 0).Sentence, In("en").Claim(c.v); !strings.Contains(said, c.both) || !strings.Contains(claim, cmp.Or(c.own, c.both)) {
			t.Errorf("%s: %q and %q, want %q and %q", c.v.Kind, said, claim, c.both, cmp.Or(c.own, c.both))
		}
	}
}

// TestCount: English plurals, also of nouns that do not take an s.
func TestCount(t *testing.T) {
	for got, want := range map[string]string{Count(1, "answer"): "1 answer", Count(0, "answer"): "0 answers", Count(3, "person"): "3 people", Count(2, "study"): "2 studies", Count(2, "day"): "2 days", sentence.Percent(0.996): "100%"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
