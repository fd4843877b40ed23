package live

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Files are what the owner is told about the files of a study, kept as a note beside its log.
type Files struct {
	// Unreadable are those that nobody could be asked about, Ignored those that are nothing to look at or listen to.
	Unreadable []Unreadable `json:"unreadable,omitempty"`
	Ignored    []string     `json:"ignored,omitempty"`

	// Copies are files with the bytes of an item, which are no items themselves.
	Copies []Copy `json:"copies,omitempty"`

	// Found are the ids of what was in the folder of the study when it was last looked at: what is not there any more leaves the study.
	Found []string `json:"found,omitempty"`

	// News is what became of them since, the newest first; the last few.
	News []News `json:"news,omitempty"`
}

// Unreadable is a file that nobody could be asked about, and why not.
type Unreadable struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Copy is a file with the content of an item.
type Copy struct {
	Name string `json:"name"`
	Of   string `json:"of"`
}

// News is a sentence for the owner.
type News struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// Add puts a sentence before the others.
func (f *Files) Add(now time.Time, text string) {
	f.News = slices.Insert(f.News, 0, News{now.UTC(), text})
	f.News = f.News[:min(len(f.News), 20)]
}

// Unread adds a file that nobody could be asked about, in place of what was said of it before.
func (f *Files) Unread(name, why string) {
	f.Forget(name)
	f.Unreadable = append(f.Unreadable, Unreadable{name, why})
}

// Forget drops what was said against a file.
func (f *Files) Forget(name string) {
	f.Unreadable = slices.DeleteFunc(f.Unreadable, func(u Unreadable) bool { return u.Name == name })
}

const filesNote = "files"

// Files returns what the owner is told about the files of a study.
func (s *Studies) Files(ctx context.Context, study string) (out Files, err error) {
	if err := store.FindJSON(ctx, s.store, study, filesNote, &out); err != nil {
		return out, fmt.Errorf("live: study %q: what is known of its files cannot be read: %w", study, err)
	}
	return out, nil
}

// KeepFiles keeps what the owner is told about the files of a study.
func (s *Studies) KeepFiles(ctx context.Context, study string, f Files) error {
	return store.KeepJSON(ctx, s.store.KeepNote, store.Note{Study: study, Name: filesNote}, f)
}

// Lost is an option that could not be shown to people, and how often.
type Lost struct {
	Option space.Option
	Times  int
}

// ReportLoadFailure records that an option of a rater's question, by the place at which it was shown, could not be loaded. Questions of others are ignored.
func (r *Study) ReportLoadFailure(ctx context.Context, rater string, id prefer.QuestionID, place int) error {
	q, ok := r.Study.Question(id)
	if !ok || PersonOf(q.Rater) != rater {
		return nil
	}
	if place != 0 && place != 1 {
		return invalid("side", place, "side = %d, want 0 for what was shown first or 1", place)
	}
	as, _ := r.placed(id)
	o := q.First
	if (place == 1) != as.swapped {
		o = q.Second
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.lost, func(l Lost) bool { return l.Option.String() == o.String() })
	switch {
	case at >= 0:
		r.lost[at].Times++
	case len(r.lost) < 100:
		r.lost = append(r.lost, Lost{o, 1})
	}
	r.studies.log.WarnContext(ctx, "an option could not be shown", "study", r.Name, "option", o.String())
	return nil
}

// Lost returns what could not be shown since the study was opened, the most frequent first.
func (r *Study) Lost() []Lost {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := slices.Clone(r.lost)
	slices.SortStableFunc(out, func(a, b Lost) int { return b.Times - a.Times })
	return out
}
