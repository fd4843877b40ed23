package logfile

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/strictjson"
)

const (
	logFormat  = "prefer.log"
	logVersion = 2 // the first had no head, and is read
)

// Checksum is that of a log up to an event, SHA-256(checksum before it ‖ event as it is written). Logs with the same checksum are the same.
type Checksum = chain.Sum

type header struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Study   string    `json:"study"`
	Events  int       `json:"events,omitempty"`
	Head    *Checksum `json:"head,omitempty"` // of the lines that follow
}

// Write writes a study in full: a header line with the head of the chain of checksums, then one event per line in JSON.
// The same events are the same bytes, and Read gives them back.
func Write(w io.Writer, name string, events []prefer.Event) error {
	lines, head, err := chained(events)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(header{logFormat, logVersion, name, len(lines), &head}); err != nil {
		return fmt.Errorf("logfile: %w", err)
	}
	for _, line := range lines {
		out.Write(line) // what went wrong, Flush says
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("logfile: %w", err)
	}
	return nil
}

// Hash names a log: the SHA-256, in hexadecimal, of what Write writes after its first line. Forgetting somebody changes it.
func Hash(events []prefer.Event) (string, error) {
	lines, _, err := chained(events)
	h := sha256.New()
	for _, line := range lines {
		h.Write(append(line, '\n'))
	}
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// Head returns the head that Write writes of these events.
func Head(events []prefer.Event) (Checksum, error) {
	_, head, err := chained(events)
	return head, err
}

// chained returns the lines of a whole log, and the last of their checksums.
func chained(events []prefer.Event) (lines [][]byte, head Checksum, err error) {
	for i, e := range events {
		if e.Seq != i+1 {
			return nil, head, fmt.Errorf("logfile: event %d of the log has seq %d", i+1, e.Seq)
		}
		line, err := e.Line()
		if err != nil {
			return nil, head, fmt.Errorf("logfile: event %d: %w", e.Seq, err)
		}
		lines = append(lines, line)
		head = head.Next(line)
	}
	return lines, head, nil
}

// Read reads what Write wrote. It is strict: a field it does not know, another version, a line cut short, events out of order and lines that do not fit
// the head are errors that name the line. A log of the first version has no head. Whether the events make sense together is for prefer.Open to say.
func Read(r io.Reader) (name string, events []prefer.Event, err error) {
	return ReadChecked(r, func(int, prefer.Event) error { return nil })
}

// ReadChecked is Read that hands every event to check as soon as its line is read. The first error of check ends the reading and is returned as it is.
func ReadChecked(r io.Reader, check func(line int, e prefer.Event) error) (name string, events []prefer.Event, err error) {
	var header header
	var head Checksum
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
		err = fmt.Errorf("logfile: %w", err)
	case !begun:
		err = errors.New("logfile: the log is empty, want a header line")
	default:
		err = header.check(len(events), head)
	}
	if err != nil {
		return "", nil, err
	}
	return header.Study, events, nil
}

// check refuses a log that does not end as its header says.
func (h header) check(events int, head Checksum) error {
	plain := fmt.Sprintf("; to read what is there all the same, make {\"format\":%q,\"version\":1,\"study\":%q} its first line", logFormat, h.Study)
	switch {
	case h.Head == nil:
		return nil
	case events != h.Events:
		return fmt.Errorf("logfile: the log has %d events, and its first line says %d: the file was cut short, or put together%s", events, h.Events, plain)
	case head != *h.Head:
		return fmt.Errorf("logfile: the lines of the log do not fit the head in its first line: they were changed since they were written%s", plain)
	}
	return nil
}

func readEvent(line []byte) (prefer.Event, error) {
	if line[0] != '{' {
		return prefer.Event{}, fmt.Errorf("%s is not a JSON object {…}", strictjson.Excerpt(string(line)))
	}
	e, err := prefer.ReadEvent(line)
	if err != nil && !errors.Is(err, prefer.ErrNewer) {
		err = strictjson.Explain(err)
	}
	return e, err
}

// readHeader looks at format and version first: another version may have other fields.
func readHeader(line []byte) (h header, err error) {
	var first struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(line, &first); err != nil || first.Format != logFormat {
		return h, fmt.Errorf("%s is not a header of a log, want {\"format\":%q,\"version\":%d,\"study\":…}", strictjson.Excerpt(string(line)), logFormat, logVersion)
	}
	if first.Version < 1 || first.Version > logVersion {
		return h, fmt.Errorf("the log has version %d, this program reads versions 1 to %d", first.Version, logVersion)
	}
	if err = strictjson.Object(line, &h); err == nil {
		err = strictjson.Names(line, h)
	}
	return h, err
}
