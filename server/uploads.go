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

	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
)

// uploadPath is the one address that pages of other origins may call, with an upload token and nothing else.
const uploadPath = live.UploadPath

// maxLog is the size of the largest log that somebody may upload, unless Config.MaxLog says otherwise, beside what the logs of everybody begin with.
const maxLog = 1 << 20

// uploaded is what became of a log. It says nothing that was not in it, but for how much of it was new.
type uploaded struct {
	Raters  []uploadedRater `json:"raters" nullable:"false" doc:"Whose log it was: one."`
	Answers int             `json:"answers" doc:"How many answers it has, those taken back among them."`
	New     int             `json:"new" doc:"How many of them the study did not have."`
}

type uploadedRater struct {
	Rater   string `json:"rater"`
	Answers int    `json:"answers"`
	New     int    `json:"new"`
}

type allowInput struct {
	Study string `path:"study"`
	Body  *struct {
		Expires time.Time `json:"expires,omitzero" doc:"From when on it no longer works; without, it does until it is withdrawn."`
	}
}

type uploadLinkInput struct {
	Study  string `path:"study"`
	Upload string `path:"upload" maxLength:"100" doc:"The id of an upload token."`
}

type renewUploadInput struct {
	Study  string `path:"study"`
	Upload string `path:"upload" maxLength:"100" doc:"The id of an upload token."`
	Body   *struct {
		Expires time.Time `json:"expires,omitzero" doc:"From when on it no longer works; without, it lasts as long as it did when it was made."`
	}
}

type uploadAddress struct {
	URL     string    `json:"url" doc:"The address that a packed study takes: where to send logs, and after # the token, which browsers do not send as part of an address."`
	Token   string    `json:"token" doc:"The token by itself. It is not shown again."`
	ID      string    `json:"id" doc:"Names it in place of its token."`
	Expires time.Time `json:"expires,omitzero"`
}

// listedUpload is an upload token without the token, which nobody has kept.
type listedUpload live.UploadLink

type listedUploads struct {
	Uploads []listedUpload `json:"uploads" nullable:"false" doc:"The latest first; those that were withdrawn are not among them."`
}

func registerUploads(s *Server) {
	huma.Register(s.api, operation(http.MethodPost, uploadPath, "upload-log", "The log of one person who was asked elsewhere", forUpload, func(op *huma.Operation) {
		op.Middlewares = huma.Middlewares{s.streamed}
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/jsonl": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Extensions: map[string]any{"contentMediaType": "application/octet-stream"}}}}}
	}), s.uploadLog)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/uploads", "allow-uploads", "A token that only uploads logs", forOwner, replyWith(http.StatusCreated)), s.allowUploads)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/uploads", "uploads", "The upload tokens there are", forOwner), s.listUploads)
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/uploads/{upload}", "withdraw-uploads", "End an upload token; what came by it stays", forOwner), s.withdrawUploads)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/uploads/{upload}/renew", "renew-uploads", "A new upload token in place of another", forOwner, replyWith(http.StatusCreated)), s.renewUploads)
}

// uploadLog takes the log of one person into the study of an upload token. Who has the token may, and nobody else, not even the owner; a log
// that cannot be read, or has what no packed page writes, is a 422, one that is not of this study or of another person of the name a 409. Who uploads too
// much with one token is refused before the body is read.
func (s *Server) uploadLog(ctx context.Context, _ *struct{}) (*output[uploaded], error) {
	in, who := ctx.Value(bodyKey{}).(incoming), asker(ctx)
	token := "upload " + who.Study + " " + who.upload
	wait, done := s.limits.begin(token)
	if done == nil {
		in.w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		return nil, problem.New(http.StatusTooManyRequests, "too_many", "too many answers come by this upload token: send them again in a moment")
	}
	taken := 0
	defer func() { done(taken) }()
	check, err := s.studies.CheckLog(ctx, who.Study)
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	largest := check.Beginning + s.cfg.MaxLog
	large := problem.New(http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the log has more than %d bytes: save it as a file, and give it to the owner of the study", largest))
	if in.r.ContentLength > largest {
		return nil, large
	}
	_, events, err := exchange.ReadCheckedLog(in.body(largest), check.Event)
	var late net.Error
	var refused *live.Error
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, large
	case errors.As(err, &late) && late.Timeout():
		return nil, problem.New(http.StatusRequestTimeout, "timeout", "the log did not arrive in time: send it again")
	case errors.As(err, &refused):
		return nil, s.explain(ctx, err, "body")
	case err != nil:
		return nil, problem.Field("body", nil, strings.TrimPrefix(err.Error(), "exchange: "))
	}
	part, err := s.studies.Upload(ctx, live.UploadLink{Study: who.Study, ID: who.upload}, events)
	if err != nil {
		return nil, s.explain(ctx, err, "body")
	}
	taken = part.New
	return &output[uploaded]{uploaded{[]uploadedRater{{part.Rater, part.Answers, part.New}}, part.Answers, part.New}}, nil
}

// allowUploads makes an upload token. The owner may; where the host says who somebody is there are none, which is a 409.
func (s *Server) allowUploads(ctx context.Context, in *allowInput) (*output[uploadAddress], error) {
	return s.handOutUpload(ctx, func() (string, live.UploadLink, error) {
		var expires time.Time
		if in.Body != nil {
			expires = in.Body.Expires
		}
		return s.studies.AllowUploads(ctx, in.Study, expires)
	})
}

// handOutUpload replies with an upload token that was just made.
func (s *Server) handOutUpload(ctx context.Context, allow func() (string, live.UploadLink, error)) (*output[uploadAddress], error) {
	if s.cfg.Identify != nil {
		return nil, errNoLinks
	}
	token, l, err := allow()
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	return &output[uploadAddress]{uploadAddress{URL: s.cfg.Prefix + uploadPath + "#" + token, Token: token, ID: l.ID, Expires: l.Expires}}, nil
}

// listUploads tells the owner which upload tokens there are.
func (s *Server) listUploads(ctx context.Context, in *studyInput) (*output[listedUploads], error) {
	all, err := s.studies.UploadLinks(ctx, in.Study)
	out := listedUploads{make([]listedUpload, len(all))}
	for i, l := range all {
		out.Uploads[i] = listedUpload(l)
	}
	return &output[listedUploads]{out}, s.explain(ctx, err, "")
}

// withdrawUploads ends an upload token. The owner may; one that is not there is a 404.
func (s *Server) withdrawUploads(ctx context.Context, in *uploadLinkInput) (*struct{}, error) {
	return nil, s.explain(ctx, s.studies.WithdrawUploads(ctx, in.Study, in.Upload), "")
}

// renewUploads puts a new upload token in place of another. The owner may; one that is not there is a 404.
func (s *Server) renewUploads(ctx context.Context, in *renewUploadInput) (*output[uploadAddress], error) {
	return s.handOutUpload(ctx, func() (string, live.UploadLink, error) {
		var expires time.Time
		if in.Body != nil {
			expires = in.Body.Expires
		}
		return s.studies.RenewUploads(ctx, in.Study, in.Upload, expires)
	})
}
