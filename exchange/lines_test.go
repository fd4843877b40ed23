package exchange

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
)

// sameValue lets cmp look at values.
var sameValue = cmp.Options{cmp.Comparer(func(a, b space.Value) bool { return a == b }), cmp.AllowUnexported(prefer.Config{}, acquisition.Search{})}

// wantError checks that err says all the words.
func wantError(t *testing.T, name string, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one about %q", name, words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error is %q, want %q in it", name, err, w)
		}
	}
}

func TestLines(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"a":                            "1a ",
		"a\nb\n":                       "1a 2b ",
		"\xef\xbb\xbfa\r\n\r\n b \r\n": "1a 3b ",
		"\n\n\n":                       "",
	} {
		got := ""
		err := strictjson.EachLine(strings.NewReader(in), func(n int, line []byte) error {
			got += fmt.Sprintf("%d%s ", n, line)
			return nil
		})
		if got != want || err != nil {
			t.Errorf("%q reads as %q, %v; want %q", in, got, err, want)
		}
	}
	err := strictjson.EachLine(strings.NewReader("\xff\xfea\x00"), func(int, []byte) error { return nil })
	wantError(t, "UTF-16", err, "UTF-16")
}

// endless is a file without an end that counts what is read of it.
type endless struct {
	head string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.head)
	e.head = e.head[n:]
	for i := n; i < len(p); i++ {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

// TestLimit: a line, row or element without an end is refused, long before the memory is full.
func TestLimit(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		read func(io.Reader) error
	}{
		"log":        {`{"format":"prefer.log","version":1,"study":"`, func(r io.Reader) error { _, _, err := logfile.Read(r); return err }},
		"table":      {`winner,"`, func(r io.Reader) error { _, err := Pairs{}.Read(r); return err }},
		"JSON Lines": {`{"winner":"`, func(r io.Reader) error { _, err := Pairs{}.Read(r); return err }},
		"JSON array": {`[[1,2],[2,"`, func(r io.Reader) error { _, err := Pairs{}.Read(r); return err }},
	} {
		e := &endless{head: c.head}
		wantError(t, name, c.read(e), "16 MB")
		if e.read > 3*strictjson.MaxLine {
			t.Errorf("%s: read %d bytes before giving up", name, e.read)
		}
	}
}

// TestLimitAllows: the limit is on one element, not on the file.
func TestLimitAllows(t *testing.T) {
	const n = 5
	pair := `{"winner":"a","loser":"b","note":"` + strings.Repeat("x", strictjson.MaxLine/4) + `"}`
	for name, text := range map[string]string{
		"lines": strings.Repeat(pair+"\n", n),
		"array": "[" + strings.Repeat(pair+",", n-1) + pair + "]",
		"table": "winner,loser,note\n" + strings.Repeat("a,b,"+strings.Repeat("x", strictjson.MaxLine/4)+"\n", n),
	} {
		im, err := Pairs{}.Read(strings.NewReader(text))
		if err != nil || len(im.Duels) != n {
			t.Errorf("%s: %d duels, %v", name, len(im.Duels), err)
		}
	}
}

func TestStrict(t *testing.T) {
	var v struct {
		N int `json:"n"`
	}
	for in, word := range map[string]string{
		`{"n":1`:         "cut short",
		`{"n":1,"m":2}`:  `unknown field "m"`,
		`{"n":"a"}`:      `field "n" is a JSON string`,
		`{"n":1}{"n":2}`: "more after",
		`[1]`:            "not a JSON object",
	} {
		wantError(t, in, strictjson.Object([]byte(in), &v), word)
	}
	if err := strictjson.Object([]byte(`{"n":7}`), &v); err != nil || v.N != 7 {
		t.Errorf("read %d, %v", v.N, err)
	}
}

func TestExcerpt(t *testing.T) {
	long := strictjson.Excerpt(strings.Repeat("é", 100))
	if len(long) > 70 || !strings.HasSuffix(long, "…") || bytes.ContainsRune([]byte(long), '\ufffd') {
		t.Errorf("a long value is quoted as %s", long)
	}
}
