// Package language says things to people in their language. Every string is in one file per language, words/<tag>.json, under the key by which templates,
// scripts and Go name it: "answer.undo": "Undo". A value is a whole sentence or the whole label of something, never a part to be put together with others:
// other languages order words otherwise. {name} is a place for something that is only known later. What depends on a number has a form for each plural
// category of the language (CLDR), chosen by the place {n}: {"one": "{n} answer", "other": "{n} answers"}.
//
// golang.org/x/text knows what a browser asks for and which form a number takes. Its own catalogs, and go-i18n's, are not used: their
// places are those of fmt and text/template, which a script cannot fill in; here Go and static/language.js read the same files.
package language

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/language/words"
	"github.com/prefer-bo/prefer/internal/xslices"
	"golang.org/x/text/feature/plural"
	bcp47 "golang.org/x/text/language"
)

// Language is one of those that there are words in. The zero value is English.
type Language struct {
	book  *book
	marks bool // every text stands between ⟦ and ⟧
}

// book is the file of a language.
type book struct {
	tag   bcp47.Tag
	words func() map[string]Entry // read when somebody first speaks it
}

// Entry is the text of a key.
type Entry = words.Entry

// library is all languages, English first, and who finds the best of them.
type library struct {
	all     []Language
	matcher bcp47.Matcher
}

var shelf = sync.OnceValue(func() library {
	var out library
	for _, tag := range words.Tags() {
		read := sync.OnceValue(func() map[string]Entry { return words.Read(tag) })
		if tag == "en" {
			read = words.All
		}
		out.all = append(out.all, Language{book: &book{tag: bcp47.Make(tag), words: read}})
	}
	slices.SortStableFunc(out.all, func(a, b Language) int { // English is where nothing matches
		return strings.Compare(strings.TrimPrefix(a.book.tag.String(), "en"), strings.TrimPrefix(b.book.tag.String(), "en"))
	})
	tags := xslices.Map(out.all, func(l Language) bcp47.Tag { return l.book.tag })
	out.matcher = bcp47.NewMatcher(tags)
	return out
})

// Tags lists the tags of the languages there are, English first.
func Tags() (tags []string) {
	return xslices.Map(shelf().all, func(l Language) string { return l.Tag() })
}

// English is what everything falls back to.
func English() Language { return shelf().all[0] }

// mark puts a text between ⟦ and ⟧.
func mark(e Entry) Entry {
	out := Entry{Text: "⟦" + e.Text + "⟧", Forms: maps.Clone(e.Forms)}
	for category, text := range out.Forms {
		out.Forms[category] = "⟦" + text + "⟧"
	}
	return out
}

// Marks is the language that a browser asks for to read English with every text between ⟦ and ⟧, which shows what was not translated.
const Marks = "en-x-marks"

// Accept returns the best of the languages for what a browser says it wants (Accept-Language, RFC 9110), English if none fits.
func Accept(header string) Language {
	if header == Marks {
		return Language{English().book, true}
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
		return Language{English().book, true}, true
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
	if l.marks {
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
			if l.marks && !strings.HasPrefix(key, "list.") { // glue between texts that are marked
				e = mark(e)
			}
			return e, at, true
		}
	}
	return Entry{}, l, false
}

// T says what stands under a key; places are names and values in turn: T("status.given", "n", 3). An unknown key is returned as it is.
func (l Language) T(key string, places ...any) string {
	e, at, ok := l.entry(key)
	if !ok {
		return key
	}
	return e.Say(at.category, l.Dir() == "rtl", places)
}

// category is the plural category of a number in the language.
func (l Language) category(n int) string {
	form := plural.Cardinal.MatchPlural(l.open().tag, max(n, -n), 0, 0, 0, 0)
	return [...]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}[form]
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

// List joins words as a sentence of the language does: "a, b and c".
func (l Language) List(items []string) string { return words.List(items, l.Dir() == "rtl", l.T) }

// Sentences puts sentences one after the other; those that say nothing are left out.
func (l Language) Sentences(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), l.T("list.space"))
}

// Sentence makes one of words that can stand in one: it begins with a capital and ends with a stop. Nothing stays nothing.
func (l Language) Sentence(text string) string {
	if text == "" || strings.HasSuffix(text, l.T("list.stop")) {
		return text
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + l.T("list.stop")
}

// Percent writes a share in hundredths, to three digits, in Latin digits with a decimal point in all languages, as the values of studies have.
func (l Language) Percent(hundredths float64) string {
	return l.T("number.percent", "n", strconv.FormatFloat(hundredths, 'g', 3, 64))
}
