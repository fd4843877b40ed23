package prefer

import (
	"context"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// A pair of items is asked again where its order matters and is open. Otherwise a list of noisy answers could not be decided: the two leaders would meet
// once, whatever came of it.
const (
	openOrder   = 0.02 // probability that an item is better than the pick from which on the order of the two is open
	repeatPause = 6    // questions of a rater before a pair comes again
)

// sameSkipped is the distance of both options, in the parameter that differs most, up to which a pair is too close to one that was skipped lately.
const sameSkipped = 0.1

// rules reads the conditions of an ask.
func (cfg *Config) rules(v view, r Request) (pairs.Rules, error) {
	out := pairs.Rules{Past: askedPairs(v.past)}
	out.Accept, out.Avoid = cfg.pairRules(v, nil, r.Rater)
	if err := v.code.Meets(r.Fixed); err != nil {
		return pairs.Rules{}, err
	}
	out.Fixed = func(x []float64) {
		for name, value := range r.Fixed {
			_ = v.code.Axis(name).Encode(value, x) // meets has tried
		}
	}
	if len(r.Fixed) > len(v.code.Fixed) { // the contexts are all that there is
		out.Allowed = func(x []float64) bool { return v.code.Meets(r.Fixed, x) == nil }
	}
	if r.Hold != nil {
		x, err := v.code.Unit(r.Hold)
		if err == nil {
			err = v.code.Meets(r.Fixed, x)
		}
		if err != nil {
			return pairs.Rules{}, fmt.Errorf("prefer: hold: %w", err)
		}
		out.Hold = x
	}
	return out, nil
}

// pairRules returns the rule that spares a rater hopeless or boring pairs, and the one that finds near-repeats of pairs that the rater has answered; each is
// nil where it never applies. Only the rater's own answers count: where people share a utility the answer of another person to the same pair is evidence, and
// nobody is asked twice. Nor do answers count that contradict the others, by the fit, if there is one: those are worth asking again.
func (cfg *Config) pairRules(v view, fit *learn.Fit, rater string) (accept, avoid func(a, b []float64) bool) {
	past, skipped, pending := askedPairs(v.past), askedPairs(v.skipped), askedPairs(v.pending)
	var answered []pairs.Asked
	for _, t := range v.said {
		if !cfg.Repeats && v.code.List == nil && t.rater == rater && t.answer.Choice != Skip && (fit == nil || !doubtful(fit, t)) {
			answered = append(answered, pairs.Asked{A: t.question.a, B: t.question.b})
		}
	}
	if answered != nil {
		avoid = func(a, b []float64) bool { return pairs.NearRepeat(v.code, answered, a, b) }
	}
	separation := cfg.Separation
	if v.code.List != nil {
		separation = 0 // items that differ are never the same picture twice
	}
	if separation <= 0 && cfg.Repeats && len(v.skipped) == 0 && len(v.pending) == 0 {
		return nil, avoid
	}
	accept = func(a, b []float64) bool {
		switch {
		case separation > 0 && v.code.Gap(a, b) < separation,
			!cfg.Repeats && pairs.Clash(v.code, past, a, b, pairs.Same),
			pairs.Clash(v.code, skipped, a, b, sameSkipped),
			pairs.Clash(v.code, pending, a, b, pairs.Close):
			return false
		}
		return true
	}
	return accept, avoid
}

// repeatRules adds to the rules what is known once the answers are learned from: near-repeats and items that have met may be asked again where the answer to
// the first was doubtful.
func (cfg *Config) repeatRules(r *pairs.Rules, v view, f *learn.Fit, rater string) {
	if v.code.List != nil && !cfg.Repeats {
		v.past = v.settled(f, rater)
	}
	r.Accept, r.Avoid = cfg.pairRules(v, f, rater)
}

// settled returns the questions whose pairs of items are not asked again: all but those of the pick with the item that is likeliest to be better, and with
// others whose order is open, and those whose answer contradicts the rest. What a rater saw lately is not asked again in any case.
func (v view) settled(f *learn.Fit, rater string) []*asked {
	top := f.Belief.Top(v.code.List.Rows)
	var met, open []*asked
	var rivals []float64 // of the pick, in the questions of met, row by row
	for _, t := range slices.Backward(v.said) {
		q := t.question
		switch {
		case slices.Equal(q.a, top):
			met, rivals = append(met, q), append(rivals, q.b...)
		case slices.Equal(q.b, top):
			met, rivals = append(met, q), append(rivals, q.a...)
		}
		if doubtful(f, t) {
			open = append(open, q)
		}
	}
	better := f.Belief.ProbabilityBetter(rivals, top)
	for i, p := range better {
		if p > openOrder || p == slices.Max(better) {
			open = append(open, met[i])
		}
	}
	doubtful, lately := askedPairs(open), askedPairs(v.recent(rater))
	return slices.DeleteFunc(slices.Clone(v.past), func(q *asked) bool {
		return pairs.Clash(v.code, doubtful, q.a, q.b, pairs.Same) && !pairs.Clash(v.code, lately, q.a, q.b, pairs.Same)
	})
}

// recent returns the last questions to a rater, which are not asked again.
func (v view) recent(rater string) (out []*asked) {
	for _, q := range slices.Backward(v.past) {
		if q.Rater == rater && len(out) < repeatPause {
			out = append(out, q)
		}
	}
	return out
}

// doubtful reports whether an answer contradicts the rest.
func doubtful(f *learn.Fit, t *answerRecord) bool {
	if k, _ := t.answer.Choice.info(); f.Duels.Len() > learn.PlainLimit || !f.HasSites() || !k.Compares {
		return false
	}
	i := f.Find(t.a, t.b, t.outcome)
	if i < 0 {
		return false
	}
	_, contradicts := f.Contradicts(i, t.rater)
	return contradicts
}

// decided reports whether every item of a list was shown, and none has an open order with the pick: then no question is worth much.
func (s *Study) decided(ctx context.Context, v view, pick space.Option) (bool, error) {
	t := v.code.List
	if t == nil || t.Unseen(v.shown, v.code.Dim) > 0 {
		return false, nil
	}
	x, err := v.code.Unit(pick)
	if err != nil {
		return false, err
	}
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return false, err
	}
	for i, p := range fit.Belief.ProbabilityBetter(t.Rows, x) {
		if p > openOrder && !slices.Equal(t.Rows[i*v.code.Dim:(i+1)*v.code.Dim], x) {
			return false, nil
		}
	}
	return true, nil
}

// askedPairs returns questions as the model sees them.
func askedPairs(questions []*asked) []pairs.Asked {
	return xslices.Map(questions, func(q *asked) pairs.Asked { return pairs.Asked{A: q.a, B: q.b, Rater: q.Rater} })
}
