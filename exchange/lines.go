package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine bounds one line, row or JSON element in bytes: more is no data of ours, and would fill the memory.
const maxLine = 16 << 20

// lines reads a text line by line, whatever the line ends, and counts them.
type lines struct {
	r    *bufio.Reader
	scan *bufio.Scanner
	n    int    // number of the current line, from 1
	text []byte // the current line without its end; valid until the next one
	err  error
}

func newLines(r io.Reader) (*lines, error) {
	br, err := skipMark(r)
	if err != nil {
		return nil, err
	}
	l := &lines{r: br, scan: bufio.NewScanner(br)}
	l.scan.Buffer(nil, maxLine)
	return l, nil
}

// skipMark leaves out a UTF-8 byte order mark, and refuses UTF-16, which starts with one of its own.
func skipMark(r io.Reader) (*bufio.Reader, error) {
	br := bufio.NewReader(r)
	head, err := br.Peek(3)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err = br.Discard(3)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, errors.New("exchange: the file is UTF-16, want UTF-8")
	default:
		err = nil
	}
	return br, err
}

// next moves to the next line that is not blank. It returns false at the end and on an error.
func (l *lines) next() bool {
	for l.scan.Scan() && l.scan.Err() == nil { // else the line is what came before the reading failed
		l.n++
		if !utf8.Valid(l.scan.Bytes()) { // JSON would take any wrong byte for the same character
			l.err = fmt.Errorf("exchange: line %d is not UTF-8", l.n)
			return false
		}
		if l.text = bytes.TrimSpace(l.scan.Bytes()); len(l.text) > 0 {
			return true
		}
	}
	if err := l.scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		l.err = fmt.Errorf("exchange: line %d is longer than %d MB", l.n+1, maxLine>>20)
	} else if err != nil {
		l.err = fmt.Errorf("exchange: line %d: %w", l.n+1, err)
	}
	return false
}

// end returns what stopped next, or nil at the end of the text.
func (l *lines) end() error { return l.err }

// strict decodes one JSON object and refuses fields that v does not have, and anything after it.
func strict(data []byte, v any) error {
	if len(data) == 0 || data[0] != '{' {
		return fmt.Errorf("%s is no JSON object {…}", excerpt(string(data)))
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return explain(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("there is more after the JSON object")
	}
	return nil
}

// explain says what a JSON error means to someone who looks at the file.
func explain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), err.Error() == "unexpected end of JSON input":
		return errors.New("it ends in the middle; the file was cut short")
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("field %q is a JSON %s, want %s", kind.Field, kind.Value, kind.Type)
	}
	if strings.HasSuffix(err.Error(), "after top-level value") {
		return errors.New("there is more after the JSON object")
	}
	return errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "prefer: "))
}

// excerpt quotes the beginning of a value for an error.
func excerpt(s string) string {
	const long = 60
	if len(s) > long {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:long], ""))
	}
	return fmt.Sprintf("%q", s)
}

// guard refuses to feed a decoder that has been reading one element for more than maxLine bytes. When a
// decoder asks for more, all it has not consumed belongs to the element it is at.
type guard struct {
	r         io.Reader
	delivered int64
	consumed  func() int64
}

func (g *guard) Read(p []byte) (int, error) {
	if g.delivered-g.consumed() > maxLine {
		return 0, fmt.Errorf("more than %d MB without an end", maxLine>>20)
	}
	n, err := g.r.Read(p)
	g.delivered += int64(n)
	return n, err
}
