package token

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/store"
)

// Registry has the tokens of all studies. All methods are safe for concurrent use.
type Registry struct {
	Store store.Notes
	Now   func() time.Time

	// Change runs do if there is such a study, and notifies its watchers that tokens changed.
	Change func(ctx context.Context, study string, do func() error) error

	// People returns everybody who was asked or has answered something in a study, also if that was undone, and when they were last asked.
	People func(ctx context.Context, study string) (map[string]time.Time, error)
}

// Make makes a token of a kind and returns its secret, of which only the hash is kept. A forgotten rater for whom one is made may come again.
func (r *Registry) Make(ctx context.Context, t Token) (secret string, made Token, err error) {
	now := r.Now().UTC()
	switch {
	case t.Kind == Personal && t.Rater == "":
		return "", made, RefuseField("rater", nil, "name the rater of the link (\"rater\"), or make a shared link (\"everybody\": true)")
	case t.Kind == Shared && t.Rater != "":
		return "", made, RefuseField("everybody", true, "a link is for one rater or for everybody, not both: leave out \"rater\" or \"everybody\"")
	}
	if err := cmp.Or(checkExpiry(t.Expires, now), CheckRater(t.Rater)); err != nil {
		return "", made, err
	}
	own, like, err := r.Forgotten(ctx, t.Study, t.Rater)
	if err != nil {
		return "", made, err
	}
	for _, mark := range []string{own, like} {
		if mark == "" {
			continue
		}
		if err := r.Store.DropNote(ctx, t.Study, mark); err != nil {
			return "", made, err
		}
	}
	err = r.Change(ctx, t.Study, func() (err error) {
		secret, made, err = r.keepNew(ctx, t.Study, t.Kind, t.Rater, body{Created: now, Expires: t.Expires.UTC()})
		return err
	})
	return secret, made, err
}

func checkExpiry(expires, now time.Time) error {
	if !expires.IsZero() && !expires.After(now) {
		return RefuseField("expires", expires.Format(time.RFC3339), "the link would have expired already: it is %s now", now.UTC().Format(time.RFC3339))
	}
	return nil
}

func (r *Registry) keepNew(ctx context.Context, study string, kind Kind, rater string, b body) (secret string, t Token, err error) {
	prefix := linkPrefix
	if secret = NewSecret(); kind == Upload {
		secret, prefix = UploadPrefix+secret, uploadPrefix
	}
	hash := Hash(secret)
	b.ID = cmp.Or(b.ID, hash[:idLength])
	rec := record{store.Note{Study: study, Name: prefix + hash, Rater: rater}, b}
	return secret, rec.token(), store.KeepJSON(ctx, r.Store.KeepNote, rec.note, rec.body)
}

// Find returns the token of a secret. An unknown secret, and one that no longer works, is an Error.
func (r *Registry) Find(ctx context.Context, secret string) (Token, error) {
	if g, ok := readGuest(secret); ok {
		return r.guest(ctx, g)
	}
	rec, err := r.find(ctx, Hash(secret), strings.HasPrefix(secret, UploadPrefix))
	if err != nil {
		return Token{}, err
	}
	return rec.token(), nil
}

// Link is Find for the page of a link, which an upload token does not open.
func (r *Registry) Link(ctx context.Context, secret string) (Token, error) {
	if strings.HasPrefix(secret, UploadPrefix) {
		return Token{}, errNoLink
	}
	return r.Find(ctx, secret)
}

var errNoLink = Refuse(NoLink, "this link is invalid or has been revoked: ask the person who gave it to you for a new one")

// find returns the record of a secret's hash, and an Error if it does not work.
func (r *Registry) find(ctx context.Context, hash string, upload bool) (rec record, err error) {
	prefixes := []string{linkPrefix, endedPrefix}
	if upload {
		prefixes = []string{uploadPrefix}
	}
	for _, prefix := range prefixes {
		n, ok, err := r.Store.FindNote(ctx, "", prefix+hash)
		if err != nil {
			return rec, err
		}
		if !ok {
			continue
		}
		rec, err = read(n)
		return rec, cmp.Or(err, rec.works(r.Now()))
	}
	return rec, errNoLink
}

