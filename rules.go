package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// A pair of items is asked again where its order matters and is open. Otherwise a list of noisy answers could not be decided: the two leaders would meet
// once, whatever came of it.
const (
	openOrder   = 0.02 // probability that an item is better than the pick from which on the order of the two is open
	repeatPause = 6    // questions of a rater before a pair comes again
)

// again returns the rule on pairs once the answers are learned from: near-repeats and items that have met may be asked again where the answer to
// the first was doubtful.
func (cfg *Config) again(v view, f *learn.Fit, rater string) func(a, b []float64) bool {
	switch {
	case cfg.Repeats:
	case v.code.List != nil:
		v.past = v.settled(f, rater)
	case !contradicted(f, rater):
		return cfg.unrepeated(v, rater)
	}
	return cfg.accept(v)
}

// settled returns the questions whose pairs of items are not asked again: all but those of the pick with the item that is likeliest to be better, and with
// others whose order is open, and those whose answer contradicts the rest. What a rater saw lately is not asked again in any case.
func (v view) settled(f *learn.Fit, rater string) []*asked {
	top := incumbent(f.Belief, v.code.List.Rows)
	var recent, met, open []*asked
	var rivals []float64 // of the pick, in the questions of met, row by row
	for _, q := range slices.Backward(v.past) {
		if q.Rater == rater && len(recent) < repeatPause {
			recent = append(recent, q)
		}
	}
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
	doubtful, lately := points(open), points(recent)
	return slices.DeleteFunc(slices.Clone(v.past), func(q *asked) bool {
		return pairs.Clash(v.code, doubtful, q.a, q.b, pairs.Same) && !pairs.Clash(v.code, lately, q.a, q.b, pairs.Same)
	})
}

// contradicted reports whether an answer of a rater contradicts the rest, by the model that chooses questions. Such a rater makes
// mistakes, and a near-repeat of a question is worth asking.
func contradicted(f *learn.Fit, rater string) bool {
	if f.Pooled {
		rater = pooledRater
	}
	return f.ContradictsOthers(rater)
}

// doubtful reports whether an answer contradicts the rest.
func doubtful(f *learn.Fit, t *told) bool {
	if k, _ := t.answer.Choice.info(); f.Duels.Len() > learn.DenseLimit || !f.HasSites() || !k.Compares {
		return false
	}
	i := f.Find(t.a, t.b, t.answer.outcome())
	if i < 0 {
		return false
	}
	_, contradicts := f.Contradicts(i, t.rater)
	return contradicts
}

// decided reports whether every item of a list was shown, and none has an open order with the pick: then no question is worth much.
func (v view) decided(u learn.Belief, pick space.Option) (bool, error) {
	t := v.code.List
	if t == nil || t.Unseen(v.shown, v.code.Dim) > 0 {
		return false, nil
	}
	x, err := v.code.Unit(pick)
	if err != nil {
		return false, err
	}
	for i, p := range u.ProbabilityBetter(t.Rows, x) {
		if p > openOrder && !slices.Equal(t.Rows[i*v.code.Dim:(i+1)*v.code.Dim], x) {
			return false, nil
		}
	}
	return true, nil
}
