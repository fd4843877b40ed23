package prefer

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
)

// repeatPause is the number of questions of a rater before a pair comes again.
const repeatPause = 6

// sameSkipped is the distance of both options, in the parameter that differs most, up to which a pair is too close to one that was skipped lately.
const sameSkipped = 0.1

// conditions returns the rules that a request itself makes.
func (v view) conditions(r Request) (out pairs.Rules, err error) {
	if err := v.code.Meets(r.Fixed); err != nil {
		return pairs.Rules{}, err
	}
	out.Fixed = func(x []float64) {
		for name, value := range r.Fixed {
			_ = v.code.Axis(name).Encode(value, x) // Meets has tried
		}
	}
	if len(r.Fixed) > len(v.code.Fixed) { // the contexts are all that there is
		out.Allowed = func(x []float64) bool { return v.code.Meets(r.Fixed, x) == nil }
	}
	if r.Hold == nil {
		return out, nil
	}
	if out.Hold, err = v.code.Unit(r.Hold); err == nil {
		err = v.code.Meets(r.Fixed, out.Hold)
	}
	if err != nil {
		return pairs.Rules{}, fmt.Errorf("prefer: hold: %w", err)
	}
	return out, nil
}

// addRules adds the rules that spare a rater hopeless or boring pairs, and near-repeats of pairs that the rater has answered. Only the rater's own answers
// count for these: where people share a utility the answer of another person to the same pair is evidence, and nobody is asked twice. Answers that contradict
// the others, by the fit if there is one, are worth asking again.
func (cfg *Config) addRules(r *pairs.Rules, v view, fit *learn.Fit, rater string) {
	past, recent, skipped, pending := askedPairs(v.past), askedPairs(v.recent(rater)), askedPairs(v.skipped), askedPairs(v.pending)
	r.Past = past
	list := v.code.List != nil
	var sure, doubted []pairs.Asked
	for _, t := range v.said {
		q := pairs.Asked{A: t.question.a, B: t.question.b}
		switch {
		case cfg.Repeats, !list && (t.rater != rater || t.answer.Choice == Skip):
		case doubtful(fit, t):
			doubted = append(doubted, q)
		default:
			sure = append(sure, q)
		}
	}
	separation := cfg.Separation
	switch {
	case list:
		separation = 0 // items that differ are never the same picture twice
		if fit != nil && !cfg.Repeats {
			past = pairs.Settled(v.code, fit.Belief, past, slices.Concat(sure, doubted), doubted, recent)
		}
	case sure != nil:
		r.Avoid = func(a, b []float64) bool { return pairs.NearRepeat(v.code, sure, a, b) }
	}
	if separation <= 0 && cfg.Repeats && len(skipped) == 0 && len(pending) == 0 {
		return
	}
	accept := func(past []pairs.Asked) func(a, b []float64) bool {
		return func(a, b []float64) bool {
			switch {
			case separation > 0 && v.code.Gap(a, b) < separation,
				!cfg.Repeats && pairs.Clash(v.code, past, a, b, pairs.Same),
				pairs.Clash(v.code, skipped, a, b, sameSkipped),
				pairs.Clash(v.code, pending, a, b, pairs.Close):
				return false
			}
			return true
		}
	}
	r.Accept, r.Again = accept(past), accept(recent)
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

// doubtful reports whether an answer contradicts the rest, by the fit if there is one.
func doubtful(f *learn.Fit, t *answerRecord) bool {
	if k, _ := t.answer.Choice.info(); f == nil || f.Duels.Len() > learn.PlainLimit || !f.HasSites() || !k.Compares {
		return false
	}
	i := f.Find(t.a, t.b, t.outcome)
	if i < 0 {
		return false
	}
	_, contradicts := f.Contradicts(i, t.rater)
	return contradicts
}

// askedPairs returns questions as the model sees them.
func askedPairs(questions []*asked) (out []pairs.Asked) {
	for _, q := range questions {
		out = append(out, pairs.Asked{A: q.a, B: q.b, Rater: q.Rater})
	}
	return out
}
