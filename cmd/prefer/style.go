package main

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"
)

// style is what a terminal can show.
type style struct {
	unicode bool
	colours int // 0 for none, 16, 256 or trueColour
}

const trueColour = 1 << 24

// newStyle reads the environment. Colours are for terminals, and not wanted with NO_COLOR (no-color.org).
func newStyle(env func(string) string, terminal bool) style {
	s := style{unicode: runtime.GOOS == "windows"}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // in the order of setlocale(3)
		if locale := strings.ToLower(env(name)); locale != "" {
			s.unicode = strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
			break
		}
	}
	kind := env("TERM")
	switch colour := env("COLORTERM"); {
	case !terminal || env("NO_COLOR") != "" || kind == "dumb":
	case colour == "truecolor" || colour == "24bit" || strings.HasSuffix(kind, "-direct"):
		s.colours = trueColour
	case strings.Contains(kind, "256color"):
		s.colours = 256
	case kind != "":
		s.colours = 16
	}
	return s
}

func (s style) sgr(code, text string) string {
	if s.colours == 0 || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.sgr("1", text) }
func (s style) dim(text string) string  { return s.sgr("2", text) }

// glyph returns one of two ways to draw the same thing.
func (s style) glyph(unicode, ascii string) string {
	if s.unicode {
		return unicode
	}
	return ascii
}

// text makes words from elsewhere fit to be shown: no control characters, which could do anything to a
// terminal, and only ASCII where there is nothing else.
func (s style) text(t string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		case r > unicode.MaxASCII && !s.unicode:
			return '?'
		}
		return r
	}, t)
}

// field paints n columns in a colour, as near as the terminal can.
func (s style) field(c rgb, n int) string {
	blank := strings.Repeat(" ", n)
	if s.colours == trueColour {
		return fmt.Sprintf("\x1b[48;2;%d;%d;%dm%s\x1b[0m", c.r, c.g, c.b, blank)
	}
	return fmt.Sprintf("\x1b[48;5;%dm%s\x1b[0m", c.cube(), blank)
}

// paints reports whether field can show a colour that is worth looking at.
func (s style) paints() bool { return s.colours >= 256 }

// wide are the characters that take two columns (Unicode UAX #11, W and F, in the large).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{0x1100, 0x115f, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1}},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}

// columns returns the place a character takes.
func columns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// width returns the columns of a text, escape sequences not counted.
func width(text string) int {
	n := 0
	eachRune(text, func(r rune, hidden bool) {
		if !hidden {
			n += columns(r)
		}
	})
	return n
}

// eachRune visits the characters of a text; those of an escape sequence, which this program only makes of
// ESC [ … m, are hidden.
func eachRune(text string, visit func(r rune, hidden bool)) {
	inside := false
	for _, r := range text {
		if r == escape {
			inside = true
		}
		visit(r, inside)
		if inside && r == 'm' {
			inside = false
		}
	}
}

// fit cuts or fills a text to n columns; escape sequences are kept.
func fit(text string, n int) string {
	var b strings.Builder
	used, full := 0, false
	eachRune(text, func(r rune, hidden bool) {
		if !hidden {
			if full = full || used+columns(r) > n; full {
				return
			}
			used += columns(r)
		}
		b.WriteRune(r)
	})
	return b.String() + strings.Repeat(" ", n-used)
}

// wrap breaks a text into lines of at most n ≥ 1 columns, at spaces where there are some.
func wrap(text string, n int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && width(line)+1+width(word) <= n {
			line += " " + word
			continue
		}
		if line != "" {
			out = append(out, line)
		}
		for width(word) > n {
			head := ""
			for _, r := range word {
				if head != "" && width(head)+columns(r) > n {
					break
				}
				head += string(r)
			}
			out, word = append(out, head), strings.TrimPrefix(word, head)
		}
		line = word
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}
