package terminal

import (
	"bytes"
	"unicode/utf8"
)

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
