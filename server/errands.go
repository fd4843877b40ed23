package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/errand"
)

// Errand is long work about a study that was asked for, and how far it is.
type Errand struct {
	ID      string    `json:"errand"`
	Kind    string    `json:"kind" enum:"simulation,report"`
	State   string    `json:"state" enum:"waiting,running,done,failed"`
	Parts   int       `json:"parts" doc:"Of a simulation, people at all levels of noise."`
	Done    int       `json:"done" doc:"How many of them are."`
	Workers *int      `json:"workers,omitempty" doc:"How many workers there are, while it is not over. None: it waits until one comes."`
	Created time.Time `json:"created"`
	Failure string    `json:"failure,omitempty" doc:"What went wrong. Asking for the same again is another attempt."`

	Result *Simulation `json:"result,omitempty" doc:"Of a simulation: what came of it so far; in the list only when it is over."`

	Seq     int    `json:"seq,omitempty" doc:"Of a report: the number of the last event it takes in."`
	Answers int    `json:"answers,omitempty" doc:"Of a report: how many answers it takes in."`
	Rater   string `json:"rater,omitempty" doc:"Of a report: whose taste it is about."`
	URL     string `json:"url,omitempty" doc:"Of a report that is done: its page."`
}

type errandInput struct {
	Study  string `path:"study"`
	Errand string `path:"errand" maxLength:"200"`
}

type errandsOutput struct {
	Body struct {
		Errands []Errand `json:"errands" nullable:"false" doc:"The newest first."`
	}
}

// acceptedOutput answers who asks for an errand.
type acceptedOutput struct {
	Location string `header:"Location"`
	Body     Errand
}

func (s *Server) registerErrands() {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/errands", "errands", "The simulations and reports of a study", forOwner), s.listErrands)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/errands/{errand}", "errand", "How far a simulation or report is, and what came of it", forOwner),
		func(ctx context.Context, in *errandInput) (*output[Errand], error) {
			e, err := s.errand(ctx, in.Study, in.Errand)
			return &output[Errand]{e}, s.explain(ctx, err, "")
		})
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/errands/{errand}", "drop-errand", "Drop a simulation or report, and what came of it", forOwner),
		func(ctx context.Context, in *errandInput) (*struct{}, error) {
			err := s.withErrand(ctx, in.Study, in.Errand, func(k kept, _ errand.Progress) error { return s.dropErrand(ctx, in.Study, k.key) })
			return nil, s.explain(ctx, err, "")
		})
}

// withErrand runs do on an errand of a study that is there.
func (s *Server) withErrand(ctx context.Context, study, key string, do func(kept, errand.Progress) error) error {
	return s.with(ctx, study, func(r *running) error {
		k, p, err := s.see(ctx, r.name, key)
		if err != nil {
			return err
		}
		return do(k, p)
	})
}

func (s *Server) listErrands(ctx context.Context, in *studyInput) (*errandsOutput, error) {
	out := &errandsOutput{}
	err := s.with(ctx, in.Study, func(r *running) error {
		all, err := s.errandsOf(ctx, r.name)
		if err != nil {
			return err
		}
		out.Body.Errands = []Errand{}
		for _, k := range all {
			k, p, err := s.see(ctx, r.name, k.key)
			if errors.Is(err, errNoErrand) {
				continue // dropped meanwhile
			}
			if err != nil {
				return err
			}
			e, err := s.describeErrand(r.name, k, p, nil)
			if err != nil {
				return err
			}
			out.Body.Errands = append(out.Body.Errands, e)
		}
		return nil
	})
	return out, s.explain(ctx, err, "")
}

// errand returns an errand of a study with what came of it so far.
func (s *Server) errand(ctx context.Context, study, key string) (out Errand, err error) {
	err = s.withErrand(ctx, study, key, func(k kept, p errand.Progress) (err error) {
		var results [][]byte
		if !k.Over && k.Kind == errand.Simulation && p.Done > 0 {
			results, err = s.desk.Results(ctx, key)
			if err != nil && !errors.Is(err, errand.ErrUnknown) { // taken in meanwhile: the next look tells
				return s.deskTrouble(ctx, err)
			}
		}
		out, err = s.describeErrand(study, k, p, results)
		return err
	})
	return out, err
}

// describeErrand puts together what is told of an errand. results are those of its parts so far, of a simulation that is
// not over.
func (s *Server) describeErrand(study string, k kept, p errand.Progress, results [][]byte) (Errand, error) {
	e := Errand{ID: k.key, Kind: k.Kind, State: p.State(), Parts: k.Parts, Done: min(p.Done, k.Parts), Created: k.Created, Failure: k.Failure, Answers: k.Answers}
	switch {
	case k.Failure != "":
		e.State = "failed"
	case !k.Over:
		e.Workers, e.Failure = &p.Workers, p.Failure
	}
	switch k.Kind {
	case errand.Simulation:
		result := k.Result
		if len(results) >= k.Parts {
			partial, err := errand.Rehearsed(k.Errand, results[:k.Parts])
			if err != nil {
				return e, err
			}
			result = &partial
		}
		if result != nil {
			e.Result = newSimulation(*result, k.Seconds)
		}
	case errand.Report:
		var about errand.ReportRequest
		if err := json.Unmarshal(k.Body, &about); err != nil {
			return e, err
		}
		e.Seq, e.Rater = about.Seq, about.Rater
		if e.State == "done" {
			e.URL = s.errandURL(study, k.key) + "/page"
		}
	}
	return e, nil
}

func (s *Server) errandURL(study, key string) string {
	return s.cfg.Prefix + "/v1/studies/" + url.PathEscape(study) + "/errands/" + url.PathEscape(key)
}

// accept hands in an errand and returns what to answer.
func (s *Server) accept(ctx context.Context, study string, k kept) (*acceptedOutput, error) {
	lasting, stop := lasting(ctx) // what was begun is finished
	defer stop()
	k, p, err := s.hand(lasting, study, k)
	if err != nil {
		return nil, err
	}
	e, err := s.describeErrand(study, k, p, nil)
	return &acceptedOutput{s.errandURL(study, k.key), e}, err
}
