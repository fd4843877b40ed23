package terminal

import (
	"runtime"
	"strings"
	"testing"
)

func TestStyle(t *testing.T) {
	for _, c := range []struct {
		env      map[string]string
		terminal bool
		want     Style
	}{
		{map[string]string{"LANG": "en_GB.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}, true, Style{true, TrueColour}},
		{map[string]string{"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}, true, Style{true, 256}},
		{map[string]string{"LC_ALL": "C", "LANG": "en_GB.UTF-8", "TERM": "xterm"}, true, Style{false, 16}},
		{map[string]string{"LC_CTYPE": "de_DE.utf8", "LANG": "C", "TERM": "vt100", "NO_COLOR": "1"}, true, Style{true, 0}},
		{map[string]string{"LANG": "C.UTF-8", "TERM": "dumb", "COLORTERM": "truecolor"}, true, Style{true, 0}},
		{map[string]string{"LANG": "C.UTF-8", "TERM": "xterm-direct"}, true, Style{true, TrueColour}},
		{map[string]string{"LANG": "C.UTF-8", "TERM": "xterm-256color"}, false, Style{true, 0}},
		{nil, true, Style{runtime.GOOS == "windows", 0}},
	} {
		if got := NewStyle(func(name string) string { return c.env[name] }, c.terminal); got != c.want {
			t.Errorf("%v on a terminal (%t): %+v, want %+v", c.env, c.terminal, got, c.want)
		}
	}
}

// Words from a file never steer the terminal.
func TestText(t *testing.T) {
	for text, want := range map[string][2]string{ // Unicode, ASCII
		"tea\x1b[2J\x07 \u009b31m":   {"tea[2J 31m", "tea[2J 31m"},
		"crème brûlée":               {"crème brûlée", "cr?me br?l?e"},
		"two\nlines\tand\u202e back": {"two lines and back", "two lines and back"},
	} {
		if got := [2]string{(Style{Unicode: true}).Text(text), (Style{}).Text(text)}; got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "tea": 3, "cre\u0300me": 5, "茶を": 4, "\x1b[1mtea\x1b[0m": 3, "🍵": 2, "한국": 4} {
		if got := Width(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
		for n := range 7 {
			if got := Width(Fit(text, n)); got != n {
				t.Errorf("%q fitted to %d columns takes %d", text, n, got)
			}
		}
	}
	if got, want := Fit("\x1b[1mtea leaves\x1b[0m", 5), "\x1b[1mtea l\x1b[0m"; got != want {
		t.Errorf("%q, want %q: a colour that began must end", got, want)
	}
}

func TestWrap(t *testing.T) {
	const text = "the quick brown fox jumps over an extraordinarily lazy 茶茶茶茶茶 dog"
	for n := 2; n < 80; n++ {
		lines := Wrap(text, n)
		for _, line := range lines {
			if Width(line) > n {
				t.Errorf("%q is wider than %d", line, n)
			}
		}
		if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("wrapped to %d columns: %q", n, lines)
		}
	}
	if got := strings.Join(Wrap("one two three", 7), "|"); got != "one two|three" {
		t.Error(got)
	}
	if got := Wrap("茶", 1); len(got) != 1 { // wider than the line, and still there
		t.Error(got)
	}
}
