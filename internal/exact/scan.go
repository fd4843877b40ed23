package exact

import (
	"bytes"
	"encoding/json"
	"errors"
)

// errText is what is said of a text that is no JSON; json.Unmarshal has said more.
var errText = errors.New("no JSON")

// scan goes through a text once. It allocates nothing where names have no escapes and maps are small.
type scan struct {
	data  []byte
	at    int
	names [16][]byte // of the maps it is in, the first n
	n     int
}

// next returns the next character that is no space, 0 at the end.
func (s *scan) next() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// value checks the names in one value, and goes past it.
func (s *scan) value(of *shape) error {
	if of == nil {
		return s.skip()
	}
	switch s.next() {
	case '{':
		return s.object(of)
	case '[':
		return s.list(of.each)
	}
	return s.skip()
}

func (s *scan) list(of *shape) error {
	s.at++
	if s.next() == ']' {
		s.at++
		return nil
	}
	for {
		if err := s.value(of); err != nil {
			return err
		}
		if more, err := s.more(']'); !more {
			return err
		}
	}
}

func (s *scan) object(of *shape) error {
	s.at++
	if s.next() == '}' {
		s.at++
		return nil
	}
	var fields uint64        // those seen
	from := s.n              // the names of a map …
	var many map[string]bool // … and those there is no room for
	for {
		name, err := s.name()
		if err != nil {
			return err
		}
		part := of.each
		if of.free {
			if s.twice(from, name, &many) {
				return &Error{ErrTwice, string(name), ""}
			}
		} else {
			i, ok := of.fields[string(name)]
			if !ok {
				return of.refuse(string(name))
			}
			if fields&(1<<i) != 0 {
				return &Error{ErrTwice, string(name), ""}
			}
			fields |= 1 << i
			part = of.parts[i]
		}
		if err := s.value(part); err != nil {
			return within(name, err)
		}
		if more, err := s.more('}'); !more {
			s.n = from
			return err
		}
	}
}

// more goes past what stands between two elements, or after the last one.
func (s *scan) more(end byte) (bool, error) {
	c := s.next()
	s.at++
	switch c {
	case ',':
		return true, nil
	case end:
		return false, nil
	}
	return false, errText
}

// twice notes a name of a map whose names begin at from, and reports whether it was there: a few are compared, many
// looked up.
func (s *scan) twice(from int, name []byte, many *map[string]bool) bool {
	for _, other := range s.names[from:s.n] {
		if string(other) == string(name) {
			return true
		}
	}
	if s.n < len(s.names) {
		s.names[s.n] = name
		s.n++
		return false
	}
	was := (*many)[string(name)]
	if *many == nil {
		*many = map[string]bool{}
	}
	(*many)[string(name)] = true
	return was
}

// name reads the name that comes next, and goes past its colon.
func (s *scan) name() (name []byte, err error) {
	if s.next() != '"' {
		return nil, errText
	}
	from := s.at
	plain, err := s.text()
	if err != nil {
		return nil, err
	}
	if name = s.data[from+1 : s.at-1]; !plain {
		var text string
		err = json.Unmarshal(s.data[from:s.at], &text)
		name = []byte(text)
	}
	if s.next() != ':' {
		return nil, errText
	}
	s.at++
	return name, err
}

// text goes past the string that begins here, and reports whether it has no escape.
func (s *scan) text() (plain bool, err error) {
	for plain, s.at = true, s.at+1; s.at < len(s.data); s.at++ {
		n := bytes.IndexByte(s.data[s.at:], '"')
		if n < 0 {
			break
		}
		escape := bytes.IndexByte(s.data[s.at:s.at+n], '\\')
		if escape < 0 {
			s.at += n + 1
			return plain, nil
		}
		plain = false
		s.at += escape + 1 // at what is escaped
	}
	return false, errText
}

// skip goes past one value, whatever its names.
func (s *scan) skip() error {
	for depth := 0; ; {
		switch c := s.next(); c {
		case 0:
			return errText
		case '"':
			if _, err := s.text(); err != nil {
				return err
			}
		case '{', '[':
			depth++
			s.at++
			continue
		case '}', ']', ',', ':':
			if depth == 0 {
				return errText
			}
			if s.at++; c == ',' || c == ':' {
				continue
			}
			depth--
		default:
			s.word()
		}
		if depth == 0 {
			return nil
		}
	}
}

// word goes past a number, true, false or null.
func (s *scan) word() {
	for s.at < len(s.data) && !ends[s.data[s.at]] {
		s.at++
	}
}

// ends are the characters that end a number or a word.
var ends = [256]bool{',': true, ':': true, '{': true, '}': true, '[': true, ']': true, '"': true, ' ': true, '\t': true, '\r': true, '\n': true}
