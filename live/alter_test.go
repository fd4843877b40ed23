package live

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/internal/settings"
)

func pointer[T any](v T) *T { return &v }

// TestAlter: a change is an event, reaches another server, is all or nothing, leaves open questions their sentence, and is told with
// what was before it.
func TestAlter(t *testing.T) {
	one := newTestStudies(t, nil)
	two := openTestStudies(t, one.path, nil)
	open := two.ask("ann")
	alter := func(c prefer.Change, s Setting) error { return one.Alter(t.Context(), "coffee", c, s.Set) }
	set := Setting{ShowResult: pointer(true), Checks: &settings.ChecksSetting{RepeatRate: pointer(0.2)}, Page: &settings.PageSetting{Complete: pointer("https://a.example/?b=<c>")}}
	if err := alter(prefer.Change{Prompt: pointer("Which tea?")}, set); err != nil {
		t.Fatal(err)
	}
	var refused *Error
	if err := alter(prefer.Change{Prompt: pointer("Which milk?")}, Setting{Page: &settings.PageSetting{Complete: pointer("nowhere")}}); !errors.As(err, &refused) || refused.Field != "page.complete" {
		t.Errorf("an address that is none: %v", err)
	}
	if err := alter(prefer.Change{}, set); err != nil { // as it is
		t.Fatal(err)
	}
	if again := two.ask("ann"); again.ID != open.ID || again.Prompt != "Which cup?" {
		t.Errorf("the open question became %s %q", again.ID, again.Prompt)
	}
	if next := two.ask("ben"); next.Prompt != "Which tea?" {
		t.Errorf("the next question is %q", next.Prompt)
	}
	want := Settings{ShowResult: true, Checks: Checks{RepeatRate: 0.2, From: 3}, Page: Appearance{Complete: "https://a.example/?b=<c>"}}
	if got := two.open().Settings; !reflect.DeepEqual(got, want) {
		t.Errorf("the other server has %+v, want %+v", got, want)
	}
	if err := alter(prefer.Change{}, Setting{ShowResult: pointer(false)}); err != nil {
		t.Fatal(err)
	}
	var all []Alteration
	if err := two.With(t.Context(), "coffee", func(r *Study) error { all = r.Alterations(); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || *all[0].Change.Prompt != "Which tea?" || all[0].Was.ShowResult || !all[0].Is.ShowResult || !all[1].Was.ShowResult || all[1].Is.ShowResult {
		t.Errorf("changes: %+v", all)
	}
	if got := string(all[1].Change.Settings); got != `{"show_result":null}` {
		t.Errorf("the log has %s", got)
	}
}

// TestAlterChecks: repeats that are switched on late come at their rate from then on, and make up for nothing before.
func TestAlterChecks(t *testing.T) {
	h := openTestStudies(t, freshStore(t), func(c *Config) { c.Workers = -1 })
	cfg := coffee
	cfg.Initial = 1000
	h.create("coffee", cfg)
	var kinds strings.Builder
	answer := func(n int) {
		for range n {
			q := h.askFor(Ask{Rater: "ann", Owner: true})
			kinds.WriteByte(map[bool]byte{false: '.', true: 'r'}[q.Repeat])
			h.tell(q, prefer.First)
		}
	}
	answer(20)
	if err := h.Alter(t.Context(), "coffee", prefer.Change{}, func(s *Settings) { s.Checks.RepeatRate = 0.25 }); err != nil {
		t.Fatal(err)
	}
	answer(20)
	got := kinds.String()
	if n := strings.Count(got, "r"); n < 4 || n > 6 || strings.Contains(got[:20+firstRepeat], "r") {
		t.Errorf("repeats came at %s", got)
	}
	var due int
	if err := h.With(t.Context(), "coffee", func(r *Study) error {
		raters, err := r.Study.Raters(t.Context())
		due = r.Checked(raters[0]).Repeats.Due
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got, "r"); due < n || due > n+1 {
		t.Errorf("%d repeats were due, %d came", due, n)
	}
}
