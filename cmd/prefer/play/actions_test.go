package play

import (
	"testing"

	"github.com/prefer-bo/prefer/internal/terminal"
)

func TestActions(t *testing.T) {
	for key, want := range map[rune]action{
		'1': chooseFirst, 'a': chooseFirst, terminal.Left: chooseFirst, terminal.Right: chooseSecond, terminal.Down: chooseTie, 'x': chooseBothBad,
		3: leave, 4: leave, 0x1a: suspend, '?': showHelp, 'h': showHelp, 'p': showPick, ' ': goOn, '\r': goOn, '+': stronger, 'z': undoAnswer,
		0x7f: undoAnswer, 8: undoAnswer, 'é': noAction, 0: noAction,
	} {
		if got := runes[key]; got != want {
			t.Errorf("key %q asks for %d, want %d", key, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for word, want := range map[string]struct {
		do       action
		strength int
	}{
		"1": {chooseFirst, 0}, "First": {chooseFirst, 0}, "b++": {chooseSecond, 2}, "right+": {chooseSecond, 1}, "=": {chooseTie, 0}, "TIE": {chooseTie, 0},
		"both_bad": {chooseBothBad, 0}, "s": {chooseSkip, 0}, "undo": {undoAnswer, 0}, "?": {showHelp, 0}, "pick": {showPick, 0},
		"more": {goOn, 0}, "q": {leave, 0}, "third": {noAction, 0}, "tie+": {noAction, 0}, "+": {noAction, 0}, "": {noAction, 0}, "é": {noAction, 0},
	} {
		if do, strength := readWord(word); do != want.do || strength != want.strength {
			t.Errorf("%q is action %d with strength %d, want %v", word, do, strength, want)
		}
	}
}
