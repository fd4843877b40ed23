package prefer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
)

// Size of the Monte Carlo behind a confidence.
const (
	sureUniform = 2000 // options of the whole space, or the items of a list, that a pick is ranked among …
	sureTop     = 96   // … of which so many that may be best are drawn, …
	sureRest    = 32   // … and so many in place of all others
	sureNear    = 6    // mirrored pairs of points round each of the best peaks, at scales from 3 % to 100 % of a lengthscale
	surePeaks   = 3    // peaks that get them
	sureShown   = 12   // best options shown
	sureScouts  = 200  // draws that look for further places where the maximum may be
	surePlaces  = 8    // such places …
	sureRefined = 3    // … and mirrored pairs round each
	sureDraws   = 1000 // draws the probabilities are counted in: ±1 % at 90 %
	sureParts   = 8    // settings of the hyper-parameters that they are taken from, …
	sureScorers = 2    // … and that say which uniform points may be best
	farAway     = 1.0  // an option this many lengthscales away is another option, not the same one again
	hardlyAny   = 0.1  // a smaller share of options that would be taken is hardly any
	bestOptions = 0.01 // the best part of a space that is good enough, …
	bestItems   = 0.05 // … and of a list, rounded up to whole items
)

// sureness is what a study knows about its pick.
type sureness struct {
	within  float64 // Pr(max f − f(x̂) ≤ tolerance)
	beats   float64 // E[share of all options that are worse than x̂]
	best    float64 // Pr(x̂ is among the best options: code.enough of all)
	rival   float64 // Pr(the option other, far from x̂, is within the tolerance of it, or better): the likeliest far one
	other   []float64
	take    float64 // Pr(x̂ is above the rater's level of acceptance)
	nothing float64 // Pr(less than a tenth of all options are above it)
}

// sure estimates how sure the pick peaks[0] is: the utility is drawn jointly at several hundred points,
// chosen where its maximum may lie, and in each draw the best of them is compared with the pick. The
// places are found in two rounds: points everywhere, round the peaks of the mean and shown before; then
// points round those that came out best in a first set of draws. Ranks are counted among 2,000 uniform points: those
// that may be best are drawn, of the others a sample that stands for all. level is the number of the rater whose level of
// acceptance matters, −1 for nobody's.
func sure(u utility, code *coding.Coding, seed uint64, t tolerance, peaks []acquisition.Peak, shown []float64, level int) sureness {
	f := field{u: u, code: code, seed: seed, rng: rand.New(rand.NewPCG(seed, 0x5e7e)), tolerance: t, level: -1}
	f.places(peaks, shown)
	f.refine()
	f.level = level
	far := f.far()
	if code.List != nil && len(peaks) > 1 { // of a list the rival is number two, whatever it is like
		far = make([]bool, len(far))
		far[1] = true
	}
	return f.compare(far)
}

// roughlySure is sure at a tenth of its cost: within and best alone, among few options. As fewer of those are better than the pick,
// it is a little higher than sure.
func roughlySure(u utility, code *coding.Coding, seed uint64, t tolerance, peaks []acquisition.Peak, shown []float64) sureness {
	const roughPoints, roughShown = 32, 6
	f := field{u: u, code: code, rng: rand.New(rand.NewPCG(seed, 0x5e7e)), tolerance: t, level: -1}
	for _, pk := range peaks[:min(len(peaks), surePeaks)] {
		f.add(pk.X, 0)
	}
	f.add(code.Points(roughPoints, seed), 1.0/roughPoints)
	f.add(acquisition.Top(u, shown, roughShown, 1e-3), 0)
	return f.compare(make([]bool, len(f.share)))
}

// tolerance returns what does not matter in the study.
func (c Config) tolerance() Tolerance {
	if c.Tolerance.IsZero() {
		return DefaultTolerance()
	}
	return c.Tolerance
}

// field is where a utility is drawn. Its random numbers are used in a fixed order.
type field struct {
	u         utility
	code      *coding.Coding
	seed      uint64
	rng       *rand.Rand
	tolerance tolerance
	level     int // number of the rater whose level of acceptance is drawn, too; −1 for nobody's

	x     []float64 // points, row by row, the pick first
	share []float64 // of all options that each stands for; 0 for those that were added
	moved [][]int   // by point: where the points are that the tolerance's steps lead to from it
	steps int       // points that steps have led to, at the end of x
}

func (f *field) add(x []float64, share float64) {
	f.x = append(f.x, x...)
	for range len(x) / f.code.Dim {
		f.share = append(f.share, share)
	}
}

// row returns point i.
func (f *field) row(i int) []float64 { return f.x[i*f.code.Dim : (i+1)*f.code.Dim] }

// places adds the points of the first round: the best peaks and points round them, points everywhere, and the best that was
// shown.
func (f *field) places(peaks []acquisition.Peak, shown []float64) {
	peaks = peaks[:min(len(peaks), surePeaks)]
	for _, pk := range peaks {
		f.add(pk.X, 0)
	}
	for _, pk := range peaks {
		f.add(f.around(pk.X, sureNear), 0)
	}
	f.everywhere()
	f.add(acquisition.Top(f.u, shown, sureShown, 1e-3), 0)
}

