package contract

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
)

// Forgotten is the name of the note with the salt of a study's marks: each says that somebody of one name was forgotten and
// stays out, without the name.
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
