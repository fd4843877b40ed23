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

var (
	colours = func(v string) bool { _, ok := parseColour(v); return ok }
	lengths = regexp.MustCompile(`^[+-]?[\d.]+(px|pt|em|rem|ch|vw|vh|%)$`).MatchString
	numbers = regexp.MustCompile(`^[+-]?[\d.]+$`).MatchString
	words   = func(v string) bool { return !lengths(v) && !numbers(v) }
	any     = func(string) bool { return true }
)

// roles are what custom properties do in the specimen page, by words of their names: the first property that fits has the role.
var roles = []struct {
	role, names string
	fits        func(value string) bool // as far as another value would spoil the page
}{
	{"radius", "radius rounded corner", lengths},
	{"turn", "angle rotate rotation tilt", any},
	{"accent", "hue", numbers},
	{"ground", "background bg ground paper page canvas", colours},
	{"surface", "surface card panel raised", colours},
	{"on", "on contrast", colours},
	{"ink", "text fg ink foreground body", colours},
	{"accent", "accent primary brand color colour link", colours},
	{"leading", "leading line", numbers},
	{"letter", "letter tracking", any},
	{"weight", "weight", numbers},
	{"blur", "blur shadow elevation", lengths},
	{"border", "border stroke outline", lengths},
	{"space", "gap space spacing padding pad margin", lengths},
	{"size", "size", lengths},
	{"face", "font family face typeface", words},
	{"opacity", "opacity alpha", numbers},
	{"time", "duration speed transition time", any},
}

// specimen shows a style sheet with a page of common elements, which custom properties style as their names say. text is the sheet with the
// values found, filled the one with placeholders. A property that changes nothing on the page does not vary at first.
func (f *finder) specimen(text, filled string) (page string, notes []string) {
	var given strings.Builder
	done, seen, values, unused := map[string]bool{}, map[string]bool{}, map[string]string{}, []string{}
	give := func(role, value string) {
		done[role] = true
		fmt.Fprintf(&given, " --s-%s: %s;", role, value)
	}
	properties(text, func(name, value string) string {
		if seen[name] {
			return value
		}
		seen[name], values[name] = true, value
		for _, r := range roles {
			if done[r.role] || !says(name, strings.Fields(r.names)...) || !r.fits(value) && !place.MatchString(value) {
				continue
			}
			if use := "var(" + name + ")"; r.names == "hue" {
				give(r.role, "oklch(.52 .12 "+use+")")
			} else {
				give(r.role, use)
			}
			return value
		}
		if !regexp.MustCompile(`var\(\s*` + regexp.QuoteMeta(name) + `\b`).MatchString(text) {
			unused = append(unused, name)
		}
		return value
	})
	if at := slices.IndexFunc(unused, func(name string) bool { return colours(values[name]) }); at >= 0 && !done["accent"] {
		give("accent", "var("+unused[at]+")")
		unused = slices.Delete(unused, at, at+1)
	}
	for i, p := range f.places {
		f.places[i].On = p.On && !slices.ContainsFunc(unused, func(name string) bool {
			return p.Param.Name == name[2:] || p.colour && strings.HasPrefix(p.Param.Name, name[2:]+" ")
		})
	}
	if n := len(unused); n > 0 {
		few := strings.Join(unused[:min(n, 3)], ", ")
		if n > 3 {
			few += fmt.Sprintf(" and %d more", n-3)
		}
		notes = append(notes, fmt.Sprintf("The specimen does not use %s. Give the HTML that they style as well.", few))
	}
	return strings.NewReplacer("/*roles*/", given.String(), "/*sheet*/", filled).Replace(specimenPage), notes
}
