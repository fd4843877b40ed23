package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/errand"
	"github.com/prefer-bo/prefer/rehearse"
	"github.com/prefer-bo/prefer/store"
)

// kept is an errand as the study remembers it, in a note: enough to hand it in again if the desk has forgotten
// it, and in the end what came of it. So a server that is started again, or another one, can answer.
type kept struct {
	errand.Errand
	Created time.Time `json:"created"`

	// Of a simulation.
	Seconds float64          `json:"seconds,omitempty"` // a person takes for an answer
	Result  *rehearse.Result `json:"result,omitempty"`  // when it is over, without the people

	// Of a report.
	Answers int `json:"answers,omitempty"` // it takes in

	Over    bool   `json:"over,omitempty"`
	Done    int    `json:"done,omitempty"` // parts, when it is over
	Failure string `json:"failure,omitempty"`

	key string
}

// Names of the notes begin so. A report is made from answers, and so is the note about it: both are removed when
// anybody is forgotten.
const (
	errandNote = "errand/"
	reportNote = store.Derived + errandNote
)

// errandNoteOf returns the name of the note about an errand, by its key.
func errandNoteOf(key string) string {
	if strings.HasPrefix(key, errand.Report+"-") {
		return reportNote + key
	}
	return errandNote + key
}

func readKept(n store.Note) (kept, error) {
	k := kept{key: strings.TrimPrefix(strings.TrimPrefix(n.Name, store.Derived), errandNote)}
	err := json.Unmarshal([]byte(n.Body), &k)
	if err == nil {
		err = k.Validate()
	}
	if err != nil {
		return k, fmt.Errorf("server: study %q: the note %q cannot be read: %w: %w", n.Study, n.Name, err, store.ErrCorrupt)
	}
	return k, nil
}

// errandOf returns an errand of a study; ok is false if there is none.
func (s *Server) errandOf(ctx context.Context, study, key string) (k kept, ok bool, err error) {
	n, ok, err := s.cfg.Store.FindNote(ctx, study, errandNoteOf(key))
	if err != nil || !ok {
		return k, false, err
	}
	k, err = readKept(n)
	return k, err == nil, err
}

// errandsOf returns the errands of a study, the newest first.
func (s *Server) errandsOf(ctx context.Context, study string) ([]kept, error) {
	var all []kept
	for _, begins := range []string{errandNote, reportNote} {
		notes, err := s.cfg.Store.Notes(ctx, study, begins)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			k, err := readKept(n)
			if err != nil {
				return nil, err
			}
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.key, b.key)) })
	return all, nil
}

func (s *Server) keepErrand(ctx context.Context, study string, k kept) error {
	body, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return s.cfg.Store.KeepNote(ctx, store.Note{Study: study, Name: errandNoteOf(k.key), Body: string(body)})
}

// dropErrand forgets an errand, with what came of it. The note goes first: while it is there, who finds the desk
// without the errand hands it in again.
func (s *Server) dropErrand(ctx context.Context, study, key string) error {
	names := []string{errandNoteOf(key)}
	if strings.HasPrefix(key, errand.Report+"-") {
		names = append(names, store.Derived+key)
	}
	for _, name := range names {
		if err := s.cfg.Store.DropNote(ctx, study, name); err != nil {
			return err
		}
	}
	s.errands.leave(study, key)
	return s.deskTrouble(ctx, s.desk.Drop(ctx, key))
}

// maxErrands is how many a study has; a new one takes the place of the oldest that is over.
const maxErrands = 20

// makeRoom drops the oldest errands that are over, until one more fits.
func (s *Server) makeRoom(ctx context.Context, study string) error {
	all, err := s.errandsOf(ctx, study)
	if err != nil {
		return err
	}
	for i, left := len(all)-1, len(all); i >= 0 && left >= maxErrands; i-- {
		k, _, err := s.see(ctx, study, all[i].key)
		if err != nil {
			return err
		}
		if !k.Over {
			continue
		}
		if err := s.dropErrand(ctx, study, k.key); err != nil {
			return err
		}
		left--
	}
	if all, err = s.errandsOf(ctx, study); err == nil && len(all) >= maxErrands {
		err = refuse(http.StatusConflict, "too_many_errands", fmt.Sprintf("%d errands of this study are not over yet: wait for them, or delete one", len(all)))
	}
	return err
}
