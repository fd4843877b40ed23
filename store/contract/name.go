package contract

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name of a study, in characters.
const maxName = 200

// CheckName refuses names that could not be printed, typed or put in an address.
func CheckName(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return fmt.Errorf("store: %w: it is empty, want 1 to %d characters", ErrName, maxName)
	case n > maxName:
		return fmt.Errorf("store: %w: %q… has %d characters, want 1 to %d", ErrName, string([]rune(name)[:20]), n, maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("store: %w: %q is not valid UTF-8", ErrName, name)
	case strings.ContainsRune(name, '/'):
		return fmt.Errorf("store: %w: %q has a '/'", ErrName, name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("store: %w: %q has a control character", ErrName, name)
	}
	return nil
}
