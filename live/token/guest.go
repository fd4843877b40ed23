package token

import (
	"context"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/store"
)

// guest is the secret of a guest taken apart: the shared link's secret, one of the guest's own and the name, parted by dots. No note is needed to read it, and
// a made-up one gives no more than the link. Claim keeps a note before the guest does anything: from then on the name belongs to the hash of this secret.
type guest struct {
	secret string
	shared string
	rater  string
}

// Names of guests.
const (
	OwnersName  = "owner"  // the rater under whom a study per rater keeps the owner's answers. No guest has it.
	GuestName   = "guest-" // the prefix of names of guests who came without one
	maxRenewals = 20       // how many renewals of a shared link are followed for a guest
)

const (
	maxGuest = 100 // bytes of a guest's name
	suffix   = 6   // that tells apart a guest who begins again under a name
)

// readGuest takes a guest's secret apart; ok is false if it is not one.
func readGuest(secret string) (g guest, ok bool) {
	shared, rest, _ := strings.Cut(secret, ".")
	own, name, ok := strings.Cut(rest, ".")
	text, err := base64.RawURLEncoding.DecodeString(name)
	g = guest{secret, shared, string(text)}
	return g, ok && err == nil && own != "" && CheckGuest(g.rater) == nil
}

// CheckGuest refuses names that no guest may have.
func CheckGuest(name string) error { return checkGuest(name, maxGuest+1+suffix) }

func checkGuest(name string, longest int) error {
	if err := CheckRater(name); err != nil {
		return err
	}
	odd := func(c rune) bool { return !unicode.IsPrint(c) }
	if name == "" || len(name) > longest || strings.ContainsFunc(name, odd) {
		return RefuseField("rater", name, "a name has 1 to %d printable characters", maxGuest)
	}
	return nil
}

// Visit returns a guest's secret for a visitor of a shared link and keeps nothing. A taken name is NameTaken, or gets a suffix if the visitor begins again.
func (r *Registry) Visit(ctx context.Context, shared, name string, again bool) (secret string, err error) {
	t, err := r.Link(ctx, shared)
	if err != nil {
		return "", err
	}
	if t.Kind != Shared {
		return "", Refuse(NoLink, "this link is personal, not shared")
	}
	if name == "" {
		name = GuestName + NewSecret()[:8]
	}
	if err := checkGuest(name, maxGuest); err != nil {
		return "", err
	}
	err = r.Vacant(ctx, t.Study, name)
	if refused, ok := errors.AsType[*Error](err); ok && again && refused.Code == NameTaken {
		name += "-" + NewSecret()[:suffix]
		err = nil
	}
	return strings.Join([]string{shared, NewSecret(), base64.RawURLEncoding.EncodeToString([]byte(name))}, "."), err
}

func (r *Registry) guest(ctx context.Context, g guest) (t Token, err error) {
	through, err := r.find(ctx, Hash(g.shared), false)
	for tries := 0; through.Next != "" && tries < maxRenewals; tries++ { // the guest came before the link was renewed
		through, err = r.find(ctx, through.Next, false)
	}
	if err != nil {
		return t, err
	}
	if through.token().Kind != Shared {
		return t, errNoLink
	}
	t = Token{Kind: Guest, Study: through.note.Study, Rater: g.rater, Through: through.ID, Expires: through.Expires}
	n, ok, err := r.Store.FindNote(ctx, t.Study, guestPrefix+Hash(g.rater))
	if err != nil {
		return t, err
	}
	if !ok {
		t.Pending = true
		return t, r.Vacant(ctx, t.Study, g.rater)
	}
	rec, err := read(n)
	if err != nil {
		return t, err
	}
	if rec.Token != Hash(g.secret) {
		return t, taken(g.rater)
	}
	t.ID, t.Created, t.Key = rec.ID, rec.Created, guestPrefix+rec.Token
	return t, rec.works(r.Now())
}

// Claim keeps a guest's name, before the first thing the guest does. The first of two visitors of one name gets it.
func (r *Registry) Claim(ctx context.Context, secret string) error {
	t, err := r.Find(ctx, secret)
	if err != nil || !t.Pending {
		return err
	}
	hash := Hash(secret)
	note := store.Note{Study: t.Study, Name: guestPrefix + Hash(t.Rater), Rater: t.Rater}
	b := body{ID: hash[:idLength], Token: hash, Through: t.Through, Created: r.Now().UTC()}
	if err := store.KeepJSON(ctx, r.Store.KeepNew, note, b); err != nil {
		return err
	}
	_, err = r.Find(ctx, secret)
	return err
}

func taken(rater string) error {
	return Refuse(NameTaken, "someone started or was invited as %q. If it was you, use the browser where you started, or your personal link", rater)
}

// Vacant refuses a new name that was forgotten, or is or looks like the owner's or that of somebody who was invited, asked or has answered.
func (r *Registry) Vacant(ctx context.Context, study, rater string) error {
	if strings.TrimSpace(rater) != rater {
		return RefuseField("rater", rater, "the name %q begins or ends with a blank: leave it out", rater)
	}
	if own, like, err := r.Forgotten(ctx, study, rater); err != nil {
		return err
	} else if own != "" || like != "" {
		return Refuse(Forgotten, "the answers under this name were erased on request, and the name cannot be used again. The owner can invite you")
	}
	names := []string{OwnersName}
	for _, prefix := range []string{guestPrefix, linkPrefix, endedPrefix} {
		notes, err := r.Store.Notes(ctx, study, prefix)
		if err != nil {
			return err
		}
		names = append(names, xslices.Map(notes, func(n store.Note) string { return n.Rater })...)
	}
	people, err := r.People(ctx, study)
	if err != nil {
		return err
	}
	names = slices.AppendSeq(names, maps.Keys(people))
	if slices.Contains(names, rater) {
		return taken(rater)
	}
	skeleton := store.Skeleton(rater)
	if slices.ContainsFunc(names, func(name string) bool { return name != "" && store.Skeleton(name) == skeleton }) {
		return Refuse(NameTaken, "the name %q looks like another rater's. Choose another name", rater)
	}
	return nil
}

// Forgotten returns the marks that keep a rater out of a study, empty where there is none: of the name, and of names that look like it, for guests.
func (r *Registry) Forgotten(ctx context.Context, study, rater string) (own, like string, err error) {
	salt, ok, err := r.Store.FindNote(ctx, study, store.Forgotten)
	if err != nil || !ok || rater == "" {
		return "", "", err
	}
	marks := store.Marks(salt.Body, rater)
	for i, mark := range marks {
		_, ok, err := r.Store.FindNote(ctx, study, mark)
		if err != nil {
			return "", "", err
		}
		if !ok {
			marks[i] = ""
		}
	}
	return marks[0], marks[1], nil
}
