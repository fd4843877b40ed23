package prefer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer/internal/exact"
)

// Chain is the checksum of a log up to an event: h_i = SHA-256(h_{i−1} ‖ event i as it is kept), with h_0 = 32 bytes of zero,
// the zero value. Stores keep h_i beside every event and the last one, the head, with the study: an event that was changed,
// lost or exchanged is seen, and so is an end that was cut off. Logs with the same head are the same log. It shows accidents,
// and nothing of who can write events and checksums.
type Chain [sha256.Size]byte

// Next returns the checksum with one more event, as it is kept: without the end of its line.
func (c Chain) Next(line []byte) (next Chain) {
	h := sha256.New()
	h.Write(c[:])
	h.Write(line)
	h.Sum(next[:0])
	return next
}

func (c Chain) String() string { return hex.EncodeToString(c[:]) }

// MarshalText writes a checksum in hexadecimal.
func (c Chain) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, c[:]), nil }

// UnmarshalText reads it.
func (c *Chain) UnmarshalText(text []byte) error {
	read, err := hex.DecodeString(string(text))
	if err != nil || len(read) != len(c) {
		return fmt.Errorf("prefer: checksum %q, want %d hexadecimal digits", text, 2*len(c))
	}
	copy(c[:], read)
	return nil
}

// Line writes an event as logs have it: JSON on one line, without its end.
func (e Event) Line() ([]byte, error) {
	text, err := plainJSON(e)
	return bytes.TrimSuffix(text, []byte("\n")), err
}

// ReadEvent reads what Line wrote, and nothing else that encoding/json would take for it: a name in another case, or one
// twice, is an error. A kind of event or a field that this version does not know wraps ErrNewer.
func ReadEvent(line []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	err := exact.Names[Event](line)
	switch {
	case err == nil:
		return e, nil
	case e.parts() == 0 && e.Kind != "" && !e.Kind.known():
		return e, fmt.Errorf("prefer: its kind is %q: %w", e.Kind, ErrNewer)
	case errors.Is(err, exact.ErrUnknown):
		return e, fmt.Errorf("prefer: %w: %w", err, ErrNewer)
	}
	return e, fmt.Errorf("prefer: %w", err)
}

// chain returns the checksum of the first n > 0 events as Line writes them. Each is computed once. The caller holds mu.
func (s *Study) chain(n int) (Chain, error) {
	for k := len(s.chains); k < n; k++ {
		line, err := s.events[k].Line()
		if err != nil {
			return Chain{}, err
		}
		var before Chain
		if k > 0 {
			before = s.chains[k-1]
		}
		s.chains = append(s.chains, before.Next(line))
	}
	return s.chains[n-1], nil
}
