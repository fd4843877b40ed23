package terminal

import (
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	for text, want := range map[string][]Key{
		"1aA":          {{'1', false, "1"}, {'a', false, "a"}, {'a', true, "A"}},
		"\x1b[D\x1b[C": {{Left, false, "Esc"}, {Right, false, "Esc"}},
		"\x1bOB=":      {{Down, false, "Esc"}, {'=', false, "="}},
		"\x1b[1;2D":    {{Left, true, "Esc"}},
		"\x1b[1;5D":    {{0, false, "Esc"}}, // with Ctrl
		"\x1b[3~x":     {{0, false, "Esc"}, {'x', false, "x"}},
		"\x1b[A":       {{0, false, "Esc"}},
		"\x1b":         nil, // there may be more to come
		"\x1bq":        {{0, false, "Esc"}, {'q', false, "q"}},
		"\x1b[\x03":    {{0, false, "Esc"}, {3, false, "\x03"}},
		"é\x7f\x08":    {{'é', false, "é"}, {0x7f, false, "\x7f"}, {8, false, "\x08"}},
		"\xc3":         nil,
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
