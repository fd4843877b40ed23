package play

import (
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
)

func TestActions(t *testing.T) {
	for key, want := range map[rune]action{
		'1': "first", 'a': "first", terminal.Left: "first", terminal.Right: "second", terminal.Down: "tie", 'x': "both_bad",
		3: leave, 4: leave, 0x1a: suspend, '?': showHelp, 'h': showHelp, 'p': showPick, ' ': goOn, '\r': goOn, '+': stronger, 'z': undoAnswer,
		0x7f: undoAnswer, 8: undoAnswer, 'é': noAction, 0: noAction,
	} {
		if got := runes[key]; got != want {
			t.Errorf("key %q asks for %q, want %q", key, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for word, want := range map[string]struct {
		do       action
		strength int
	}{
		"1": {"first", 0}, "First": {"first", 0}, "b++": {"second", 2}, "right+": {"second", 1}, "=": {"tie", 0}, "TIE": {"tie", 0},
		"both_bad": {"both_bad", 0}, "s": {"skip", 0}, "undo": {undoAnswer, 0}, "?": {showHelp, 0}, "pick": {showPick, 0},
		"more": {goOn, 0}, "q": {leave, 0}, "third": {noAction, 0}, "tie+": {noAction, 0}, "+": {noAction, 0}, "": {noAction, 0}, "é": {noAction, 0},
	} {
		if do, strength := readWord(word); do != want.do || strength != want.strength {
			t.Errorf("%q is action %q with strength %d, want %v", word, do, strength, want)
		}
	}
}
