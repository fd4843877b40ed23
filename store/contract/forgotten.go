package contract

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"

	"github.com/prefer-bo/prefer/internal/confusable"
)

// Forgotten is the name of the note with the salt of a study's marks: each says that somebody of one name was forgotten and stays out, without the name.
const Forgotten = "forgotten"

// rounds make a mark take about two milliseconds: little to who opens a link, and much to who tries all names there are.
const rounds = 10_000

// Mark returns the name of the note that keeps a name out of a study: PBKDF2 of the name with the study's salt. Who has the
// store and guesses a name can still find out whether it was forgotten.
func Mark(salt, rater string) string {
	key, err := pbkdf2.Key(sha256.New, rater, []byte(salt), rounds, 16)
	if err != nil {
		panic("contract: " + err.Error()) // the lengths are fixed, and allowed
	}
	return Forgotten + " " + hex.EncodeToString(key)
}

// likeness begins what the second of two marks is made of. No rater's name has a NUL.
const likeness = "\x00looks like "

// Marks returns the names of both notes that keep a name out: its Mark, and that of all names that look like it. Strangers are held to both, who is
// merged by the owner to the first.
func Marks(salt, rater string) []string {
	return []string{Mark(salt, rater), Mark(salt, likeness+confusable.Skeleton(rater))}
}
