package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
)

type exportInput struct {
	Study  string `path:"study"`
	Format string `query:"format" enum:"jsonl,csv,json,people,group,agreement,results,chosen,chosen-csv,battles,battles-csv" default:"jsonl" doc:"The log in full as JSON Lines, a table of answers, the log as one JSON value; results as tables of people, of the group, of how far each two agree, or all three as JSON; what was chosen over what, or battles, as JSON Lines or a table."`
}

type importInput struct {
	Study   string `path:"study"`
	Format  string `query:"format" enum:"jsonl,pairs" default:"pairs" doc:"jsonl: a whole log, which makes a new study. pairs: duels for this one."`
	Texts   bool   `query:"texts" doc:"Treat chosen and rejected as texts, not names; each becomes an item."`
	RawBody []byte `contentType:"application/octet-stream"`
}

type imported struct {
	Answers int      `json:"answers" doc:"How many duels were added, or answers the new study has."`
	Notes   []string `json:"notes,omitempty" doc:"What was left out or changed on the way."`
}

func registerExchange(s *Server) {
	reply(s, operation(http.MethodGet, "/v1/studies/{study}/export", "export", "Export a study", gate.Owner, func(op *huma.Operation) {
		text := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		op.Responses = map[string]*huma.Response{"200": {Description: "The file", Content: map[string]*huma.MediaType{
			"application/jsonl": text, "text/csv": text, "application/json": {Schema: &huma.Schema{Type: huma.TypeObject}}}}}
	}), s.export)
	register(s, operation(http.MethodPost, "/v1/studies/{study}/import", "import", "Import answers", gate.Owner, func(op *huma.Operation) {
		op.MaxBodyBytes = media.MaxUpload
		op.Middlewares = huma.Middlewares{s.gate.RequireProgress}
		op.SkipValidateBody = true
	}), s.importFile)
	reply(s, operation(http.MethodGet, "/v1/studies/{study}/pack", "pack", "Pack a study into one HTML file", gate.Owner, replyAs("The file", "text/html")), s.pack)
}

func (s *Server) export(ctx context.Context, in *exportInput) (*huma.StreamResponse, error) {
	var found exchange.Results
	events, err := s.cfg.Store.Events(ctx, in.Study)
	switch in.Format {
	case "people", "group", "agreement", "results":
		if err == nil {
			found, err = live.In(ctx, s.studies, in.Study, func(open *live.Study) (exchange.Results, error) {
				return exchange.NewResults(ctx, open.Study, exchange.ResultsOptions{Name: in.Study, Caught: open.Caught})
			})
		}
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	kind, file := "application/jsonl", in.Format
	var left exchange.LeftOut
	const table = "text/csv; charset=utf-8"
	switch in.Format {
	case "people", "group", "agreement":
		rows := map[string]interface{ Write(io.Writer) error }{"people": found.People, "group": found.Group, "agreement": found.Agreement}[in.Format]
		kind, file, err = table, in.Format+".csv", rows.Write(&out)
	case "results":
		kind, file, err = "application/json", "results.json", json.NewEncoder(&out).Encode(found)
	case "chosen", "battles":
		file += ".jsonl"
		left, err = exchange.PairTable{Battles: in.Format == "battles"}.Write(&out, events)
	case "chosen-csv", "battles-csv":
		kind, file = table, strings.Replace(in.Format, "-", ".", 1)
		left, err = exchange.PairTable{Battles: in.Format == "battles-csv", CSV: true}.Write(&out, events)
	case "csv":
		kind, err = table, exchange.Table{}.Write(&out, in.Study, events)
	case "json":
		var head logfile.Checksum
		if head, err = logfile.Head(events); err == nil {
			kind, err = "application/json", json.NewEncoder(&out).Encode(map[string]any{"name": in.Study, "events": events, "head": head})
		}
	default:
		err = logfile.Write(&out, in.Study, events)
	}
	if err != nil && strings.HasSuffix(in.Format, "-csv") { // of options that a table of names has no column for
		err = problem.Field("query.format", in.Format, strings.TrimPrefix(err.Error(), "exchange: "))
	}
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", kind)
		if left != (exchange.LeftOut{}) {
			hc.SetHeader("Prefer-Left-Out", left.String())
		}
		hc.SetHeader("Content-Disposition", fmt.Sprintf("attachment; filename=\"study.%s\"", file))
		_, _ = hc.BodyWriter().Write(out.Bytes()) // the client may be gone
	}}, nil
}

