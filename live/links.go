package live

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// linksChanged is what watchers of a study hear when a link was made, withdrawn or renewed.
const linksChanged = "links"

// LinksChanged reports whether a change may be that a link no longer works.
func (c Change) LinksChanged() bool {
	return c.Kind == linksChanged || c.Kind == "elsewhere" || c.Kind == "deleted" || c.Kind == "gone"
}

// Links returns the links of a study that were not withdrawn, and the guests who came through those for everybody, the latest
// first.
func (s *Studies) Links(ctx context.Context, study string) (links []Link, err error) {
	guests := map[string]int{}
	err = s.eachLink(ctx, study, func(n contract.Note, b linkBody) error {
		links = append(links, linkOf(n, b))
		guests[b.Through]++
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = s.With(ctx, study, func(r *Study) error {
		r.look(func(x *index) {
			for i, l := range links {
				if l.Everybody {
					links[i].Guests = guests[l.ID]
				} else {
					links[i].LastAsked = x.last[l.Rater]
				}
			}
		})
		return nil
	})
	slices.SortStableFunc(links, func(a, b Link) int { return b.Created.Compare(a.Created) })
	return links, err
}

// eachLink runs do on the links of a study that were neither withdrawn nor renewed.
func (s *Studies) eachLink(ctx context.Context, study string, do func(contract.Note, linkBody) error) error {
	for _, prefix := range []string{linkPrefix, guestPrefix} {
		notes, err := s.store.Notes(ctx, study, prefix)
		if err != nil {
			return err
		}
		for _, n := range notes {
			b, err := readLink(n)
			if err != nil {
				return err
			}
			if b.Next != "" || !b.Withdrawn.IsZero() {
				continue
			}
			if err := do(n, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// retire ends a link, as its body says: what it was is kept, so that whoever still has it can be told.
func (s *Studies) retire(ctx context.Context, n contract.Note, b linkBody) error {
	was := n.Name
	if hash, ok := strings.CutPrefix(was, linkPrefix); ok {
		n.Name = endedPrefix + hash
	}
	if err := keepJSON(ctx, s.store, n, b); err != nil || n.Name == was {
		return err
	}
	return s.store.DropNote(ctx, n.Study, was)
}

// find returns a link by its id.
func (s *Studies) find(ctx context.Context, study, id string) (n contract.Note, b linkBody, err error) {
	err = s.eachLink(ctx, study, func(at contract.Note, body linkBody) error {
		if body.ID == id {
			n, b = at, body
		}
		return nil
	})
	if err == nil && n.Name == "" {
		err = refuse(NoLink, "study %q has no link %q: it was withdrawn, or never made", study, id)
	}
	return n, b, err
}

// Withdraw ends a link: its token is nobody's from now on, and one for everybody takes with it all who came through it. What
// they answered stays.
func (s *Studies) Withdraw(ctx context.Context, study, id string) error {
	return s.Change(ctx, study, linksChanged, "", func(*Study) error {
		if _, _, err := s.find(ctx, study, id); err != nil {
			return err
		}
		return s.eachLink(ctx, study, func(n contract.Note, b linkBody) error {
			if b.ID != id {
				return nil
			}
			b.Withdrawn = s.cfg.Now().UTC()
			return s.retire(ctx, n, b)
		})
	})
}

// Renew gives a link a new token: the old one no longer works, the rater stays who she is, and who came through a link for
// everybody goes on. Without a time it lasts as long as it did when it was made.
func (s *Studies) Renew(ctx context.Context, study, id string, expires time.Time) (token string, l Link, err error) {
	now := s.cfg.Now().UTC()
	if err := checkExpiry(expires, now); err != nil {
		return "", l, err
	}
	n, was, err := s.find(ctx, study, id)
	if err != nil {
		return "", l, err
	}
	if expires.IsZero() && !was.Expires.IsZero() {
		expires = now.Add(was.Expires.Sub(was.Created))
	}
	if token, l, err = s.newLink(ctx, study, n.Rater, linkBody{ID: was.ID, Through: was.Through, Created: now, Expires: expires.UTC()}); err != nil {
		return "", l, err
	}
	hash := hashOf(token)
	err = s.Change(ctx, study, linksChanged, "", func(*Study) error {
		return s.eachLink(ctx, study, func(at contract.Note, b linkBody) error {
			if b.ID != id || at.Name == linkPrefix+hash {
				return nil
			}
			b.Next = hash
			return s.retire(ctx, at, b)
		})
	})
	return token, l, err
}
