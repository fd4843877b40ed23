package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
)

type inviteInputBody struct {
	Rater     string    `json:"rater,omitempty" minLength:"1" maxLength:"200" doc:"The rater's name in the log."`
	Everybody bool      `json:"everybody,omitempty" doc:"Instead of a rater: everyone who opens the address gets their own name and address."`
	Expires   time.Time `json:"expires,omitzero" doc:"Expiry; without it, the link works until it is revoked."`
}

type allowInputBody struct {
	Expires time.Time `json:"expires,omitzero" doc:"Expiry; without it, the link works until it is revoked."`
}

type linkInput struct {
	Study string `path:"study"`
	Link  string `path:"link" maxLength:"100" doc:"The id of a link."`
}

type uploadLinkInput struct {
	Study  string `path:"study"`
	Upload string `path:"upload" maxLength:"100" doc:"The id of an upload token."`
}

type renewBody = struct {
	Expires time.Time `json:"expires,omitzero" doc:"Expiry; without it, the original duration applies again."`
}

type renewInput struct {
	Study string `path:"study"`
	Link  string `path:"link" maxLength:"100" doc:"The id of a link."`
	Body  *renewBody
}

type renewUploadInput struct {
	Study  string `path:"study"`
	Upload string `path:"upload" maxLength:"100" doc:"The id of an upload token."`
	Body   *renewBody
}

type link struct {
	URL       string    `json:"url" doc:"The address to give to the rater. Everyone who has it can answer as that rater."`
	Token     string    `json:"token" doc:"The same as a bearer token. It is not shown again."`
	Rater     string    `json:"rater"`
	ID        string    `json:"id" doc:"The link's id."`
	Everybody bool      `json:"everybody,omitempty"`
	Expires   time.Time `json:"expires,omitzero"`
}

type uploadAddress struct {
	URL     string    `json:"url" doc:"The address that a packed study takes: where to send logs, and after # the token, which browsers do not send as part of an address."`
	Token   string    `json:"token" doc:"The token by itself. It is not shown again."`
	ID      string    `json:"id" doc:"Its id."`
	Expires time.Time `json:"expires,omitzero"`
}

// listedLink and listedUpload are tokens without their secrets.
type listedLink token.Token

type listedUpload struct {
	ID      string    `json:"id" doc:"Its id, which stays when it is renewed."`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero" doc:"Expiry."`
}

type linksOutputBody struct {
	Links []listedLink `json:"links" nullable:"false" doc:"Latest first, without revoked ones."`
}

type listedUploads struct {
	Uploads []listedUpload `json:"uploads" nullable:"false" doc:"Latest first, without revoked ones."`
}

// registerTokens registers links and upload tokens. An unknown id is a 404, a link for nobody a 422, and making one where the host identifies users a 409.
func registerTokens(s *Server) {
	register(s, operation(http.MethodPost, "/v1/studies/{study}/links", "invite", "Create a link for a rater", gate.Owner, replyWith(http.StatusCreated)), func(ctx context.Context, in *studyBody[inviteInputBody]) (link, error) {
		t := token.Token{Study: in.Study, Kind: token.Personal, Rater: in.Body.Rater, Expires: in.Body.Expires}
		if in.Body.Everybody {
			t.Kind = token.Shared
		}
		return replyWithToken(s, s.linkOf, func() (string, token.Token, error) { return s.studies.Tokens.Make(ctx, t) })
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/links", "links", "The links of a study", gate.Owner), func(ctx context.Context, in *studyInput) (linksOutputBody, error) {
		all, err := listTokens(ctx, s, in.Study, token.Personal, func(t token.Token) listedLink { return listedLink(t) })
		return linksOutputBody{all}, err
	})
	registerChange(s, operation(http.MethodDelete, "/v1/studies/{study}/links/{link}", "withdraw", "Revoke a link; its answers are kept", gate.Owner), func(ctx context.Context, in *linkInput) error {
		return s.studies.Tokens.Withdraw(ctx, in.Study, token.Personal, in.Link)
	})
	register(s, operation(http.MethodPost, "/v1/studies/{study}/links/{link}/renew", "renew", "Renew a rater's link", gate.Owner, replyWith(http.StatusCreated)), func(ctx context.Context, in *renewInput) (link, error) {
		return replyWithToken(s, s.linkOf, func() (string, token.Token, error) {
			return s.studies.Tokens.Renew(ctx, in.Study, token.Personal, in.Link, given(in.Body).Expires)
		})
	})

	register(s, operation(http.MethodPost, "/v1/studies/{study}/uploads", "allow-uploads", "Create an upload token", gate.Owner, replyWith(http.StatusCreated)), func(ctx context.Context, in *studyBody[*allowInputBody]) (uploadAddress, error) {
		t := token.Token{Study: in.Study, Kind: token.Upload, Expires: given(in.Body).Expires}
		return replyWithToken(s, s.uploadOf, func() (string, token.Token, error) { return s.studies.Tokens.Make(ctx, t) })
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/uploads", "uploads", "The upload tokens of a study", gate.Owner), func(ctx context.Context, in *studyInput) (listedUploads, error) {
		all, err := listTokens(ctx, s, in.Study, token.Upload, func(t token.Token) listedUpload { return listedUpload{t.ID, t.Created, t.Expires} })
		return listedUploads{all}, err
	})
	registerChange(s, operation(http.MethodDelete, "/v1/studies/{study}/uploads/{upload}", "withdraw-uploads", "Revoke an upload token; uploaded answers are kept", gate.Owner), func(ctx context.Context, in *uploadLinkInput) error {
		return s.studies.Tokens.Withdraw(ctx, in.Study, token.Upload, in.Upload)
	})
	register(s, operation(http.MethodPost, "/v1/studies/{study}/uploads/{upload}/renew", "renew-uploads", "Renew an upload token", gate.Owner, replyWith(http.StatusCreated)), func(ctx context.Context, in *renewUploadInput) (uploadAddress, error) {
		return replyWithToken(s, s.uploadOf, func() (string, token.Token, error) {
			return s.studies.Tokens.Renew(ctx, in.Study, token.Upload, in.Upload, given(in.Body).Expires)
		})
	})
	register(s, operation(http.MethodPost, gate.UploadPath, "upload-log", "Upload the log of a packed study", gate.Upload, func(op *huma.Operation) {
		op.Middlewares = huma.Middlewares{s.gate.RequireProgress}
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/jsonl": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Extensions: map[string]any{"contentMediaType": "application/octet-stream"}}}}}
	}), s.uploadLog)
}

