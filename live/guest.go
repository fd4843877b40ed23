package live

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/store/contract"
)

// A guest is somebody who came through a link for everybody. Her token is that link's, a secret of her own and her name, parted
// by dots: it needs no row of its own to be understood, and what it says is checked each time, so that making one up gives
// nobody more than opening the link does. The first thing she does keeps a row: from then on the name is hers alone, by
// the hash of her token.
type guest struct {
	token     string
	everybody string // the token of the link she came through
	rater     string
}

// OwnersName is what an owner's answers are kept under in a study per rater: no guest's name.
const OwnersName = "owner"

// guestName begins the name of who comes without one.
const guestName = "guest-"

// maxGuest is the longest name somebody may come with, in bytes, and anew what tells apart who begins again under one.
const (
	maxGuest = 100
	anew     = 6
)

// readGuest takes a guest's token apart; ok is false if it is none.
func readGuest(token string) (g guest, ok bool) {
	everybody, rest, _ := strings.Cut(token, ".")
	own, name, ok := strings.Cut(rest, ".")
	text, err := base64.RawURLEncoding.DecodeString(name)
	g = guest{token, everybody, string(text)}
	return g, ok && err == nil && own != "" && checkGuest(g.rater, maxGuest+1+anew) == nil
}

// checkGuest refuses names that nobody may come with.
func checkGuest(name string, longest int) error {
	if err := CheckRater(name); err != nil {
		return err
	}
	odd := func(c rune) bool { return !unicode.IsPrint(c) }
	if name == "" || len(name) > longest || strings.ContainsFunc(name, odd) {
		return invalid("rater", name, "a name has 1 to %d printable characters", maxGuest)
	}
	return nil
}

// Visit returns a token for somebody who opens a link for everybody, under the name she comes with, or a made-up one. Nothing
// is kept. A name that somebody else has, whoever gave it to her, is NameTaken, unless she begins anew: then she gets one that
// can be told apart. One that was forgotten stays out.
func (s *Studies) Visit(ctx context.Context, everybody, name string, again bool) (token string, err error) {
	l, err := s.Link(ctx, everybody)
	if err != nil {
		return "", err
	}
	if !l.Everybody {
		return "", refuse(NoLink, "this link is one person's")
	}
	if name == "" {
		name = guestName + NewToken()[:8]
	}
	if err := checkGuest(name, maxGuest); err != nil {
		return "", err
	}
	err = s.vacant(ctx, l.Study, name)
	var refused *Error
	if again && errors.As(err, &refused) && refused.Code == NameTaken {
		name += "-" + NewToken()[:anew]
		err = nil
	}
	return strings.Join([]string{everybody, NewToken(), base64.RawURLEncoding.EncodeToString([]byte(name))}, "."), err
}

// guest returns what a guest's token stands for.
func (s *Studies) guest(ctx context.Context, g guest) (l Link, err error) {
	hash := hashOf(g.everybody)
	through, next, err := s.findLink(ctx, hash)
	for tries := 0; next != "" && tries < maxTries; tries++ { // she came before the link was renewed
		through, next, err = s.findLink(ctx, next)
	}
	if err != nil {
		return l, err
	}
	if !through.Everybody {
		return l, refuse(NoLink, "this link does not work, or no longer: ask whoever gave it to you for a new one")
	}
	l = Link{Study: through.Study, Rater: g.rater, Through: through.ID, Expires: through.Expires}
	n, ok, err := s.store.FindNote(ctx, l.Study, guestPrefix+hashOf(g.rater))
	if err != nil {
		return l, err
	}
	if !ok {
		l.Pending = true
		return l, s.vacant(ctx, l.Study, g.rater)
	}
	b, err := readLink(n)
	if err != nil {
		return l, err
	}
	if b.Token != hashOf(g.token) {
		return l, taken(g.rater)
	}
	l.ID, l.Created, l.Key = b.ID, b.Created, guestPrefix+b.Token
	return l, b.ended(s.cfg.Now(), false)
}

// Claim keeps what makes a guest's name hers, before the first thing she does. Of two who opened the link under one name the
// first has it.
func (s *Studies) Claim(ctx context.Context, token string) error {
	l, err := s.Link(ctx, token)
	if err != nil || !l.Pending {
		return err
	}
	hash := hashOf(token)
	note := contract.Note{Study: l.Study, Name: guestPrefix + hashOf(l.Rater), Rater: l.Rater}
	body, err := json.Marshal(linkBody{ID: hash[:linkID], Token: hash, Through: l.Through, Created: s.cfg.Now().UTC()})
	if err != nil {
		return err
	}
	note.Body = string(body)
	if err := s.store.KeepNew(ctx, note); err != nil {
		return err
	}
	_, err = s.Link(ctx, token)
	return err
}

func taken(rater string) error {
	return refuse(NameTaken, "somebody else has begun as %q, or was invited by that name. If it was you, go on in the browser where you began, or with the link that is yours alone", rater)
}

// vacant refuses a name that somebody in the study has, through whichever door she came, and one that was forgotten.
func (s *Studies) vacant(ctx context.Context, study, rater string) error {
	if err := s.unclaimed(ctx, study, rater); err != nil {
		return err
	}
	return s.With(ctx, study, func(r *Study) error {
		if r.knows(rater) {
			return taken(rater)
		}
		return nil
	})
}

// unclaimed refuses a name that somebody has a link for, or came through one with, the owner's, and one that was forgotten.
func (s *Studies) unclaimed(ctx context.Context, study, rater string) error {
	if mark, err := s.forgotten(ctx, study, rater); err != nil {
		return err
	} else if mark != "" {
		return refuse(Forgotten, "what was said under this name was erased on request, and the name stays out of the study. Whoever runs it can invite you again")
	}
	has := rater == OwnersName
	for _, prefix := range []string{guestPrefix, linkPrefix, endedPrefix} {
		notes, err := s.store.Notes(ctx, study, prefix)
		if err != nil {
			return err
		}
		has = has || slices.ContainsFunc(notes, func(n contract.Note) bool { return n.Rater == rater })
	}
	if has {
		return taken(rater)
	}
	return nil
}

// knows reports whether somebody was asked something or has said something, also if that was taken back.
func (r *Study) knows(person string) (known bool) {
	r.look(func(x *index) {
		for name := range x.order {
			known = known || PersonOf(name) == person
		}
	})
	for _, e := range r.Study.History() {
		known = known || PersonOf(e.Rater) == person
	}
	return known
}
