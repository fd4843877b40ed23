package main

import (
	"fmt"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/term"
)

// terminal is a screen and a keyboard in raw mode, on the terminal's second screen, so that what was on the
// first is there again afterwards.
type terminal struct {
	in, out *os.File
	before  *term.State
	keys    chan press     // closed when the keyboard is gone
	resized chan os.Signal // the window has another size
	latest  string         // what is on the screen
}

const (
	enterScreen = "\x1b[?1049h\x1b[?25l" // second screen, no cursor
	leaveScreen = "\x1b[0m\x1b[?25h\x1b[?1049l"
)

// screenOf returns which of the streams is a terminal to draw on, nil if there is none, or none to read keys from.
func screenOf(in any, streams ...any) (keyboard, screen *os.File) {
	keyboard, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(keyboard.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil, nil
	}
	for _, s := range streams {
		if f, ok := s.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			return keyboard, f
		}
	}
	return nil, nil
}

// openTerminal takes the terminal over. close gives it back.
func openTerminal(in, out *os.File) (*terminal, error) {
	t := &terminal{in: in, out: out, keys: make(chan press), resized: make(chan os.Signal, 1)}
	if err := t.take(); err != nil {
		return nil, err
	}
	notifyResize(t.resized)
	go t.read()
	return t, nil
}

func (t *terminal) take() error {
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal cannot be read key by key: %w", err)
	}
	t.before, t.latest = before, ""
	_, err = t.out.WriteString(enterScreen)
	return err
}

func (t *terminal) giveBack() error {
	_, err := t.out.WriteString(leaveScreen)
	if e := term.Restore(int(t.in.Fd()), t.before); e != nil {
		err = e
	}
	return err
}

func (t *terminal) close() error {
	signal.Stop(t.resized)
	return t.giveBack()
}

// read sends keys until the keyboard is gone. It ends with the process: a read of a terminal cannot be
// called off.
func (t *terminal) read() {
	defer close(t.keys)
	var keys keyReader
	buf := make([]byte, 256)
	for {
		n, err := t.in.Read(buf)
		for _, p := range keys.feed(buf[:n]) {
			t.keys <- p
		}
		if err != nil {
			return
		}
	}
}

// suspend stops the process as Ctrl-Z does, with the terminal as it was; it returns when the shell
// continues it.
func (t *terminal) suspend() error {
	if err := t.giveBack(); err != nil {
		return err
	}
	if err := stopSelf(); err != nil {
		return err
	}
	return t.take()
}

// size returns columns and rows.
func (t *terminal) size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24 // what a terminal that does not say is taken for
	}
	return columns, rows
}

// redraw draws again what is there, as after a change of the window's size.
func (t *terminal) redraw() { t.latest = "" }

// draw shows lines from the top; the last of them is kept at the bottom when there are too many.
func (t *terminal) draw(lines []string) error {
	columns, rows := t.size()
	if len(lines) > rows {
		lines = append(lines[:rows-1:rows-1], lines[len(lines)-1])
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(strings.TrimRight(fit(line, columns), " ") + "\x1b[K")
	}
	b.WriteString("\x1b[J")
	if b.String() == t.latest {
		return nil
	}
	t.latest = b.String()
	_, err := t.out.WriteString(b.String())
	return err
}