// errNoLinks is the error where the host identifies its users.
var errNoLinks = problem.New(http.StatusConflict, "no_links", "links are off: the host program identifies raters (Config.Identify)")

// replyWithToken replies with a token that was just made, the only time that its secret is known.
func replyWithToken[T any](s *Server, show func(secret string, t token.Token) T, make func() (string, token.Token, error)) (out T, err error) {
	if s.cfg.Identify != nil {
		return out, errNoLinks
	}
	secret, t, err := make()
	return show(secret, t), err
}

func (s *Server) linkOf(secret string, t token.Token) link {
	return link{URL: s.cfg.Prefix + "/r/" + secret, Token: secret, Rater: t.Rater, ID: t.ID, Everybody: t.Everybody, Expires: t.Expires}
}

func (s *Server) uploadOf(secret string, t token.Token) uploadAddress {
	return uploadAddress{URL: s.cfg.Prefix + gate.UploadPath + "#" + secret, Token: secret, ID: t.ID, Expires: t.Expires}
}

func listTokens[T any](ctx context.Context, s *Server, study string, kind token.Kind, show func(token.Token) T) ([]T, error) {
	all, err := s.studies.Tokens.List(ctx, study, kind)
	return append([]T{}, xslices.Map(all, show)...), err
}

// maxLog is the size of the largest log that somebody may upload, unless Config.MaxLog says otherwise, beside what the logs of everybody begin with.
const maxLog = 1 << 20

// uploaded is what became of a log. It says nothing that was not in it, but for how much of it was new.
type uploaded struct {
	Raters  []uploadedRater `json:"raters" nullable:"false" doc:"The rater of the log."`
	Answers int             `json:"answers" doc:"Number of answers, undone ones included."`
	New     int             `json:"new" doc:"Number of new ones."`
}

type uploadedRater struct {
	Rater   string `json:"rater"`
	Answers int    `json:"answers"`
	New     int    `json:"new"`
}

// uploadLog takes the log of one person. What no packed page writes is a 422, a log of another study or person a 409; the token's limits come before the body.
func (s *Server) uploadLog(ctx context.Context, _ *struct{}) (out uploaded, err error) {
	who := gate.CallerOf(ctx)
	w, r := gate.RequestOf(ctx)
	wait, done := s.gate.BeginUpload(who)
	if done == nil {
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		return out, problem.New(http.StatusTooManyRequests, "too_many", "too many uploads with this token: send it again in a moment")
	}
	taken := 0
	defer func() { done(taken) }()
	check, err := s.studies.CheckLog(ctx, who.Study)
	if err != nil {
		return out, err
	}
	largest := check.Beginning + s.cfg.MaxLog
	large := problem.New(http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the log has more than %d bytes: save it as a file, and give it to the owner of the study", largest))
	if r.ContentLength > largest {
		return out, large
	}
	_, events, err := logfile.ReadChecked(http.MaxBytesReader(w, r.Body, largest), check.Event)
	var late net.Error
	var refused *live.Error
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return out, large
	case errors.As(err, &late) && late.Timeout():
		return out, problem.New(http.StatusRequestTimeout, "timeout", "the log did not arrive in time: send it again")
	case errors.As(err, &refused):
		return out, s.explain(ctx, err, "body")
	case err != nil:
		return out, problem.Field("body", nil, strings.TrimPrefix(err.Error(), "logfile: "))
	}
	part, err := s.studies.Upload(ctx, who.Study, who.Upload, events)
	if err != nil {
		return out, s.explain(ctx, err, "body")
	}
	taken = part.New
	return uploaded{[]uploadedRater{{part.Rater, part.Answers, part.New}}, part.Answers, part.New}, nil
}
