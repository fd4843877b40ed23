package learn

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/normal"
)

// Size of the Monte Carlo behind a confidence.
const (
	sureUniform = 2000 // uniform options, or items of a list, that a pick is ranked among …
	sureTop     = 96   // … of which so many that may be best are drawn, …
	sureRest    = 32   // … and so many in place of all others
	sureNear    = 6    // mirrored pairs of points round each of the best peaks, at scales from 3 % to 100 % of a lengthscale
	surePeaks   = 3    // peaks that get them
	sureShown   = 12   // best options shown
	sureScouts  = 200  // draws that look for further places where the maximum may be
	surePlaces  = 8    // such places …
	sureRefined = 3    // … and mirrored pairs round each
	sureDraws   = 1000 // draws the probabilities are counted in: ±1 % at 90 %
	sureParts   = 8    // parts of a belief that they are drawn from, …
	sureScorers = 2    // … and parts that score the uniform points
	farAway     = 1.0  // an option this many lengthscales away is another option, not the same one again
	hardlyAny   = 0.1  // a smaller share of options that would be taken is hardly any
)

// Shares of all options that are good enough: of a space, and of a list, rounded up to whole items.
const (
	BestOptions = 0.01
	bestItems   = 0.05
)

// Tolerance is the loss of utility that does not matter: the largest of its parts.
type Tolerance struct {
	Noise float64            // multiples of the noise of one answer
	Share float64            // parts of max f − mean f
	Steps map[string]float64 // amounts of parameters
}

// moved returns x moved by each step of the tolerance, up and down as far as the range goes, row by row.
func (t Tolerance) moved(code *coding.Coding, x []float64) (out []float64) {
	for _, name := range slices.Sorted(maps.Keys(t.Steps)) {
		a := code.Axis(name)
		for _, step := range []float64{t.Steps[name], -t.Steps[name]} {
			row := slices.Clone(x)
			if half := (a.High - a.Low) / 2; a.Circular { // nothing is further away
				a.Place(a.Decode(x).Float()+min(max(step, -half), half), row)
			} else {
				a.Place(min(max(a.Decode(x).Float()+step, a.Low), a.High), row)
			}
			out = append(out, row...)
		}
	}
	return out
}

// of returns how much better than the pick an option may be, in a draw of the utility with this noise, maximum, mean over the space and largest loss by a step.
func (t Tolerance) of(noise, top, mean, step float64) float64 {
	return math.Max(math.Max(t.Noise*noise, t.Share*(top-mean)), step)
}

// Confidence is how sure a pick x̂ is.
type Confidence struct {
	Within  float64   // Pr(max f − f(x̂) ≤ tolerance)
	Beats   float64   // E[share of all options that are worse than x̂]
	Best    float64   // Pr(x̂ is among the best options, a share Enough of all)
	Rival   float64   // Pr(f(Other) ≥ f(x̂) − tolerance)
	Other   []float64 // the option far from x̂ that is most often so good; nil if there is none
	Take    float64   // Pr(x̂ is above the rater's level of acceptance)
	Nothing float64   // Pr(less than a tenth of all options are above that level)
}

// Assess estimates how sure the pick peaks[0] is. It draws the utility jointly at several hundred points where the maximum may lie, and compares the best of
// them with the pick in each draw. The points are found in two rounds: uniform ones, those near the peaks of the mean, and those shown before; then points near
// those that came out best in a first set of draws. Ranks are counted among 2,000 uniform points: those that may be best are drawn, and a sample stands for the
// others. level is the number of the rater whose level of acceptance matters, −1 for none, and chosen has what that rater preferred to something else where
// "both bad" was an answer, row by row: it is probably above the level.
func Assess(u Belief, code *coding.Coding, seed uint64, t Tolerance, peaks []acquisition.Peak, shown []float64, level int, chosen []float64) Confidence {
	f := sampler{u: u, code: code, seed: seed, rng: rand.New(rand.NewPCG(seed, 0x5e7e)), tolerance: t, level: -1}
	f.places(peaks, shown)
	f.refine()
	f.level, f.chosen = level, len(chosen)/code.Dim
	f.add(chosen, 0)
	far := f.far()
	if code.List != nil && len(peaks) > 1 { // in a list the rival is the second item, near or far
		far = make([]bool, len(far))
		far[1] = true
	}
	return f.compare(far)
}

