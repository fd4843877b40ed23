package pack

import (
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

// maxBody is the largest body a page sends.
const maxBody = 1 << 20

// register lays out the calls that the pages make of the service.
func (d *Desk) register(mux *http.ServeMux) {
	for pattern, call := range map[string]func(*http.Request) (any, error){
		"POST ask": d.ask, "POST tell": d.tell, "POST undo": d.undo, "POST take": d.take, "GET check": d.check, "GET verdict": d.verdict, "DELETE answers/{answer}": d.undoAnswer,
	} {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /v1/studies/{study}/"+path, func(w http.ResponseWriter, r *http.Request) {
			out, err := call(r)
			if err != nil {
				problem.Write(w, problem.Of(r.Context(), d.log, problem.Explain(r.Context(), d.log, err, problem.Blame(err))))
				return
			}
			w.Header().Set("Content-Type", "application/json")
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			if err := e.Encode(out); err != nil {
				d.log.Error("a reply could not be written", "error", err)
			}
		})
	}
	mux.HandleFunc("GET /log", func(w http.ResponseWriter, r *http.Request) {
		text, err := d.Log(r.Context())
		if err != nil {
			problem.Write(w, problem.Of(r.Context(), d.log, err))
			return
		}
		w.Header().Set("Content-Type", "application/jsonl")
		_, _ = w.Write(text) // into memory
	})
}

// read reads the body of a call, and whose it is: nobody speaks for another.
func (d *Desk) read(r *http.Request, into any, rater *string) error {
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err == nil {
		err = strictjson.Decode(text, into)
	}
	if err != nil {
		return problem.Field("body", nil, err.Error())
	}
	if *rater != "" && *rater != d.rater {
		return problem.New(http.StatusForbidden, "other_rater", fmt.Sprintf("this file is answered by %q, not by %.80q", d.rater, *rater))
	}
	return nil
}

func (d *Desk) ask(r *http.Request) (any, error) {
	var b live.AskBody
	if err := d.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	a, err := b.Read(d.rater, false)
	if err != nil {
		return nil, err
	}
	return d.studies.Ask(r.Context(), r.PathValue("study"), a)
}

func (d *Desk) tell(r *http.Request) (any, error) {
	var b live.TellBody
	if err := d.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	t, err := b.Read(d.rater, false, r.URL.Query().Has("next"))
	if err != nil {
		return nil, err
	}
	return d.studies.Tell(r.Context(), r.PathValue("study"), t)
}

func (d *Desk) undo(r *http.Request) (any, error) {
	var b struct {
		Rater string `json:"rater"`
	}
	if err := d.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	return d.studies.Undo(r.Context(), r.PathValue("study"), live.Undo{Rater: d.rater})
}

func (d *Desk) undoAnswer(r *http.Request) (any, error) {
	return d.studies.Undo(r.Context(), r.PathValue("study"), live.Undo{Answer: prefer.AnswerID(r.PathValue("answer")), Rater: d.rater})
}

func (d *Desk) take(r *http.Request) (any, error) {
	var b struct {
		Rater  string       `json:"rater"`
		Take   bool         `json:"take"`
		Option space.Option `json:"option"`
	}
	if err := d.read(r, &b, &b.Rater); err != nil {
		return nil, err
	}
	return d.studies.Take(r.Context(), r.PathValue("study"), live.Take{Rater: d.rater, Option: b.Option, Take: b.Take})
}

func (d *Desk) check(r *http.Request) (any, error) {
	return d.look(r, func(s *prefer.Study, l prefer.Look) (any, error) { return s.Blind(r.Context(), l) })
}

func (d *Desk) verdict(r *http.Request) (any, error) {
	return d.look(r, func(s *prefer.Study, l prefer.Look) (any, error) { return s.Verdict(r.Context(), l) })
}

// look looks at the study, where its result is shown.
func (d *Desk) look(r *http.Request, do func(*prefer.Study, prefer.Look) (any, error)) (out any, err error) {
	err = d.studies.With(r.Context(), r.PathValue("study"), func(open *live.Study) error {
		if err := open.MayLook(false); err != nil {
			return err
		}
		fixed, err := open.ReadFixed(r.URL.Query()["fixed"]...)
		if err == nil {
			out, err = do(open.Study, prefer.Look{Rater: d.rater, Fixed: fixed})
		}
		return err
	})
	return out, err
}
