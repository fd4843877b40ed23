package exchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/internal/timeline"
)

const (
	logFormat  = "prefer.log"
	logVersion = 2 // the first had no head, and is read
)

type logHeader struct {
	Format  string     `json:"format"`
	Version int        `json:"version"`
	Study   string     `json:"study"`
	Events  int        `json:"events,omitempty"`
	Head    *chain.Sum `json:"head,omitempty"` // of the lines that follow
}

// WriteLog writes a study in full: a header line with the head of the chain of checksums, then one event per line in JSON.
// The same events are the same bytes, and ReadLog gives them back.
func WriteLog(w io.Writer, name string, events []prefer.Event) error {
	lines, head, err := chained(events)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(logHeader{logFormat, logVersion, name, len(lines), &head}); err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	for _, line := range lines {
		out.Write(line) // what went wrong, Flush says
		out.WriteByte('\n')
	}
	return fail(out.Flush())
}

// LogHash names a log: the SHA-256, in hexadecimal, of what WriteLog writes after its first line. Forgetting somebody changes it.
func LogHash(events []prefer.Event) (string, error) { return timeline.LogHash(events) }

// Head returns the head that WriteLog writes of these events.
func Head(events []prefer.Event) (chain.Sum, error) {
	_, head, err := chained(events)
	return head, err
}

// chained returns the lines of a whole log, and the last of their checksums.
func chained(events []prefer.Event) (lines [][]byte, head chain.Sum, err error) {
	for i, e := range events {
		if e.Seq != i+1 {
			return nil, head, fmt.Errorf("exchange: event %d of the log has seq %d", i+1, e.Seq)
		}
		line, err := e.Line()
		if err != nil {
			return nil, head, fmt.Errorf("exchange: event %d: %w", e.Seq, err)
		}
		lines = append(lines, line)
		head = head.Next(line)
	}
	return lines, head, nil
}

// ReadLog reads what WriteLog wrote. It is strict: a field it does not know, another version, a line cut short, events out of order and lines that do not fit
// the head are errors that name the line. A log of the first version has no head. Whether the events make sense together is for prefer.Open to say.
func ReadLog(r io.Reader) (name string, events []prefer.Event, err error) {
	return ReadCheckedLog(r, func(int, prefer.Event) error { return nil })
}

// ReadCheckedLog is ReadLog that hands every event to check as soon as its line is read. The first error of check ends the reading and is returned as it is.
func ReadCheckedLog(r io.Reader, check func(line int, e prefer.Event) error) (name string, events []prefer.Event, err error) {
	var header logHeader
	var head chain.Sum
	var refused error
	begun := false
	err = strictjson.EachLine(r, func(n int, line []byte) (err error) {
		if !begun {
			begun = true
			header, err = readHeader(line)
			return err
		}
		e, err := readEvent(line)
		switch {
		case err != nil:
			return err
		case e.Seq != len(events)+1:
			return fmt.Errorf("field \"seq\" is %d, want %d; a line is missing or out of order", e.Seq, len(events)+1)
		}
		events, head = append(events, e), head.Next(line)
		refused = check(n, e)
		return refused
	})
	switch {
	case refused != nil:
		err = refused
	case err != nil:
		err = fmt.Errorf("exchange: %w", err)
	case !begun:
		err = errors.New("exchange: the log is empty, want a header line")
	default:
		err = header.check(len(events), head)
	}
	if err != nil {
		return "", nil, err
	}
	return header.Study, events, nil
}

// check refuses a log that does not end as its header says.
func (h logHeader) check(events int, head chain.Sum) error {
	plain := fmt.Sprintf("; to read what is there all the same, make {\"format\":%q,\"version\":1,\"study\":%q} its first line", logFormat, h.Study)
	switch {
	case h.Head == nil:
		return nil
	case events != h.Events:
		return fmt.Errorf("exchange: the log has %d events, and its first line says %d: the file was cut short, or put together%s", events, h.Events, plain)
	case head != *h.Head:
		return fmt.Errorf("exchange: the lines of the log do not fit the head in its first line: they were changed since they were written%s", plain)
	}
	return nil
}

func readEvent(line []byte) (prefer.Event, error) {
	if line[0] != '{' {
		return prefer.Event{}, fmt.Errorf("%s is no JSON object {…}", strictjson.Excerpt(string(line)))
	}
	e, err := prefer.ReadEvent(line)
	if err != nil && !errors.Is(err, prefer.ErrNewer) {
		err = strictjson.Explain(err)
	}
	return e, err
}

// readHeader looks at format and version first: another version may have other fields.
func readHeader(line []byte) (h logHeader, err error) {
	var first struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(line, &first); err != nil || first.Format != logFormat {
		return h, fmt.Errorf("%s is no header of a log, want {\"format\":%q,\"version\":%d,\"study\":…}", strictjson.Excerpt(string(line)), logFormat, logVersion)
	}
	if first.Version < 1 || first.Version > logVersion {
		return h, fmt.Errorf("the log has version %d, this program reads versions 1 to %d", first.Version, logVersion)
	}
	if err = strictjson.Object(line, &h); err == nil {
		err = strictjson.Names(line, h)
	}
	return h, err
}
