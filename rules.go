package prefer

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/pairs"
)

const repeatPause = 6 // questions of a rater before a pair comes again

// rules returns the view under the contexts of a request, and which pairs may be asked, as far as that is known before anything is learned. Of
// answers only the rater's own count: where people share a utility the answer of another person to the same pair is evidence, and nobody is asked twice.
func (cfg *Config) rules(v view, r Request) (_ view, out pairs.Rules, err error) {
	out = pairs.Rules{Past: askedPairs(v.past), Skipped: askedPairs(v.skipped), Pending: askedPairs(v.pending), Separation: cfg.Separation, Repeats: cfg.Repeats}
	for _, q := range slices.Backward(out.Past) {
		if q.Rater == r.Rater && len(out.Recent) < repeatPause {
			out.Recent = append(out.Recent, q)
		}
	}
	for _, t := range v.said {
		if v.code.List != nil || t.rater == r.Rater && t.answer.Choice != Skip {
			out.Answers = append(out.Answers, t.learned())
		}
	}
	if v, err = v.withFixed(r.contexts); err != nil {
		return v, out, err
	}
	if err := v.code.Meets(r.Fixed); err != nil {
		return v, out, err
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
		return v, out, nil
	}
	if out.Hold, err = v.code.Unit(r.Hold); err == nil {
		err = v.code.Meets(r.Fixed, out.Hold)
	}
	if err != nil {
		err = fmt.Errorf("prefer: hold: %w", err)
	}
	return v, out, err
}

// askedPairs returns questions as the model sees them.
func askedPairs(questions []*asked) (out []pairs.Asked) {
	for _, q := range questions {
		out = append(out, pairs.Asked{A: q.a, B: q.b, Rater: q.Rater})
	}
	return out
}
