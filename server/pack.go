package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/pack"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
)

func registerPack(s *Server) {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/pack", "pack", "A study as one HTML file that needs no server", forOwner, func(op *huma.Operation) {
		op.Responses = map[string]*huma.Response{"200": {Description: "The file", Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	}), s.pack)
}

type packInput struct {
	Study  string `path:"study"`
	Upload bool   `query:"upload" doc:"Make an upload token and put it into the file, so that answers can be sent here."`

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

// pack gives the owner a file that holds what the study asks now and how it is run, and none of its answers. A study that cannot go into a file, because it
// has media elsewhere or too many, is a 422; a server that has no core to put into it a 503.
func (s *Server) pack(ctx context.Context, in *packInput) (*huma.StreamResponse, error) {
	f := pack.File{Name: in.Study, Read: func(name string) ([]byte, error) { return s.files.Read(in.Study, name) }}
	err := s.studies.With(ctx, in.Study, func(open *live.Study) (err error) {
		f.Log, f.Settings, err = pack.Current(ctx, s.cfg.Store, in.Study, open.Study)
		return err
	})
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	if in.Upload {
		to, err := replyWithToken(ctx, s, s.uploadOf, func() (string, token.Token, error) {
			return s.studies.Tokens.Make(ctx, token.Token{Study: in.Study, Kind: token.Upload})
		})
		if err != nil {
			return nil, err
		}
		path, _, _ := strings.Cut(to.Body.URL, "#")
		f.Upload, f.Token = strings.TrimSuffix(cmp.Or(s.cfg.PublicURL, in.here), "/")+path, to.Body.Token
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
