package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/learn"
)

// Contradiction is an answer that the others do not bear out.
type Contradiction struct {
	Answer AnswerID `json:"answer"`

	// Chance is the probability of what was said, the first, the second or a tie, given all other answers.
	Chance float64 `json:"chance"`
}

// Contradictions returns the answers that contradict the rest of those about the utility, in the order of telling; in a study per rater those of
// its rater. It is for looking again, not for leaving out: of answers that are all true as many contradict the rest as the model expects.
//
// Without answer i the difference d_i of its options has the law N(m₋, v₋), the cavity (gp.Posterior.Cavity), by which model k gives the answer
// the probability p_k. Of its weight w_k a model loses what the answer had given it, w_k/p_k in proportion, so that
//
//	Pr(answer | others) = Σ_k (w_k/p_k) p_k / Σ_k (w_k/p_k) = 1/Σ_k (w_k/p_k).
//
// Hyper-parameters stay as all answers have them. Other inferences than EP have sites too, by which the same is an approximation. What was said of
// options alone ("both bad"), skips and checks contradict nothing.
func (b *Belief) Contradictions() []Contradiction { return b.contradictions() }

// contradictions returns the answers of a view that its fit does not bear out.
func (s *Study) contradictions(v view, f *learn.Fit) (out []Contradiction) {
	if !f.HasSites() {
		return nil
	}
	s.mu.Lock()
	answers := slices.Clone(s.state.answers)
	s.mu.Unlock()
	for _, t := range answers {
		if !t.counts() || t.answer.Choice == BothBad || v.PerRater && !v.Pooled && t.rater != v.rater {
			continue
		}
		i := f.Find(t.a, t.b, t.answer.outcome())
		if i < 0 { // left out of what is learned, or told since
			continue
		}
		if chance, contradicts := f.Contradicts(i, t.rater); contradicts {
			out = append(out, Contradiction{t.id, chance})
		}
	}
	return out
}
