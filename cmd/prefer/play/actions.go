package play

import (
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/terminal"
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

// runes are the keys with a character. Capitals are the same keys with Shift.
var runes = map[rune]action{
	'1': chooseFirst, 'a': chooseFirst, terminal.Left: chooseFirst, '2': chooseSecond, 'b': chooseSecond, terminal.Right: chooseSecond,
	'=': chooseTie, 't': chooseTie, terminal.Down: chooseTie,
	'x': chooseBothBad, 's': chooseSkip, 'z': undoAnswer, 0x7f: undoAnswer, 0x08: undoAnswer,
	'?': showHelp, 'h': showHelp, 'p': showPick, 'm': goOn, '\r': goOn, '\n': goOn, ' ': goOn, '+': stronger,
	'q': leave, 0x03: leave, 0x04: leave, 0x1a: suspend,
}

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
