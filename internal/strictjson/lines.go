package strictjson

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

// MaxLine bounds one line, row or JSON element in bytes: more is no data of ours, and would fill the memory.
const MaxLine = 16 << 20

// EachLine calls do with every line that is not blank and its number from 1 on, without its end, whatever the line ends are. Errors name the line, those of
// do included. A line is valid until do returns.
func EachLine(r io.Reader, do func(n int, line []byte) error) error {
	in, err := SkipMark(r)
	if err != nil {
		return err
	}
	scan, n := bufio.NewScanner(in), 0
	scan.Buffer(nil, MaxLine)
	for scan.Scan() && scan.Err() == nil { // else the line is what came before the reading failed
		n++
		if !utf8.Valid(scan.Bytes()) { // JSON would take any wrong byte for the same character
			return fmt.Errorf("line %d is not UTF-8", n)
		}
		if line := bytes.TrimSpace(scan.Bytes()); len(line) > 0 {
			if err := do(n, line); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d is longer than %d MB", n+1, MaxLine>>20)
	} else if err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// SkipMark leaves out a UTF-8 byte order mark, and refuses UTF-16, which starts with one of its own.
func SkipMark(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	head, err := in.Peek(3)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err = in.Discard(3)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, errors.New("the file is UTF-16, want UTF-8")
	default:
		err = nil
	}
	return in, err
}

// Object decodes one JSON object and refuses fields that v does not have, and anything after it. Errors are those of Explain.
func Object(data []byte, v any) error {
	if len(data) == 0 || data[0] != '{' {
		return fmt.Errorf("%s is not a JSON object {…}", Excerpt(string(data)))
	}
	return Explain(decodeOne(data, v, errMore))
}

var errMore = errors.New("there is more after the JSON object")

// Explain says what a JSON error, if there is one, means to someone who looks at the file.
func Explain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), err.Error() == "unexpected end of JSON input",
		strings.HasPrefix(err.Error(), "invalid character ' ' in literal"): // "tru" at the end, which encoding/json reads as "tru "
		return errors.New("it ends in the middle; the file was cut short")
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("field %q is a JSON %s, want %s", kind.Field, kind.Value, kind.Type)
	case strings.HasSuffix(err.Error(), "after top-level value"):
		return errMore
	}
	return errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "prefer: "))
}

// Excerpt quotes a text, the beginning of a long one.
func Excerpt(s string) string {
	const long = 60
	if len(s) > long {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:long], ""))
	}
	return fmt.Sprintf("%q", s)
}
