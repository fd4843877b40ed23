package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Study describes a study.
type Study struct {
	Name      string         `json:"name"`
	Created   time.Time      `json:"created"`
	Prompt    string         `json:"prompt"`
	Answers   prefer.Answers `json:"answers" doc:"The answers on offer."`
	People    string         `json:"people" enum:"shared,per_rater"`
	Budget    int            `json:"budget,omitempty" doc:"Maximum answers per rater."`
	Shortlist int            `json:"shortlist,omitempty" doc:"How many of the best items of a list it looks for; 0 for one favourite."`
	Space     StudySpace     `json:"space"`
	Count     int            `json:"answers_count" doc:"Without skips and checks."`
	Seq       int            `json:"seq" doc:"The number of the last event of its log."`
	Hash      string         `json:"config_sha256" doc:"The SHA-256 of the configuration it was made with, for a preregistration to point to."`
	Settings  *live.Settings `json:"settings,omitempty" doc:"Owner only."`
}

// StudySpace is what a study searches. Of a list only the length is told: it may be long.
type StudySpace struct {
	Parameters  []space.Parameter  `json:"params,omitempty"`
	Constraints []string           `json:"constraints,omitempty"`
	Items       int                `json:"items_count,omitempty"`
	Circular    map[string]float64 `json:"circular,omitempty" doc:"The periods of features of items that are circles."`
	Own         bool               `json:"own,omitempty" doc:"Items have effects beyond their features."`
}

type createInput struct {
	RawBody []byte `contentType:"application/json"`
}

type changeInputBody struct {
	People    *prefer.People `json:"people,omitempty" enum:"shared,per_rater" doc:"What to find: one favourite for all, or one per rater. All answers so far count either way."`
	Budget    *int           `json:"budget,omitempty" minimum:"0" maximum:"1000000" doc:"Maximum answers per rater; 0 to stop at the verdict."`
	Shortlist *int           `json:"shortlist,omitempty" minimum:"0" maximum:"10" doc:"How many of the best items of a list to look for: 3 for a top 3, 0 for one favourite."`
	Prompt    *string        `json:"prompt,omitempty" maxLength:"10000" doc:"The sentence above a question."`
	live.Setting
}

