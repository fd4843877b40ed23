package prefer_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// retired are words that must not come back, as regular expressions, each with what to write in its place.
var retired = map[string]string{
	`she|her|hers|herself|himself`: `"they" for a rater, "you" for the reader, "it" for a program`,
	`who(m)?ever`:                  `name the actor: "everyone who", "a caller that"`,
	`fore(tell|tells|told)`:        `"predict", "predicted"`,
	`anew`:                         `"again", or a verb with re-`,
	`stairs?|desks?|roads`:         `"layer", "runner", "ways"`,
}

// kept are places where a retired word is the name of something that is stored, or that other programs use.
var kept = regexp.MustCompile(`"foretold|\x60foretold\x60|Foretold|type-foretold|\bforetold: |\.foretold\b|[?&;]anew=|"anew`)

var (
	heldFiles    = regexp.MustCompile(`\.(go|js|html|css|py|sh|sql|tmpl|json|txt|md)$|^scripts/[a-z]+$|^Makefile$`)
	unheldFolder = regexp.MustCompile(`^(\.git|results|peers/data)$|(^|/)(node_modules|\.venv|build|dist|__pycache__)$`)
	// Licences and axe are of others; this file has the list; other languages have other words; a log of a former version is as it was written.
	unheldFiles = regexp.MustCompile(`licenses\.txt$|axe\.min\.js$|^words_test\.go$|testdata/.*\.json$|words/(ar|de|es|fr|he|ja|zh)\.json$`)
)

// TestRetiredWords: no source, page, text or message has a word of the list.
func TestRetiredWords(t *testing.T) {
	var words []string
	for word := range retired {
		words = append(words, word)
	}
	any := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && unheldFolder.MatchString(name):
			return fs.SkipDir
		case d.IsDir() || unheldFiles.MatchString(name) || !heldFiles.MatchString(name):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			if word := any.FindString(kept.ReplaceAllString(line, "")); word != "" {
				t.Errorf("%s:%d has %q. Write: %s", name, n+1, word, inPlaceOf(word))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// inPlaceOf returns what to write in place of a retired word.
func inPlaceOf(word string) string {
	for pattern, write := range retired {
		if regexp.MustCompile(`(?i)^(` + pattern + `)$`).MatchString(word) {
			return write
		}
	}
	return ""
}
