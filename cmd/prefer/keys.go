package main

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// action is what a key, or a word on a line, asks for.
type action int

const (
	noAction action = iota
	chooseFirst
	chooseSecond
	chooseTie
	chooseBothBad
	chooseSkip
	undoAnswer
	showHelp
	showPick
	goOn
	stronger
	leave
	suspend
)

// press is one key: what it asks for, and whether Shift was held.
type press struct {
	do      action
	shifted bool
	text    string // the key as it was typed, for those that mean nothing
}

// runes are the keys with a character. Capitals are the same keys with Shift.
var runes = map[rune]action{
	'1': chooseFirst, 'a': chooseFirst, '2': chooseSecond, 'b': chooseSecond, '=': chooseTie, 't': chooseTie,
	'x': chooseBothBad, 's': chooseSkip, 'z': undoAnswer, 0x7f: undoAnswer, 0x08: undoAnswer,
	'?': showHelp, 'h': showHelp, 'p': showPick, 'm': goOn, '\r': goOn, '\n': goOn, ' ': goOn, '+': stronger,
	'q': leave, 0x03: leave, 0x04: leave, 0x1a: suspend,
}

// finals are the last bytes of the escape sequences of the arrows.
var finals = map[byte]action{'D': chooseFirst, 'C': chooseSecond, 'B': chooseTie}

// keyReader turns the bytes of a terminal into keys. A sequence may arrive in pieces.
type keyReader struct{ rest []byte }

// feed returns the keys that are complete.
func (k *keyReader) feed(data []byte) []press {
	k.rest = append(k.rest, data...)
	var out []press
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
func decodeKey(b []byte) (press, int) {
	if b[0] != escape {
		if !utf8.FullRune(b) {
			return press{}, 0
		}
		r, n := utf8.DecodeRune(b)
		lower := r
		if 'A' <= r && r <= 'Z' {
			lower += 'a' - 'A'
		}
		return press{do: runes[lower], shifted: lower != r, text: string(b[:n])}, n
	}
	if len(b) == 1 {
		return press{}, 0
	}
	if b[1] != '[' && b[1] != 'O' { // Escape alone, or Alt with a key, which means nothing
		return press{text: "Esc"}, 1
	}
	// ECMA-48, 5.4: parameters 0x30–0x3f, intermediates 0x20–0x2f, one final byte 0x40–0x7e.
	at := 2
	for at < len(b) && 0x20 <= b[at] && b[at] <= 0x3f {
		at++
	}
	if at == len(b) {
		if at > longestSequence {
			return press{text: "Esc"}, at
		}
		return press{}, 0
	}
	if b[at] < 0x40 || b[at] > 0x7e { // broken off: what follows is a key of its own
		return press{text: "Esc"}, at
	}
	p := press{do: finals[b[at]], text: "Esc"}
	if _, modifier, ok := bytes.Cut(b[2:at], []byte(";")); ok {
		p.shifted = string(modifier) == "2" // xterm: 1 plus 1 for Shift, 2 for Alt, 4 for Ctrl
		if !p.shifted {
			p.do = noAction
		}
	}
	return p, at + 1
}

// longestSequence is more bytes than the sequence of any key has.
const longestSequence = 32

// words are what can be said on a line, beside the keys themselves.
var words = map[string]action{
	"first": chooseFirst, "left": chooseFirst, "second": chooseSecond, "right": chooseSecond,
	"tie": chooseTie, "same": chooseTie, "both_bad": chooseBothBad, "bad": chooseBothBad, "skip": chooseSkip,
	"undo": undoAnswer, "help": showHelp, "pick": showPick, "more": goOn, "quit": leave, "leave": leave,
}

// readWord reads one word of a line: a key or a name, with a + for every step of strength: "1", "tie", "b++".
func readWord(word string) (do action, strength int) {
	name := strings.TrimRight(word, "+")
	strength = len(word) - len(name)
	name = strings.ToLower(name)
	do = words[name]
	if r, n := utf8.DecodeRuneInString(name); do == noAction && n > 0 && n == len(name) {
		do = runes[r]
	}
	if do == stronger || strength > 0 && do != chooseFirst && do != chooseSecond {
		return noAction, 0
	}
	return do, strength
}
