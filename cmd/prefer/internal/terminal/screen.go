// Package terminal is a terminal to draw on and to read keys from, and what such a terminal can show.
package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/xslices"
	"golang.org/x/term"
)

// Screen is a terminal in raw mode on its second screen, so that what was on the first is there again afterwards.
type Screen struct {
	Keys    chan Key       // closed when the keyboard is gone
	Resized chan os.Signal // the window has another size

	in, out *os.File
	before  *term.State
	latest  string // what is on the screen
}

const (
	enterScreen = "\x1b[?1049h\x1b[?25l" // second screen, no cursor
	leaveScreen = "\x1b[0m\x1b[?25h\x1b[?1049l"
)

// Find returns which of the streams is a terminal to draw on, nil if there is none, or none to read keys from.
func Find(in any, streams ...any) (keyboard, screen *os.File) {
	if !Is(in) || os.Getenv("TERM") == "dumb" {
		return nil, nil
	}
	for _, s := range streams {
		if Is(s) {
			return in.(*os.File), s.(*os.File)
		}
	}
	return nil, nil
}

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Open takes the terminal over. Close gives it back.
func Open(in, out *os.File) (*Screen, error) {
	t := &Screen{in: in, out: out, Keys: make(chan Key), Resized: make(chan os.Signal, 1)}
	if err := t.take(); err != nil {
		return nil, err
	}
	notifyResize(t.Resized)
	go t.read()
	return t, nil
}

func (t *Screen) take() error {
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal cannot be read key by key: %w", err)
	}
	t.before, t.latest = before, ""
	_, err = t.out.WriteString(enterScreen)
	return err
}

func (t *Screen) giveBack() error {
	_, err := t.out.WriteString(leaveScreen)
	return errors.Join(err, term.Restore(int(t.in.Fd()), t.before))
}

// Close gives the terminal back.
func (t *Screen) Close() error {
	signal.Stop(t.Resized)
	return t.giveBack()
}

// read sends keys until the keyboard is gone or the process ends: a read of a terminal cannot be cancelled.
func (t *Screen) read() {
	defer close(t.Keys)
	var keys keyReader
	buf := make([]byte, 256)
	for {
		n, err := t.in.Read(buf)
		for _, p := range keys.feed(buf[:n]) {
			t.Keys <- p
		}
		if err != nil {
			return
		}
	}
}

// Suspend stops the process as Ctrl-Z does, with the terminal as it was, until the shell continues it.
func (t *Screen) Suspend() error {
	if err := errors.Join(t.giveBack(), stopSelf()); err != nil {
		return err
	}
	return t.take()
}

// Size returns columns and rows.
func (t *Screen) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24 // what a terminal that does not say is taken for
	}
	return columns, rows
}

// Redraw draws again what is there, as after a change of the window's size.
func (t *Screen) Redraw() { t.latest = "" }

// Draw shows lines from the top; the last of them is kept at the bottom when there are too many.
func (t *Screen) Draw(lines []string) error {
	columns, rows := t.Size()
	if len(lines) > rows {
		lines = append(lines[:rows-1:rows-1], lines[len(lines)-1])
	}
	drawn := xslices.Map(lines, func(line string) string { return strings.TrimRight(Fit(line, columns), " ") + "\x1b[K" })
	text := "\x1b[H" + strings.Join(drawn, "\r\n") + "\x1b[J"
	if text == t.latest {
		return nil
	}
	t.latest = text
	_, err := t.out.WriteString(text)
	return err
}

// Key is a key that was pressed.
type Key struct {
	Rune  rune   // its character in lower case, or Left, Right, Down; 0 for a key without a character
	Shift bool   // held with it
	Text  string // as it was typed; "Esc" for a sequence
}

// The arrows that have a meaning. No character has such a number.
const (
	Left rune = -1 - iota
	Right
	Down
)

// finals are the last bytes of the escape sequences of the arrows.
var finals = map[byte]rune{'D': Left, 'C': Right, 'B': Down}

// keyReader turns the bytes of a terminal into keys. A sequence may arrive in pieces.
type keyReader struct{ rest []byte }

func (k *keyReader) feed(data []byte) []Key {
	k.rest = append(k.rest, data...)
	var out []Key
	for len(k.rest) > 0 {
		p, n := decodeKey(k.rest)
		if n == 0 {
			break
		}
		k.rest = k.rest[n:]
		out = append(out, p)
	}
	return out
}

const escape = 0x1b

// decodeKey reads one key and its length, 0 if there is more to come.
func decodeKey(b []byte) (Key, int) {
	if b[0] != escape {
		if !utf8.FullRune(b) {
			return Key{}, 0
		}
		r, n := utf8.DecodeRune(b)
		lower := r
		if 'A' <= r && r <= 'Z' {
			lower += 'a' - 'A'
		}
		return Key{Rune: lower, Shift: lower != r, Text: string(b[:n])}, n
	}
	if len(b) == 1 {
		return Key{}, 0
	}
	if b[1] != '[' && b[1] != 'O' { // Escape alone, or Alt with a key, which means nothing
		return Key{Text: "Esc"}, 1
	}
	// ECMA-48, 5.4: parameters 0x30–0x3f, intermediates 0x20–0x2f, one final byte 0x40–0x7e.
	at := 2
	for at < len(b) && 0x20 <= b[at] && b[at] <= 0x3f {
		at++
	}
	switch {
	case at == len(b) && at <= longestSequence:
		return Key{}, 0
	case at == len(b) || b[at] < 0x40 || b[at] > 0x7e: // broken off: what follows is a key of its own
		return Key{Text: "Esc"}, at
	}
	p := Key{Rune: finals[b[at]], Text: "Esc"}
	if _, modifier, ok := bytes.Cut(b[2:at], []byte(";")); ok {
		p.Shift = string(modifier) == "2" // xterm: 1 plus 1 for Shift, 2 for Alt, 4 for Ctrl
		if !p.Shift {
			p.Rune = 0
		}
	}
	return p, at + 1
}

// longestSequence is more bytes than the sequence of any key has.
const longestSequence = 32
