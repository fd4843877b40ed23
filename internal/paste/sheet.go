package paste

import (
	"regexp"
	"strings"
)

// property is the name at the end of what stands before a colon.
var property = regexp.MustCompile(`(--[\pL_][\pL\pN_-]*|[a-zA-Z][a-zA-Z-]*)\s*$`)

// declarations passes every declaration of a style sheet, "property: value", to do, and puts what it returns in place of the
// value. Comments, strings and what is in brackets are passed over; what is no declaration stays as it is.
func declarations(sheet string, do func(property, value string) string) string {
	var out strings.Builder
	begin, colon, depth, braces := 0, -1, 0, strings.Contains(sheet, "{")
	flush := func(end int, declares bool) {
		defer func() { begin, colon, depth = end, -1, 0 }()
		if !declares || colon < 0 {
			out.WriteString(sheet[begin:end])
			return
		}
		name, value := property.FindStringSubmatch(sheet[begin:colon]), strings.TrimSpace(sheet[colon+1:end])
		if name == nil || value == "" {
			out.WriteString(sheet[begin:end])
			return
		}
		at := colon + 1 + strings.Index(sheet[colon+1:end], value)
		out.WriteString(sheet[begin:at] + do(name[1], value) + sheet[at+len(value):end])
	}
	for i := 0; i < len(sheet); i++ {
		switch c := sheet[i]; {
		case c == '/' && strings.HasPrefix(sheet[i:], "/*"):
			i = skip(sheet, i+2, "*/")
		case c == '"' || c == '\'':
			i = quoted(sheet, i)
		case c == '(':
			depth++
		case c == ')':
			depth = max(0, depth-1)
		case c == ':' && depth == 0 && colon < 0:
			colon = i
		case c == '{':
			flush(i, false)
		case c == '}' || c == ';' && depth == 0:
			flush(i, true)
		}
	}
	flush(len(sheet), !braces)
	return out.String()
}

// skip returns where the end of something is, or of all.
func skip(text string, from int, end string) int {
	if at := strings.Index(text[from:], end); at >= 0 {
		return from + at + len(end) - 1
	}
	return len(text)
}

// quoted returns where a string ends that begins at a quote; a line ends it, too.
func quoted(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at], '\n':
			return i
		}
	}
	return len(text)
}

// isSheet says whether a text declares anything.
func isSheet(text string) bool {
	found := false
	declarations(text, func(_, value string) string {
		found = found || !strings.HasPrefix(value, "//") // an address of another kind
		return value
	})
	return found
}

// vary finds what could vary in a style sheet: custom properties, or where none is anywhere the values of all properties.
func (f *finder) vary(sheet string, custom bool) string {
	return declarations(sheet, func(name, value string) string {
		own := strings.HasPrefix(name, "--")
		if own != custom {
			return value
		}
		return f.styled(strings.TrimPrefix(name, "--"), value, own)
	})
}

// hasCustom says whether a style sheet declares custom properties.
func hasCustom(sheet string) bool {
	found := false
	declarations(sheet, func(name, value string) string {
		found = found || strings.HasPrefix(name, "--")
		return value
	})
	return found
}

var class = regexp.MustCompile(`\.([a-zA-Z][\w-]*)[^{};]*\{`)

// sheet makes a proposal of a style sheet, shown with the page it belongs to, or a specimen.
func (f *finder) sheet(text, markup string) Proposal {
	p := Proposal{Is: "CSS", Kind: "html", Name: "style"}
	if m := class.FindStringSubmatch(text); m != nil {
		p.Name = title(m[1])
	}
	custom := hasCustom(text)
	if !strings.Contains(text, "{") || place.MatchString(text) && !strings.Contains(place.ReplaceAllString(text, ""), "{") {
		if custom {
			text = ":root {\n" + text + "\n}"
		} else {
			text = ".card {\n" + text + "\n}"
		}
	}
	sheet := text
	if place.MatchString(text) {
		f.known(text)
	} else {
		sheet = f.vary(text, custom)
	}
	sheet = strings.ReplaceAll(sheet, "</", "<\\/") // nothing in a sheet ends its element
	if markup == "" {
		p.Text, p.Notes = f.specimen(text, sheet)
		return p
	}
	f.known(markup)
	style := "<style>\n" + sheet + "\n</style>\n"
	if at := strings.Index(strings.ToLower(markup), "</head>"); at >= 0 {
		p.Text = markup[:at] + style + markup[at:]
	} else {
		p.Text = "<!doctype html>\n<meta charset=\"utf-8\">\n" + style + markup
	}
	if name := heading(markup); name != "" {
		p.Name = name
	}
	return p
}
