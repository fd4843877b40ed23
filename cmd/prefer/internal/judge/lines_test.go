package judge

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestLines: a program that goes on running answers line by line; what it does wrong ends it, and the next call starts another.
func TestLines(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("SKIPPED: no sh here (%v), so no judge that answers line by line was asked anything", err)
	}
	call, end := Lines(`n=0; while read -r q; do n=$((n+1)); echo "{\"choice\":\"first\",\"meta\":{\"n\":$n,\"pid\":$$}}"; done`)
	defer end()
	var pid space.Value
	for n := range 3 {
		r, err := call(t.Context(), pair)
		if err != nil || r.Meta["n"] != space.ValueOf(n+1) || n > 0 && r.Meta["pid"] != pid {
			t.Fatalf("line %d: %+v, %v", n+1, r, err)
		}
		pid = r.Meta["pid"]
	}
	for line, want := range map[string]struct {
		reason Reason
		says   string
	}{
		"while read -r q; do echo so; done":  {Rubbish, `"so" is no answer`},
		"read -r q; echo why >&2; exit 4":    {Exit, `exit status 4, saying "why"`},
		"exit 0":                             {Exit, "it ended"},
		"read -r q; sleep 100":               {Timeout, "late"},
		"read -r q; yes | tr -d '\\n'":       {TooLong, "more than 1048576 bytes"},
		"while read -r q; do echo; done":     {Nothing, "nothing was said"},
		"echo first; echo second; sleep 100": {"", ""}, // one line each: the second is the next one's
	} {
		call, end := Lines(line)
		ctx, stop := context.WithTimeoutCause(t.Context(), 30*time.Second, errors.New("30 s"))
		if want.reason == Timeout {
			stop()
			ctx, stop = context.WithTimeoutCause(t.Context(), 300*time.Millisecond, fail(Timeout, "late"))
		}
		r, err := call(ctx, pair)
		stop()
		end()
		if want.reason == "" {
			if err != nil || r.Choice != prefer.First {
				t.Errorf("%s: %+v, %v", line, r, err)
			}
		} else if err == nil || failed(err).Reason != want.reason || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%s: %+v, %v, want %s: %s", line, r, err, want.reason, want.says)
		}
	}
	call, end = Lines("/nowhere/judge")
	defer end()
	if _, err := call(t.Context(), pair); !errors.Is(err, ErrMissing) {
		t.Errorf("%v, want %v", err, ErrMissing)
	}
}
