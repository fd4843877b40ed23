package terminal

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Style is what a terminal can show.
type Style struct {
	Unicode bool
	Colours int // 0 for none, 16, 256 or TrueColour
}

// TrueColour is the number of colours of a terminal that has them all.
const TrueColour = 1 << 24

// NewStyle reads the environment. Colours are for terminals, and not wanted with NO_COLOR (no-color.org).
func NewStyle(env func(string) string, terminal bool) Style {
	s := Style{Unicode: runtime.GOOS == "windows"}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // in the order of setlocale(3)
		if locale := strings.ToLower(env(name)); locale != "" {
			s.Unicode = strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
			break
		}
	}
	kind := env("TERM")
	switch colour := env("COLORTERM"); {
	case !terminal || env("NO_COLOR") != "" || kind == "dumb":
	case colour == "truecolor" || colour == "24bit" || strings.HasSuffix(kind, "-direct"):
		s.Colours = TrueColour
	case strings.Contains(kind, "256color"):
		s.Colours = 256
	case kind != "":
		s.Colours = 16
	}
	return s
}

func (s Style) sgr(code, text string) string {
	if s.Colours == 0 || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold and Dim set words off where there are colours.
func (s Style) Bold(text string) string { return s.sgr("1", text) }
func (s Style) Dim(text string) string  { return s.sgr("2", text) }

// Glyph returns one of two ways to draw the same thing.
func (s Style) Glyph(unicode, ascii string) string {
	if s.Unicode {
		return unicode
	}
	return ascii
}

// Text makes words from elsewhere fit to be shown: without control characters, and only ASCII where the terminal has nothing else.
func (s Style) Text(t string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		case r > unicode.MaxASCII && !s.Unicode:
			return '?'
		}
		return r
	}, t)
}

// Field paints n columns in a colour, as near as the terminal can.
func (s Style) Field(c Colour, n int) string {
	blank := strings.Repeat(" ", n)
	if s.Colours == TrueColour {
		return fmt.Sprintf("\x1b[48;2;%d;%d;%dm%s\x1b[0m", c.R, c.G, c.B, blank)
	}
	return fmt.Sprintf("\x1b[48;5;%dm%s\x1b[0m", c.cube(), blank)
}

// Paints reports whether field can show a colour that is worth looking at.
func (s Style) Paints() bool { return s.Colours >= 256 }

// columns returns how many columns a character takes (Unicode UAX #11).
func columns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Width returns the columns of a text, escape sequences not counted.
func Width(text string) int {
	n := 0
	eachRune(text, func(r rune, hidden bool) {
		if !hidden {
			n += columns(r)
		}
	})
	return n
}

// eachRune visits the characters of a text; those of an escape sequence, which here is always ESC [ … m, are hidden.
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

// Fit cuts or fills a text to n columns; escape sequences are kept.
func Fit(text string, n int) string {
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

// Wrap breaks a text into lines of at most n ≥ 1 columns, at spaces where there are some.
func Wrap(text string, n int) (out []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && Width(line)+1+Width(word) <= n {
			line += " " + word
			continue
		}
		if line != "" {
			out = append(out, line)
		}
		for Width(word) > n {
			head := ""
			for _, r := range word {
				if head != "" && Width(head)+columns(r) > n {
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

// Colour is a colour of a screen.
type Colour struct{ R, G, B uint8 }

// String writes it as a page does, #rrggbb.
func (c Colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// cube returns the nearest of the 216 colours that terminals with 256 have at 16 to 231.
func (c Colour) cube() int {
	level := func(v uint8) int { // of 0, 95, 135, 175, 215 and 255
		if v < 48 {
			return 0
		}
		return max(1, (int(v)-36)/40)
	}
	return 16 + 36*level(c.R) + 6*level(c.G) + level(c.B)
}

// OKLCH returns the colour of lightness l (0 black, 1 white), hue h in degrees and saturation s, the part of the largest chroma that a screen
// can show there. Equal steps look equal, as a stationary prior hopes for (Ottosson, "A perceptual color space for image processing", 2020).
func OKLCH(l, s, h float64) Colour {
	sin, cos := math.Sincos(h * math.Pi / 180)
	low, high := 0.0, 0.5 // no screen colour has a chroma above 0.33
	for range 40 {
		mid := (low + high) / 2
		if lin := linear(l, mid*cos, mid*sin); slices.Min(lin) >= -1e-4 && slices.Max(lin) <= 1+1e-4 {
			low = mid
		} else {
			high = mid
		}
	}
	var out [3]uint8
	for i, v := range linear(l, s*low*cos, s*low*sin) {
		v = math.Min(1, math.Max(0, v)) // inside but for the gamut's tolerance
		if v <= 0.0031308 {             // IEC 61966-2-1
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = uint8(math.Round(255 * v))
	}
	return Colour{out[0], out[1], out[2]}
}

// linear turns Oklab into linear sRGB, with the matrices of the article.
func linear(l, a, b float64) []float64 {
	cube := func(v float64) float64 { return v * v * v }
	p, q, r := cube(l+0.3963377774*a+0.2158037573*b), cube(l-0.1055613458*a-0.0638541728*b), cube(l-0.0894841775*a-1.2914855480*b)
	return []float64{
		4.0767416621*p - 3.3077115913*q + 0.2309699292*r,
		-1.2684380046*p + 2.6097574011*q - 0.3413193965*r,
		-0.0041960863*p - 0.7034186147*q + 1.7076147010*r,
	}
}
