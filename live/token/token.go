// Package token keeps the secrets by which people and programs reach a study: personal and shared links, the tokens of
// guests who came through a shared link, and tokens that only upload logs. A store keeps their hashes, in notes.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/store"
)

// Kind is what a token is for.
type Kind string

const (
	Personal Kind = "personal" // a link: its holder answers as one rater
	Shared   Kind = "shared"   // a link for everybody: it opens the page that gives each visitor a guest's token
	Guest    Kind = "guest"    // of a rater who came through a shared link
	Upload   Kind = "upload"   // its holder adds logs to the study, and reads nothing
)

// Token is a token without its secret, which nobody keeps.
type Token struct {
	Kind  Kind   `json:"-"`
	Study string `json:"-"`

	ID        string    `json:"id" doc:"The link's id, which stays when it is renewed."`
	Rater     string    `json:"rater,omitempty" doc:"The rater."`
	Everybody bool      `json:"everybody,omitempty" doc:"A shared link: everyone gets their own name and address."` // Kind is Shared
	Through   string    `json:"through,omitempty" doc:"The id of the shared link that a guest used."`
	Guests    int       `json:"guests,omitempty" doc:"Number of guests who used it and were asked a question."`
	Created   time.Time `json:"created,omitzero"`
	Expires   time.Time `json:"expires,omitzero" doc:"Expiry; a guest's is that of the shared link."`
	LastAsked time.Time `json:"last_asked,omitzero" doc:"When its rater was last asked something."`

	// Pending says that the store has nothing of a guest yet. Claim keeps the name.
	Pending bool `json:"-"`

	// Key names the token where its requests are counted.
	Key string `json:"-"`
}

// How tokens are written.
const (
	UploadPath   = "/v1/upload" // where a server takes logs
	UploadPrefix = "upload-"    // the prefix of the secret of an upload token
	idLength     = 12           // the length of an id: the beginning of the hash of the token's first secret
	Numbered     = "#"          // parts a rater's name from a number in the names under which the log keeps several open questions of one rater: "ann#2" is ann
)

// Prefixes of the notes of tokens; a hash follows. A link that was withdrawn or renewed moves to "ended ", where programs of
// older versions do not find it. Notes of guests and uploads stay and say that they ended.
const (
	linkPrefix   = "link "   // hash of the secret, so that nobody who reads the store can answer for the rater
	endedPrefix  = "ended "  // the same
	guestPrefix  = "guest "  // hash of the rater's name
	uploadPrefix = "upload " // hash of the secret
)

// body is the body of a token's note. Notes of older versions have Created only, or nothing.
type body struct {
	ID        string    `json:"id,omitempty"`
	Created   time.Time `json:"created,omitzero"`
	Expires   time.Time `json:"expires,omitzero"`
	Withdrawn time.Time `json:"withdrawn,omitzero"`
	Next      string    `json:"next,omitempty"`    // hash of the secret that replaced it
	Token     string    `json:"token,omitempty"`   // hash of a guest's secret
	Through   string    `json:"through,omitempty"` // id of the shared link of a guest
}

// record is a token as its note has it.
type record struct {
	note store.Note
	body
}

// read returns the record of a note, with its id.
func read(n store.Note) (record, error) {
	r := record{note: n}
	if n.Body != "" {
		if err := json.Unmarshal([]byte(n.Body), &r.body); err != nil {
			return r, fmt.Errorf("live: study %q, note %q: %w: %w", n.Study, n.Name, store.ErrCorrupt, err)
		}
	}
	if _, hash, ok := strings.Cut(n.Name, " "); ok && r.ID == "" && len(hash) >= idLength {
		r.ID = hash[:idLength]
	}
	return r, nil
}

func (r record) token() Token {
	kind := Personal
	switch {
	case strings.HasPrefix(r.note.Name, uploadPrefix):
		kind = Upload
	case strings.HasPrefix(r.note.Name, guestPrefix):
		kind = Guest
	case r.note.Rater == "":
		kind = Shared
	}
	return Token{Kind: kind, Study: r.note.Study, ID: r.ID, Rater: r.note.Rater, Everybody: kind == Shared, Through: r.Through, Created: r.Created, Expires: r.Expires, Key: r.note.Name}
}

// works returns why a token no longer works, or nil.
func (r record) works(now time.Time) error {
	switch {
	case r.Next != "":
		return Refuse(LinkRenewed, "this link was renewed: ask the person who gave it to you for the new one")
	case strings.HasPrefix(r.note.Name, endedPrefix) || !r.Withdrawn.IsZero():
		return Refuse(LinkWithdrawn, "the owner revoked this link. Your answers are kept; ask for a new link to go on")
	case !r.Expires.IsZero() && !now.Before(r.Expires):
		return Refuse(LinkExpired, "this link expired on %s. Your answers are kept; ask for a new link to go on",
			r.Expires.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	return nil
}

// NewSecret returns 128 random bits in 22 characters.
func NewSecret() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Hash returns the name that notes have in place of a secret or a rater's name.
func Hash(text string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// CheckRater reports a name that no rater may have.
func CheckRater(rater string) error {
	switch {
	case !utf8.ValidString(rater) || strings.ContainsRune(rater, utf8.RuneError):
		return RefuseField("rater", strings.ToValidUTF8(rater, "\uFFFD"), "a rater's name is valid UTF-8, without U+FFFD, which broken characters become: two names must not become one")
	case strings.ContainsFunc(rater, unicode.IsControl):
		return RefuseField("rater", rater, "a rater's name has no control characters")
	case strings.Contains(rater, Numbered):
		return RefuseField("rater", rater, "a rater's name has no %q: it marks one of several questions of the same rater", Numbered)
	}
	return nil
}

// Error is a request that a study cannot meet, with the reason in words for its sender. Package live returns it too.
type Error struct {
	Code   Code
	Field  string // of the request that is to blame, as in "rater" or "checks.catch[2]"; empty for none
	Value  any    // what stood there, if that helps
	Detail string
}

// Code is the kind of an Error: programs tell them apart by it.
type Code string

// Codes of tokens. Package live has others.
const (
	Invalid       Code = "invalid"        // a field makes no sense
	NoLink        Code = "no_link"        // no token has this secret or id
	LinkWithdrawn Code = "link_withdrawn" // the owner ended it
	LinkExpired   Code = "link_expired"   // its time is over
	LinkRenewed   Code = "link_renewed"   // another secret has replaced it
	NameTaken     Code = "name_taken"     // somebody else has the name
	Forgotten     Code = "forgotten"      // the rater of the name was forgotten, and the name stays out
)

func (e *Error) Error() string { return "live: " + e.Detail }

// Refuse returns an Error about no field in particular.
func Refuse(code Code, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// RefuseField returns the Error of a field that is invalid.
func RefuseField(field string, value any, format string, args ...any) error {
	return &Error{Code: Invalid, Field: field, Value: value, Detail: fmt.Sprintf(format, args...)}
}
