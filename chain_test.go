package prefer

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/chain"
)

// TestChain: the first links worked out by hand, also with
// (printf '%064d' 0 | xxd -r -p; printf one) | sha256sum.
func TestChain(t *testing.T) {
	one := chain.Sum{}.Next([]byte("one"))
	zeros := make([]byte, 32)
	if want := sha256.Sum256(append(zeros, "one"...)); one != want {
		t.Errorf("the first link is %v, want %x", one, want)
	}
	two := one.Next([]byte("two"))
	if want := sha256.Sum256(append(one[:], "two"...)); two != want {
		t.Errorf("the second link is %v, want %x", two, want)
	}
	var back chain.Sum
	if text, err := two.MarshalText(); err != nil || back.UnmarshalText(text) != nil || back != two || string(text) != two.String() {
		t.Errorf("%v came back as %v, %v", two, back, err)
	}
	for _, wrong := range []string{"", "00", two.String() + "00", "x" + two.String()[1:]} {
		if err := back.UnmarshalText([]byte(wrong)); err == nil || back != two {
			t.Errorf("%q is read as %v, %v", wrong, back, err)
		}
	}
}

// oldLines are the events of studies that really took place, as versions of then wrote them.
func oldLines(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/logs/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var lines [][]byte
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, bytes.Split(bytes.TrimSpace(data), []byte("\n"))...)
	}
	return lines
}

// TestReadEvent: old lines are read and written again byte for byte, and a name with one letter in the other case is never.
func TestReadEvent(t *testing.T) {
	changed := 0
	for _, line := range oldLines(t) {
		e, err := ReadEvent(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if again, err := e.Line(); err != nil || !bytes.Equal(again, line) {
			t.Fatalf("%s\nis written again as\n%s, %v", line, again, err)
		}
		for i, c := range line {
			if c|0x20 < 'a' || c|0x20 > 'z' {
				continue
			}
			wrong := bytes.Clone(line)
			wrong[i] ^= 0x20
			got, err := ReadEvent(wrong)
			if err == nil && reflect.DeepEqual(got, e) {
				t.Fatalf("%s\nis read as if nothing were wrong at %d", wrong, i)
			}
			changed++
		}
	}
	if changed < 1000 {
		t.Errorf("only %d letters were changed", changed)
	}
}

func TestReadEventErrors(t *testing.T) {
	const answered = `{"seq":3,"time":"2026-01-01T10:00:03Z","kind":"answered","answered":{"id":"a1","question":"q1","answer":{"choice":"first"}}}`
	for old, c := range map[string]struct {
		now, says string
		newer     bool
	}{
		`"choice"`:                     {`"choIce"`, `"answered.answer.choIce", want "choice"`, false},
		`"choice":`:                    {`"choice":"second","choice":`, `given twice: "answered.answer.choice"`, false},
		`"id"`:                         {`"mood":3,"id"`, `unknown field: "answered.mood": made by a newer prefer`, true},
		`"kind":`:                      {`"SEQ":3,"kind":`, `"SEQ", want "seq"`, false},
		`"kind":"answered","answered"`: {`"kind":"voted","voted"`, `its kind is "voted": made by a newer prefer`, true},
		`"seq":3`:                      {`"seq":"3"`, `cannot unmarshal string`, false},
	} {
		line := strings.Replace(answered, old, c.now, 1)
		_, err := ReadEvent([]byte(line))
		if err == nil || !strings.Contains(err.Error(), c.says) || errors.Is(err, ErrNewer) != c.newer {
			t.Errorf("%s\n%v, want %s", line, err, c.says)
		}
	}
	good := start(t, Config{Space: unitSquare()}).Events(0)
	_, err := Open(ctx, append(good, Event{Seq: 2, Kind: "voted"}), OpenOptions{})
	if !errors.Is(err, ErrNewer) || errors.Is(err, ErrEvents) || !strings.HasPrefix(fmt.Sprint(err), `event 2: prefer: its kind is "voted": made by a newer`) {
		t.Errorf("a log with an event of a kind to come: %v", err)
	}
}

// FuzzReadEvent: what is read is written again as something that is read as the same.
func FuzzReadEvent(f *testing.F) {
	for i, line := range oldLines(f) {
		if i%20 == 0 {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := ReadEvent(line)
		if err != nil {
			return
		}
		text, err := e.Line()
		if err != nil {
			return // a time or a number that has no form
		}
		again, err := ReadEvent(text)
		if err != nil {
			t.Fatalf("%s\nwas read, and its form\n%s is not: %v", line, text, err)
		}
		if back, err := again.Line(); err != nil || !bytes.Equal(back, text) {
			t.Errorf("%s\nis written as\n%s, then as\n%s, %v", line, text, back, err)
		}
	})
}

func BenchmarkReadEvent(b *testing.B) {
	lines := oldLines(b)
	n := 0
	for b.Loop() {
		if _, err := ReadEvent(lines[n%len(lines)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
