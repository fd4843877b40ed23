package live

import (
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
)

// TestExclude: an excluded rater does not count towards what is learned, here and on another server; included again they do.
func TestExclude(t *testing.T) {
	one := newTestStudies(t, nil)
	two := openTestStudies(t, one.path, nil)
	for _, rater := range []string{"ann", "one"} {
		for range 2 {
			one.tell(one.ask(rater), prefer.First)
		}
	}
	if n := two.ask("ann").Status.Answers; n != 4 {
		t.Fatalf("%d answers, want 4", n)
	}
	if err := one.Exclude(t.Context(), "coffee", Exclude{Whom: Whom{Rater: "one"}, Why: "first, always"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*testStudies{one, two} {
		if st := r.ask("ann").Status; st.Answers != 2 {
			t.Errorf("%d answers count, want ann's 2", st.Answers)
		}
		if st := r.ask("one").Status; st.Answers != 2 || st.Given != 2 {
			t.Errorf("their own status is %+v", st)
		}
		v, err := r.open().Verdict(t.Context(), "ann")
		if err != nil || v.Answers != 2 {
			t.Errorf("the verdict rests on %d answers, %v", v.Answers, err)
		}
	}
	if err := two.Exclude(t.Context(), "coffee", Exclude{Whom: Whom{Rater: "one"}, Back: true}); err != nil {
		t.Fatal(err)
	}
	if n := one.ask("ann").Status.Answers; n != 4 {
		t.Errorf("back: %d answers, want 4", n)
	}
	if err := one.Exclude(t.Context(), "coffee", Exclude{Whom: Whom{Rater: "nobody"}}); errcode.Of(err) != "no_rater" {
		t.Errorf("leaving out nobody: %v", err)
	}
}

// TestChanged: a study that its owner changed elsewhere is what it is now: its prompt, its budget, whose taste it learns.
func TestChanged(t *testing.T) {
	one := newTestStudies(t, nil)
	two := openTestStudies(t, one.path, nil)
	for _, rater := range []string{"ann", "ben"} {
		one.tell(one.ask(rater), prefer.First)
	}
	two.ask("ann")
	each, budget, prompt := prefer.PerRater, 7, "Which cup?"
	err := one.Change(t.Context(), "coffee", "changed", "", func(r *Study) error {
		return r.Study.Change(t.Context(), prefer.Change{People: &each, Budget: &budget, Prompt: &prompt})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*testStudies{one, two} {
		q := r.ask("ann")
		if q.Prompt != prompt || q.Status.Budget != 7 || q.Status.Answers != 1 || r.open().Config.People != each {
			t.Errorf("asked %q, status %+v, people %q", q.Prompt, q.Status, r.open().Config.People)
		}
	}
}
