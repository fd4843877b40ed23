package pack

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// register lays out the calls that the pages make of the service.
func (s *Session) register(mux *http.ServeMux) {
	for pattern, call := range map[string]func(*http.Request) (any, error){
		"POST ask": s.ask, "POST tell": s.tell, "POST undo": s.undo, "POST take": s.take, "DELETE answers/{answer}": s.undoAnswer,
		"GET check":   s.look(func(ctx context.Context, open *prefer.Study, l prefer.Look) (any, error) { return open.Blind(ctx, l) }),
		"GET verdict": s.look(func(ctx context.Context, open *prefer.Study, l prefer.Look) (any, error) { return open.Verdict(ctx, l) }),
	} {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /v1/studies/{study}/"+path, func(w http.ResponseWriter, r *http.Request) {
			out, err := call(r)
			if err != nil {
				problem.Write(w, problem.Of(r.Context(), s.log, problem.Explain(r.Context(), s.log, err, problem.Blame(err))))
				return
			}
			w.Header().Set("Content-Type", "application/json")
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			if err := e.Encode(out); err != nil {
				s.log.Error("a reply could not be written", "error", err)
			}
		})
	}
	mux.HandleFunc("GET /log", func(w http.ResponseWriter, r *http.Request) {
		text, err := s.Log(r.Context())
		if err != nil {
			problem.Write(w, problem.Of(r.Context(), s.log, err))
			return
		}
		w.Header().Set("Content-Type", "application/jsonl")
		_, _ = w.Write(text) // into memory
	})
}

// read reads the body of a call, and whose it is: nobody speaks for another.
func (s *Session) read(r *http.Request, into any, rater *string) error {
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err == nil {
		err = strictjson.Decode(text, into)
	}
	if err != nil {
		return problem.Field("body", nil, err.Error())
	}
	if *rater != "" && *rater != s.rater {
		return problem.New(http.StatusForbidden, "other_rater", fmt.Sprintf("this file is answered by %q, not by %.80q", s.rater, *rater))
	}
	return nil
}

func (s *Session) ask(r *http.Request) (any, error) {
	var b live.AskBody
	if err := s.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	a, err := b.Read(s.rater, false)
	if err != nil {
		return nil, err
	}
	return s.studies.Ask(r.Context(), r.PathValue("study"), a)
}

func (s *Session) tell(r *http.Request) (any, error) {
	var b live.TellBody
	if err := s.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	t, err := b.Read(s.rater, false, r.URL.Query().Has("next"))
	if err != nil {
		return nil, err
	}
	return s.studies.Tell(r.Context(), r.PathValue("study"), t)
}

func (s *Session) undo(r *http.Request) (any, error) {
	var b struct {
		Rater string `json:"rater"`
	}
	if err := s.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	return s.studies.Undo(r.Context(), r.PathValue("study"), live.Undo{Rater: s.rater})
}

func (s *Session) undoAnswer(r *http.Request) (any, error) {
	return s.studies.Undo(r.Context(), r.PathValue("study"), live.Undo{Answer: prefer.AnswerID(r.PathValue("answer")), Rater: s.rater})
}

func (s *Session) take(r *http.Request) (any, error) {
	var b struct {
		Rater  string       `json:"rater"`
		Take   bool         `json:"take"`
		Option space.Option `json:"option"`
	}
	if err := s.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	return s.studies.Take(r.Context(), r.PathValue("study"), live.Take{Rater: s.rater, Option: b.Option, Take: b.Take})
}

// look returns a call that looks at the study, where its result is shown.
func (s *Session) look(do func(context.Context, *prefer.Study, prefer.Look) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (out any, err error) {
		err = s.studies.With(r.Context(), r.PathValue("study"), func(open *live.Study) error {
			if err := open.MayLook(false); err != nil {
				return err
			}
			fixed, err := open.ReadFixed(r.URL.Query()["fixed"]...)
			if err == nil {
				out, err = do(r.Context(), open.Study, prefer.Look{Rater: s.rater, Fixed: fixed})
			}
			return err
		})
		return out, err
	}
}
