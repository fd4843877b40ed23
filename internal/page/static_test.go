package page

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

var (
	remark = regexp.MustCompile(`(?s)/\*.*?\*/`)
	nested = regexp.MustCompile(`@[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`) // what holds under a condition may change another sheet's
	rule   = regexp.MustCompile(`([^{}]+)\{[^{}]*\}`)
	either = regexp.MustCompile(`:(is|where|not)\([^()]*\)`)
	alone  = regexp.MustCompile(`^\.[a-zA-Z-]+$`)
)

// TestSheets: all sheets are sent as one, so a class that stands alone has its rules in one of them, or two parts of the pages would be laid out by each
// other's.
func TestSheets(t *testing.T) {
	names, err := fs.Glob(files, "styles/*.css")
	if err != nil || len(names) < 2 {
		t.Fatalf("%d sheets, %v", len(names), err)
	}
	home := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		plain := nested.ReplaceAllString(remark.ReplaceAllString(string(text), ""), "")
		for _, r := range rule.FindAllStringSubmatch(plain, -1) {
			for class := range strings.SplitSeq(either.ReplaceAllString(r[1], ":$1"), ",") {
				if class = strings.TrimSpace(class); !alone.MatchString(class) {
					continue
				}
				if other, ok := home[class]; ok && other != name {
					t.Errorf("%s has rules in %s and in %s", class, other, name)
				}
				home[class] = name
			}
		}
	}
	if home[".card"] == "" {
		t.Error("no sheet has the rules of a card: the sheets were not read")
	}
}
