package cli

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/prefer-bo/prefer/exchange"
)

// A shell reads back what was quoted.
func TestQuoted(t *testing.T) {
	for _, word := range []string{"coffee.db", "my coffee.db", "", "it's", `a"b`, "$HOME", "a|b", "S<M<L", "müsli", "-x", "a\nb", `\`} {
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output()
		if err != nil || !bytes.Equal(out, []byte(word)) {
			t.Errorf("%q is quoted %s, which a shell reads as %q (%v)", word, Quote(word), out, err)
		}
	}
	if got := Quote("dir/coffee-2.db"); got != "dir/coffee-2.db" {
		t.Errorf("a plain word is quoted %s", got)
	}
}

func TestSome(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	if got := exchange.FirstOf(names[:2], 8); got != "a, b" {
		t.Errorf("two names are %q", got)
	}
	if got := exchange.FirstOf(names, 8); got != "a, b, c, d, e, f, g, h and 2 more" {
		t.Errorf("ten names are %q", got)
	}
}
