package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// latin has lower-case letters with the Latin letter that they look like, in lower or in upper case: в looks like b as В does like B.
var latin = func() map[rune]rune {
	out := map[rune]rune{}
	for _, pair := range [][2]string{
		{"авеніїјкморстухѕһԁԛԝӏё", "abehiïjkmopctyxshdqwlë"},
		{"αβεζηικμνορτυχγω", "abezhikmvoptuxyw"},
		{"ɑɡ", "ag"},
	} {
		to := []rune(pair[1])
		for i, letter := range []rune(pair[0]) {
			out[letter] = to[i]
		}
	}
	return out
}()

// Skeleton returns a text that two names have in common if they look the same to a person who reads them. It is for comparing and not for showing.
//
// It is a small part of the skeletons of Unicode Technical Standard 39. Covered are: composed and decomposed letters, full-width letters, ligatures
// and other compatibility forms (NFKC); upper and lower case; blanks around a name, and several or other blanks within it; characters that
// are not shown, such as a zero-width space; and the Cyrillic, Greek and Latin letters in the table above. Not covered are digits that look
// like letters (0 and O, 1 and l), pairs of letters (rn and m), accents, and other scripts.
func Skeleton(name string) string {
	letters := strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		c = unicode.ToLower(unicode.ToUpper(c))
		if like, ok := latin[c]; ok {
			return like
		}
		return c
	}, norm.NFKC.String(name))
	return strings.Join(strings.Fields(letters), " ")
}
