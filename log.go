package prefer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/strictjson"
)

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
	err := strictjson.Names(line, e)
	switch {
	case err == nil:
		return e, nil
	case e.newer():
		return e, fmt.Errorf("prefer: its kind is %q: %w", e.Kind, ErrNewer)
	case errors.Is(err, strictjson.ErrUnknown):
		return e, fmt.Errorf("prefer: %w: %w", err, ErrNewer)
	}
	return e, fmt.Errorf("prefer: %w", err)
}

// chain returns the checksum of the first n > 0 events as Line writes them. Each is computed once. The caller holds mu.
func (s *Study) chain(n int) (chain.Sum, error) {
	for k := len(s.chains); k < n; k++ {
		line, err := s.events[k].Line()
		if err != nil {
			return chain.Sum{}, err
		}
		var before chain.Sum
		if k > 0 {
			before = s.chains[k-1]
		}
		s.chains = append(s.chains, before.Next(line))
	}
	return s.chains[n-1], nil
}

// Hash names a configuration, for a preregistration or a methods text to point to: the SHA-256, in hexadecimal, of its JSON
// in the canonical form of RFC 8785, the keys of every object sorted and no spaces; but a whole number keeps all its digits. Of the
// Config of a Created event it covers every default; what is no part of the log (Journal, Now, Chooser) it does not.
func (c Config) Hash() (string, error) {
	text, err := plainJSON(c)
	if err != nil {
		return "", err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // a seed may have more digits than a float64
	var sorted any
	if err := d.Decode(&sorted); err != nil {
		return "", err
	}
	if text, err = plainJSON(sorted); err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimSuffix(text, []byte("\n")))
	return hex.EncodeToString(sum[:]), nil
}

// plainJSON writes a value as JSON with a line feed, and does not escape what only HTML minds.
func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return out.Bytes(), err
}
