package live

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// Link is what a token stands for: a rater in a study, or everybody, each of whom gets a name and a token of her own (guest.go).
type Link struct {
	Study     string    `json:"-"`
	ID        string    `json:"id" doc:"Names the link in place of its token, also after it was renewed."`
	Rater     string    `json:"rater,omitempty" doc:"Whose it is."`
	Everybody bool      `json:"everybody,omitempty" doc:"It is for everybody: each gets a name and an address of her own."`
	Through   string    `json:"through,omitempty" doc:"The id of the link for everybody that she came through."`
	Guests    int       `json:"guests,omitempty" doc:"How many came through it, and were asked something."`
	Created   time.Time `json:"created,omitzero"`
	Expires   time.Time `json:"expires,omitzero" doc:"From when on it no longer works; a guest's, with the link she came through."`
	LastAsked time.Time `json:"last_asked,omitzero" doc:"When its rater was last asked something."`

	// Pending says that a guest was asked nothing yet, and nothing is kept of her: Claim does.
	Pending bool `json:"-"`

	// Key names the link to whoever counts what is done with it.
	Key string `json:"-"`
}

// The notes of links. Ended ones have another name, so that programs of before links could end do not find them.
const (
	linkPrefix  = "link "  // and the hash of its token, so that who reads the store cannot answer for her
	endedPrefix = "ended " // the same, of one that was withdrawn or renewed
	guestPrefix = "guest " // and the hash of a name that somebody has who came through a link for everybody
)

// linkBody is what the note of a link says. Those of before have the time, or nothing if they came of a link for everybody.
type linkBody struct {
	ID        string    `json:"id,omitempty"`
	Created   time.Time `json:"created,omitzero"`
	Expires   time.Time `json:"expires,omitzero"`
	Withdrawn time.Time `json:"withdrawn,omitzero"`
	Next      string    `json:"next,omitempty"`    // the hash of the token that replaced it
	Token     string    `json:"token,omitempty"`   // the hash of a guest's token
	Through   string    `json:"through,omitempty"` // the id of the link she came through
}

// readLink returns the body of a link's note, with its id.
func readLink(n contract.Note) (b linkBody, err error) {
	if n.Body != "" {
		if err := json.Unmarshal([]byte(n.Body), &b); err != nil {
			return b, fmt.Errorf("live: study %q, note %q: %w: %w", n.Study, n.Name, contract.ErrCorrupt, err)
		}
	}
	if _, hash, ok := strings.Cut(n.Name, " "); ok && b.ID == "" && len(hash) >= linkID {
		b.ID = hash[:linkID]
	}
	return b, nil
}

// linkID is the length of an id: the beginning of the hash of the link's first token.
const linkID = 12

// NewToken returns 128 bits that nobody can guess, in 22 characters.
func NewToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Invitation says whom a link is for, and until when. The zero value is for nobody, and refused.
type Invitation struct {
	Rater     string
	Everybody bool      // in place of a rater
	Expires   time.Time // zero: never
}

func (i Invitation) validate(now time.Time) error {
	switch {
	case i.Rater == "" && !i.Everybody:
		return invalid("rater", nil, "say whom the link is for: \"rater\" is her name; \"everybody\": true makes one that everybody may open, each under a name of her own")
	case i.Rater != "" && i.Everybody:
		return invalid("everybody", true, "a link is for one rater or for everybody, not both: leave out \"rater\" or \"everybody\"")
	}
	if err := checkExpiry(i.Expires, now); err != nil {
		return err
	}
	return CheckRater(i.Rater)
}

func checkExpiry(expires, now time.Time) error {
	if !expires.IsZero() && !expires.After(now) {
		return invalid("expires", expires.Format(time.RFC3339), "the link would have expired already: it is %s now", now.UTC().Format(time.RFC3339))
	}
	return nil
}

