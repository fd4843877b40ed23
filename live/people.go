package live

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live/internal/notices"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Known returns the last verdict on a rater's utility, which may be an answer behind; of the shared utility only what rests on all answers.
func (r *Study) Known(rater string) (v prefer.Verdict, ok bool) {
	of, under := r.Utility(rater), r.Context(rater).String()
	r.look(func(x *index) {
		last, known := r.verdicts[key(of, under)]
		switch {
		case known && x.each:
			v, ok = r.forRater(x, last.Verdict, rater, under), true
		case known && last.at == x.count(of, under):
			v, ok = r.all(x, last.Verdict, under), true
		}
	})
	return v, ok
}

// Several reports whether more than one person has answered under these contexts, those left out aside.
func (r *Study) Several(context space.Option) bool {
	return inIndex(r, func(x *index) bool { return x.raters("", context.String()) > 1 })
}

// Refresh has the verdicts worked out in the background that are not known, or behind.
func (r *Study) Refresh() {
	var raters []string
	r.look(func(x *index) {
		for who := range x.taught {
			if r.staleAt(x, who.person, 0) {
				raters = append(raters, who.person)
			}
		}
	})
	for _, rater := range raters {
		r.afterAnswer(rater)
	}
}

// people returns everybody who was asked or has answered something, also if that was undone, with the time they were last asked.
func (r *Study) people() map[string]time.Time {
	out := xslices.ToMap(r.Study.History(), func(e prefer.Entry) (string, time.Time) { return PersonOf(e.Rater), time.Time{} })
	r.look(func(x *index) {
		for name := range x.order {
			person := PersonOf(name)
			out[person] = x.last[person]
		}
	})
	return out
}

// knows reports whether somebody was asked or has answered something, also if that was undone.
func (r *Study) knows(person string) bool {
	_, known := r.people()[person]
	return known
}

// Exclude is who is left out of what the group learns, or taken back.
type Exclude struct {
	Whom
	Why  string // kept in the log
	Back bool   // take them back
}

// Exclude leaves raters out of what the group learns, or takes them back: under all names that they have in the log.
func (s *Studies) Exclude(ctx context.Context, study string, e Exclude) error {
	if err := e.check(); err != nil {
		return err
	}
	return s.Change(ctx, study, "excluded", e.Rater, func(r *Study) error {
		names := r.namesOf(e.Whom)
		if len(names) == 0 && e.Origin != "" {
			return e.none(study)
		}
		if len(names) == 0 {
			return notFound("no_rater", "rater %q was never asked and has not answered", e.Rater)
		}
		c := prefer.Change{Exclude: names, Why: e.Why}
		if e.Back {
			c = prefer.Change{Include: names}
		}
		return r.Study.Change(context.WithoutCancel(ctx), c)
	})
}

// namesOf returns the names that people have in the log, sorted.
func (r *Study) namesOf(whom Whom) (names []string) {
	who := map[string]bool{whom.Rater: whom.Origin == ""}
	if whom.Origin != "" {
		for person, origins := range r.Origins() {
			who[person] = slices.Contains(origins, whom.Origin)
		}
	}
	names = inIndex(r, func(x *index) []string { return slices.AppendSeq(slices.Collect(maps.Keys(x.last)), maps.Keys(x.said)) })
	names = slices.DeleteFunc(names, func(name string) bool { return !who[PersonOf(name)] })
	slices.Sort(names)
	return slices.Compact(names)
}

// Origins returns the ids of the upload tokens that something of a person came by, by their name, sorted.
func (r *Study) Origins() map[string][]string {
	out := map[string][]string{}
	r.look(func(x *index) {
		for _, e := range r.Study.Events(0) {
			name := ""
			switch {
			case e.Asked != nil:
				name = e.Asked.Rater
			case e.Answered != nil:
				name = x.by[e.Answered.ID]
			case e.Observed != nil:
				name = x.by[e.Observed.ID]
			case e.Undone != nil:
				name = x.by[e.Undone.Answer]
			case e.Taken != nil:
				name = e.Taken.Rater
			}
			if person := PersonOf(name); e.Origin != "" && !slices.Contains(out[person], e.Origin) {
				out[person] = append(out[person], e.Origin)
				slices.Sort(out[person])
			}
		}
	})
	return out
}

// Whom is the raters that something is done to: one by name, or all of whom something came by one upload token.
type Whom struct {
	Rater  string
	Origin string // the id of an upload token, in place of a rater
}