// importFile adds duels from elsewhere to a study, all or none, or makes a study of a whole log. An unfit file is a 422, a taken name a 409.
func (s *Server) importFile(ctx context.Context, in *importInput) (out imported, err error) {
	if in.Format == "jsonl" {
		return s.importLog(ctx, in)
	}
	got, err := exchange.Pairs{Texts: in.Texts}.Read(bytes.NewReader(in.RawBody))
	if err != nil {
		return out, problem.Field("body", nil, strings.TrimPrefix(err.Error(), "exchange: "))
	}
	sum := sha256.Sum256(in.RawBody)
	err = s.studies.Change(ctx, in.Study, "observed", "", func(open *live.Study) error {
		// The keys make importing the same file again change nothing.
		for i := range got.Duels {
			got.Duels[i].Answer.Key = fmt.Sprintf("import %x %d", sum[:8], i)
		}
		_, err := open.Study.Observe(context.WithoutCancel(ctx), got.Duels...)
		return err
	})
	return imported{Answers: len(got.Duels), Notes: got.Notes}, err
}

func (s *Server) importLog(ctx context.Context, in *importInput) (imported, error) {
	_, events, err := logfile.Read(bytes.NewReader(in.RawBody))
	if err != nil {
		return imported{}, problem.Field("body", nil, strings.TrimPrefix(err.Error(), "logfile: "))
	}
	if err := s.cfg.Store.Import(ctx, in.Study, events); err != nil {
		return imported{}, s.explain(ctx, err, "body")
	}
	return live.In(ctx, s.studies, in.Study, func(open *live.Study) (imported, error) {
		answers, _ := open.Size()
		return imported{Answers: answers}, nil
	})
}

type packInput struct {
	Study  string `path:"study"`
	Upload bool   `query:"upload" doc:"Create an upload token and put it into the file, so that answers can be sent here."`

	here string // where the caller reaches the server
}

// Resolve implements huma.Resolver.
func (in *packInput) Resolve(ctx huma.Context) []error {
	in.here = "http://" + ctx.Host()
	if ctx.TLS() != nil {
		in.here = "https://" + ctx.Host()
	}
	return nil
}

// pack gives the owner a file with what the study asks now and how it is run. A study that cannot be packed is a 422, a server without a core a 503.
func (s *Server) pack(ctx context.Context, in *packInput) (*huma.StreamResponse, error) {
	f := pack.File{Name: in.Study, Read: func(name string) ([]byte, error) { return s.files.Read(in.Study, name) }}
	err := s.studies.With(ctx, in.Study, func(open *live.Study) (err error) {
		f.Log, f.Settings, err = pack.Current(ctx, s.cfg.Store, in.Study, open.Study)
		return err
	})
	if err != nil {
		return nil, err
	}
	if in.Upload {
		to, err := replyWithToken(s, s.uploadOf, func() (string, token.Token, error) {
			return s.studies.Tokens.Make(ctx, token.Token{Study: in.Study, Kind: token.Upload})
		})
		if err != nil {
			return nil, err
		}
		path, _, _ := strings.Cut(to.URL, "#")
		f.Upload, f.Token = strings.TrimSuffix(cmp.Or(s.cfg.PublicURL, in.here), "/")+path, to.Token
	}
	if s.cfg.Core != nil {
		f.Core, err = s.cfg.Core(ctx)
	}
	var out bytes.Buffer
	if err == nil {
		err = pack.Write(ctx, &out, f)
	}
	if errors.As(err, new(*pack.CoreError)) {
		s.log.Warn("a study cannot be packed", "study", in.Study, "error", err)
		return nil, problem.New(http.StatusServiceUnavailable, "no_core", strings.TrimPrefix(err.Error(), "pack: "))
	} else if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "cannot_pack", strings.TrimPrefix(err.Error(), "pack: "))
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "text/html; charset=utf-8")
		hc.SetHeader("Content-Disposition", fmt.Sprintf("attachment; filename=\"study.html\"; filename*=UTF-8''%s.html", url.PathEscape(in.Study)))
		hc.SetHeader("Content-Security-Policy", "sandbox; default-src 'none'") // it is to be saved, not to be opened here
		_, _ = hc.BodyWriter().Write(out.Bytes())                              // the client may be gone
	}}, nil
}
