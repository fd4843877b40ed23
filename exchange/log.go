package exchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer"
)

const (
	logFormat  = "prefer.log"
	logVersion = 1
)

// logHeader is the first line of a log.
type logHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Study   string `json:"study"`
}

// WriteLog writes a study in full: a header line, then one event per line in JSON. The same events are the same
// bytes, and ReadLog gives them back.
func WriteLog(w io.Writer, name string, events []prefer.Event) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(logHeader{Format: logFormat, Version: logVersion, Study: name}); err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	for i, e := range events {
		if e.Seq != i+1 {
			return fmt.Errorf("exchange: event %d of the log has seq %d", i+1, e.Seq)
		}
		if err := enc.Encode(e); err != nil {
			return fmt.Errorf("exchange: event %d: %w", e.Seq, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	return nil
}

// ReadLog reads what WriteLog wrote. It is strict: a field it does not know, another version, a line cut short
// or events out of order are errors that name the line. Whether the events make sense together is for
// prefer.Open to say.
func ReadLog(r io.Reader) (name string, events []prefer.Event, err error) {
	in, err := newLines(r)
	if err != nil {
		return "", nil, err
	}
	if !in.next() {
		return "", nil, errors.Join(in.end(), errors.New("exchange: the log is empty, want a header line"))
	}
	if name, err = readHeader(in.text); err != nil {
		return "", nil, fmt.Errorf("exchange: line %d: %w", in.n, err)
	}
	for in.next() {
		var e prefer.Event
		if err := strict(in.text, &e); err != nil {
			return "", nil, fmt.Errorf("exchange: line %d: %w", in.n, err)
		}
		if e.Seq != len(events)+1 {
			return "", nil, fmt.Errorf("exchange: line %d: field \"seq\" is %d, want %d; a line is missing or out of order",
				in.n, e.Seq, len(events)+1)
		}
		events = append(events, e)
	}
	return name, events, in.end()
}

// readHeader looks at format and version first: another version may have other fields.
func readHeader(line []byte) (string, error) {
	var h logHeader
	if err := json.Unmarshal(line, &h); err != nil || h.Format != logFormat {
		return "", fmt.Errorf("%s is no header of a log, want {\"format\":%q,\"version\":%d,\"study\":…}",
			excerpt(string(line)), logFormat, logVersion)
	}
	if h.Version != logVersion {
		return "", fmt.Errorf("the log has version %d, this program reads version %d", h.Version, logVersion)
	}
	h = logHeader{}
	if err := strict(line, &h); err != nil {
		return "", err
	}
	return h.Study, nil
}
