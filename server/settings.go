package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// Settings are what the server does with a study; the study itself knows nothing of them. They are kept as a
// note beside its log.
type Settings struct {
	// Checks tell careful raters from careless ones.
	Checks Checks `json:"checks,omitzero" doc:"How careful raters are told from careless ones."`

	// ShowResult lets raters see the best option and the rest of the result.
	ShowResult bool `json:"show_result,omitempty" doc:"Raters may see the result."`
}

// Checks are put among the questions without a mark. The zero value checks nothing.
type Checks struct {
	// RepeatRate is the share of questions that put an earlier one again, sides exchanged.
	RepeatRate float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one, sides exchanged."`

	// MinRT is the time in milliseconds below which an answer is refused as too quick.
	MinRT int `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`

	// Catch are pairs everybody can answer who looks.
	Catch []Catch `json:"catch,omitempty" maxItems:"100" doc:"Pairs whose answer is known; each rater gets one every catch_every questions."`

	// CatchEvery is how many questions lie between two of them. Defaults to 10.
	CatchEvery int `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions between two catch questions; 10 by default."`
}

// Catch is a pair whose answer is known.
type Catch struct {
	Better prefer.Option `json:"better"`
	Worse  prefer.Option `json:"worse"`
}

// settingsNote is the note that settings are kept in.
const settingsNote = "settings"

func (s *Server) readSettings(ctx context.Context, study string) (Settings, error) {
	var out Settings
	note, ok, err := s.cfg.Store.FindNote(ctx, study, settingsNote)
	if err != nil || !ok {
		return out, err
	}
	if err := json.Unmarshal([]byte(note.Body), &out); err != nil {
		return out, fmt.Errorf("server: study %q: its settings cannot be read: %w: %w", study, err, store.ErrCorrupt)
	}
	return out, nil
}

func (s *Server) keepSettings(ctx context.Context, study string, settings Settings) error {
	body, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return s.cfg.Store.KeepNote(ctx, store.Note{Study: study, Name: settingsNote, Body: string(body)})
}

// Where in a rater's questions checks come.
const (
	firstRepeat  = 5  // questions before the first repeat
	repeatAge    = 3  // questions that lie between a question and its repeat at least
	defaultCatch = 10 // questions between two catch questions
)

// check returns the request for a hidden check if the rater's next question is to be one. When it comes, and
// which question it repeats, is up to a coin of the study's seed: nobody can tell, and a restart changes nothing.
func (b *book) check(c Checks, rater string) (prefer.Request, bool) {
	r := prefer.Request{Rater: rater}
	total := 0
	past := map[prefer.QuestionID]bool{}
	var last *entry
	for _, q := range b.said[rater] {
		if q.observed {
			continue
		}
		total++
		last = q
		past[q.question.RepeatOf] = true
	}
	if last != nil && (last.question.Catch || last.question.RepeatOf != "") {
		return r, false // never two in a row
	}
	every := c.CatchEvery
	if every == 0 {
		every = defaultCatch
	}
	if n := len(c.Catch); n > 0 && total%every == every-1 {
		i := int(b.coin("catch", rater, total) % uint64(n))
		pair := [2]prefer.Option{c.Catch[i].Better, c.Catch[i].Worse}
		if b.coin("catch order", rater, total)&1 == 1 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		r.Catch = &pair
		return r, true
	}
	if total < firstRepeat || float64(b.coin("repeat", rater, total)>>11)/(1<<53) >= c.RepeatRate {
		return r, false
	}
	var may []*entry
	for i, q := range b.said[rater] {
		old := i < len(b.said[rater])-repeatAge
		if old && !q.observed && !q.question.Catch && q.question.RepeatOf == "" && !past[q.question.ID] && q.told.Choice != prefer.Skip {
			may = append(may, q)
		}
	}
	if len(may) == 0 {
		return r, false
	}
	r.Repeat = may[b.coin("which", rater, total)%uint64(len(may))].question.ID
	return r, true
}