// AssessRoughly is Assess at a tenth of its cost, for Within and Beats alone. It draws fewer options, so that fewer are better than the
// pick, and is a little too sure.
func AssessRoughly(u Belief, code *coding.Coding, seed uint64, t Tolerance, peaks []acquisition.Peak, shown []float64) Confidence {
	const roughPoints, roughShown = 32, 6
	f := sampler{u: u, code: code, rng: rand.New(rand.NewPCG(seed, 0x5e7e)), tolerance: t, level: -1}
	for _, pk := range peaks[:min(len(peaks), surePeaks)] {
		f.add(pk.X, 0)
	}
	f.add(code.Points(roughPoints, seed), 1.0/roughPoints)
	f.addShown(shown, roughShown)
	return f.compare(make([]bool, len(f.share)))
}

// Enough returns the share of all options that are good enough.
func Enough(c *coding.Coding) float64 {
	if c.List == nil {
		return BestOptions
	}
	n := float64(len(c.List.Back))
	return math.Ceil(bestItems*n) / n
}

// sampler has the points where a utility is drawn. Its random numbers are used in a fixed order.
type sampler struct {
	u         Belief
	code      *coding.Coding
	seed      uint64
	rng       *rand.Rand
	tolerance Tolerance
	level     int // number of the rater whose level of acceptance is drawn, too; −1 for none

	x     []float64 // points, row by row, the pick first
	share []float64 // of all options that each stands for; 0 for those that were added
	moved [][]int   // by point: the points that the steps of the tolerance lead to
	steps int       // points that steps have led to, at the end of x, …

	chosen int // … and points after them that are probably above the level
}

func (f *sampler) add(x []float64, share float64) {
	f.x = append(f.x, x...)
	for range len(x) / f.code.Dim {
		f.share = append(f.share, share)
	}
}

// addShown adds the best n of the options x that were shown.
func (f *sampler) addShown(x []float64, n int) { f.add(acquisition.Top(f.u, x, n, 1e-3, 0), 0) }

func (f *sampler) row(i int) []float64 { return f.x[i*f.code.Dim : (i+1)*f.code.Dim] }

// places adds the points of the first round: the best peaks and points near them, uniform points, and the best of those shown.
func (f *sampler) places(peaks []acquisition.Peak, shown []float64) {
	peaks = peaks[:min(len(peaks), surePeaks)]
	for _, pk := range peaks {
		f.add(pk.X, 0)
	}
	for _, pk := range peaks {
		f.add(f.around(pk.X, sureNear), 0)
	}
	f.everywhere()
	f.addShown(shown, sureShown)
}

// everywhere adds uniform options of the space, or items of a list. Of more than a few it adds those that may be best, by mean plus 1.5
// standard deviations, and a sample of the others that stands for all of them.
func (f *sampler) everywhere() {
	all := f.code.Sample(sureUniform, f.seed)
	d, n := f.code.Dim, len(all)/f.code.Dim
	if n <= sureTop+sureRest {
		f.add(all, 1/float64(n))
		return
	}
	score, mean, vrc := make([]float64, n), make([]float64, n), make([]float64, n)
	for k, share := range f.u.settings(sureScorers) {
		if share > 0 {
			f.u.Parts[k].Marginals(mean, vrc, all, 0)
			for i := range score {
				score[i] += float64(share) * (mean[i] + 1.5*math.Sqrt(math.Max(0, vrc[i])))
			}
		}
	}
	order := coding.ByScore(score)
	for _, i := range order[:sureTop] {
		f.add(all[i*d:(i+1)*d], 1/float64(n))
	}
	rest := order[sureTop:]
	for j := range sureRest {
		i := rest[(2*j+1)*len(rest)/(2*sureRest)]
		f.add(all[i*d:(i+1)*d], float64(len(rest))/float64(n*sureRest))
	}
}

// refine adds points near those that came out best in a first set of draws, and the points that the steps of the tolerance lead to from them.
func (f *sampler) refine() {
	wins := make([]int, len(f.share))
	f.draw(sureScouts, sureParts/4, func(u []float64) { wins[slices.Index(u, slices.Max(u))]++ })
	order := coding.ByScore(wins)[:min(len(wins), surePlaces)]
	for _, i := range order {
		if wins[i] > 0 {
			f.add(f.around(f.row(i), sureRefined), 0)
		}
	}
	if len(f.tolerance.Steps) == 0 {
		return
	}
	f.moved = make([][]int, len(f.share))
	for _, i := range append([]int{0}, order...) {
		if f.moved[i] == nil {
			to := f.tolerance.moved(f.code, f.row(i))
			for range len(to) / f.code.Dim {
				f.moved[i] = append(f.moved[i], len(f.share)+len(f.moved[i]))
			}
			f.steps += len(f.moved[i])
			f.add(to, 0)
		}
	}
}