type listInput struct {
	After string `query:"after" maxLength:"200" doc:"The name after which the list continues."`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

// damagedStudy is one that cannot be opened, while others can.
type damagedStudy struct {
	Name   string `json:"name"`
	Type   string `json:"type" doc:"urn:prefer:store_damaged or urn:prefer:store_newer, as of the problem that opening it is."`
	Detail string `json:"detail" doc:"What is wrong, with the number of the event."`
}

type listOutputBody struct {
	Studies []Study        `json:"studies" nullable:"false"`
	Damaged []damagedStudy `json:"damaged,omitempty" doc:"Studies that cannot be opened, and why: damaged, or made by a newer prefer. They can be deleted."`
	Next    string         `json:"next,omitempty" doc:"Cursor of the next page, if there is one."`
}

func registerStudies(s *Server) {
	register(s, operation(http.MethodPost, "/v1/studies", "create-study", "Create a study", gate.Owner, takesStudy, replyWith(http.StatusCreated)), s.create)
	reply(s, operation(http.MethodPut, "/v1/studies/{study}", "ensure-study", "Create a study unless it exists with the same settings", gate.Owner, takesStudy), s.ensure)
	register(s, operation(http.MethodGet, "/v1/studies", "list-studies", "All studies", gate.Owner), s.list)
	register(s, operation(http.MethodGet, "/v1/studies/{study}", "get-study", "One study", gate.Rater), s.study)
	register(s, operation(http.MethodPatch, "/v1/studies/{study}", "change-study", "Change a running study: people, budget, shortlist, prompt, checks and page", gate.Owner), s.change)
	registerChange(s, operation(http.MethodDelete, "/v1/studies/{study}", "delete-study", "Delete a study and everything about it", gate.Owner), func(ctx context.Context, in *studyInput) error {
		if err := s.studies.Delete(ctx, in.Study); err != nil {
			return err
		}
		if err := s.files.Remove(in.Study); err != nil {
			s.log.Warn("uploads of a deleted study are left", "study", in.Study, "error", err)
		}
		return nil
	})
}

// takesStudy has an operation read a study file, which exchange.ReadStudy checks.
func takesStudy(op *huma.Operation) {
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/" + studyFile}}}}
	op.SkipValidateBody = true
}

// study tells everybody who takes part what they may know about a study, and the owner how the server runs it.
func (s *Server) study(ctx context.Context, in *studyInput) (Study, error) {
	return live.In(ctx, s.studies, in.Study, func(open *live.Study) (Study, error) { return describeStudy(open, gate.CallerOf(ctx).Owner) })
}

// describeStudy returns the description of a study, for its owner with the server's settings.
func describeStudy(open *live.Study, owner bool) (Study, error) {
	cfg := open.Config
	answers, items := open.Size()
	hash, err := open.Hash()
	if err != nil {
		return Study{}, err
	}
	out := Study{
		Name: open.Name, Created: open.Created, Prompt: cfg.Prompt, Answers: cfg.Answers, People: string(cfg.People), Budget: open.Budget(), Shortlist: cfg.Shortlist,
		Count: answers, Seq: open.Seq(), Hash: hash,
		Space: StudySpace{Parameters: cfg.Space.Parameters, Constraints: cfg.Space.Constraints, Items: items, Circular: cfg.Space.Circular, Own: cfg.Space.Own},
	}
	if owner {
		out.Settings = &open.Settings
	}
	return out, nil
}

// change changes a running study. The owner may; a change of nothing is a 422.
func (s *Server) change(ctx context.Context, in *studyBody[changeInputBody]) (Study, error) {
	c := prefer.Change{People: in.Body.People, Budget: in.Body.Budget, Shortlist: in.Body.Shortlist, Prompt: in.Body.Prompt}
	if c.People == nil && c.Budget == nil && c.Shortlist == nil && c.Prompt == nil && in.Body.Setting == (live.Setting{}) {
		return Study{}, problem.Field("body", nil, "nothing to change: want people, budget, shortlist, prompt, show_result, own_duels, checks or page")
	}
	if err := s.studies.Alter(ctx, in.Study, c, in.Body.Setting.Set); err != nil {
		return Study{}, s.explain(ctx, err, "body")
	}
	return s.study(ctx, &studyInput{in.Study})
}

// create makes a study of a study file with a name and settings. A taken name is a 409, an invalid field a 422 that names it.
func (s *Server) create(ctx context.Context, in *createInput) (Study, error) {
	d, err := s.readStudy(ctx, in.RawBody, "")
	if err != nil {
		return Study{}, err
	}
	if err := s.studies.Create(ctx, d.name, d.config, d.settings); err != nil {
		return Study{}, s.explain(ctx, err, "body.name")
	}
	return s.study(ctx, &studyInput{d.name})
}

// description is a study that is to be made.
type description struct {
	name     string
	config   prefer.Config
	settings live.Settings
}

// readStudy reads one out of a body; called is its name where the body need not say it.
func (s *Server) readStudy(ctx context.Context, body []byte, called string) (*description, error) {
	var fields map[string]json.RawMessage
	if err := strictjson.Text(body); err != nil {
		return nil, problem.New(http.StatusBadRequest, "json", "the body is not one JSON value: "+err.Error())
	}
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, problem.New(http.StatusBadRequest, "json", "the body is not a JSON object")
	}
	if err := strictjson.NoNull(body); err != nil {
		return nil, problem.Field("body", nil, err.Error())
	}
	d := &description{name: called}
	var from string
	for field, into := range map[string]any{"name": &d.name, "from": &from} {
		if text, ok := fields[field]; ok {
			if err := strictjson.Decode(text, into); err != nil {
				return nil, problem.Field("body."+field, nil, err.Error())
			}
			delete(fields, field)
		}
	}
	if err := d.settings.Read(fields); err != nil {
		return nil, s.explain(ctx, err, "body")
	}
	if d.name == "" {
		return nil, problem.Field("body.name", nil, "name is missing: give the study a name")
	}
	if called != "" && d.name != called {
		return nil, problem.Field("body.name", d.name, fmt.Sprintf("name = %q, but the address says %q", d.name, called))
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, s.explain(ctx, err, "body")
	}
	d.config, err = exchange.ReadStudy(bytes.NewReader(text))
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && fieldOf(err) != "" {
		return nil, problem.Field("body"+fieldOf(err), nil, fmt.Sprintf("%s cannot be of type %s", fieldOf(err)[1:], kind.Value))
	} else if field, ok := errors.AsType[*exchange.FieldError](err); ok {
		return nil, problem.Field("body."+field.Field, field.Value, strings.TrimPrefix(err.Error(), "prefer: "))
	} else if err != nil {
		return nil, s.explain(ctx, err, "body"+fieldOf(err))
	}
	if from != "" {
		d.config.Earlier, err = s.earlier(ctx, from, d.config)
	}
	return d, err
}

// earlier returns the answers of another study of the server that a new one begins with.
func (s *Server) earlier(ctx context.Context, from string, cfg prefer.Config) ([]prefer.Duel, error) {
	if len(cfg.Earlier) > 0 {
		return nil, problem.Field("body.from", from, fmt.Sprintf("the study has %d answers under \"earlier\" as well, want one of them", len(cfg.Earlier)))
	}
	return live.In(ctx, s.studies, from, func(open *live.Study) ([]prefer.Duel, error) {
		duels, _, err := exchange.Earlier(open.Study, cfg)
		if err != nil {
			return nil, problem.Field("body.from", from, strings.TrimPrefix(err.Error(), "prefer: "))
		}
		return duels, nil
	})
}

