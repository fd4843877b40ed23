// Package words holds the texts of all languages, one JSON file each, and fills in their places. It chooses plural forms for English alone, so that
// a study can say its results without golang.org/x/text; package language does so for every language.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer/internal/xslices"
)

//go:embed *.json
var files embed.FS

// Entry is the text of a key: the same for all numbers, or a form for each plural category.
type Entry struct {
	Text  string
	Forms map[string]string // by category: zero, one, two, few, many, other
}

// UnmarshalJSON reads a text, or an object of forms.
func (e *Entry) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return json.Unmarshal(text, &e.Forms)
	}
	return json.Unmarshal(text, &e.Text)
}

// MarshalJSON writes what UnmarshalJSON reads.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.Forms != nil {
		return json.Marshal(e.Forms)
	}
	return json.Marshal(e.Text)
}

// Say fills in the places of the text, names and values in turn. The place "n" chooses the plural form; rtl says that the language is right to left.
func (e Entry) Say(category func(n int) string, rtl bool, places []any) string {
	text := e.Text
	if e.Forms != nil {
		n := 0
		for i := 0; i+1 < len(places); i += 2 {
			if places[i] == "n" {
				n, _ = places[i+1].(int)
			}
		}
		var ok bool
		if text, ok = e.Forms[category(n)]; !ok {
			text = e.Forms["other"]
		}
	}
	if !strings.Contains(text, "{") {
		return text
	}
	var pairs []string
	for i := 0; i+1 < len(places); i += 2 {
		value := fmt.Sprint(places[i+1])
		if _, ok := places[i+1].(string); ok {
			value = Isolate(value, rtl)
		}
		pairs = append(pairs, fmt.Sprint("{", places[i], "}"), value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Isolate puts isolates (U+2068, U+2069) round a text if it, or the language, is written from right to left, to keep punctuation in place.
func Isolate(text string, rtl bool) string {
	if rtl || strings.ContainsFunc(text, rightToLeft) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc
}

// List joins items as a sentence of a language does, "a, b and c"; text says the texts of the language.
func List(items []string, rtl bool, text func(key string, places ...any) string) string {
	apart := xslices.Map(items, func(item string) string { return Isolate(item, rtl) })
	if len(apart) < 2 {
		return strings.Join(apart, "")
	}
	last := len(apart) - 1
	return strings.NewReplacer("{first}", strings.Join(apart[:last], text("list.comma")), "{last}", apart[last]).Replace(text("list.and"))
}

// Tags lists the languages by their BCP 47 tags, in alphabetical order.
func Tags() (tags []string) {
	entries, _ := files.ReadDir(".") // it is in the program
	for _, e := range entries {
		tags = append(tags, strings.TrimSuffix(e.Name(), ".json"))
	}
	return tags
}

// Read reads the texts of a language.
func Read(tag string) (all map[string]Entry) {
	text, err := fs.ReadFile(files, tag+".json")
	if err != nil {
		panic(err) // Tags lists the files that are in the program
	}
	if err := json.Unmarshal(text, &all); err != nil {
		panic(fmt.Errorf("language: %s: %w", tag, err)) // likewise
	}
	return all
}

// All returns the English texts, read once.
var All = sync.OnceValue(func() map[string]Entry { return Read("en") })

// English says the text of a key in English; a key without a text is returned as it is.
func English(key string, places ...any) string {
	e, ok := All()[key]
	if !ok {
		return key
	}
	return e.Say(func(n int) string {
		if n == 1 || n == -1 {
			return "one"
		}
		return "other"
	}, false, places)
}
