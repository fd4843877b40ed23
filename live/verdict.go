package live

import (
	"context"

	"github.com/prefer-bo/prefer"
)

// Status is where the study stands, as far as is known at once: the verdict may rest on an answer less.
type Status struct {
	Verdict    string  `json:"verdict" enum:"keep_going,clear_winner,practical_tie"`
	Confidence float64 `json:"confidence"`
	Left       [2]int  `json:"left" doc:"A rough range for the number of questions left."`
	Answers    int     `json:"answers"`
	At         int     `json:"at" doc:"The number of answers the verdict rests on."`
	Sentence   string  `json:"sentence"`
}

// Verdict works the verdict out and remembers it as the status.
func (r *Study) Verdict(ctx context.Context, rater string) (prefer.Verdict, error) {
	of := r.Utility(rater)
	var at int
	r.look(func(x *index) { at = x.count(of) })
	v, err := r.Study.Verdict(ctx, of)
	if err != nil {
		return v, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.verdicts[of] = Status{Verdict: string(v.Kind), Confidence: v.Best.Confidence, Left: [2]int{v.Left.Low, v.Left.High}, At: at, Sentence: v.Sentence}
	return v, nil
}

// stale reports whether a new verdict is worth its time, for a rater with so many others about.
func (r *Study) stale(rater string, others int) (stale bool) {
	of := r.Utility(rater)
	r.look(func(x *index) {
		st, known := r.verdicts[of]
		n := x.count(of)
		behind := mayLag(others > 0, n)
		if others >= crowd && of == "" {
			behind = max(n/4, 2*others)
		}
		stale = !known || st.At > n || n-st.At > behind
	})
	return stale
}

// mayLag returns how many answers a verdict may be behind. It costs more than all else that an answer
// does; of one among many in a crowd nobody waits for it.
func mayLag(crowded bool, answers int) int {
	if !crowded {
		return 0
	}
	return answers / 10
}
