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

// role matches a line of the page about what a custom property can do there: the role, the kinds of value it takes, and words of names that say so.
var role = regexp.MustCompile(`(?m)^(\w+) \(([\w ]+)\): (.*)$`)

// specimen shows a style sheet with a page of common elements, which custom properties style as their names say: the first property that fits has
// the role. text is the sheet with the values found, filled the one with placeholders.
func (f *finder) specimen(text, filled string) (page string, notes []string) {
	given, firstColour, roles := "", "", role.FindAllStringSubmatch(specimenPage, -1)
	give := func(role, value string) {
		given += fmt.Sprintf(" --s-%s: %s;", role, value)
		roles = slices.DeleteFunc(roles, func(r []string) bool { return r[1] == role })
	}
	seen := map[string]bool{}
	properties(text, func(name, value string) string {
		if seen[name] {
			return value
		}
		seen[name] = true
		use := "var(" + name + ")"
		for _, r := range roles {
			if says(name, r[3]) && (r[2] == "any" || strings.Contains(r[2], kindOf(value)) || place.MatchString(value)) {
				if r[3] == "hue" {
					use = "oklch(.52 .12 " + use + ")"
				}
				give(r[1], use)
				return value
			}
		}
		if regexp.MustCompile(`var\(\s*` + regexp.QuoteMeta(name) + `\b`).MatchString(text) {
			return value
		}
		f.unused = append(f.unused, name)
		if firstColour == "" && kindOf(value) == "colour" {
			firstColour = name
		}
		return value
	})
	if firstColour != "" && !strings.Contains(given, "--s-accent:") {
		give("accent", "var("+firstColour+")")
		f.unused = slices.DeleteFunc(f.unused, func(name string) bool { return name == firstColour })
	}
	if n := len(f.unused); n > 0 {
		few := strings.Join(f.unused[:min(n, 3)], ", ")
		if n > 3 {
			few += fmt.Sprintf(" and %d more", n-3)
		}
		notes = append(notes, fmt.Sprintf("The specimen does not use %s. Give the HTML that they style as well.", few))
	}
	return strings.NewReplacer("/*roles*/", given, "/*sheet*/", filled).Replace(specimenPage), notes
}