// everywhere adds uniform options of the whole space, or items: all of a few, else those that may be best, by mean plus
// three halves of a standard deviation, and a sample of the others that stands for all of them.
func (f *field) everywhere() {
	all := f.code.Sample(sureUniform, f.seed)
	d, n := f.code.Dim, len(all)/f.code.Dim
	if n <= sureTop+sureRest {
		f.add(all, 1/float64(n))
		return
	}
	score, mean, vrc := make([]float64, n), make([]float64, n), make([]float64, n)
	for k, share := range f.u.settings(sureScorers) {
		if share > 0 {
			f.u.parts[k].Marginals(mean, vrc, all, 1)
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

// refine adds points round those that came out best in a first set of draws, and where the tolerance's steps lead from
// them.
func (f *field) refine() {
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

// compare draws the utility and counts how often the pick is as good as any, and which of the far ones is most often as good
// as the pick.
func (f *field) compare(far []bool) sureness {
	near := make([]int, len(far)) // draws in which each far point is as good as the pick
	real := len(f.share) - f.steps
	same, own := make([]bool, len(far)), 0.0 // the pick once more: a list has it
	for i := range same {
		if same[i] = coding.Gap(f.row(i), f.row(0)) <= coding.SameOption; same[i] {
			own += f.share[i]
		}
	}
	var out sureness
	n, enough := 0.0, enough(f.code)
	f.draw(sureDraws, sureParts, func(u []float64) {
		n++
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
		if own < 1 { // else there is no other
			better /= 1 - own
		}
		out.beats += 1 - better
		if u[0] >= u[top]-allowed {
			out.within++
		}
		if among <= enough+1e-9 {
			out.best++
		}
		if f.level >= 0 && u[0] > u[len(far)] {
			out.take++
		}
		if f.level >= 0 && pleasing < hardlyAny {
			out.nothing++
		}
		for i, v := range u[:real] {
			if far[i] && v >= u[0]-allowed {
				near[i]++
			}
		}
	})
	out.within, out.best = out.within/n, out.best/n
	out.beats, out.take, out.nothing = out.beats/n, out.take/n, out.nothing/n
	if i := slices.Index(near, slices.Max(near)); near[i] > 0 {
		out.other, out.rival = slices.Clone(f.row(i)), float64(near[i])/n
	}
	return out
}

// enough returns the share of all options that are good enough.
func enough(c *coding.Coding) float64 {
	if c.List == nil {
		return bestOptions
	}
	n := float64(len(c.List.Back))
	return math.Ceil(bestItems*n) / n
}

// far reports which points are other options than the first, not the same one again. One lengthscale away in one parameter the
// prior correlation is (1 + √5 + 5/3)e^(−√5) = 0.52: the difference has half the variance of that of two unrelated options, which is
// as good a line as any between "the same, a little changed" and "another". It decides which rival is named, and so whether an ending
// is called a tie, never when a study ends. Half the range is far in any case.
func (f *field) far() []bool {
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
func (f *field) around(at []float64, count int) []float64 {
	if f.code.List != nil {
		return nil
	}
	if dom := f.code.Domain(context.Background()); dom != nil {
		return dom.Around(f.u, at, count, f.rng)
	}
	return acquisition.Around(f.u, at, count, f.rng)
}

// settings returns how many of so many equal parts of the weight have their middles in each setting of the
// hyper-parameters.
func (u utility) settings(count int) []int {
	each := make([]int, len(u.parts))
	k, sum := 0, u.weights[0]
	for j := range count {
		for sum < (float64(j)+0.5)/float64(count) && k < len(each)-1 {
			k++
			sum += u.weights[k]
		}
		each[k]++
	}
	return each
}

// draw yields the utility drawn jointly at all points, count times, from that many settings of the hyper-parameters at
// most. The slice is reused.
func (f *field) draw(count, settings int, yield func([]float64)) {
	f.u.draw(f.x, f.level, count, settings, f.rng, yield)
}

func (u utility) draw(x []float64, level, count, settings int, rng *rand.Rand, yield func([]float64)) {
	for k, share := range u.settings(settings) {
		if share > 0 {
			draws(u.parts[k], x, level, count*share/settings, rng, yield)
		}
	}
}

// drawAt yields f drawn jointly at the points x, row by row, count times. The slice is reused.
func (u utility) drawAt(x []float64, count int, rng *rand.Rand, yield func([]float64)) {
	u.draw(x, -1, count, sureParts, rng, yield)
}

// drawPeople yields the utilities of several raters drawn together, count times: that of rater number who[i] at point i of x. The
// slice is reused.
func (u utility) drawPeople(x []float64, who []int, count int, rng *rand.Rand, yield func([]float64)) {
	for k, share := range u.settings(sureParts) {
		if share > 0 {
			p := u.parts[k]
			mean, cov := p.People(x, who)
			gaussians(mean, cov, p.Hyper().Kernel.Outputscale+p.Hyper().Kernel.Trend, count*share/sureParts, rng, yield)
		}
	}
}
