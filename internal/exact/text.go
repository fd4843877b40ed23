package exact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Text checks that a JSON text says one thing: it is UTF-8, no escape is half of a character, both of which encoding/json would make the same U+FFFD of,
// and no object has a name twice, of which it would take the last. Whether it is JSON at all is left to who decodes it.
func Text(data []byte) error {
	if at := invalid(data); at >= 0 {
		return fmt.Errorf("byte %d is not UTF-8", at+1)
	}
	if at := halved(data); at >= 0 {
		return fmt.Errorf("%s at byte %d is half of a character: a surrogate without its other half", data[at:at+6], at+1)
	}
	return twice(data)
}

// invalid returns where the first byte is that is no UTF-8, or -1.
func invalid(data []byte) int {
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// halved returns where the first escape is that is half of a surrogate pair, or -1. In JSON a backslash begins an escape, wherever it is.
func halved(data []byte) int {
	for at := 0; at < len(data); at++ {
		next := bytes.IndexByte(data[at:], '\\')
		if next < 0 {
			break
		}
		at += next
		r := escaped(data[at:])
		switch {
		case r < 0:
			at++ // over what it escapes
		case !utf16.IsSurrogate(r):
			at += 5
		case utf16.DecodeRune(r, escaped(data[at+6:])) == utf8.RuneError:
			return at
		default:
			at += 11
		}
	}
	return -1
}

// escaped returns the code unit of an escape, \u and four digits, that data begins with, or -1.
func escaped(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// twice reports the first name that an object has twice.
func twice(data []byte) error {
	type level struct {
		names map[string]bool // nil in a list
		value bool            // a name was read, and its value comes
	}
	var levels []level
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil { // the end, or who decodes it will say what is wrong
			return nil
		}
		end := len(levels) - 1
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			levels = levels[:end]
			continue
		}
		if end >= 0 && levels[end].names != nil {
			if levels[end].value = !levels[end].value; levels[end].value {
				name := token.(string)
				if levels[end].names[name] {
					return fmt.Errorf("%q is given twice", name)
				}
				levels[end].names[name] = true
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{names: map[string]bool{}})
		case json.Delim('['):
			levels = append(levels, level{})
		}
	}
}
