package prefer

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// coded stands for any Error with this code, in tests that compare errors.
type coded string

func (c coded) Error() string { return string(c) }

// wraps is errors.Is that knows codes.
func wraps(err, want error) bool {
	if c, ok := want.(coded); ok {
		return errcode.Of(err) == string(c)
	}
	return errors.Is(err, want)
}

// Every code that an error of the library can have is documented with Error, and no other is.
func TestCodesDocumented(t *testing.T) {
	files, _ := filepath.Glob("*.go")
	more, _ := filepath.Glob("internal/coding/*.go")
	used := map[string]bool{"option": true}
	var doc string
	call := regexp.MustCompile(`(?:Refuse|RefuseField|notFound)\("(\w+)"|Code: +"(\w+)"`)
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if f == "errors.go" {
			doc, _, _ = strings.Cut(string(text), "type Error")
		}
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			used[m[1]+m[2]] = true
		}
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+(?:, \w+)*)  `).FindAllStringSubmatch(doc, -1) {
		for _, code := range strings.Split(m[1], ", ") {
			listed[code] = true
		}
	}
	for code := range used {
		if !listed[code] {
			t.Errorf("code %q is not in the documentation of Error", code)
		}
	}
	for code := range listed {
		if !used[code] {
			t.Errorf("code %q is documented, but no error has it", code)
		}
	}
}
