package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/schema"
)

// Study describes a study.
type Study struct {
	Name     string         `json:"name"`
	Created  time.Time      `json:"created"`
	Prompt   string         `json:"prompt"`
	Answers  prefer.Answers `json:"answers" doc:"Which answers are on offer."`
	People   string         `json:"people" enum:"shared,per_rater"`
	Space    StudySpace     `json:"space"`
	Count    int            `json:"answers_count"`
	Seq      int            `json:"seq" doc:"The number of the last event of its log."`
	Settings *Settings      `json:"settings,omitempty" doc:"Told to the owner only."`
}

// StudySpace is what a study searches. Of a list only the length is told: it may be long.
type StudySpace struct {
	Parameters  []prefer.Parameter `json:"params,omitempty"`
	Constraints []string           `json:"constraints,omitempty"`
	Items       int                `json:"items_count,omitempty"`
}

// describe returns what everybody may know about a study, and to the owner how the server runs it.
func (r *running) describe(w who) Study {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readLocked()
	out := Study{
		Name: r.name, Created: r.created, Prompt: r.cfg.Prompt, Answers: r.cfg.Answers, People: string(r.cfg.People),
		Space: StudySpace{Parameters: r.cfg.Space.Parameters, Constraints: r.cfg.Space.Constraints, Items: len(r.book.items)},
		Count: r.book.standing, Seq: r.book.seq,
	}
	if w.owner {
		out.Settings = &r.settings
	}
	return out
}

type studyInput struct {
	Study string `path:"study"`
}

type studyOutput struct{ Body Study }

type createInput struct {
	RawBody []byte `contentType:"application/json"`
}

type listInput struct {
	After string `query:"after" maxLength:"200" doc:"The name after which the list goes on."`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

type listOutput struct {
	Body struct {
		Studies []Study `json:"studies" nullable:"false"`
		Next    string  `json:"next,omitempty" doc:"If there are more: what to ask for after."`
	}
}

func (s *Server) registerStudies() {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies", "create-study", "Make a study", forOwner, func(op *huma.Operation) {
		op.DefaultStatus = http.StatusCreated
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/" + studyFile}}}}
		op.SkipValidateBody = true // schema.ReadStudy does
	}), s.create)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies", "list-studies", "All studies", forOwner), s.list)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}", "get-study", "One study", forRater),
		func(ctx context.Context, in *studyInput) (*studyOutput, error) {
			out := &studyOutput{}
			err := s.with(ctx, in.Study, func(r *running) error {
				out.Body = r.describe(asker(ctx))
				return nil
			})
			return out, s.explain(ctx, err, "")
		})
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}", "delete-study", "Delete a study and everything about it", forOwner),
		func(ctx context.Context, in *studyInput) (*struct{}, error) {
			jobs, err := s.jobsOf(ctx, in.Study)
			if err == nil {
				err = s.cfg.Store.Delete(ctx, in.Study)
			}
			if err != nil {
				return nil, s.explain(ctx, err, "")
			}
			for _, k := range jobs {
				s.jobs.leave(in.Study, k.key)
				if err := s.desk.Drop(ctx, k.key); err != nil {
					s.log.Warn("a job of a deleted study is left", "study", in.Study, "job", k.key, "error", err)
				}
			}
			if err := s.removeMedia(in.Study); err != nil {
				s.log.Warn("uploads of a deleted study are left", "study", in.Study, "error", err)
			}
			if r := s.studies.peek(in.Study); r != nil {
				s.studies.drop(r)
			}
			s.bell.ring(in.Study, 0, "deleted")
			return nil, nil
		})
}

// create makes a study of a study file with a name, and the server's settings beside the rest.
func (s *Server) create(ctx context.Context, in *createInput) (*studyOutput, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(in.RawBody, &fields); err != nil || fields == nil {
		return nil, refuse(http.StatusBadRequest, "json", "the body is no JSON object")
	}
	var name string
	var settings Settings
	for field, into := range map[string]any{"name": &name, "checks": &settings.Checks, "show_result": &settings.ShowResult, "page": &settings.Page} {
		text, ok := fields[field]
		if !ok {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			return nil, invalid("body."+field, nil, err.Error())
		}
		delete(fields, field)
	}
	if name == "" {
		return nil, invalid("body.name", nil, "name is missing: what the study is called")
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, s.explain(ctx, err, "body")
	}
	cfg, err := schema.ReadStudy(bytes.NewReader(text))
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && fieldOf(err) != "" {
		return nil, invalid("body"+fieldOf(err), nil, fmt.Sprintf("%s cannot be a %s", fieldOf(err)[1:], kind.Value))
	}
	if err != nil {
		return nil, s.explain(ctx, err, "body"+fieldOf(err))
	}
	if err := settings.validate(cfg); err != nil {
		return nil, err
	}
	if err := s.Create(ctx, name, cfg, settings); err != nil {
		return nil, s.explain(ctx, err, "body.name")
	}
	out := &studyOutput{}
	err = s.with(ctx, name, func(r *running) error {
		out.Body = r.describe(asker(ctx))
		return nil
	})
	return out, s.explain(ctx, err, "")
}

// Create makes a study and the settings it is served with, or neither.
func (s *Server) Create(ctx context.Context, name string, cfg prefer.Config, settings Settings) error {
	if _, err := s.cfg.Store.Create(ctx, name, cfg); err != nil {
		return err
	}
	if err := s.keepSettings(ctx, name, settings); err != nil {
		return errors.Join(err, s.cfg.Store.Delete(context.WithoutCancel(ctx), name))
	}
	return nil
}

var unknownField = regexp.MustCompile(`json: unknown field "([^"]*)"`)

// fieldOf returns the field that encoding/json complains about, with a dot before it, if it names one.
func fieldOf(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return "." + strings.TrimPrefix(kind.Field, "Config.") // embedded in a study file
	}
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return "." + m[1]
	}
	return ""
}

func (s *Server) list(ctx context.Context, in *listInput) (*listOutput, error) {
	all, err := s.cfg.Store.List(ctx)
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	out := &listOutput{}
	out.Body.Studies = []Study{}
	for _, i := range all {
		if i.Name <= in.After {
			continue
		}
		if len(out.Body.Studies) == in.Limit {
			out.Body.Next = out.Body.Studies[in.Limit-1].Name
			break
		}
		err := s.with(ctx, i.Name, func(r *running) error {
			out.Body.Studies = append(out.Body.Studies, r.describe(asker(ctx)))
			return nil
		})
		if err != nil {
			return nil, s.explain(ctx, err, "")
		}
	}
	return out, nil
}
