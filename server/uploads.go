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
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
)

// uploadPath is the one address that pages of other origins may call, with an upload token and nothing else.
const uploadPath = token.UploadPath

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

func registerUploads(s *Server) {
	huma.Register(s.api, operation(http.MethodPost, uploadPath, "upload-log", "The log of one person who was asked elsewhere", forUpload, func(op *huma.Operation) {
		op.Middlewares = huma.Middlewares{s.streamed}
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/jsonl": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Extensions: map[string]any{"contentMediaType": "application/octet-stream"}}}}}
	}), s.uploadLog)
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
	part, err := s.studies.Upload(ctx, who.Study, who.upload, events)
	if err != nil {
		return nil, s.explain(ctx, err, "body")
	}
	taken = part.New
	return &output[uploaded]{uploaded{[]uploadedRater{{part.Rater, part.Answers, part.New}}, part.Answers, part.New}}, nil
}
