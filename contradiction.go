package prefer

import (
	"context"
	"math"
	"slices"
)

// Contradiction is an answer that the others do not bear out.
type Contradiction struct {
	Answer AnswerID `json:"answer"`

	// Chance is the probability of what was said, the first, the second or a tie, given all other answers.
	Chance float64 `json:"chance"`
}

// contradicts is the probability, as a part of the highest that an answer can have, below which it contradicts the rest: of a preference 1,
// of a tie that between two options that are alike.
const contradicts = 0.1

// Contradictions returns the answers that contradict the rest of those about a utility, in the order of telling; in a study per rater those of
// the rater named. It is for looking again, not for leaving out: of answers that are all true as many contradict the rest as the model expects.
//
// Without answer i the difference d_i of its options has the law N(m₋, v₋), the cavity (gp.Posterior.Cavity), by which model k gives the answer
// the probability p_k. Of its weight w_k a model loses what the answer had given it, w_k/p_k in proportion, so that
//
//	Pr(answer | others) = Σ_k (w_k/p_k) p_k / Σ_k (w_k/p_k) = 1/Σ_k (w_k/p_k).
//
// Hyper-parameters stay as all answers have them. Other inferences than EP have sites too, by which the same is an approximation. What was said of
// options alone ("both bad"), skips and checks contradict nothing.
func (s *Study) Contradictions(ctx context.Context, l Look) ([]Contradiction, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return nil, err
	}
	f, err := s.tell(ctx, v)
	if err != nil {
		return nil, err
	}
	if len(f.law.parts[0].Sites().Lambda) != f.duels.Len() { // answers that nobody gave are awaited
		return nil, nil
	}
	s.mu.Lock()
	answers := slices.Clone(s.state.answers)
	s.mu.Unlock()
	var out []Contradiction
	for _, t := range answers {
		if !t.counts() || t.answer.Choice == BothBad || v.kin && !v.team && t.rater != v.rater {
			continue
		}
		i := f.index(t)
		if i < 0 { // left out of what is learned, or told since
			continue
		}
		if p, most := f.without(i, t.rater); p < contradicts*most {
			out = append(out, Contradiction{t.id, p})
		}
	}
	return out, nil
}

// index returns which duel an answer is, −1 for none. Where the same was said twice both are alike.
func (f *fit) index(t *told) int {
	d := f.duels
	for i, o := range d.Outcome {
		row := func(x []float64) []float64 { return x[i*d.Dim : (i+1)*d.Dim] }
		if o == t.answer.outcome() && (d.Level == nil || !d.Level[i]) && slices.Equal(row(d.A), t.a) && slices.Equal(row(d.B), t.b) {
			return i
		}
	}
	return -1
}

// without returns how probable the side that duel i took is without it, and how probable it can be at most.
func (f *fit) without(i int, rater string) (p, most float64) {
	d, r, inverse := f.duels, slices.Index(f.raters, rater), 0.0
	for k, post := range f.law.parts {
		mean, v := post.Cavity(d, i)
		var one, top float64
		for _, o := range post.Answers().Outcomes() {
			if side(o) == side(d.Outcome[i]) {
				iv := post.Hyper().Cuts.Interval(o, post.Noise())
				one += iv.Prob(mean, v, post.RaterNoise(r))
				top += iv.Prob(0, 0, post.RaterNoise(r))
			}
		}
		if side(d.Outcome[i]) != 0 {
			top = 1
		}
		inverse += f.law.weights[k] / math.Max(one, 1e-300)
		most += f.law.weights[k] * top
	}
	return 1 / inverse, most
}
