package judge

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// pair is a question about two texts.
var pair = Question{Study: "s", ID: "q7", Judge: "j", Attempt: 2, Prompt: "Which?", First: Option{Item: "a", Text: "one's \"text\"\nand a line", Features: map[string]space.Value{"max tokens": space.ValueOf(3)}},
	Second: Option{Params: space.Option{"top_p": space.ValueOf(0.5)}}}

// TestCommand: what programs do, and what that is to a judge.
func TestCommand(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("SKIPPED: no sh here (%v), so no judge that is a command was asked anything", err)
	}
	folder := t.TempDir()
	left := filepath.Join(folder, "left")
	for line, want := range map[string]struct {
		choice prefer.Choice
		reason Reason
		says   string
	}{
		"echo first":                       {prefer.First, "", ""},
		"cat; echo":                        {"", Rubbish, `\"attempt\":2`}, // what it reads is one object, and no answer
		"head -c 0; exec <&-; echo second": {prefer.Second, "", ""},
		`test "$PREFER_FIRST_TEXT" = 'one'"'"'s "text"` + "\n" + `and a line' && echo A`:                {prefer.First, "", ""},
		`test "$PREFER_FIRST_FEATURE_MAX_TOKENS$PREFER_SECOND_PARAM_TOP_P" = 30.5 && echo B`:            {prefer.Second, "", ""},
		`test "$PREFER_FIRST_ITEM$PREFER_JUDGE_PROMPT$PREFER_JUDGE_QUESTION" = 'aWhich?q7' && echo tie`: {prefer.Tie, "", ""},
		"echo first; echo 'the reason' >&2; exit 3":                                                     {"", Exit, `exit status 3, saying "the reason"`},
		"true":                    {"", Nothing, "nothing was said"},
		"echo I think first":      {"", Rubbish, "I think first"},
		"kill -9 $$":              {"", Exit, "killed"},
		"yes | head -c 100000000": {"", TooLong, "more than 1048576 bytes"},
		"yes x >&2":               {"", Timeout, "nothing came within"},
		"sleep 100":               {"", Timeout, "nothing came within"},
		"(sleep 2; echo x > '" + left + "') & echo first": {prefer.First, "", ""}, // what it starts ends with it
	} {
		ctx, stop := context.WithTimeoutCause(t.Context(), 30*time.Second, errors.New("30 s"))
		if want.reason == Timeout {
			stop()
			ctx, stop = context.WithTimeoutCause(t.Context(), 300*time.Millisecond, fail(Timeout, "nothing came within 300ms"))
		}
		r, err := Command(line)(ctx, pair)
		stop()
		switch {
		case want.reason == "" && (err != nil || r.Choice != want.choice):
			t.Errorf("%s: %+v, %v, want %s", line, r, err, want.choice)
		case want.reason != "" && (err == nil || r.Choice != "" || failed(err).Reason != want.reason || !strings.Contains(err.Error(), want.says)):
			t.Errorf("%s: %+v, %v, want %s: %s", line, r, err, want.reason, want.says)
		}
	}
	plain := filepath.Join(folder, "plain")
	if err := os.WriteFile(plain, []byte("echo first\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{filepath.Join(folder, "none"), folder, plain, "no-such-program-anywhere"} {
		if r, err := Command(line)(t.Context(), pair); !errors.Is(err, ErrMissing) || r.Choice != "" || !strings.Contains(err.Error(), line) {
			t.Errorf("%s: %+v, %v, want %v", line, r, err, ErrMissing)
		}
	}
	time.Sleep(2500 * time.Millisecond)
	if _, err := os.Stat(left); err == nil {
		t.Error("what a judge had started went on after it")
	}
}

// TestOptionText: a judge reads the id of an item without text and media; a file needs no caption.
func TestOptionText(t *testing.T) {
	items := map[string]space.Item{"Be brief.": {ID: "Be brief."}, "b": {ID: "b", Text: "Explain."}, "c": {ID: "c", Media: "c.png"}}
	for id, want := range map[string]string{"Be brief.": "Be brief.", "b": "Explain.", "c": ""} {
		if got := option(space.ItemOption(id), items, nil); got.Text != want || got.Item != id {
			t.Errorf("%s is shown as %+v, want the text %q", id, got, want)
		}
	}
}

// TestEnvironment: what no program could be started with, or two names would share, is left out.
func TestEnvironment(t *testing.T) {
	q := Question{Prompt: "a\x00b", First: Option{Text: strings.Repeat("x", longestVariable+1), Params: space.Option{"a b": space.ValueOf(1), "a_b": space.ValueOf(2), "ü": space.ValueOf("v")}}}
	got := Environment(q)
	slices.Sort(got)
	want := []string{"PREFER_FIRST_ITEM=", "PREFER_FIRST_MEDIA=", "PREFER_FIRST_PARAM__=v", "PREFER_JUDGE_QUESTION=", "PREFER_SECOND_ITEM=", "PREFER_SECOND_MEDIA=", "PREFER_SECOND_TEXT="}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
