package solo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
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

	// Texts are the contents of items that are files of text, by their names. Pictures, sounds and films are none of the core's business.
	Texts map[string]string `json:"texts,omitempty"`

	// Upload is where answers can be sent; empty: nowhere.
	Upload string `json:"upload,omitempty"`
}

// Seat is who is before the study, and what she has said.
type Seat struct {
	// Rater is the name her answers are kept under.
	Rater string

	// Events are those that were kept before, after Study.Log.
	Events []prefer.Event

	// Keep keeps events before they count. Nil: they are in memory and nowhere else.
	Keep func(context.Context, []prefer.Event) error

	// Budget is how long a search may take for which somebody waits. Defaults to 30 milliseconds; most questions have been chosen before.
	Budget time.Duration

	// Logger defaults to slog.Default, Now to time.Now.
	Logger *slog.Logger
	Now    func() time.Time
}

// Desk is the study and its pages.
type Desk struct {
	name    string
	rater   string
	log     *slog.Logger
	store   *store.Memory
	studies *live.Studies
	handler http.Handler
}

// Open opens a study for one person. Events that do not follow each other are an error.
func Open(ctx context.Context, s Study, seat Seat) (_ *Desk, err error) {
	if err := live.CheckRater(seat.Rater); err != nil {
		return nil, err
	}
	d := &Desk{name: s.Name, rater: seat.Rater, log: cmp.Or(seat.Logger, slog.Default()), store: store.NewMemory()}
	if seat.Keep != nil {
		d.store.Keep = func(ctx context.Context, _ string, events []prefer.Event) error { return seat.Keep(ctx, events) }
	}
	if err := d.store.Load(s.Name, append(append([]prefer.Event{}, s.Log...), seat.Events...)); err != nil {
		return nil, err
	}
	files := &media.Files{Held: map[string][]byte{}}
	for name, text := range s.Texts {
		files.Held[name] = []byte(text)
	}
	d.studies, err = live.New(live.Config{Store: d.store, OneThread: true, Budget: cmp.Or(seat.Budget, 30*time.Millisecond), Media: func(study string, item space.Item) *live.Media {
		return &live.Media{Type: media.Type(item.Media), URL: files.Of(study, item)}
	}, Logger: d.log, Now: seat.Now})
	if err != nil {
		return nil, err
	}
	if err := d.studies.Run(ctx, s.Name, s.Settings); err != nil {
		return nil, errors.Join(err, d.studies.Close(ctx))
	}
	mux := http.NewServeMux()
	page.New(page.Config{Studies: d.studies, Files: files, Logger: d.log, Alone: true, Send: s.Upload != "",
		Who: func(context.Context) (bool, string, string) { return false, s.Name, seat.Rater }}).Register(mux)
	d.register(mux)
	d.handler = mux
	return d, nil
}

// Path is the address of the first page.
func (d *Desk) Path() string { return "/s/" + url.PathEscape(d.name) }

func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// Log returns the study in full, as "prefer export" writes it.
func (d *Desk) Log(ctx context.Context) ([]byte, error) {
	study, err := d.store.Study(ctx, d.name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := logfile.Write(&out, d.name, study.Events(0)); err != nil {
		return nil, fmt.Errorf("solo: %w", err)
	}
	return out.Bytes(), nil
}

// Close ends what is done in the background.
func (d *Desk) Close(ctx context.Context) error { return d.studies.Close(ctx) }