// List returns the upload tokens of a study or, for any other kind, its links and guests, the latest first, without withdrawn ones.
func (r *Registry) List(ctx context.Context, study string, kind Kind) (all []Token, err error) {
	people, err := r.People(ctx, study)
	if err != nil {
		return nil, err
	}
	guests := map[string]int{}
	err = r.each(ctx, study, kind, func(rec record) error {
		all = append(all, rec.token())
		guests[rec.Through]++
		return nil
	})
	for i, t := range all {
		if t.Everybody {
			all[i].Guests = guests[t.ID]
		} else if t.Rater != "" {
			all[i].LastAsked = people[t.Rater]
		}
	}
	slices.SortStableFunc(all, func(a, b Token) int { return b.Created.Compare(a.Created) })
	return all, err
}

// each runs do on the tokens that List returns.
func (r *Registry) each(ctx context.Context, study string, kind Kind, do func(record) error) error {
	prefixes := []string{linkPrefix, guestPrefix}
	if kind == Upload {
		prefixes = []string{uploadPrefix}
	}
	for _, prefix := range prefixes {
		notes, err := r.Store.Notes(ctx, study, prefix)
		if err != nil {
			return err
		}
		for _, n := range notes {
			rec, err := read(n)
			if err == nil && rec.Next == "" && rec.Withdrawn.IsZero() {
				err = do(rec)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// end changes the bodies of the tokens of an id but for the note except, and moves the notes of links to where ended ones are.
func (r *Registry) end(ctx context.Context, study string, kind Kind, id, except string, change func(*record)) error {
	return r.each(ctx, study, kind, func(rec record) error {
		was := rec.note.Name
		if rec.ID != id || was == except {
			return nil
		}
		if hash, ok := strings.CutPrefix(was, linkPrefix); ok {
			rec.note.Name = endedPrefix + hash
		}
		change(&rec)
		if err := store.KeepJSON(ctx, r.Store.KeepNote, rec.note, rec.body); err != nil || rec.note.Name == was {
			return err
		}
		return r.Store.DropNote(ctx, study, was)
	})
}

func (r *Registry) byID(ctx context.Context, study string, kind Kind, id string) (found record, err error) {
	err = r.each(ctx, study, kind, func(rec record) error {
		if rec.ID == id {
			found = rec
		}
		return nil
	})
	if err == nil && found.note.Name == "" {
		noun := cmp.Or(map[Kind]string{Upload: "upload token"}[kind], "link")
		err = Refuse(NoLink, "study %q has no %s %q: it was revoked or never created", study, noun, id)
	}
	return found, err
}

// Withdraw ends a token, and with a shared link those of all its guests. Their answers stay. The kind is as in List.
func (r *Registry) Withdraw(ctx context.Context, study string, kind Kind, id string) error {
	return r.Change(ctx, study, func() error {
		if _, err := r.byID(ctx, study, kind, id); err != nil {
			return err
		}
		return r.end(ctx, study, kind, id, "", func(rec *record) { rec.Withdrawn = r.Now().UTC() })
	})
}

// Renew replaces the secret of a token; guests of a shared link stay. Without a time it lasts as long as when it was made. The kind is as in List.
func (r *Registry) Renew(ctx context.Context, study string, kind Kind, id string, expires time.Time) (secret string, t Token, err error) {
	now := r.Now().UTC()
	if err := checkExpiry(expires, now); err != nil {
		return "", t, err
	}
	err = r.Change(ctx, study, func() error {
		was, err := r.byID(ctx, study, kind, id)
		if err != nil {
			return err
		}
		if expires.IsZero() && !was.Expires.IsZero() {
			expires = now.Add(was.Expires.Sub(was.Created))
		}
		b := body{ID: id, Through: was.Through, Created: now, Expires: expires.UTC()}
		if secret, t, err = r.keepNew(ctx, study, kind, was.note.Rater, b); err != nil {
			return err
		}
		return r.end(ctx, study, kind, id, t.Key, func(rec *record) { rec.Next = Hash(secret) })
	})
	return secret, t, err
}
