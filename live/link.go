package live

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// Link is what a rater's token stands for: her name in a study. One without a name is for everybody, and gives whoever
// comes with it a link of her own.
type Link struct {
	Study string
	Rater string
	Key   string // names the link in place of the token
}

// NewToken returns 128 bits that nobody can guess, in 22 characters.
func NewToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// linkNote returns the name of the note a rater's token is kept under: a hash, so that who reads the store
// cannot answer for her.
func linkNote(token string) string {
	sum := sha256.Sum256([]byte(token))
	return linkPrefix + hex.EncodeToString(sum[:])
}

const linkPrefix = "link "

// Invite makes a token for a rater. Only its hash is kept.
func (s *Studies) Invite(ctx context.Context, study, rater string) (token string, err error) {
	if err := CheckRater(rater); err != nil {
		return "", err
	}
	token = NewToken()
	note := contract.Note{Study: study, Name: linkNote(token), Rater: rater}
	return token, keepJSON(ctx, s.store, note, map[string]time.Time{"created": s.cfg.Now().UTC()})
}

// Link returns what a token stands for; ok is false if nobody has it.
func (s *Studies) Link(ctx context.Context, token string) (l Link, ok bool, err error) {
	note, ok, err := s.store.FindNote(ctx, "", linkNote(token))
	if err != nil || !ok {
		return Link{}, false, err
	}
	return Link{Study: note.Study, Rater: note.Rater, Key: note.Name}, true, nil
}

// OwnLink returns the token of a rater who comes with a token for everybody. It is derived from that, 128 bits of a
// hash which nobody can invert or guess who does not have it, so the same name gets the same token again.
func (s *Studies) OwnLink(ctx context.Context, study, everybody, rater string) (token string, err error) {
	sum := sha256.Sum256([]byte("prefer rater " + everybody + "\x00" + rater))
	token = base64.RawURLEncoding.EncodeToString(sum[:16])
	if _, known, err := s.Link(ctx, token); known || err != nil {
		return token, err
	}
	return token, s.store.KeepNote(ctx, contract.Note{Study: study, Name: linkNote(token), Rater: rater})
}
