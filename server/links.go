package server

import (
	"context"
	"net/http"
	"time"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
)

type inviteInput struct {
	Study string `path:"study"`
	Body  struct {
		Rater     string    `json:"rater,omitempty" minLength:"1" maxLength:"200" doc:"The name her answers are kept under."`
		Everybody bool      `json:"everybody,omitempty" doc:"In place of a rater: whoever opens the address gets a name and an address of her own."`
		Expires   time.Time `json:"expires,omitzero" doc:"From when on it no longer works; without, it does until it is withdrawn."`
	}
}

type linkInput struct {
	Study string `path:"study"`
	Link  string `path:"link" maxLength:"100" doc:"The id of a link."`
}

type renewInput struct {
	Study string `path:"study"`
	Link  string `path:"link" maxLength:"100" doc:"The id of a link."`
	Body  *struct {
		Expires time.Time `json:"expires,omitzero" doc:"From when on it no longer works; without, it lasts as long as it did when it was made."`
	}
}

type link struct {
	URL       string    `json:"url" doc:"The address to give to the rater; who has it can answer for her."`
	Token     string    `json:"token" doc:"The same as a bearer token. It is not shown again."`
	Rater     string    `json:"rater"`
	ID        string    `json:"id" doc:"Names the link in place of its token."`
	Everybody bool      `json:"everybody,omitempty"`
	Expires   time.Time `json:"expires,omitzero"`
}

// listedLink is a link without its token, which nobody has kept.
type listedLink live.Link

type linksOutputBody struct {
	Links []listedLink `json:"links" nullable:"false" doc:"The latest first; those that were withdrawn are not among them."`
}

func registerLinks(s *Server) {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/links", "invite", "An address for a rater", forOwner, replyWith(http.StatusCreated)), s.invite)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/links", "links", "Who can come in by a link", forOwner), s.links)
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/links/{link}", "withdraw", "End a link; what was answered through it stays", forOwner), s.withdraw)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/links/{link}/renew", "renew", "A new address in place of another, for the same rater", forOwner, replyWith(http.StatusCreated)), s.renew)
}

// errNoLinks is what a link is where the host says who somebody is.
var errNoLinks = problem.New(http.StatusConflict, "no_links", "there are no links here: the program the server is mounted in says who somebody is")

// invite makes an address for a rater, or one for everybody. The owner may; a body that names neither is a 422, and where the
// host says who somebody is there are none, which is a 409.
func (s *Server) invite(ctx context.Context, in *inviteInput) (*output[link], error) {
	return s.handOut(ctx, func() (string, live.Link, error) {
		return s.studies.Invite(ctx, in.Study, live.Invitation{Rater: in.Body.Rater, Everybody: in.Body.Everybody, Expires: in.Body.Expires})
	})
}

// handOut replies with a link that was just made.
func (s *Server) handOut(ctx context.Context, invite func() (string, live.Link, error)) (*output[link], error) {
	if s.cfg.Identify != nil {
		return nil, errNoLinks
	}
	token, l, err := invite()
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	return &output[link]{link{URL: s.cfg.Prefix + "/r/" + token, Token: token, Rater: l.Rater, ID: l.ID, Everybody: l.Everybody, Expires: l.Expires}}, nil
}

// links tells the owner who can come in by a link.
func (s *Server) links(ctx context.Context, in *studyInput) (*output[linksOutputBody], error) {
	all, err := s.studies.Links(ctx, in.Study)
	out := linksOutputBody{make([]listedLink, len(all))}
	for i, l := range all {
		out.Links[i] = listedLink(l)
	}
	return &output[linksOutputBody]{out}, s.explain(ctx, err, "")
}

// withdraw ends a link and the event streams that were opened with it; of one for everybody also what guests got through it. The
// owner may; one that is not there is a 404.
func (s *Server) withdraw(ctx context.Context, in *linkInput) (*struct{}, error) {
	return nil, s.explain(ctx, s.studies.Withdraw(ctx, in.Study, in.Link), "")
}

// renew gives a link a new address; the old one no longer works. The owner may; one that is not there is a 404.
func (s *Server) renew(ctx context.Context, in *renewInput) (*output[link], error) {
	var expires time.Time
	if in.Body != nil {
		expires = in.Body.Expires
	}
	return s.handOut(ctx, func() (string, live.Link, error) { return s.studies.Renew(ctx, in.Study, in.Link, expires) })
}