var unknownField = regexp.MustCompile(`json: unknown field "([^"]*)"`)

// fieldOf returns the field that encoding/json complains about, with a dot before it, if it names one.
func fieldOf(err error) string {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && kind.Field != "" {
		return "." + strings.TrimPrefix(kind.Field, "Config.") // embedded in a study file
	}
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return "." + m[1]
	}
	return ""
}

// list describes all studies to the owner, so many at a time.
func (s *Server) list(ctx context.Context, in *listInput) (out listOutputBody, err error) {
	all, err := s.studies.List(ctx)
	if err != nil {
		return out, err
	}
	last := ""
	out.Studies = []Study{}
	for _, i := range all {
		if i.Name <= in.After {
			continue
		}
		if len(out.Studies)+len(out.Damaged) == in.Limit {
			out.Next = last
			break
		}
		last = i.Name
		one, err := live.In(ctx, s.studies, i.Name, func(open *live.Study) (Study, error) { return describeStudy(open, true) })
		switch {
		case errors.Is(err, store.ErrCorrupt), errors.Is(err, prefer.ErrNewer):
			p := problem.Of(ctx, s.log, err) // what names files and databases is in the log alone
			if study, ok := errors.AsType[*store.Unreadable](err); ok {
				p.Detail = strings.TrimPrefix(study.Err.Error(), "prefer: ")
			}
			out.Damaged = append(out.Damaged, damagedStudy{i.Name, p.Type, p.Detail})
		case errors.Is(err, store.ErrNoStudy): // deleted meanwhile
		case err != nil:
			return out, err
		default:
			out.Studies = append(out.Studies, one)
		}
	}
	return out, nil
}

type ensureInput struct {
	Study   string `path:"study"`
	RawBody []byte `contentType:"application/json"`
}

type ensureOutput struct {
	Status int
	Body   Study
}

// ensure makes a study, or finds the one of that name if it was made of the same configuration; another is a 409 that says in what it differs.
func (s *Server) ensure(ctx context.Context, in *ensureInput) (*ensureOutput, error) {
	d, err := s.readStudy(ctx, in.RawBody, in.Study)
	if err != nil {
		return nil, err
	}
	out := &ensureOutput{Status: http.StatusCreated}
	if err = s.studies.Create(ctx, d.name, d.config, d.settings); errors.Is(err, store.ErrExists) {
		out.Status = http.StatusOK
		err = s.studies.With(ctx, d.name, func(open *live.Study) error { return madeOf(ctx, open, d) })
	}
	if err != nil {
		return nil, s.explain(ctx, err, "body.name")
	}
	out.Body, err = s.study(ctx, &studyInput{d.name})
	return out, err
}

// madeOf reports in what the configuration that a study was made of differs from a description.
func madeOf(ctx context.Context, open *live.Study, d *description) error {
	cfg := d.config
	cfg.Budget = cmp.Or(cfg.Budget, d.settings.Page.Goal) // as Create keeps it
	wanted, err := prefer.New(ctx, cfg)
	if err != nil {
		return err
	}
	differ, err := logfile.Differences(open.Study.Events(0)[0].Created.Config, wanted.Events(0)[0].Created.Config)
	if err != nil {
		return err
	}
	var other []string
	for _, d := range differ {
		unsaid := func(text string) bool { return text == "nothing" || text == `""` || text == `"float"` }
		if !(strings.HasPrefix(d.Field, "space.params[") && strings.HasSuffix(d.Field, "].type") && unsaid(d.Is) && unsaid(d.Not)) {
			other = append(other, fieldName.FindString(d.Field))
		}
	}
	other = slices.Compact(other)
	if said := slices.DeleteFunc(slices.Clone(other), derived); len(said) > 0 {
		other = said
	}
	if len(other) > 0 {
		return problem.New(http.StatusConflict, "study_differs", fmt.Sprintf("there is a study %q that was made with another %s: choose another name, or delete it", d.name, strings.Join(other, ", ")))
	}
	return nil
}

// fieldName is a field of a configuration, or of its space or model.
var fieldName = regexp.MustCompile(`^[^.\[]+(\.[^.\[]+)?`)

// derived reports whether a field follows from others unless somebody sets it: of the model by the space and the answers, say.
func derived(field string) bool {
	top, _, _ := strings.Cut(field, ".")
	return !slices.Contains([]string{"space", "answers", "prompt", "people", "budget", "shortlist", "seed", "method"}, top)
}
