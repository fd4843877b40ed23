package paste

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed specimen.html
var specimenPage string

// roles are what custom properties do in the specimen if a name says so: the first property of each. A hue makes an accent.
var roles = []struct {
	role  string
	names []string
	as    string // %s is the property
}{
	{"radius", []string{"radius", "rounded", "corner"}, "var(%s)"},
	{"turn", []string{"angle", "rotate", "rotation", "tilt"}, "var(%s)"},
	{"accent", []string{"hue"}, "oklch(.52 .12 var(%s))"},
	{"ground", []string{"background", "bg", "ground", "paper", "page", "canvas"}, "var(%s)"},
	{"surface", []string{"surface", "card", "panel", "raised"}, "var(%s)"},
	{"on", []string{"on", "contrast"}, "var(%s)"},
	{"ink", []string{"text", "fg", "ink", "foreground", "body"}, "var(%s)"},
	{"accent", []string{"accent", "primary", "brand", "color", "colour", "link"}, "var(%s)"},
	{"leading", []string{"leading", "line"}, "var(%s)"},
	{"letter", []string{"letter", "tracking"}, "var(%s)"},
	{"weight", []string{"weight"}, "var(%s)"},
	{"blur", []string{"blur", "shadow", "elevation"}, "var(%s)"},
	{"border", []string{"border", "stroke", "outline"}, "var(%s)"},
	{"space", []string{"gap", "space", "spacing", "padding", "pad", "margin"}, "var(%s)"},
	{"size", []string{"size"}, "var(%s)"},
	{"face", []string{"font", "family", "face", "typeface"}, "var(%s)"},
	{"opacity", []string{"opacity", "alpha"}, "var(%s)"},
	{"time", []string{"duration", "speed", "transition", "time"}, "var(%s)"},
}

var (
	lengths = regexp.MustCompile(`^[+-]?[\d.]+(px|pt|em|rem|ch|vw|vh|%)$`)
	numbers = regexp.MustCompile(`^[+-]?[\d.]+$`)
)

// fits says whether a value can be what a role wants, as far as a wrong one would spoil the specimen.
func fits(role, value string) bool {
	switch role {
	case "ground", "surface", "ink", "on":
		_, ok := parseColour(value)
		return ok
	case "radius", "blur", "border", "space", "size":
		return lengths.MatchString(value) || place.MatchString(value)
	case "weight", "leading", "opacity":
		return numbers.MatchString(value) || place.MatchString(value)
	case "face":
		return !lengths.MatchString(value) && !numbers.MatchString(value)
	}
	return true
}

// specimen shows a style sheet with a page of common things: what its rules are for, and custom properties by what their names
// say. text is the sheet with the values found, filled the one with places.
func specimen(text, filled string) (page string, notes []string) {
	var given strings.Builder
	done, seen, unused := map[string]bool{}, map[string]bool{}, []string{}
	declarations(text, func(name, value string) string {
		if !strings.HasPrefix(name, "--") || seen[name] {
			return value
		}
		seen[name] = true
		for _, r := range roles {
			if says(name, r.names...) && !done[r.role] && fits(r.role, value) {
				done[r.role] = true
				fmt.Fprintf(&given, " --s-%s: "+r.as+";", r.role, name)
				return value
			}
		}
		if !regexp.MustCompile(`var\(\s*` + regexp.QuoteMeta(name) + `\b`).MatchString(text) {
			unused = append(unused, name)
		}
		return value
	})
	if len(unused) > 0 {
		notes = append(notes, fmt.Sprintf("The specimen has no use for %s. Give the HTML that it styles as well.", strings.Join(unused[:min(len(unused), 4)], ", ")))
	}
	return strings.NewReplacer("/*roles*/", given.String(), "/*sheet*/", filled).Replace(specimenPage), notes
}
