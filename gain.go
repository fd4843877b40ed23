package prefer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// Worth returns what questions about given pairs would be worth to the study now, if a rater answered them, in the order given: by a
// method of acquisition.Methods, "" for the study's own. Of "kg" that is the knowledge gradient, what the answer is expected to add to the best
// utility, in units of the noise, exactly (Eq. 3) on a list and to within a climb elsewhere: the number that Question.Value has of the
// pair the study asks. It awaits what others are looking at, as a question does, but not what the rater is asked about the pair already.
//
// Look.Fixed has the contexts; where it has none, the first pair has. Methods that put no number on a pair are refused ("method").
//
// Without pairs it returns one number: the knowledge gradient of the best question there is, which takes a search. It is 0 while no answer prefers anything.
func (s *Study) Worth(ctx context.Context, l Look, method string, asks [][2]space.Option) ([]float64, error) {
	if asks == nil {
		return s.bestWorth(ctx, l)
	}
	if method == "" {
		if method = s.cfg.Method; s.cfg.Chooser != nil {
			return nil, coding.RefuseField("method", "method", method, "what a pair is worth to %q, a method of its own, nobody else can say: name one of %v", method, acquisition.Methods())
		}
	}
	if l.Fixed == nil && len(asks) > 0 {
		l.Fixed = s.cfg.Space.Context(asks[0][0])
	}
	v, err := s.look(ctx, Look{Rater: l.Rater, Fixed: s.cfg.Space.Context(l.Fixed)})
	if err != nil {
		return nil, err
	}
	fit, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(asks))
	for _, together := range v.grouped(l.Rater, asks) {
		questions := make([][]float64, len(together.pairs))
		for i, at := range together.pairs {
			if questions[i], err = v.encodePair(asks[at], l.Fixed); err != nil {
				return nil, coding.RefuseField(errcode.Of(err), fmt.Sprintf("pairs[%d]", at), asks[at], "pair %d: %s", at, strings.TrimPrefix(err.Error(), "prefer: "))
			}
		}
		values, err := acquisition.Worth(ctx, method, s.cfg.task(ctx, v, fit, l.Rater, together.pending), questions)
		if e := ended(ctx); e != nil {
			return nil, e
		}
		if err != nil {
			return nil, coding.RefuseField("method", "method", method, "%s", strings.TrimPrefix(err.Error(), "acquisition: "))
		}
		for i, at := range together.pairs {
			if out[at] = values[i]; method == "kg" {
				out[at] /= fit.Post.Noise()
			}
		}
	}
	return out, nil
}

// bestWorth returns the knowledge gradient of the best question there is, in units of the noise.
func (s *Study) bestWorth(ctx context.Context, l Look) ([]float64, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return nil, err
	}
	if v.Undecided() || v.code.Single() {
		return []float64{0}, nil
	}
	fit, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
	if err != nil {
		return nil, err
	}
	task := s.cfg.task(ctx, v, fit, l.Rater, nil)
	task.Seed = s.cfg.Seed
	c, err := acquisition.Ask(ctx, "kg", task)
	if err := errors.Join(err, ended(ctx)); err != nil {
		return nil, err
	}
	return []float64{math.Max(0, c.Value) / fit.Post.Noise()}, nil
}

// encodePair returns the coordinates of a pair that may be asked under the fixed values.
func (v view) encodePair(pair [2]space.Option, fixed space.Option) ([]float64, error) {
	a, b, err := v.code.Pair(pair[0], pair[1])
	if err == nil {
		err = v.code.Meets(fixed, a, b)
	}
	if err == nil && !(v.code.Contains(a) && v.code.Contains(b)) {
		err = coding.Refuse("option", "it is not on the list any more, or not under {%v}", v.code.Fixed)
	}
	return slices.Concat(a, b), err
}

// pairGroup has the numbers of pairs that await the same open questions.
type pairGroup struct {
	pairs   []int
	pending []*asked
}

// grouped groups the pairs by the questions that they await: all that are open, but a rater's own about the pair itself.
func (v view) grouped(rater string, asks [][2]space.Option) []pairGroup {
	var out []pairGroup
	var rest []int
	for i, p := range asks {
		a, b, err := v.code.Pair(p[0], p[1])
		others := v.pending
		if err == nil {
			others = slices.DeleteFunc(slices.Clone(v.pending), func(q *asked) bool {
				return q.Rater == rater && pairs.Clash(v.code, askedPairs([]*asked{q}), a, b, pairs.Same)
			})
		}
		if len(others) == len(v.pending) {
			rest = append(rest, i)
		} else {
			out = append(out, pairGroup{[]int{i}, others})
		}
	}
	if rest != nil {
		out = append(out, pairGroup{rest, v.pending})
	}
	return out
}
