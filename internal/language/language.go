// Package language says things to people in their language. Every string is in one file per language, words/<tag>.json, under the
// key by which templates, scripts and Go name it: "answer.undo": "Undo". A value is a whole sentence or the whole label of
// something, never a part to be put together with others: other languages order words otherwise. {name} is a place for something
// that is only known later. What depends on a number has a form for each plural category of the language (CLDR), chosen by the place
// {n}: {"one": "{n} answer", "other": "{n} answers"}.
//
// golang.org/x/text knows what a browser asks for and which form a number takes. Its own catalogs, and go-i18n's, are not used: their
// places are those of fmt and text/template, which a script cannot fill in; here Go and static/language.js read the same files.
package language

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	bcp47 "golang.org/x/text/language"
)

//go:embed words
var files embed.FS

// Language is one of those that there are words in. The zero value is English.
type Language struct{ book *book }

// book is the file of a language.
type book struct {
	tag   bcp47.Tag
	words func() map[string]Entry // read when somebody first speaks it
}

// Entry is what stands under a key: the same text for all numbers, or a form for each plural category.
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

// library is all languages, English first, and who finds the best of them.
type library struct {
	all     []Language
	matcher bcp47.Matcher
}

var shelf = sync.OnceValue(func() library {
	names, err := fs.Glob(files, "words/*.json")
	if err != nil {
		panic(err) // a pattern that is no pattern
	}
	var out library
	for _, name := range names {
		out.all = append(out.all, Language{&book{tag: bcp47.Make(strings.TrimSuffix(path.Base(name), ".json")), words: sync.OnceValue(func() map[string]Entry { return read(name) })}})
	}
	slices.SortStableFunc(out.all, func(a, b Language) int { // English is where nothing matches
		return strings.Compare(strings.TrimPrefix(a.book.tag.String(), "en"), strings.TrimPrefix(b.book.tag.String(), "en"))
	})
	var tags []bcp47.Tag
	for _, l := range out.all {
		tags = append(tags, l.book.tag)
	}
	out.matcher = bcp47.NewMatcher(tags)
	return out
})

// read reads the file of a language.
func read(name string) (words map[string]Entry) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err) // it is in the program
	}
	if err := json.Unmarshal(text, &words); err != nil {
		panic(fmt.Errorf("language: %s: %w", name, err)) // likewise
	}
	return words
}

// All lists the languages there are, English first.
func All() []Language { return slices.Clone(shelf().all) }

// Tags lists their tags.
func Tags() (tags []string) {
	for _, l := range shelf().all {
		tags = append(tags, l.Tag())
	}
	return tags
}

// English is what everything falls back to.
func English() Language { return shelf().all[0] }

// marked is English with every text between ⟦ and ⟧.
var marked = sync.OnceValue(func() Language {
	words := map[string]Entry{}
	mark := func(text string) string { return "⟦" + text + "⟧" }
	for key, e := range English().book.words() {
		if strings.HasPrefix(key, "list.") {
			words[key] = e // glue between texts that are marked
			continue
		}
		out := Entry{Text: mark(e.Text)}
		if e.Forms != nil {
			out = Entry{Forms: map[string]string{}}
			for category, text := range e.Forms {
				out.Forms[category] = mark(text)
			}
		}
		words[key] = out
	}
	return Language{&book{tag: bcp47.English, words: func() map[string]Entry { return words }}}
})

// Marks is what a browser asks for, as its language, to read English with every text between ⟦ and ⟧. What stands outside was written by a
// person, or cannot be translated.
const Marks = "en-x-marks"

// Accept returns the best of the languages for what a browser says it wants (Accept-Language, RFC 9110), English if none fits.
func Accept(header string) Language {
	if header == Marks {
		return marked()
	}
	tags, _, err := bcp47.ParseAcceptLanguage(header)
	if err != nil {
		return English()
	}
	_, at, confidence := shelf().matcher.Match(tags...)
	if confidence == bcp47.No {
		return English()
	}
	return shelf().all[at]
}

// Of returns the language of a BCP 47 tag like "de" or "pt-BR"; ok is false if there are no words in it.
func Of(tag string) (_ Language, ok bool) {
	if tag == Marks {
		return marked(), true
	}
	parsed, err := bcp47.Parse(tag)
	if err != nil {
		return English(), false
	}
	_, at, _ := shelf().matcher.Match(parsed)
	l := shelf().all[at]
	wanted, _ := parsed.Base()
	found, _ := l.book.tag.Base()
	return l, wanted == found // the matcher has a next best for every language
}

func (l Language) open() *book {
	if l.book == nil {
		return English().book
	}
	return l.book
}

// Tag is the language as HTML has it, in lang.
func (l Language) Tag() string {
	if l.book == marked().book {
		return Marks
	}
	return l.open().tag.String()
}

// Dir is the direction it is written in, "ltr" or "rtl".
func (l Language) Dir() string {
	script, _ := l.open().tag.Script()
	if slices.Contains([]string{"Arab", "Hebr", "Syrc", "Thaa", "Nkoo"}, script.String()) {
		return "rtl"
	}
	return "ltr"
}

// entry returns what stands under a key, in English if the language has nothing there; ok is false if there is no such key.
func (l Language) entry(key string) (_ Entry, at Language, ok bool) {
	for _, at := range []Language{l, English()} {
		if e, ok := at.open().words()[key]; ok {
			return e, at, true
		}
	}
	return Entry{}, l, false
}

// T says what stands under a key. Places are names and values in turn: T("status.given", "n", 3). A key that there is not is
// returned as it is, for a page in spite of it; a test finds it first.
func (l Language) T(key string, places ...any) string {
	e, at, ok := l.entry(key)
	if !ok {
		return key
	}
	text := e.Text
	if e.Forms != nil {
		n := 0
		for i := 0; i+1 < len(places); i += 2 {
			if places[i] == "n" {
				n, _ = places[i+1].(int)
			}
		}
		if text, ok = e.Forms[at.category(n)]; !ok {
			text = e.Forms["other"]
		}
	}
	if !strings.Contains(text, "{") {
		return text
	}
	var pairs []string
	for i := 0; i+1 < len(places); i += 2 {
		pairs = append(pairs, fmt.Sprint("{", places[i], "}"), l.place(places[i+1]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// category is the plural category of a number in the language.
func (l Language) category(n int) string {
	form := plural.Cardinal.MatchPlural(l.open().tag, max(n, -n), 0, 0, 0, 0)
	return [...]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}[form]
}

// place writes what goes into a sentence. Words of the other direction are set apart by isolates (U+2068, U+2069), or they would carry
// the punctuation round them along.
func (l Language) place(v any) string {
	text := fmt.Sprint(v)
	if _, ok := v.(string); ok && (l.Dir() == "rtl" || strings.ContainsFunc(text, rightToLeft)) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

// rightToLeft reports whether a letter is of a script that is written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc
}

// Entries returns what stands under keys, for a script to fill in.
func (l Language) Entries(keys []string) map[string]Entry {
	out := make(map[string]Entry, len(keys))
	for _, key := range keys {
		if e, _, ok := l.entry(key); ok {
			out[key] = e
		}
	}
	return out
}

// Keys lists what English has, which is all there is.
func Keys() []string { return slices.Sorted(maps.Keys(English().book.words())) }
