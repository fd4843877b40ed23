package gp

import "fmt"

// Raters differ in care. With Model.RaterNoise rater r answers by g = f(a) − f(b) + ε, ε ~ N(0, s_r²), s_r = Noise·σ_r,
//
//	Pr(o | d) = Φ((hi − d)/s_r) − Φ((lo − d)/s_r),
//
// and the σ_r are learned with the other hyper-parameters. The cuts lo and hi stay in units of Noise: what counts
// as "can't tell" belongs to the study, carelessness to the rater. A common factor of all s_r is not identifiable
// beside the outputscale: the prior holds it, and a single rater has σ_1 = 1 and is no variable.

// DefaultRaterNoise returns a prior of σ_r for people: log-normal with mode 1, where the maximum a posteriori puts a rater who has said nothing yet, and
// spread ½: most raters within a factor e of the typical one either way, which is what separates a careful from a hasty person, while a few dozen
// contradictory answers can still say more.
func DefaultRaterNoise() Prior { return LogNormal(0.25, 0.5) } // the mode of LogNormal(μ, σ) is e^{μ − σ²}

// maxRaters bounds the number of raters, each a variable of the fit.
const maxRaters = 100_000

func checkRater(duel, rater int) error {
	if rater < 0 || rater >= maxRaters {
		return fmt.Errorf("gp: duel %d: rater %d, want 0 to %d", duel, rater, maxRaters-1)
	}
	return nil
}

func checkSigma(sigma float64) {
	if !(sigma > 0) {
		panic("gp: the noise of an answer is not positive")
	}
}

// rated reports whether the model tells raters apart.
func (m Model) rated() bool { return m.RaterNoise.present() }

// rater returns σ_r, 1 for a rater of whom nothing is known.
func (h Hyper) rater(r int) float64 {
	if r < 0 || r >= len(h.Raters) {
		return 1
	}
	return h.Raters[r]
}

// startRaters returns the σ_r from which those of the duels' raters are learned: the known ones and 1 for the others; nil where there is nothing to learn.
func (m Model) startRaters(duels *Duels, known []float64) []float64 {
	count := 0
	for _, r := range duels.Rater {
		count = max(count, r+1)
	}
	if !m.rated() || count < 2 {
		return nil
	}
	h := Hyper{Raters: known}
	start := make([]float64, count)
	for r := range start {
		start[r] = h.rater(r)
	}
	return start
}

// noises writes the noise of each duel, Noise·σ_r of the rater who answered it.
func (m Model) noises(dst []float64, duels *Duels, h Hyper) {
	for i := range dst {
		dst[i] = m.Noise
		if h.Raters != nil {
			dst[i] *= h.rater(duels.by(i))
		}
	}
}

// by returns who answered duel i.
func (d *Duels) by(i int) int {
	if d.Rater == nil {
		return 0
	}
	return d.Rater[i]
}
