//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// preferRun runs a command line in this process.
func preferRun(t *testing.T, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if code := run(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &talk}); code != 0 {
		t.Fatalf("prefer %s: exit code %d: %s", strings.Join(args, " "), code, talk.String())
	}
	return out.String()
}

// newStudy makes a study in a file, random questions being the quickest.
func newStudy(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tea.db")
	preferRun(t, append([]string{"init", file, "--method", "random", "--seed", "3"}, args...)...)
	return file
}

// opened returns the study in a file.
func opened(t *testing.T, file string) *prefer.Study {
	t.Helper()
	st, err := sqlstore.Open(t.Context(), file, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	study, err := st.Study(t.Context(), "tea")
	if err != nil {
		t.Fatal(err)
	}
	return study
}

// question waits for the question with this number.
func (s *show) question(number int) string {
	s.t.Helper()
	return s.until(fmt.Sprintf(`(?m)^%d\.  Which`, number))
}

func TestPlayKeys(t *testing.T) {
	file := newStudy(t, "--param", "sugar=0..5", "--param", "minutes=1..8:int", "--confidence", "0.999")
	s := start(t, 80, 24, nil, "play", file, "--rater", "ada")
	pressed := []struct {
		keys string
		want prefer.Choice // on the screen
	}{
		{"1", prefer.First}, {"2", prefer.Second}, {"a", prefer.First}, {"B", prefer.Second}, {"\x1b[D", prefer.First}, {"\x1b[C", prefer.Second},
		{"\x1bOD", prefer.First}, {"=", prefer.Tie}, {"t", prefer.Tie}, {"\x1b[B", prefer.Tie}, {"x", prefer.BothBad}, {"s", prefer.Skip},
	}
	for i, p := range pressed {
		s.question(i + 1)
		s.keys(p.keys)
	}
	s.question(len(pressed)) // skips aside
	s.until("11 answers: ")
	s.keys("q")
	if code := s.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.until("11 answers kept; to go on: prefer play .*tea.db --rater ada")
	swapped := 0
	for i, e := range opened(t, file).History() {
		if got := onScreen(e.Answer); got != pressed[i].want {
			t.Errorf("key %q was kept as %s on the screen, want %s", pressed[i].keys, got, pressed[i].want)
		}
		if e.Answer.ResponseTime <= 0 || e.Rater != "ada" {
			t.Errorf("answer %d: %+v of %q", i+1, e.Answer, e.Rater)
		}
		if e.Answer.Swapped {
			swapped++
		}
	}
	if swapped != len(pressed)/2 {
		t.Errorf("%d of %d questions are swapped, want half", swapped, len(pressed))
	}
}

func TestPlayUndo(t *testing.T) {
	file := newStudy(t, "--param", "sugar=0..5")
	s := start(t, 80, 24, nil, "play", file)
	first := s.question(1)
	for i := range 4 {
		s.question(i + 1)
		s.keys("1")
	}
	s.question(5)
	s.keys("z")
	s.question(4)
	s.keys("\x7f")
	s.question(3)
	s.keys("zzzz") // two more than there are
	s.until("no answer left to take back")
	if got := s.question(1); cardsOf(got) != cardsOf(first) {
		t.Errorf("back at\n%swant\n%s", got, first)
	}
	s.keys("2")
	s.until("1 answer: ")
	s.keys("q")
	s.ends()
	stand := 0
	for _, e := range opened(t, file).History() {
		if !e.Undone {
			stand++
		}
	}
	if stand != 1 {
		t.Errorf("%d answers stand, want 1", stand)
	}
}

// onScreen is a choice as the rater saw it.
func onScreen(a prefer.Answer) prefer.Choice {
	if !a.Swapped {
		return a.Choice
	}
	switch a.Choice {
	case prefer.First:
		return prefer.Second
	case prefer.Second:
		return prefer.First
	}
	return a.Choice
}

// cardsOf is the part of a screen with the options.
func cardsOf(text string) string {
	from, to := strings.Index(text, "╭"), strings.LastIndex(text, "╯")
	return text[from:to]
}

func TestPlayHelpAndResize(t *testing.T) {
	s := start(t, 90, 24, nil, "play", newStudy(t, "--param", "sugar=0..5", "--param", "milk=none|oat|cow"))
	wide := s.question(1)
	if !strings.Contains(wide, "╮  ╭") {
		t.Errorf("the cards are not side by side:\n%s", wide)
	}
	s.keys("?")
	s.until("Backspace +take the last answer back")
	s.keys("1") // closes it, and answers nothing
	s.question(1)
	s.keys("k")
	s.until(`\? shows the keys`)
	s.keys("p")
	s.until("no pick before the first answer")
	s.keys("1")
	s.question(2)
	if err := pty.Setsize(s.pty, &pty.Winsize{Cols: 44, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	narrow := s.when("stacked cards", func(text string) bool { return !strings.Contains(text, "╮  ╭") })
	for line := range strings.Lines(narrow) {
		if terminal.Width(strings.TrimSuffix(line, "\n")) > 44 {
			t.Errorf("%q is wider than the window", line)
		}
	}
	if err := pty.Setsize(s.pty, &pty.Winsize{Cols: 44, Rows: 12}); err != nil {
		t.Fatal(err)
	}
	s.until(`(?m)^milk +(none|oat|cow) +(none|oat|cow)$`)
	s.keys("q")
	s.ends()
}

func TestPlayResumes(t *testing.T) {
	file := newStudy(t, "--param", "sugar=0..5")
	s := start(t, 80, 24, nil, "play", file)
	s.question(1)
	s.keys("1")
	left := s.question(2)
	s.keys("\x04")
	s.ends()
	s = start(t, 80, 24, nil, "play", file)
	if got := s.question(2); cardsOf(got) != cardsOf(left) {
		t.Errorf("goes on with\n%swant\n%s", got, left)
	}
	s.keys("z") // an answer of the session before
	s.question(1)
	s.keys("q")
	s.ends()
}

// Another process works on the study meanwhile: nothing is lost, and the rater sees nothing of it.
func TestPlayTogether(t *testing.T) {
	file := newStudy(t, "--param", "sugar=0..5")
	s := start(t, 80, 24, nil, "play", file, "--rater", "ada")
	s.question(1)
	preferRun(t, "ask", file, "--rater", "bob")
	preferRun(t, "tell", file, "first", "--rater", "bob")
	s.keys("1")
	s.question(2)
	preferRun(t, "tell", file, "second", "--rater", "ada") // their open question, in another window
	s.keys("1")
	s.until("answered elsewhere")
	s.question(3)
	s.keys("q")
	s.ends()
	if got := len(opened(t, file).History()); got != 3 {
		t.Errorf("%d answers, want 3", got)
	}
}

var fruit = regexp.MustCompile(`Apple|Banana|Cherry`)

func TestPlayToTheEnd(t *testing.T) {
	items := filepath.Join(t.TempDir(), "items.csv")
	if err := os.WriteFile(items, []byte("id,text\na,Apple\x1b[2J\nb,Banana\nc,Cherry\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	file := newStudy(t, "--items", items, "--confidence", "0.5", "--grades", "1")
	s := start(t, 80, 24, []string{"NO_COLOR=1"}, "play", file)
	for number := 1; ; number++ {
		text := s.when("question or pick", func(text string) bool {
			return strings.Contains(text, fmt.Sprintf("%d.  Which", number)) || strings.Contains(text, "the pick ─")
		})
		if strings.Contains(text, "the pick ─") {
			break
		}
		if number > 60 {
			t.Fatalf("no verdict after 60 answers:\n%s", text)
		}
		choice := "1"
		if shown := fruit.FindAllString(text, 2); shown[1] < shown[0] { // apples before bananas before cherries
			choice = "2"
		}
		s.keys("+" + choice)
	}
	end := s.until("Apple")
	if !strings.Contains(end, "sure that this is the best of the list") || !strings.Contains(end, "Banana: place 1 to 2, shown ") {
		t.Errorf("the end shows\n%s", end)
	}
	s.keys("\r")
	s.until("p shows what came of it")
	s.keys("q")
	s.ends()
	s.until("(?m)^Apple")
	for i, e := range opened(t, file).History() {
		if e.Answer.Strength != 1 {
			t.Errorf("answer %d has strength %d, want 1", i+1, e.Answer.Strength)
		}
	}
}

func TestPlayGradesAndForced(t *testing.T) {
	file := newStudy(t, "--param", "sugar=0..5", "--forced", "--grades", "2")
	s := start(t, 80, 24, nil, "play", file)
	s.question(1)
	s.keys("=")
	s.until(`no "can't tell"`)
	for i, keys := range []string{"1", "A", "\x1b[1;2C", "++2", "+++1"} {
		s.question(i + 1)
		s.keys(keys)
	}
	s.question(6)
	s.keys("q")
	s.ends()
	for i, e := range opened(t, file).History() {
		if want := []int{0, 1, 1, 2, 0}[i]; e.Answer.Strength != want {
			t.Errorf("answer %d has strength %d, want %d", i+1, e.Answer.Strength, want)
		}
	}
}
