package prefer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Limits of what an answer may carry beside its choice, in characters and names.
const (
	maxNote     = 10_000 // characters of Answer.Note
	MaxMeta     = 32     // names in Answer.Meta
	maxMetaName = 64     // characters of a name in Answer.Meta
	maxMetaWord = 4_000  // characters of a word in Answer.Meta
)

// Meta is what a program keeps beside an answer, by name: a model, what it was given to compare on, how many tokens that took.
type Meta map[string]space.Value

// String writes it in one line, names in order: "model m1, tokens 512".
func (m Meta) String() string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" "+m[name].String())
	}
	return strings.Join(parts, ", ")
}

// Validate refuses what is too long, or no text or number that a log could give back as it was.
func (m Meta) Validate() error {
	if len(m) > MaxMeta {
		return coding.RefuseField("answer", "meta", m, "answer has meta of %d names, want at most %d", len(m), MaxMeta)
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := m[name]
		if name == "" {
			return coding.RefuseField("answer", "meta", m, "answer has meta %q without a name", v)
		}
		if err := checkText("meta name", name, maxMetaName, false); err != nil {
			return err
		}
		if err := checkText(fmt.Sprintf("meta %q", name), v.Word(), maxMetaWord, true); err != nil {
			return err
		}
		if x, ok := v.Any().(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return coding.RefuseField("answer", "meta", m, "answer has meta %q of %v, want a finite number, a word, true or false", name, v)
		}
	}
	return nil
}

// validateNote refuses a note that is too long, or is no text.
func validateNote(note string) error { return checkText("note", note, maxNote, true) }

// checkText refuses a text of more than most characters, or with others than text has: line ends and tabs are its own where it may be long.
func checkText(what, text string, most int, long bool) error {
	shown := text
	if r := []rune(text); len(r) > 40 {
		shown = string(r[:40]) + "…"
	}
	strange := func(r rune) bool {
		return unicode.IsControl(r) && !(long && strings.ContainsRune("\t\n\r", r))
	}
	switch n := utf8.RuneCountInString(text); {
	case n > most:
		return coding.RefuseField("answer", what, shown, "answer has %s of %d characters, %q, want at most %d", what, n, shown, most)
	case !utf8.ValidString(text):
		return coding.RefuseField("answer", what, shown, "answer has %s %q, which is not valid UTF-8", what, shown)
	case strings.ContainsFunc(text, strange):
		return coding.RefuseField("answer", what, shown, "answer has %s %q, which has control characters", what, shown)
	}
	return nil
}
