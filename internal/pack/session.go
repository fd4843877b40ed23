package pack

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Study is what a file says of the study in it.
type Study struct {
	Name     string         `json:"name"`
	Log      []prefer.Event `json:"log"` // the same for everybody: how the study was made
	Settings live.Settings  `json:"settings,omitzero"`

	// Texts are the contents of items that are files of text, by their names. The page has pictures, sounds and films, and the core never reads them.
	Texts map[string]string `json:"texts,omitempty"`

	// Upload is where answers can be sent; empty: nowhere.
	Upload string `json:"upload,omitempty"`
}

// Participant is the person who answers, with the answers so far.
type Participant struct {
	// Rater is the name that the answers are kept under.
	Rater string

	// Events are those that were kept before, after Study.Log.
	Events []prefer.Event

	// Keep keeps events before they count. Nil: they are in memory and nowhere else.
	Keep func(context.Context, []prefer.Event) error

	// Budget limits a search that somebody waits for. Defaults to 30 milliseconds; most questions have been chosen before.
	Budget time.Duration

	// Logger defaults to slog.Default, Now to time.Now.
	Logger *slog.Logger
	Now    func() time.Time
}

// Session is a study with one person, in memory, and an http.Handler for its pages and the requests they make.
type Session struct {
	name    string
	rater   string
	log     *slog.Logger
	store   *store.Memory
	studies *live.Studies
	handler http.Handler
}

// Open opens a study for one person. Events that do not follow each other are an error.
func Open(ctx context.Context, study Study, who Participant) (_ *Session, err error) {
	if err := live.CheckRater(who.Rater); err != nil {
		return nil, err
	}
	s := &Session{name: study.Name, rater: who.Rater, log: cmp.Or(who.Logger, slog.Default()), store: store.NewMemory()}
	if who.Keep != nil {
		s.store.Keep = func(ctx context.Context, _ string, events []prefer.Event) error { return who.Keep(ctx, events) }
	}
	if err := s.store.Load(s.name, slices.Concat(study.Log, who.Events)); err != nil {
		return nil, err
	}
	files := &media.Files{Held: map[string][]byte{}}
	for name, text := range study.Texts {
		files.Held[name] = []byte(text)
	}
	s.studies, err = live.New(live.Config{Store: s.store, OneThread: true, Budget: cmp.Or(who.Budget, 30*time.Millisecond), Media: func(study string, item space.Item) *live.Media {
		return &live.Media{Type: media.Type(item.Media), URL: files.Of(study, item)}
	}, Logger: s.log, Now: who.Now})
	if err != nil {
		return nil, err
	}
	if err := s.studies.Run(ctx, s.name, study.Settings); err != nil {
		return nil, errors.Join(err, s.studies.Close(ctx))
	}
	mux := http.NewServeMux()
	page.New(page.Config{Studies: s.studies, Files: files, Logger: s.log, Alone: true, Send: study.Upload != "",
		Who: func(context.Context) (bool, string, string) { return false, s.name, s.rater }}).Register(mux)
	s.register(mux)
	s.handler = mux
	return s, nil
}

// Path is the address of the first page.
func (s *Session) Path() string { return "/s/" + url.PathEscape(s.name) }

func (s *Session) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Log returns the study in full, as "prefer export" writes it.
func (s *Session) Log(ctx context.Context) ([]byte, error) {
	study, err := s.store.Study(ctx, s.name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := logfile.Write(&out, s.name, study.Events(0)); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return out.Bytes(), nil
}

// Close ends what is done in the background.
func (s *Session) Close(ctx context.Context) error { return s.studies.Close(ctx) }
