//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// screen reads what a program draws, as a terminal would: cursor home, erase to the end of line and screen, new
// lines. Colours are left out; other sequences are an error.
type screen struct {
	mu       sync.Mutex
	rows     [][]rune
	row, col int
	pending  string
	frame    string          // the latest whole picture
	painted  map[string]bool // and its colours
	shown    string          // all of them
	entered  int             // times the program came to the second screen
	second   bool            // the program is on the second screen
	first    string          // what it wrote on the first
	bad      string
	changed  chan struct{}
	colours  map[string]bool // 24-bit backgrounds so far
}

var sequence = regexp.MustCompile(`^\x1b\[([?0-9;]*)([A-Za-z])`)

func (s *screen) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.pending + string(data)
	s.pending = ""
	for text != "" {
		if text[0] == 0x1b {
			m := sequence.FindStringSubmatch(text)
			if m == nil {
				if len(text) > 32 {
					s.bad = strconv.Quote(text)
					break
				}
				s.pending = text
				break
			}
			text = text[len(m[0]):]
			s.control(m[1], m[2])
			continue
		}
		r := []rune(text[:min(len(text), 4)])[0]
		if r == 0xfffd && len(text) < 4 { // a character in two pieces
			s.pending = text
			break
		}
		text = text[len(string(r)):]
		s.put(r)
	}
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return len(data), nil
}

func (s *screen) control(arg, final string) {
	switch final + arg {
	case "H":
		s.row, s.col, s.colours = 0, 0, map[string]bool{}
	case "K":
		if s.row < len(s.rows) {
			s.rows[s.row] = s.rows[s.row][:min(s.col, len(s.rows[s.row]))]
		}
	case "J":
		s.rows = s.rows[:min(len(s.rows), s.row+1)]
		s.frame, s.painted = s.whole(), s.colours // every picture ends with it
		s.shown += s.frame
	case "h?1049":
		s.second, s.rows, s.row, s.col = true, nil, 0, 0
		s.entered++
	case "l?1049":
		s.second = false
	case "h?25", "l?25":
	default:
		if final != "m" {
			s.bad = arg + final
		}
		if strings.HasPrefix(arg, "48;2;") {
			s.colours[arg] = true
		}
	}
}

func (s *screen) put(r rune) {
	if !s.second {
		s.first += string(r)
		return
	}
	switch r {
	case '\r':
		s.col = 0
	case '\n':
		s.row++
	default:
		for len(s.rows) <= s.row {
			s.rows = append(s.rows, nil)
		}
		for len(s.rows[s.row]) <= s.col {
			s.rows[s.row] = append(s.rows[s.row], ' ')
		}
		s.rows[s.row][s.col] = r
		s.col++
	}
}

// text is what is to be seen.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.second {
		return s.first
	}
	return s.frame
}

func (s *screen) whole() string {
	var b strings.Builder
	for _, row := range s.rows {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

// show is prefer running on a pseudo-terminal.
type show struct {
	t *testing.T
	*screen
	pty, tty *os.File
	cmd      *exec.Cmd
}

// patience is how long a test waits for the screen: longer than the slowest machine takes.
const patience = 5 * time.Minute

// start runs prefer on a terminal of this size, which is its own.
func start(t *testing.T, columns, rows uint16, env []string, args ...string) *show {
	t.Helper()
	return launch(t, columns, rows, &syscall.SysProcAttr{Setsid: true, Setctty: true}, env, args...)
}

func launch(t *testing.T, columns, rows uint16, attr *syscall.SysProcAttr, env []string, args ...string) *show {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: columns, Rows: rows}); err != nil {
		t.Fatal(err)
	}
	s := &show{t: t, screen: &screen{changed: make(chan struct{}, 1)}, pty: master, tty: tty}
	s.cmd = exec.Command(self)
	s.cmd.Args = append([]string{"prefer"}, args...) // TestMain makes this binary the command of that name
	s.cmd.Env = append([]string{"TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = attr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go io.Copy(s.screen, master) //nolint:errcheck // ends with the terminal
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			s.cmd.Process.Kill() //nolint:errcheck
			s.cmd.Wait()         //nolint:errcheck
		}
		tty.Close()
		master.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.bad != "" {
			t.Errorf("the screen got the sequence %q", s.bad)
		}
	})
	return s
}

// keys types.
func (s *show) keys(text string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// until waits until the screen matches, and returns it.
func (s *show) until(pattern string) string {
	s.t.Helper()
	return s.when(pattern, regexp.MustCompile(pattern).MatchString)
}

func (s *show) when(what string, holds func(string) bool) string {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		text := s.text()
		if holds(text) {
			return text
		}
		select {
		case <-s.changed:
		case <-deadline:
			s.t.Fatalf("no %s on the screen after %v:\n%s", what, patience, s.text())
		}
	}
}

// back waits until the program has taken the terminal a second time.
func (s *show) back() {
	s.t.Helper()
	s.when("second entry", func(string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.entered == 2
	})
}

// ends waits for the program and returns its exit code.
func (s *show) ends() int {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		s.t.Fatalf("prefer still runs:\n%s", s.text())
	}
	return s.cmd.ProcessState.ExitCode()
}

// mode is the state of the terminal, raw or not.
func (s *show) mode() string {
	s.t.Helper()
	st, err := term.GetState(int(s.tty.Fd()))
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprint(*st)
}

func TestTerminalIsGivenBack(t *testing.T) {
	for name, end := range map[string]func(*show) error{
		"q":         func(s *show) error { s.keys("q"); return nil },
		"Ctrl-C":    func(s *show) error { s.keys("\x03"); return nil },
		"Ctrl-D":    func(s *show) error { s.keys("\x04"); return nil },
		"SIGTERM":   func(s *show) error { return s.cmd.Process.Signal(syscall.SIGTERM) },
		"interrupt": func(s *show) error { return s.cmd.Process.Signal(os.Interrupt) },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, 80, 24, nil, "demo", "colour", "--seed", "1")
			s.until("Which colour")
			raw := s.mode()
			if err := end(s); err != nil {
				t.Fatal(err)
			}
			code := s.ends()
			if raw == cooked(t) || s.mode() != cooked(t) {
				t.Errorf("the terminal is %v, was %v while playing, want %v", s.mode(), raw, cooked(t))
			}
			s.until("prefer play tea.db|prefer: stopped")
			if want := map[string]int{"SIGTERM": 128 + 15, "interrupt": 128 + 2}[name]; code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
		})
	}
}

// A stopped program leaves the shell its terminal, and draws again when it is continued.
func TestStopAndContinue(t *testing.T) {
	s := launch(t, 80, 24, &syscall.SysProcAttr{Setpgid: true}, nil, "demo", "colour", "--seed", "1") // this test is its shell
	s.until("Which colour")
	s.keys("\x1a")
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(s.cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("status %v, %v, want stopped", status, err)
	}
	if s.mode() != cooked(t) {
		t.Errorf("the terminal is %v while stopped", s.mode())
	}
	if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.back()
	s.until("1\\. +Which colour")
	s.keys("q")
	s.ends()
}

// Without a shell there is nobody to continue it, and Ctrl-Z must not hang.
func TestStopWithoutShell(t *testing.T) {
	s := start(t, 80, 24, nil, "demo", "colour", "--seed", "1")
	s.until("Which colour")
	s.keys("\x1a")
	s.back()
	s.keys("1")
	s.until("2\\. +Which colour")
	s.keys("q")
	s.ends()
}

// cooked is the state of a new terminal.
func cooked(t *testing.T) string {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer tty.Close()
	s := show{t: t, tty: tty}
	return s.mode()
}