// String names them in a sentence.
func (w Whom) String() string {
	if w.Origin != "" {
		return fmt.Sprintf("everybody of the upload token %q", w.Origin)
	}
	return fmt.Sprintf("rater %q", w.Rater)
}

// check refuses what names both a rater and an origin, and names that no rater has.
func (w Whom) check() error {
	if w.Origin != "" && w.Rater != "" {
		return invalid("origin", w.Origin, "give a rater or an origin, not both")
	}
	return CheckRater(w.Rater)
}

// none is the error of a study that has nothing of them.
func (w Whom) none(study string) error {
	if w.Origin != "" {
		return notFound("no_rater", "nothing in study %q came by the upload token %q", study, w.Origin)
	}
	return notFound("no_rater", "study %q has nothing of rater %q", study, w.Rater)
}

// Forget erases all that raters said or were asked, with links and names, and returns how many events and notes; nobody to erase is the error code "no_rater".
func (s *Studies) Forget(ctx context.Context, study string, whom Whom) (removed int, err error) {
	if err := whom.check(); err != nil {
		return 0, err
	}
	var names []string
	seq := 0
	if err := s.With(ctx, study, func(r *Study) error { names, seq = r.namesOf(whom), r.Seq(); return nil }); err != nil {
		return 0, err
	}
	if whom.Origin == "" && !slices.Contains(names, whom.Rater) { // invited, and not asked yet
		names = append(names, whom.Rater)
	}
	if len(names) == 0 {
		return 0, whom.none(study)
	}
	removed, err = s.store.Forget(context.WithoutCancel(ctx), study, names...)
	if err == nil && removed == 0 {
		return 0, whom.none(study)
	}
	s.Reopen(study) // which the answers are not to outlive in memory
	s.notices.Notify(study, seq, notices.Links)
	return removed, err
}

// namePrefix begins the notes with what people are called, and the hash of their name in the log follows. Forget removes them.
const namePrefix = "name "

// maxCalled is the longest name somebody may be called by, in characters.
const maxCalled = 60

// Rename is what a person is called from now on.
type Rename struct {
	Rater string `json:"rater" maxLength:"200" doc:"The rater, by the name in the log."`
	Name  string `json:"name" maxLength:"60" doc:"The name on pages and in reports; empty restores the rater's name."`
}

// Rename has a person called otherwise on pages. Log, tables and links keep the name.
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
	note := store.Note{Study: study, Name: namePrefix + token.Hash(n.Rater), Rater: n.Rater, Body: name}
	return s.Change(ctx, study, notices.Links, "", func(r *Study) error {
		if name != "" && name != n.Rater && (taken || r.knows(name)) {
			return invalid("name", n.Name, "another rater is already called %q", name)
		}
		if name == "" || name == n.Rater {
			return s.store.DropNote(ctx, study, note.Name)
		}
		return s.store.KeepNote(ctx, note)
	})
}

// Names returns what people are called, by their names in the log: what the owner has said, and "Guest 3" for guests without a name. Others are not listed.
func (s *Studies) Names(ctx context.Context, study string) (map[string]string, error) {
	isGuest := func(person string) bool { return strings.HasPrefix(person, token.GuestName) }
	guests, err := In(ctx, s, study, func(r *Study) ([]string, error) {
		return inIndex(r, func(x *index) []string { return xslices.Filter(x.came, isGuest) }), nil
	})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, guest := range guests {
		out[guest] = fmt.Sprint("Guest ", i+1)
	}
	notes, err := s.store.Notes(ctx, study, namePrefix)
	maps.Copy(out, xslices.ToMap(notes, func(n store.Note) (string, string) { return n.Rater, n.Body }))
	return out, err
}

// Take says whether a rater would take an option.
type Take struct {
	// Rater is who says so, Owner that the owner of the study tells it.
	Rater string
	Owner bool

	// Option is what the rater was shown; nil: the pick.
	Option space.Option
	Take   bool
}

// Take keeps what a rater says about taking an option. A rater who may not see the result cannot have been shown the pick.
func (s *Studies) Take(ctx context.Context, name string, t Take) (out prefer.Taken, err error) {
	if err := CheckRater(t.Rater); err != nil {
		return out, err
	}
	err = s.Change(ctx, name, "taken", t.Rater, func(r *Study) (err error) {
		if err := cmp.Or(r.MayLook(t.Owner), r.mayChange(t.Owner)); err != nil {
			return err
		}
		detachedCtx, stop := detached(ctx)
		defer stop()
		out, err = r.Study.Accept(detachedCtx, t.Rater, t.Option, t.Take)
		return err
	})
	return out, err
}
