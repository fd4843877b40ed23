package server

import (
	"context"
	"net/http"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Rater is what is known about one of those who answer.
type Rater struct {
	prefer.Rater
	live.Checked
	Called  string   `json:"called,omitempty" doc:"The name on pages, if another."`
	Origins []string `json:"origins,omitempty" nullable:"false" doc:"The ids of the upload tokens of their answers."`
}

type ratersOutputBody struct {
	Raters []Rater `json:"raters" nullable:"false"`
}

type historyOutputBody struct {
	Answers []prefer.Entry `json:"answers" nullable:"false" doc:"In the order given; undone ones are marked."`
}

type meOutputBody struct {
	Role       string `json:"role" enum:"owner,rater"`
	Study      string `json:"study,omitempty" doc:"The study a rater's token belongs to."`
	Rater      string `json:"rater,omitempty" doc:"The rater's name in it."`
	ShowResult bool   `json:"show_result" doc:"Whether the rater may see the result."`
}

type enqueueInputBody struct {
	Option  space.Option `json:"option" doc:"The option to try."`
	Against space.Option `json:"against,omitempty" doc:"The other side: exactly that pair is asked, of the next rater."`
	Except  []string     `json:"except,omitempty" maxItems:"100" doc:"For a pair: raters who are not asked about it."`
	Rater   string       `json:"rater,omitempty" maxLength:"200" doc:"The rater to ask; without one, the next who comes."`
}

// parseWhom returns the raters that a request is about. Without any it is a 422.
func parseWhom(rater *string, origin string) (out live.Whom, err error) {
	if rater == nil && origin == "" {
		return out, problem.Field("body.rater", nil, "name a rater, or the origin of an upload")
	}
	if out.Origin = origin; rater != nil {
		out.Rater = *rater
	}
	return out, nil
}

type exclude struct {
	Rater  *string `json:"rater,omitempty" maxLength:"200" doc:"The rater; an empty name is the owner."`
	Origin string  `json:"origin,omitempty" maxLength:"100" doc:"Instead of a rater: the id of an upload token, for all raters who uploaded with it."`
	Why    string  `json:"why,omitempty" maxLength:"2000" doc:"The reason, kept in the log."`
	Back   bool    `json:"back,omitempty" doc:"Include them again."`
}

type forgetInputBody struct {
	Rater  *string `json:"rater,omitempty" maxLength:"200" doc:"The rater; an empty name is the owner."`
	Origin string  `json:"origin,omitempty" maxLength:"100" doc:"Instead of a rater: the id of an upload token, for all raters who uploaded with it."`
}

type forgetOutputBody struct {
	Removed int `json:"removed" doc:"How many events of the log and notes were erased."`
}

type groupInput struct {
	Study string `path:"study"`
	Fixed string `query:"fixed" maxLength:"10000" doc:"Only options with these values, of contexts or other parameters: noise=quiet,hour=7 or a JSON object."`
}

func registerPeople(s *Server) {
	register(s, operation(http.MethodGet, "/v1/studies/{study}/raters", "raters", "The raters and how reliably they answer", gate.Owner), s.raters)
	register(s, operation(http.MethodGet, "/v1/studies/{study}/group", "group", "The group of a study per rater", gate.Owner), func(ctx context.Context, in *groupInput) (prefer.Group, error) {
		return live.In(ctx, s.studies, in.Study, func(open *live.Study) (out prefer.Group, err error) {
			fixed, err := open.ReadFixed(in.Fixed)
			if err != nil {
				return out, s.explain(ctx, err, "query.fixed")
			}
			if out, err = open.Study.Group(ctx, prefer.Look{Fixed: fixed}); errcode.Of(err) == "context" || errcode.Of(err) == "option" {
				err = s.explain(ctx, err, "query.fixed")
			}
			return out, err
		})
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/history", "history", "All answers; for a rater, their own", gate.Rater), s.history)
	register(s, operation(http.MethodGet, "/v1/me", "me", "The identity behind the token", gate.All), s.identity)
	registerChange(s, operation(http.MethodPost, "/v1/studies/{study}/exclude", "exclude", "Exclude a rater from what the group learns, or include them again", gate.Owner), func(ctx context.Context, in *studyBody[exclude]) error {
		who, err := parseWhom(in.Body.Rater, in.Body.Origin)
		if err == nil {
			err = s.studies.Exclude(ctx, in.Study, live.Exclude{Whom: who, Why: in.Body.Why, Back: in.Body.Back})
		}
		return s.explain(ctx, err, "body.rater")
	})
	registerChange(s, operation(http.MethodPost, "/v1/studies/{study}/rename", "rename", "Set the name of a rater on pages", gate.Owner), func(ctx context.Context, in *studyBody[live.Rename]) error {
		return s.explain(ctx, s.studies.Rename(ctx, in.Study, in.Body), "body")
	})
	register(s, operation(http.MethodPost, "/v1/studies/{study}/forget", "forget", "Erase everything a rater said or was asked", gate.Owner), func(ctx context.Context, in *studyBody[forgetInputBody]) (out forgetOutputBody, err error) {
		who, err := parseWhom(in.Body.Rater, in.Body.Origin)
		if err == nil {
			out.Removed, err = s.studies.Forget(ctx, in.Study, who)
		}
		return out, s.explain(ctx, err, "body.rater")
	})
	registerChange(s, operation(http.MethodPost, "/v1/studies/{study}/enqueue", "enqueue", "Queue an option for a question", gate.Owner, replyWith(http.StatusAccepted)), s.enqueue)
}

// raters tells the owner who answered, and how carefully.
func (s *Server) raters(ctx context.Context, in *studyInput) (ratersOutputBody, error) {
	names, err := s.studies.Names(ctx, in.Study)
	if err != nil {
		return ratersOutputBody{}, err
	}
	return live.In(ctx, s.studies, in.Study, func(open *live.Study) (out ratersOutputBody, err error) {
		all, err := open.Study.Raters(ctx)
		origins := open.Origins()
		out.Raters = append([]Rater{}, xslices.Map(all, func(r prefer.Rater) Rater { return Rater{r, open.Checked(r), names[r.Name], origins[r.Name]} })...)
		return out, err
	})
}

// history returns all answers, to a rater their own without what is hidden from them.
func (s *Server) history(ctx context.Context, in *studyInput) (historyOutputBody, error) {
	who := gate.CallerOf(ctx)
	return live.In(ctx, s.studies, in.Study, func(open *live.Study) (historyOutputBody, error) {
		out := historyOutputBody{Answers: []prefer.Entry{}}
		for _, e := range open.Study.History() {
			if !who.Owner {
				if live.PersonOf(e.Rater) != who.Rater {
					continue
				}
				e.Out, e.Answer.Check = false, false // what the owner thinks of their answers, and a check, are hidden
				if e.Method != "practice" {          // which they were told
					e.Method = ""
				}
			}
			out.Answers = append(out.Answers, e)
		}
		return out, nil
	})
}

func (s *Server) identity(ctx context.Context, _ *struct{}) (meOutputBody, error) {
	who := gate.CallerOf(ctx)
	body := meOutputBody{Role: "rater", Study: who.Study, Rater: who.Rater}
	if who.Owner {
		body = meOutputBody{Role: "owner", ShowResult: true}
	}
	if who.Owner || who.Study == "" { // whether a rater sees the result depends on the study
		return body, nil
	}
	return live.In(ctx, s.studies, who.Study, func(open *live.Study) (meOutputBody, error) {
		body.ShowResult = open.Settings.ShowResult
		return body, nil
	})
}

// enqueue has an option tried soon, by a rater or the next who comes. A value that is not an option of the study is a 422.
func (s *Server) enqueue(ctx context.Context, in *studyBody[enqueueInputBody]) error {
	err := live.CheckRater(in.Body.Rater)
	switch {
	case in.Body.Against != nil && in.Body.Rater != "":
		return problem.Field("body.rater", in.Body.Rater, "a pair goes to the next rater: omit rater or against")
	case in.Body.Against == nil && len(in.Body.Except) > 0:
		return problem.Field("body.except", in.Body.Except, "except needs against")
	}
	if err == nil {
		err = s.studies.Change(ctx, in.Study, "enqueued", in.Body.Rater, func(open *live.Study) error {
			one := prefer.Enqueued{Option: in.Body.Option, Against: in.Body.Against, Rater: in.Body.Rater, Except: in.Body.Except}
			return open.Study.Change(context.WithoutCancel(ctx), prefer.Change{Enqueue: []prefer.Enqueued{one}})
		})
	}
	return s.explain(ctx, err, "body.option")
}
