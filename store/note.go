package store

import (
	"context"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Note is something a program keeps beside the log of a study: how a service runs it, who was invited. The
// study does not depend on it, and it is deleted with the study.
type Note struct {
	Study string
	Name  string // of the note within its study
	Rater string // whom it is about, empty for nobody; forgetting this rater removes it
	Body  string
}

// Derived begins the names of notes that were made from a study's answers: forgetting anybody removes them.
const Derived = "derived/"

// FindJSON reads the body of a note, if there is one.
func FindJSON(ctx context.Context, st Notes, study, name string, into any) error {
	note, ok, err := st.FindNote(ctx, study, name)
	if err != nil || !ok {
		return err
	}
	if err := json.Unmarshal([]byte(note.Body), into); err != nil {
		return fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return nil
}

// KeepJSON keeps a note with this body, by KeepNote or KeepNew of a store.
func KeepJSON(ctx context.Context, keep func(context.Context, Note) error, n Note, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	n.Body = string(text)
	return keep(ctx, n)
}

// maxName is the longest name of a study, in characters.
const maxName = 200

// CheckNewName refuses names that no study may be given: those of CheckName, those that an address or a folder takes for something else, and those
// that cannot be told from others by eye. A study that has one of the latter opens.
func CheckNewName(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	switch {
	case name == "." || name == "..":
		return fmt.Errorf("store: %w: %q stands for a folder, and no address leads to it", ErrName, name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("store: %w: %q begins or ends with a blank", ErrName, name)
	}
	if at := strings.IndexFunc(name, hidden); at >= 0 {
		c, _ := utf8.DecodeRuneInString(name[at:])
		return fmt.Errorf("store: %w: %q has the character %U, which is not shown or turns text around", ErrName, name, c)
	}
	return nil
}

// hidden reports characters that turn the direction of text around, or that nobody sees. Joiners, which many scripts and emoji need, are not among them.
func hidden(c rune) bool {
	return unicode.Is(unicode.Bidi_Control, c) || c == '\u200b' || c == '\u2060' || c == '\ufeff' || c == '\u00ad'
}

// CheckName refuses names that could not be printed, typed or put in an address.
func CheckName(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return fmt.Errorf("store: %w: it is empty, want 1 to %d characters", ErrName, maxName)
	case n > maxName:
		return fmt.Errorf("store: %w: %q… has %d characters, want 1 to %d", ErrName, string([]rune(name)[:20]), n, maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("store: %w: %q is not valid UTF-8", ErrName, name)
	case strings.ContainsRune(name, '/'):
		return fmt.Errorf("store: %w: %q has a '/'", ErrName, name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("store: %w: %q has a control character", ErrName, name)
	}
	return nil
}

// Forgotten is the name of the note with the salt of a study's marks: each says that somebody of one name was forgotten and stays out, without the name.
const Forgotten = "forgotten"

// rounds make a mark take about two milliseconds: little for somebody who opens a link, and much for somebody who tries all names.
const rounds = 10_000

// Mark returns the name of the note that keeps a name out of a study: PBKDF2 of the name with the study's salt. Somebody who has the
// store and guesses a name can still find out whether it was forgotten.
func Mark(salt, rater string) string {
	key, err := pbkdf2.Key(sha256.New, rater, []byte(salt), rounds, 16)
	if err != nil {
		panic("store: " + err.Error()) // the lengths are fixed, and allowed
	}
	return fmt.Sprintf("%s %x", Forgotten, key)
}

// likeness begins what the second of two marks is made of. No rater's name has a NUL.
const likeness = "\x00looks like "

// Marks returns the names of both notes that keep a name out: its Mark, and that of all names that look like it. A stranger is held to both marks, and a
// rater whose log the owner merges to the first.
func Marks(salt, rater string) []string {
	return []string{Mark(salt, rater), Mark(salt, likeness+Skeleton(rater))}
}

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
