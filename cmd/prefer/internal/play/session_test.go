package play

import (
	"errors"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

func TestPair(t *testing.T) {
	q := prefer.Question{First: space.ItemOption("a"), Second: space.ItemOption("b")}
	likesA := func(prefer.Question) prefer.Answer { return prefer.Answer{Choice: prefer.First, Strength: 1} }
	for swapped, want := range map[bool][3]string{false: {"a", "b", "1+"}, true: {"b", "a", "2+"}} {
		p := pair{Question: q, swapped: swapped}
		first, second := p.options()
		if got := [3]string{first.Item(), second.Item(), describeChoice(autoAnswer(p, likesA))}; got != want {
			t.Errorf("swapped %t: %v, want %v", swapped, got, want)
		}
	}
}

// openRoom returns a room in memory with one study.
func openRoom(t *testing.T, cfg prefer.Config) *live.Studies {
	t.Helper()
	room, err := live.New(live.Config{Budget: -1, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { room.Close(t.Context()) }) //nolint:errcheck // in memory
	if err := room.Create(t.Context(), "tea", cfg, live.Settings{}); err != nil {
		t.Fatal(err)
	}
	return room
}

// Sessions at the same time lose nothing, and undo takes back one's own answers only.
func TestSessionsTogether(t *testing.T) {
	room := openRoom(t, prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Method: "random"})
	ctx := t.Context()
	sessions := map[string]*Session{"ada": {Room: room, Study: "tea", Rater: "ada"}, "bob": {Room: room, Study: "tea", Rater: "bob"}}
	for range 5 {
		for _, s := range sessions {
			q, err := s.ask(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
				t.Fatal(err)
			}
			if err := s.tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}); !errors.Is(err, answeredElsewhere) {
				t.Fatalf("told twice: %v", err)
			}
		}
	}
	for range 5 {
		if err := sessions["ada"].undo(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := sessions["ada"].undo(ctx); !errors.Is(err, nothingToUndo) {
		t.Errorf("undo of nothing: %v", err)
	}
	for rater, want := range map[string]int{"ada": 0, "bob": 5} {
		if n, err := sessions[rater].Kept(ctx); n != want || err != nil {
			t.Errorf("%s has %d answers, %v, want %d", rater, n, err, want)
		}
	}
	if q, err := sessions["ada"].ask(ctx); err != nil || q.number != 1 {
		t.Errorf("ada is back at question %d, %v, want 1", q.number, err)
	}
}

func TestStatus(t *testing.T) {
	at := func(kind prefer.VerdictKind, answers int, sure float64) status {
		return status{answers: answers, belief: &prefer.Belief{}, Verdict: prefer.Verdict{Kind: kind, Answers: answers, Given: answers, Best: prefer.Best{Beats: sure, TopShare: 0.01}, Left: [2]int{8, 19}}}
	}
	of := func(s status, budget int) status { s.Budget = budget; return s }
	late := at(prefer.KeepGoing, 90, 0.8)
	late.Late = true
	for _, c := range []struct {
		o    status
		want string
	}{
		{at(prefer.KeepGoing, 0, 0), "there are no wrong answers; the first that comes to mind is best"},
		{at(prefer.KeepGoing, 1, 0.01), "1 answer: exploring, about 8 to 19 more"},
		{at(prefer.KeepGoing, 9, 0.7), "9 answers: better than about 70% of all options so far, about 8 to 19 more"},
		{at(prefer.KeepGoing, 12, 0.92), "12 answers: better than about 92% of all options so far, about 8 to 19 more"},
		{late, "90 answers: better than about 80% of all options so far, about 8 to 19 more; this study takes longer than most"},
		{of(at(prefer.KeepGoing, 12, 0.92), 20), "12 of 20 answers: better than about 92% of all options so far"},
		{of(at(prefer.KeepGoing, 1, 0), 20), "1 of 20 answers: exploring"},
		{of(at(prefer.BudgetReached, 20, 0.62), 20), "20 answers: the best so far; p shows what came of it"},
		{at(prefer.Settled, 30, 0.93), "30 answers: this is your favourite; p shows what came of it"},
		{at(prefer.NothingPleases, 18, 0), "18 answers: hardly anything here is good enough; p shows what came of it"},
		{at("of_next_year", 30, 0.93), "30 answers: your favourite so far; p shows what came of it"},
	} {
		if got := c.o.line(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		before, now status
		want        bool
	}{
		{status{}, at(prefer.KeepGoing, 5, 0), false},
		{status{}, at(prefer.Settled, 5, 1), true}, // a study that was done before this session
		{at(prefer.KeepGoing, 4, 0), at(prefer.Settled, 5, 1), true},
		{at(prefer.Settled, 4, 1), at(prefer.Settled, 5, 1), false}, // seen, and refining
		{at(prefer.KeepGoing, 19, 0), at(prefer.BudgetReached, 20, 0), true},
		{at(prefer.BudgetReached, 20, 0), at(prefer.BudgetReached, 21, 0), false},
		{at(prefer.BudgetReached, 21, 0), at(prefer.Settled, 22, 1), true},
	} {
		if got := c.now.isNews(c.before); got != c.want {
			t.Errorf("%s after %s is news: %t", c.now.Kind, c.before.Kind, got)
		}
	}
}

// TestEndings: what the pages say where there is a pick, and where there is none to speak of.
func TestEndings(t *testing.T) {
	room := openRoom(t, prefer.Config{Space: space.Box(space.Float("sugar", 0, 5)), Method: "random", Budget: 3,
		Modelling: prefer.Modelling{BothBad: "tie"}}) // as "level" three answers may also mean that nothing pleases
	s := &Session{Room: room, Study: "tea"}
	said := func(choices ...prefer.Choice) status {
		t.Helper()
		for _, c := range choices {
			q, err := s.ask(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := s.tell(t.Context(), q.ID, prefer.Answer{Choice: c}); err != nil {
				t.Fatal(err)
			}
		}
		st, err := s.status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	if st := said(prefer.Skip, prefer.Skip, prefer.Skip, prefer.Skip); st.isDone() || st.answers != 0 {
		t.Errorf("four skips of three answers: %s after %d", st.Kind, st.answers)
	}
	st := said(prefer.BothBad, prefer.First, prefer.Second)
	if st.Kind != prefer.BudgetReached || st.answers != 3 {
		t.Errorf("three of three answers: %s after %d", st.Kind, st.answers)
	}
	study, err := live.In(t.Context(), s.Room, s.Study, func(r *live.Study) (*prefer.Study, error) { return r.Study, nil })
	if err != nil {
		t.Fatal(err)
	}
	g := newGallery(study, terminal.Style{})
	if got := g.summary(st); len(got) != 1 || !strings.HasPrefix(got[0], "sugar ") {
		t.Errorf("the pick is %q", got)
	}
	st.Kind = prefer.NothingPleases
	if got := append(g.summary(st), g.mattered(st, 40, 2)...); len(got) > 0 {
		t.Errorf("%s has a pick: %q", st.Kind, got)
	}
}

// A rater who loves sugar and does not taste milk is told so, at the eighth answer and the one after.
func TestLearned(t *testing.T) {
	room := openRoom(t, prefer.Config{Space: space.Box(space.Float("sugar", 0, 5), space.Float("milk", 0, 1)), Method: "random", Seed: 5})
	s := &Session{Room: room, Study: "tea"}
	var at []int
	var last status
	for n := range 48 {
		tn, err := s.ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		choice := prefer.First
		if first, second := tn.options(); second.Float("sugar") > first.Float("sugar") {
			choice = prefer.Second
		}
		if err := s.tell(t.Context(), tn.ID, prefer.Answer{Choice: choice}); err != nil {
			t.Fatal(err)
		}
		if last, err = s.status(t.Context()); err != nil {
			t.Fatal(err)
		}
		if learned := last.learned(); learned != "" {
			at = append(at, n+1)
			if !strings.HasPrefix(learned, "so far: higher sugar wins") && (learned != "so far: milk hardly matters" || n == 47) {
				t.Errorf("after %d answers: %q", n+1, learned)
			}
		}
	}
	if len(at) == 0 || at[len(at)-1] != 48 {
		t.Errorf("something was learned at answers %v, want at least at 48", at)
	}
	for _, n := range at {
		if n%8 > 1 {
			t.Errorf("a sentence after %d answers", n)
		}
	}
	study, err := live.In(t.Context(), s.Room, s.Study, func(r *live.Study) (*prefer.Study, error) { return r.Study, nil })
	if err != nil {
		t.Fatal(err)
	}
	lines := newGallery(study, terminal.Style{}).mattered(last, 40, 1)
	chart := lines[1 : 1+chartRows]
	if lines[0] != "higher sugar wins" || !strings.HasSuffix(chart[0], "o") && !strings.HasSuffix(chart[1], "o") {
		t.Errorf("what mattered, rising to the right:\n%s", strings.Join(lines, "\n"))
	}
	if got := strings.Count(strings.Join(chart, ""), "o"); got != chartWidth {
		t.Errorf("the curve has %d points, want %d", got, chartWidth)
	}
	if got, want := lines[1+chartRows], "  0"+strings.Repeat(" ", chartWidth-2)+"5"; got != want {
		t.Errorf("ends of the range %q, want %q", got, want)
	}
}
