package paste

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
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

// fits says whether a value can be what a role wants of a name, as far as a wrong one would spoil the specimen.
func fits(role, name, value string) bool {
	switch role {
	case "ground", "surface", "ink", "on", "accent":
		_, ok := parseColour(value)
		return ok || place.MatchString(value) || name == "hue" && numbers.MatchString(value)
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
// say; the first colour without a role is the accent if there is no other. text is the sheet with the values found, filled the one with places. What the specimen has no use
// for does not vary at first, for nobody would see it.
func (f *finder) specimen(text, filled string) (page string, notes []string) {
	var given strings.Builder
	done, seen, unused := map[string]bool{}, map[string]bool{}, []string{}
	values := map[string]string{}
	give := func(role, as, name string) {
		done[role] = true
		fmt.Fprintf(&given, " --s-%s: "+as+";", role, name)
	}
	declarations(text, func(name, value string) string {
		if !strings.HasPrefix(name, "--") || seen[name] {
			return value
		}
		seen[name], values[name] = true, value
		for _, r := range roles {
			if says(name, r.names...) && !done[r.role] && fits(r.role, r.names[0], value) {
				give(r.role, r.as, name)
				return value
			}
		}
		if !regexp.MustCompile(`var\(\s*` + regexp.QuoteMeta(name) + `\b`).MatchString(text) {
			unused = append(unused, name)
		}
		return value
	})
	if at := slices.IndexFunc(unused, func(name string) bool { _, ok := parseColour(values[name]); return ok }); at >= 0 && !done["accent"] {
		give("accent", "var(%s)", unused[at])
		unused = slices.Delete(unused, at, at+1)
	}
	for i, p := range f.places {
		if slices.ContainsFunc(unused, func(name string) bool {
			name = name[2:]
			return p.Param.Name == name || p.colour && strings.HasPrefix(p.Param.Name, name+" ")
		}) {
			f.places[i].On = false
		}
	}
	if n := len(unused); n > 0 {
		few := strings.Join(unused[:min(n, 3)], ", ")
		if n > 3 {
			few += fmt.Sprintf(" and %d more", n-3)
		}
		notes = append(notes, fmt.Sprintf("The specimen has no use for %s. Give the HTML that they style as well.", few))
	}
	return strings.NewReplacer("/*roles*/", given.String(), "/*sheet*/", filled).Replace(specimenPage), notes
}
