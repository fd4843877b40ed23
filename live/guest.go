package live

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/internal/confusable"
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

func resembles(rater string) error {
	return refuse(NameTaken, "the name %q looks like that of somebody else in the study. Take another name", rater)
}

// vacant refuses a new name that somebody in the study has, through whichever door she came, one that looks like it, and one that was forgotten.
func (s *Studies) vacant(ctx context.Context, study, rater string) error {
	if err := s.unclaimed(ctx, study, rater); err != nil {
		return err
	}
	return s.With(ctx, study, func(r *Study) error { return r.unlike(rater) })
}

// unclaimed refuses a new name that somebody has a link for, or came through one with, the owner's, those that look like them, and one that was forgotten.
func (s *Studies) unclaimed(ctx context.Context, study, rater string) error {
	if strings.TrimSpace(rater) != rater {
		return invalid("rater", rater, "the name %q begins or ends with a blank: leave it out", rater)
	}
	if own, like, err := s.forgotten(ctx, study, rater); err != nil {
		return err
	} else if own != "" || like != "" {
		return refuse(Forgotten, "what was said under this name was erased on request, and the name stays out of the study. Whoever runs it can invite you again")
	}
	names := []string{OwnersName}
	for _, prefix := range []string{guestPrefix, linkPrefix, endedPrefix} {
		notes, err := s.store.Notes(ctx, study, prefix)
		if err != nil {
			return err
		}
		for _, n := range notes {
			names = append(names, n.Rater)
		}
	}
	return unlike(rater, names)
}

// unlike refuses a name that is one of these, or looks like one of them. Empty ones are nobody's.
func unlike(rater string, names []string) error {
	if slices.Contains(names, rater) {
		return taken(rater)
	}
	skeleton := confusable.Skeleton(rater)
	for _, name := range names {
		if name != "" && confusable.Skeleton(name) == skeleton {
			return resembles(rater)
		}
	}
	return nil
}

// unlike refuses the name of somebody who was asked something or has said something, also if that was taken back, and those that look like it.
func (r *Study) unlike(person string) error { return unlike(person, r.people()) }

// knows reports whether somebody was asked something or has said something, also if that was taken back.
func (r *Study) knows(person string) bool { return slices.Contains(r.people(), person) }

// people returns who was asked something or has said something, also if that was taken back.
func (r *Study) people() []string {
	all := map[string]bool{}
	r.look(func(x *index) {
		for name := range x.order {
			all[PersonOf(name)] = true
		}
	})
	for _, e := range r.Study.History() {
		all[PersonOf(e.Rater)] = true
	}
	return slices.Collect(maps.Keys(all))
}
