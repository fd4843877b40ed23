package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/store/contract"
)

// namePrefix begins the notes of what people are called, and the hash of their name in the log follows. The notes are about them, so that
// forgetting them removes it, which the log alone could not.
const namePrefix = "name "

// maxCalled is the longest name somebody may be called by, in characters.
const maxCalled = 60

// Rename is what a person is called from now on.
type Rename struct {
	Rater string `json:"rater" maxLength:"200" doc:"Who, by the name that her answers are kept under."`
	Name  string `json:"name" maxLength:"60" doc:"What she is called on pages and in reports; empty for her name again."`
}

// Rename has a person called otherwise on pages. In the log, in tables and in links she keeps the name she has: what was said stays whose it was.
func (s *Studies) Rename(ctx context.Context, study string, n Rename) error {
	if err := CheckRater(n.Rater); err != nil {
		return err
	}
	name := strings.TrimSpace(n.Name)
	odd := func(c rune) bool { return !unicode.IsPrint(c) }
	if utf8.RuneCountInString(name) > maxCalled || strings.ContainsFunc(name, odd) {
		return invalid("name", n.Name, "a name has at most %d printable characters", maxCalled)
	}
	all, err := s.Names(ctx, study)
	if err != nil {
		return err
	}
	delete(all, n.Rater)
	taken := slices.Contains(slices.Collect(maps.Values(all)), name)
	note := contract.Note{Study: study, Name: namePrefix + token.Hash(n.Rater), Rater: n.Rater, Body: name}
	return s.Change(ctx, study, linksChanged, "", func(r *Study) error {
		if name != "" && name != n.Rater && (taken || r.knows(name)) {
			return invalid("name", n.Name, "%q is what somebody else is called, and two of one name could not be told apart", name)
		}
		if name == "" || name == n.Rater {
			return s.store.DropNote(ctx, study, note.Name)
		}
		return s.store.KeepNote(ctx, note)
	})
}

// Names returns what people are called, by their names in the log: as the owner has said, and who came through a link for everybody without a name
// "Guest 3", in the order of coming. Who is not among them is called by her name.
func (s *Studies) Names(ctx context.Context, study string) (map[string]string, error) {
	out := map[string]string{}
	err := s.With(ctx, study, func(r *Study) error {
		r.look(func(x *index) {
			n := 0
			for _, person := range x.came {
				if strings.HasPrefix(person, token.GuestName) {
					n++
					out[person] = fmt.Sprint("Guest ", n)
				}
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	notes, err := s.store.Notes(ctx, study, namePrefix)
	for _, n := range notes {
		out[n.Rater] = n.Body
	}
	return out, err
}
