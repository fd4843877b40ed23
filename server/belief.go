package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

type contextsInput struct {
	Study string `path:"study"`
	Rater string `query:"rater" maxLength:"200" doc:"The rater, in a study per rater."`
}

// standings is where a study stands under each of its contexts.
type standings struct {
	Contexts []live.Standing `json:"contexts" nullable:"false" doc:"All settings of the contexts if they are few, else those that were asked about."`
}

type beliefInput struct {
	gate.Look
	Params string `query:"params" maxLength:"10000" doc:"Parameters or features to walk along, separated by commas; all by default."`
	Points int    `query:"points" minimum:"2" maximum:"201" default:"41" doc:"Points of each walk."`
	Top    int    `query:"top" minimum:"1" maximum:"1000" default:"20" doc:"Places of the ranking."`
}

// belief is what the answers say about the utility, in units of the noise.
type belief struct {
	Answers    int                            `json:"answers"`
	Best       space.Option                   `json:"best"`
	Slices     map[string][]prefer.SlicePoint `json:"slices" doc:"Walks along each parameter through the best option."`
	Importance []prefer.Importance            `json:"importance" nullable:"false"`
	Ranking    []prefer.Ranked                `json:"ranking" nullable:"false" doc:"The best items of a list; of parameters only the best option."`
	Warnings   []string                       `json:"warnings,omitempty"`
}

type mapInput struct {
	gate.Look
	X string `query:"x" required:"true" maxLength:"1000" doc:"The parameter across."`
	Y string `query:"y" required:"true" maxLength:"1000" doc:"The parameter up."`
	N int    `query:"n" minimum:"2" maximum:"61" default:"31" doc:"Points along each."`
}

type predictInput struct {
	gate.Look
	Body struct {
		Options []space.Option `json:"options,omitempty" nullable:"false" maxItems:"1000" doc:"Options whose utilities are wanted."`
		Pairs   []pair         `json:"pairs,omitempty" nullable:"false" maxItems:"1000" doc:"Pairs for which the probability of the first is wanted."`
		Joint   bool           `json:"joint,omitempty" doc:"The covariances of the options' utilities as well, of at most 500 options."`
		Samples int            `json:"samples,omitempty" minimum:"1" maximum:"100000" doc:"Number of joint draws of the options' utilities; at most 250000 numbers in all."`
		Seed    uint64         `json:"seed,omitempty" doc:"Seed of the draws."`
	}
}

// Of options in one request: how many may have covariances, and how many numbers may be drawn.
const (
	jointMost   = 500
	samplesMost = 250_000
)

type gainInput struct {
	Study string `path:"study"`
	Rater string `query:"rater" maxLength:"200" doc:"The rater who would answer."`
	Fixed string `query:"fixed" maxLength:"10000" doc:"Only options with these values, of contexts or other parameters: noise=quiet,hour=7 or a JSON object."`
	Body  struct {
		Pairs  []pair `json:"pairs" nullable:"false" minItems:"1" maxItems:"100" doc:"The questions."`
		Method string `json:"method,omitempty" maxLength:"200" doc:"By which method: kg, eubo, qeubo, logei or bald. The study's own by default."`
	}
}

// gained is what questions are worth to a study.
type gained struct {
	Method string    `json:"method" doc:"The method that computes the gains."`
	Gains  []float64 `json:"gains" nullable:"false" doc:"In the order of the pairs; of kg what the answer is expected to add to the best utility, in units of the noise, of others in their own."`
}

// pair is two options, and would be any number of them, or null, if it did not say.
type pair []space.Option

func (pair) Schema(r huma.Registry) *huma.Schema {
	two := 2
	return &huma.Schema{Type: huma.TypeArray, Items: r.Schema(reflect.TypeFor[space.Option](), true, ""), MinItems: &two, MaxItems: &two}
}

type predicted struct {
	Utilities  []prefer.Ranked `json:"utilities,omitempty" doc:"In the order of the options."`
	PFirst     []float64       `json:"p_first,omitempty" doc:"In the order of the pairs: how probably a rater who must choose takes the first."`
	Covariance [][]float64     `json:"covariance,omitempty" doc:"Of the utilities, a row for each option, if joint was wanted."`
	Samples    [][]float64     `json:"samples,omitempty" doc:"Joint draws of the utilities, a row for each draw."`
}

