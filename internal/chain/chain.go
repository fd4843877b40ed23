// Package chain has the checksums of event logs.
package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Sum is the checksum of a log up to an event: h_i = SHA-256(h_{i−1} ‖ event i as it is kept), with h_0 = 32 bytes of zero, the zero value. Stores keep h_i
// beside every event and the last one, the head, with the study: an event that was changed, lost or exchanged is seen, and so is an end that was cut off.
// Logs with the same head are the same log. It shows accidents, and nothing of who can write events and checksums.
type Sum [sha256.Size]byte

// Next returns the checksum with one more event, as it is kept: without the end of its line.
func (c Sum) Next(line []byte) (next Sum) {
	h := sha256.New()
	h.Write(c[:])
	h.Write(line)
	h.Sum(next[:0])
	return next
}

func (c Sum) String() string { return hex.EncodeToString(c[:]) }

// MarshalText writes a checksum in hexadecimal.
func (c Sum) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, c[:]), nil }

// UnmarshalText reads it.
func (c *Sum) UnmarshalText(text []byte) error {
	read, err := hex.DecodeString(string(text))
	if err != nil || len(read) != len(c) {
		return fmt.Errorf("prefer: checksum %q, want %d hexadecimal digits", text, 2*len(c))
	}
	copy(c[:], read)
	return nil
}