// compare draws the utility and counts how often the pick is as good as any point, and which of the far points is most often as good as the pick.
func (f *sampler) compare(far []bool) Confidence {
	near := make([]int, len(far)) // draws in which each far point is as good as the pick
	real := len(f.share) - f.steps - f.chosen
	same, own := make([]bool, len(far)), 0.0 // the pick again: a list contains it
	for i := range same {
		if same[i] = coding.Gap(f.row(i), f.row(0)) <= coding.SameOption; same[i] {
			own += f.share[i]
		}
	}
	var out Confidence
	n, enough := 0.0, Enough(f.code)
	taken := 0.0 // sum of the weights of draws: how probable they make it that what was chosen was not called bad
	f.draw(sureDraws, sureParts, func(u []float64) {
		n++
		weight := 1.0
		for _, v := range u[len(far)-f.chosen : len(far)] {
			weight *= normal.CDF((v - u[len(far)]) / f.u.Noise())
		}
		taken += weight
		top, at, mean, better, pleasing := 0, 0, 0.0, 0.0, 0.0
		for i, v := range u[:real] {
			if v > u[top] {
				top = i
			}
			mean += f.share[i] * v
			if f.level >= 0 && v > u[len(far)] {
				pleasing += f.share[i]
			}
			if v > u[0] && !same[i] {
				better += f.share[i]
			}
		}
		if f.moved != nil && f.moved[top] != nil {
			at = top
		}
		step := 0.0
		if f.moved != nil {
			for _, i := range f.moved[at] {
				step = math.Max(step, u[at]-u[i])
			}
		}
		allowed := f.tolerance.of(f.u.Noise(), u[top], mean, step)
		among := better + own
		if own < 1 { // else there is no other option
			better /= 1 - own
		}
		out.Beats += 1 - better
		if u[0] >= u[top]-allowed {
			out.Within++
		}
		if among <= enough+1e-9 {
			out.Best++
		}
		if f.level >= 0 && u[0] > u[len(far)] {
			out.Take += weight
		}
		if f.level >= 0 && pleasing < hardlyAny {
			out.Nothing += weight
		}
		for i, v := range u[:real] {
			if far[i] && v >= u[0]-allowed {
				near[i]++
			}
		}
	})
	out.Within, out.Best = out.Within/n, out.Best/n
	out.Beats, out.Take, out.Nothing = out.Beats/n, out.Take/taken, out.Nothing/taken
	if i := slices.Index(near, slices.Max(near)); near[i] > 0 {
		out.Other, out.Rival = slices.Clone(f.row(i)), float64(near[i])/n
	}
	return out
}

// far reports which points are other options than the pick, not slightly changed versions of it. One lengthscale away in one parameter the
// prior correlation is (1 + √5 + 5/3)e^(−√5) = 0.52: the difference has half the variance of that of two unrelated options. The limit
// decides which rival is named, never when a study ends. Half the range is always far.
func (f *sampler) far() []bool {
	ls := f.u.Hyper().Kernel.Lengthscale
	out := make([]bool, len(f.share))
	for i := range out {
		for j, v := range f.row(i) {
			out[i] = out[i] || math.Abs(v-f.x[j]) > farAway*math.Min(ls[j], 0.5)
		}
		for _, a := range f.code.Axes {
			out[i] = out[i] || a.Circular && a.Chord(f.row(i), f.row(0)) > farAway*math.Min(ls[a.At], 0.5)
		}
	}
	return out
}

// around returns options near one, none in a list.
func (f *sampler) around(at []float64, count int) []float64 {
	if f.code.List != nil {
		return nil
	}
	if dom := f.code.Domain(context.Background()); dom != nil {
		return dom.Around(f.u, at, count, f.rng)
	}
	return acquisition.Around(f.u, at, count, f.rng)
}

// draw yields the utility drawn jointly at all points, count times, from at most the given number of parts. The slice is reused.
func (f *sampler) draw(count, settings int, yield func([]float64)) {
	f.u.drawFrom(f.x, f.level, count, settings, f.rng, yield)
}