func registerBelief(s *Server) {
	register(s, operation(http.MethodGet, "/v1/studies/{study}/best", "best", "The best option so far, and how sure that is", gate.Result), func(ctx context.Context, in *gate.Look) (prefer.Best, error) {
		return look(ctx, s, *in, func(open *live.Study, l prefer.Look) (prefer.Best, error) { return open.Study.Best(ctx, l) })
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/verdict", "verdict", "The verdict: stop or go on", gate.Result), func(ctx context.Context, in *gate.Look) (prefer.Verdict, error) {
		return look(ctx, s, *in, func(open *live.Study, l prefer.Look) (prefer.Verdict, error) { return open.VerdictFor(ctx, l) })
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/contexts", "contexts", "The verdict under each context", gate.Result), func(ctx context.Context, in *contextsInput) (standings, error) {
		return look(ctx, s, gate.Look{Study: in.Study, Rater: in.Rater}, func(open *live.Study, l prefer.Look) (out standings, err error) {
			all, err := open.Standings(ctx, l.Rater)
			return standings{append([]live.Standing{}, all...)}, err
		})
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/belief", "belief", "What the answers say about the utility", gate.Result), func(ctx context.Context, in *beliefInput) (belief, error) {
		return look(ctx, s, in.Look, func(open *live.Study, l prefer.Look) (belief, error) {
			b, err := open.Study.Belief(ctx, l)
			if err != nil {
				return belief{}, err
			}
			return in.read(ctx, b)
		})
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/map", "map", "The utility over two parameters", gate.Result), s.mapUtility)
	register(s, operation(http.MethodPost, "/v1/studies/{study}/predict", "predict", "Utilities of options, or win probabilities of pairs", gate.Result), s.predict)
	register(s, operation(http.MethodPost, "/v1/studies/{study}/gain", "gain", "The value of asking given pairs", gate.Owner), s.gain)
}

// mapUtility returns the utility on a grid of two parameters. A list, which has none, is a 422.
func (s *Server) mapUtility(ctx context.Context, in *mapInput) (live.UtilityMap, error) {
	return look(ctx, s, in.Look, func(open *live.Study, l prefer.Look) (out live.UtilityMap, err error) {
		if len(open.Config.Space.Parameters) == 0 {
			return out, problem.New(http.StatusUnprocessableEntity, "list", "a list has no map: see the slices and the ranking of /belief")
		}
		b, err := open.Study.Belief(ctx, l)
		if err != nil {
			return out, err
		}
		if in.X == in.Y {
			return out, problem.Field("query.y", in.Y, "x and y are the same parameter")
		}
		for _, at := range [][2]string{{"query.x", in.X}, {"query.y", in.Y}} {
			if !slices.Contains(b.Axes, at[1]) {
				return out, problem.Field(at[0], at[1],
					fmt.Sprintf("%q is not a parameter of the study, want one of %s", at[1], strings.Join(b.Axes, ", ")))
			}
		}
		return live.NewUtilityMap(ctx, b, in.X, in.Y, in.N)
	})
}

// predict returns utilities of options, or who would win of pairs. What is no option of the study is a 422.
func (s *Server) predict(ctx context.Context, in *predictInput) (predicted, error) {
	if (len(in.Body.Options) == 0) == (len(in.Body.Pairs) == 0) {
		return predicted{}, problem.Field("body", nil, "want either options or pairs")
	}
	if err := in.check(); err != nil {
		return predicted{}, err
	}
	return look(ctx, s, in.Look, func(open *live.Study, l prefer.Look) (out predicted, err error) {
		if all := slices.Concat(slices.Concat(in.Body.Pairs...), in.Body.Options); l.Fixed == nil {
			l.Fixed = open.Config.Space.Context(all[0]) // which say where they are
		}
		b, err := open.Study.Belief(ctx, l)
		if err != nil {
			return out, err
		}
		for i, o := range in.Body.Options {
			mean, sd, err := b.Utility(o)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return out, s.explain(ctx, err, fmt.Sprintf("body.options[%d]", i))
			}
			out.Utilities = append(out.Utilities, prefer.Ranked{Option: o, Mean: mean, SD: sd})
		}
		for i, pair := range in.Body.Pairs {
			p, err := b.Prefers(pair[0], pair[1])
			if err = errors.Join(err, ctx.Err()); err != nil {
				return out, s.explain(ctx, err, fmt.Sprintf("body.pairs[%d]", i))
			}
			out.PFirst = append(out.PFirst, p)
		}
		if in.Body.Joint {
			_, cov, err := b.Joint(in.Body.Options)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return out, err
			}
			out.Covariance = slices.Collect(slices.Chunk(cov, len(in.Body.Options)))
		}
		if in.Body.Samples > 0 {
			out.Samples, err = b.Samples(in.Body.Options, in.Body.Samples, in.Body.Seed)
		}
		return out, errors.Join(err, ctx.Err())
	})
}

