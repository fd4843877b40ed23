package main

import (
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	for text, want := range map[string][]press{
		"1aA":              {{chooseFirst, false, "1"}, {chooseFirst, false, "a"}, {chooseFirst, true, "A"}},
		"\x1b[D\x1b[C":     {{chooseFirst, false, "Esc"}, {chooseSecond, false, "Esc"}},
		"\x1bOB=":          {{chooseTie, false, "Esc"}, {chooseTie, false, "="}},
		"\x1b[1;2D":        {{chooseFirst, true, "Esc"}},
		"\x1b[1;5D":        {{noAction, false, "Esc"}}, // with Ctrl
		"\x1b[3~x":         {{noAction, false, "Esc"}, {chooseBothBad, false, "x"}},
		"\x1b[A":           {{noAction, false, "Esc"}},
		"\x1b":             nil, // there may be more to come
		"\x1bq":            {{noAction, false, "Esc"}, {leave, false, "q"}},
		"\x1b[\x03":        {{noAction, false, "Esc"}, {leave, false, "\x03"}},
		"é\x7f\x08":        {{noAction, false, "é"}, {undoAnswer, false, "\x7f"}, {undoAnswer, false, "\x08"}},
		"\xc3":             nil,
		"\x04\x1a?hp \r+z": {{leave, false, "\x04"}, {suspend, false, "\x1a"}, {showHelp, false, "?"}, {showHelp, false, "h"}, {showPick, false, "p"}, {goOn, false, " "}, {goOn, false, "\r"}, {stronger, false, "+"}, {undoAnswer, false, "z"}},
	} {
		var k keyReader
		if got := k.feed([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// Keys are the same however the bytes are cut, and no bytes are waited for without end.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("1\x1b[1;2D\x1bOCé="), 3)
	f.Add([]byte("\x1b[\x1b[000000000000000000000000000000000000001"), 5)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		var whole, parts keyReader
		want := whole.feed(data)
		cut = max(0, min(cut, len(data)))
		got := append(parts.feed(data[:cut]), parts.feed(data[cut:])...)
		if len(data) <= longestSequence && !slices.Equal(got, want) {
			t.Errorf("cut at %d: %v, in one piece %v", cut, got, want)
		}
		if len(whole.rest) > longestSequence {
			t.Errorf("%d bytes are waiting", len(whole.rest))
		}
		parts.feed([]byte("~~qq")) // whatever was begun ends here
		if n := len(parts.feed([]byte("q"))); n != 1 {
			t.Errorf("q after %q is %d keys", data, n)
		}
	})
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
