package prefer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

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