// check reports what of a request about several options at once makes no sense.
func (in *predictInput) check() error {
	n, joint := len(in.Body.Options), in.Body.Joint || in.Body.Samples > 0
	switch {
	case joint && n == 0:
		return problem.Field("body.options", nil, "covariances and samples need options")
	case joint && n > jointMost:
		return problem.Field("body.options", n, fmt.Sprintf("%d options together, want at most %d", n, jointMost))
	case in.Body.Samples*n > samplesMost:
		return problem.Field("body.samples", in.Body.Samples, fmt.Sprintf("%d samples of %d options are %d numbers, want at most %d", in.Body.Samples, n, in.Body.Samples*n, samplesMost))
	case in.Body.Seed != 0 && in.Body.Samples == 0:
		return problem.Field("body.seed", in.Body.Seed, "seed needs samples")
	}
	return nil
}

// gain returns what questions about given pairs would be worth, to the owner: it tells how questions are chosen. Other pairs or methods are a 422.
func (s *Server) gain(ctx context.Context, in *gainInput) (gained, error) {
	return look(ctx, s, gate.Look{Study: in.Study, Rater: in.Rater, Fixed: in.Fixed}, func(open *live.Study, l prefer.Look) (out gained, err error) {
		out.Method = cmp.Or(in.Body.Method, open.Config.Method)
		pairs := xslices.Map(in.Body.Pairs, func(p pair) [2]space.Option { return [2]space.Option{p[0], p[1]} })
		out.Gains, err = open.Study.Worth(ctx, l, in.Body.Method, pairs)
		if e, ok := errors.AsType[*prefer.Error](err); ok && (e.Field == "method" || strings.HasPrefix(e.Field, "pairs[")) {
			err = s.explain(ctx, err, "body."+e.Field)
		}
		return out, err
	})
}

// read walks along the parameters, as long as somebody waits for it.
func (in *beliefInput) read(ctx context.Context, b *prefer.Belief) (belief, error) {
	names := b.Axes
	if in.Params != "" {
		names = strings.Split(in.Params, ",")
	}
	for i, name := range names {
		if !slices.Contains(b.Axes, name) {
			return belief{}, problem.Field("query.params", name, fmt.Sprintf("%q is not a parameter of the study, want some of %s", name, strings.Join(b.Axes, ", ")))
		}
		if slices.Contains(names[:i], name) {
			return belief{}, problem.Field("query.params", name, fmt.Sprintf("%q is there twice, want each parameter once", name))
		}
	}
	if err := b.Find(ctx); err != nil {
		return belief{}, err
	}
	out := belief{Answers: b.Answers, Best: b.Best(), Slices: map[string][]prefer.SlicePoint{}, Importance: b.Importance(), Ranking: b.Ranking(in.Top)}
	for _, name := range names {
		points, err := b.Slice(name, in.Points)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return out, err
		}
		out.Slices[name] = points
	}
	out.Warnings = xslices.Map(b.Warnings, error.Error)
	return out, nil
}
