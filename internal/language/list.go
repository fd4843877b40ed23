package language

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/language/words"
)

// List joins words as a sentence of the language does: "a, b and c".
func (l Language) List(items []string) string { return words.List(items, l.Dir() == "rtl", l.T) }

// Sentences puts sentences one after the other; those that say nothing are left out.
func (l Language) Sentences(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, l.T("list.space"))
}

// Sentence makes one of words that can stand in one: it begins with a capital and ends with a stop. Nothing stays nothing.
func (l Language) Sentence(text string) string {
	if text == "" || strings.HasSuffix(text, l.T("list.stop")) {
		return text
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + l.T("list.stop")
}

// Percent writes a share in hundredths, to three digits. All languages have Latin digits and a decimal point, as the values of studies do: those are
// written by owners, stand in drawings and addresses, and are copied into programs.
func (l Language) Percent(hundredths float64) string {
	return l.T("number.percent", "n", strconv.FormatFloat(hundredths, 'g', 3, 64))
}