// Invite makes a token. Only its hash is kept. Who was forgotten may come again.
func (s *Studies) Invite(ctx context.Context, study string, i Invitation) (token string, l Link, err error) {
	now := s.cfg.Now().UTC()
	if err := i.validate(now); err != nil {
		return "", l, err
	}
	own, like, err := s.forgotten(ctx, study, i.Rater)
	if err != nil {
		return "", l, err
	}
	for _, mark := range []string{own, like} {
		if mark == "" {
			continue
		}
		if err := s.store.DropNote(ctx, study, mark); err != nil {
			return "", l, err
		}
	}
	return s.newLink(ctx, study, i.Rater, linkBody{Created: now, Expires: i.Expires.UTC()})
}

// newLink keeps a link and tells who watches the study.
func (s *Studies) newLink(ctx context.Context, study, rater string, b linkBody) (token string, l Link, err error) {
	token = NewToken()
	hash := hashOf(token)
	if b.ID == "" {
		b.ID = hash[:linkID]
	}
	note := contract.Note{Study: study, Name: linkPrefix + hash, Rater: rater}
	err = s.Change(ctx, study, linksChanged, "", func(*Study) error { return keepJSON(ctx, s.store, note, b) })
	return token, linkOf(note, b), err
}

func linkOf(n contract.Note, b linkBody) Link {
	return Link{Study: n.Study, ID: b.ID, Rater: n.Rater, Everybody: n.Rater == "", Through: b.Through, Created: b.Created, Expires: b.Expires, Key: n.Name}
}

// Link returns what a token stands for. One that nobody has, or no longer, is an Error that says why.
func (s *Studies) Link(ctx context.Context, token string) (Link, error) {
	if g, ok := readGuest(token); ok {
		return s.guest(ctx, g)
	}
	l, _, err := s.findLink(ctx, hashOf(token))
	return l, err
}

// findLink returns the link whose token has this hash, or an Error; of one that was renewed also the hash of what replaced it.
func (s *Studies) findLink(ctx context.Context, hash string) (l Link, next string, err error) {
	n, ok, err := s.store.FindNote(ctx, "", linkPrefix+hash)
	if err == nil && !ok {
		n, ok, err = s.store.FindNote(ctx, "", endedPrefix+hash)
	}
	if err != nil {
		return l, "", err
	}
	if !ok {
		return l, "", refuse(NoLink, "this link does not work, or no longer: ask whoever gave it to you for a new one")
	}
	b, err := readLink(n)
	if err == nil {
		err = b.ended(s.cfg.Now(), strings.HasPrefix(n.Name, endedPrefix))
	}
	return linkOf(n, b), b.Next, err
}

// ended says why a link no longer works, if it does not.
func (b linkBody) ended(now time.Time, ended bool) error {
	switch {
	case b.Next != "":
		return refuse(LinkRenewed, "another link has taken the place of this one: ask whoever gave it to you for the new one")
	case ended || !b.Withdrawn.IsZero():
		return refuse(LinkWithdrawn, "whoever runs the study has withdrawn this link. What was answered through it is kept; to go on, ask for a new one")
	case !b.Expires.IsZero() && !now.Before(b.Expires):
		return refuse(LinkExpired, "it worked until %s. What was answered through it is kept; to go on, ask whoever gave it to you for a new one",
			b.Expires.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	return nil
}

// forgotten returns the names of the marks that keep a rater out of a study, each empty if there is none: that of the name itself, and that of
// names that look like it, by which only strangers are kept out.
func (s *Studies) forgotten(ctx context.Context, study, rater string) (own, like string, err error) {
	salt, ok, err := s.store.FindNote(ctx, study, contract.Forgotten)
	if err != nil || !ok || rater == "" {
		return "", "", err
	}
	marks := contract.Marks(salt.Body, rater)
	for i, mark := range marks {
		_, ok, err := s.store.FindNote(ctx, study, mark)
		if err != nil {
			return "", "", err
		}
		if !ok {
			marks[i] = ""
		}
	}
	return marks[0], marks[1], nil
}
