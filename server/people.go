package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// Rater is what is known about one of those who answer.
type Rater struct {
	prefer.Rater
	Caught caught `json:"catch" doc:"How many catch questions she answered right."`
}

type caught struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

type ratersOutput struct {
	Body struct {
		Raters []Rater `json:"raters" nullable:"false"`
	}
}

type historyOutput struct {
	Body struct {
		Answers []prefer.Entry `json:"answers" nullable:"false" doc:"In the order of telling; undone ones are marked."`
	}
}

type meOutput struct {
	Body struct {
		Role       string `json:"role" enum:"owner,rater"`
		Study      string `json:"study,omitempty" doc:"The study a rater's token belongs to."`
		Rater      string `json:"rater,omitempty" doc:"Her name in it."`
		ShowResult bool   `json:"show_result" doc:"Whether she may see the result."`
	}
}

type linkInput struct {
	Study string `path:"study"`
	Body  struct {
		Rater string `json:"rater,omitempty" minLength:"1" maxLength:"200" doc:"The name her answers are kept under. Without one the address is for everybody: whoever opens it gets a name and an address of her own."`
	}
}

type link struct {
	URL   string `json:"url" doc:"The address to give to the rater; who has it can answer for her."`
	Token string `json:"token" doc:"The same as a bearer token. It is not shown again."`
	Rater string `json:"rater"`
}

type enqueueInput struct {
	Study string `path:"study"`
	Body  struct {
		Option prefer.Option `json:"option" doc:"What somebody wants tried."`
		Rater  string        `json:"rater,omitempty" maxLength:"200" doc:"Who will be asked about it; nobody: whoever comes next."`
	}
}

func (s *Server) registerPeople() {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/raters", "raters", "Who answered, and how carefully", forOwner), s.raters)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/group", "group", "What the raters of a study per rater have in common", forOwner),
		func(ctx context.Context, in *studyInput) (*output[prefer.Group], error) {
			out := &output[prefer.Group]{}
			err := s.with(ctx, in.Study, func(r *running) (err error) {
				out.Body, err = r.study.Group(ctx)
				return err
			})
			return out, s.explain(ctx, err, "")
		})
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/history", "history", "All answers; to a rater, her own", forRater), s.history)
	huma.Register(s.api, operation(http.MethodGet, "/v1/me", "me", "Who the token belongs to", forAll), s.me)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/links", "invite", "An address for a rater", forOwner, func(op *huma.Operation) {
		op.DefaultStatus = http.StatusCreated
	}), s.invite)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/enqueue", "enqueue", "Have an option tried soon", forOwner, func(op *huma.Operation) {
		op.DefaultStatus = http.StatusAccepted
	}), s.enqueue)
}

func (s *Server) raters(ctx context.Context, in *studyInput) (*ratersOutput, error) {
	out := &ratersOutput{}
	err := s.with(ctx, in.Study, func(r *running) error {
		all, err := r.study.Raters(ctx)
		if err != nil {
			return err
		}
		out.Body.Raters = make([]Rater, len(all))
		r.look(func(b *book) {
			for i, rater := range all {
				right, of := b.catches(r.settings.Checks, rater.Name)
				out.Body.Raters[i] = Rater{rater, caught{right, of}}
			}
		})
		return nil
	})
	return out, s.explain(ctx, err, "")
}

func (s *Server) history(ctx context.Context, in *studyInput) (*historyOutput, error) {
	out := &historyOutput{}
	w := asker(ctx)
	err := s.with(ctx, in.Study, func(r *running) error {
		out.Body.Answers = []prefer.Entry{}
		for _, e := range r.study.History() {
			if w.owner {
				out.Body.Answers = append(out.Body.Answers, e)
			} else if base(e.Rater) == w.rater {
				e.Method, e.Answer.Check = "", false // a check is hidden
				out.Body.Answers = append(out.Body.Answers, e)
			}
		}
		return nil
	})
	return out, s.explain(ctx, err, "")
}

func (s *Server) me(ctx context.Context, _ *struct{}) (*meOutput, error) {
	w := asker(ctx)
	out := &meOutput{}
	out.Body.Role, out.Body.ShowResult = "owner", true
	if w.owner {
		return out, nil
	}
	out.Body.Role, out.Body.Study, out.Body.Rater = "rater", w.study, w.rater
	err := s.with(ctx, w.study, func(r *running) error {
		out.Body.ShowResult = r.settings.ShowResult
		return nil
	})
	return out, s.explain(ctx, err, "")
}

// invite makes a token for a rater. Only its hash is kept.
func (s *Server) invite(ctx context.Context, in *linkInput) (*output[link], error) {
	rater, err := s.speaker(ctx, in.Body.Rater, "body.rater")
	if err != nil {
		return nil, err
	}
	token := newToken()
	body, err := json.Marshal(map[string]time.Time{"created": s.cfg.Now().UTC()})
	if err == nil {
		err = s.cfg.Store.KeepNote(ctx, store.Note{Study: in.Study, Name: linkNote(token), Rater: rater, Body: string(body)})
	}
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	return &output[link]{link{URL: s.cfg.Prefix + "/r/" + token, Token: token, Rater: rater}}, nil
}

func (s *Server) enqueue(ctx context.Context, in *enqueueInput) (*struct{}, error) {
	rater, err := s.speaker(ctx, in.Body.Rater, "body.rater")
	if err != nil {
		return nil, err
	}
	err = s.with(ctx, in.Study, func(r *running) error {
		if err := r.study.Enqueue(context.WithoutCancel(ctx), in.Body.Option, rater); err != nil {
			return err
		}
		s.bell.ring(r.name, r.end(), "enqueued")
		return nil
	})
	return nil, s.explain(ctx, err, "body.option")
}

// welcome answers a rater's address with the page, and leaves her token with the browser for what a page
// cannot send it with: images and event streams.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	_, ok, err := s.rater(r.Context(), r.PathValue("token"))
	switch {
	case err != nil:
		writeProblem(w, s.problem(r.Context(), err))
	case !ok:
		writeProblem(w, refuse(http.StatusNotFound, "no_link", "this address is not valid, or no longer: ask for a new one"))
	default:
		s.setCookie(w, r, raterCookie, url.PathEscape(r.PathValue("token")), http.SameSiteLaxMode)
		s.cfg.Page.ServeHTTP(w, r)
	}
}
