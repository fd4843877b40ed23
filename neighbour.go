package prefer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// This file has two rules for spaces of one or two ordered parameters: numbers, ordinals and circles. Questions are chosen with a noise that is
// fixed, so to the model the same pair a little shifted is new evidence. A person with a favourite near an end of the range could be asked one
// question a dozen times, and the study could end at the end of the range without having shown anything next to it. The rules are:
//
//   - No study ends with a favourite while nothing next to it was shown, on any side of it that has room. The next question then tries what is missing.
//   - A near-repeat of a pair that the rater has answered is not asked while another pair may be.
//
// Distances are in the coordinates of the model, as parts of the range: on a log scale of its logarithm, on a circle of the shorter way.
const (
	neighbourReach = 0.1   // an option is next to the pick up to this distance, or one level away, …
	neighbourLeast = 0.05  // … and not nearer, for then it is the pick itself, unless the range ends there; …
	neighbourOther = 0.25  // … if it is no farther away than this in the other parameter
	neighbourTried = 0.075 // the distance at which a missing neighbour is tried; the pick may move a little by the answer

	repeatReach = 0.05 // both options of a near-repeat are this near to those of an answered pair, …
	repeatShare = 0.25 // … and within this part of the distance between the two
)

// ordered returns the parameters if they are one or two beside the contexts and all are ordered, else nil: the rules do not apply. Nor do they where
// somebody looks with a parameter held, for questions are asked without.
func (c *coding) ordered() []axis {
	if c.table() != nil {
		return nil
	}
	var free []axis
	for _, a := range c.axes {
		switch {
		case a.held != nil && a.Context:
		case a.held != nil, len(free) == 2, !continuous(a.Parameter) && !a.ordered() && !a.Circular:
			return nil
		default:
			free = append(free, a)
		}
	}
	return free
}

// along returns where on the axis a point lies, as a part of the range or of the period.
func (a axis) along(x []float64) float64 {
	if a.Circular {
		return a.turn(x)
	}
	return x[a.at]
}

// ahead returns how far y is from x in a direction, 1 or −1, along the axis: on a circle in [0, 1), else negative if it lies behind.
func (a axis) ahead(x, y []float64, direction float64) float64 {
	d := direction * (a.along(y) - a.along(x))
	if a.Circular {
		d -= math.Floor(d)
	}
	return d
}

// apart returns the distance of two points along the axis.
func (a axis) apart(x, y []float64) float64 {
	if a.Circular {
		return math.Min(a.ahead(x, y, 1), a.ahead(x, y, -1))
	}
	return math.Abs(a.ahead(x, y, 1))
}

// beyond returns the point that lies so far from x along the axis, nearer if the range ends before, and 0; of a discrete axis the last level within that
// distance, or the next one, and how far away that is. It returns nil if x is at the end.
func (a axis) beyond(x []float64, distance, direction float64) (y []float64, next float64) {
	if continuous(a.Parameter) {
		y, to := slices.Clone(x), a.along(x)+direction*distance
		if a.Circular {
			y[a.at], y[a.at+1] = acquisition.Circle(to - math.Floor(to))
		} else {
			y[a.at] = min(max(to, 0), 1)
		}
		return y, 0
	}
	step := int(direction)
	for i := a.nearest(x) + step; a.Circular || i >= 0 && i < len(a.vals); i += step {
		level, at := (i+len(a.vals))%len(a.vals), slices.Clone(x)
		copy(at[a.at:a.at+a.width], a.levels[level*a.width:(level+1)*a.width])
		d := a.ahead(x, at, direction)
		if d == 0 || y != nil && d > distance {
			break
		}
		if y == nil {
			next = d
		}
		y = at
	}
	return y, next
}

// untried is a side of the pick on which no neighbour was shown: what would be one, and the values between which nothing was.
type untried struct {
	neighbour []float64
	between   [2]Option
}

// untried returns the sides of a pick on which nothing next to it was shown, in a question that is no longer open or a duel that was observed.
// A side that a constraint closes has no neighbour, nor has one on which the range ends nearer than the separation of two options that may be asked.
func (v view) untried(pick []float64, separation float64) (out []untried) {
	free := v.code.ordered()
	if free == nil || separation <= 0 || separation > neighbourTried {
		return nil
	}
	d := v.mine().duels
	shown := slices.Collect(slices.Chunk(slices.Concat(d.A, d.B), v.code.dim))
	for _, q := range v.past {
		if q.skipped {
			shown = append(shown, q.a, q.b)
		}
	}
	for i, a := range free {
		near := func(x []float64) bool {
			for j, b := range free {
				if j != i && b.apart(pick, x) > neighbourOther {
					return false
				}
			}
			return v.code.concerns(x)
		}
		for _, direction := range []float64{-1, 1} {
			y, next := a.beyond(pick, neighbourTried, direction)
			if y == nil || !v.code.contains(y) || a.ahead(pick, y, direction) < separation {
				continue
			}
			least := math.Min(neighbourLeast, a.ahead(pick, y, direction)) - sameOption
			first, to := math.Inf(1), []float64(nil)
			for _, x := range shown {
				if d := a.ahead(pick, x, direction); d >= least && d < first && near(x) { // what is nearer is the pick itself
					first, to = d, x
				}
			}
			if first > math.Max(neighbourReach, next)+sameOption {
				out = append(out, untried{y, a.between(pick, to, direction)})
			}
		}
	}
	return out
}

// untried returns between which values nothing was shown next to a study's pick.
func (s *Study) untried(v view, best Best) (out [][2]Option, err error) {
	if v.code.ordered() == nil {
		return nil, nil
	}
	x, err := v.code.unit(best.Option)
	if err != nil {
		return nil, err
	}
	for _, side := range v.untried(x, s.cfg.Separation) {
		out = append(out, side.between)
	}
	return out, nil
}

// between returns the values of the parameter at two points, the lower one first, or on a circle the one that comes first; nil is the end of the range.
func (a axis) between(pick, to []float64, direction float64) [2]Option {
	if to == nil {
		to = slices.Clone(pick)
		if !a.Circular {
			to[a.at] = (1 + direction) / 2
		}
	}
	ends := [2]Option{{a.Name: a.decode(pick)}, {a.Name: a.decode(to)}}
	if direction < 0 {
		ends[0], ends[1] = ends[1], ends[0]
	}
	return ends
}

// methodNeighbour marks the questions that try a missing neighbour of the pick.
const methodNeighbour = "neighbour"

// missing returns the pair of the pick and a neighbour of it that was never shown, if the study knows its favourite but for that; else nil.
func (s *Study) missing(ctx context.Context, v view, r rules) ([]float64, error) {
	if s.cfg.Separation <= 0 || v.code.ordered() == nil || r.hold != nil || r.allowed != nil {
		return nil, nil
	}
	fit, err := s.tell(ctx, v)
	if err != nil {
		return nil, err
	}
	peaks := s.recommend(ctx, fit, v)
	if err := ended(ctx); err != nil {
		return nil, err
	}
	for _, side := range v.untried(peaks[0].X, s.cfg.Separation) {
		if r.accept != nil && !r.accept(peaks[0].X, side.neighbour) {
			continue
		}
		if !s.mayKnow(fit.law, v, peaks) {
			return nil, nil
		}
		best, _, err := s.pick(ctx, v)
		if err != nil || !best.known(s.cfg.Confidence) {
			return nil, err
		}
		return slices.Concat(peaks[0].X, side.neighbour), nil
	}
	return nil, nil
}

// mayKnow reports whether a study may know its favourite, at a tenth of what Best costs: among few options fewer are better than the pick, so that it
// seems surer than it is. roughSlack is for the error of that.
func (s *Study) mayKnow(u utility, v view, peaks []acquisition.Peak) bool {
	const roughPoints, roughShown, roughSlack = 32, 6, 0.1
	f := field{u: u, code: v.code, rng: rand.New(rand.NewPCG(s.cfg.Seed, 0x5e7e)), tolerance: s.cfg.tolerance(), level: -1}
	for _, pk := range peaks[:min(len(peaks), surePeaks)] {
		f.add(pk.X, 0)
	}
	f.add(v.code.points(roughPoints, s.cfg.Seed), 1.0/roughPoints)
	f.add(acquisition.Top(u, v.shown, roughShown, 1e-3), 0)
	at := f.compare(make([]bool, len(f.share)))
	return len(f.tolerance.Steps) > 0 || at.within >= s.cfg.Confidence-roughSlack || at.best >= surely(s.cfg.Confidence)-roughSlack
}

// unrepeated returns the rule of accept without the near-repeats of pairs that a rater has answered. Only the rater's own answers count: where people share a utility
// the answer of another person to the same pair is evidence, and nobody is asked twice.
func (s *Study) unrepeated(v view, rater string) func(a, b []float64) bool {
	accept := s.accept(v)
	if s.cfg.Repeats || v.code.ordered() == nil {
		return accept
	}
	var answered []*asked
	for _, q := range v.past {
		if q.Rater == rater && q.answer != nil && !q.skipped {
			answered = append(answered, q)
		}
	}
	if answered == nil {
		return accept
	}
	return func(a, b []float64) bool {
		return (accept == nil || accept(a, b)) && !clash(v.code, answered, a, b, math.Min(repeatReach, repeatShare*v.code.gap(a, b)))
	}
}

// contradicted reports whether an answer of a rater contradicts the rest, as the model that chooses questions sees it: then the rater makes mistakes,
// and to ask something like it again is no repetition.
func (f *fit) contradicted(rater string) bool {
	d := f.duels
	if f.team {
		rater = team
	}
	if d.Len() > denseLimit || len(f.law.parts[0].Sites().Lambda) != d.Len() {
		return false
	}
	for i := range d.Outcome {
		if f.raters[d.Rater[i]] != rater || d.Level != nil && d.Level[i] {
			continue
		}
		if p, most := f.without(i, rater); p < contradicts*most {
			return true
		}
	}
	return false
}

// untried says what was not shown next to the pick, nothing where all was.
func (v Verdict) untried() string {
	if len(v.Untried) == 0 {
		return ""
	}
	name, low, high := v.gap()
	return v.lang.T("more.untried", "name", name, "low", low, "high", high)
}

// lacking says the same within a sentence.
func (v Verdict) lacking() string {
	if len(v.Untried) == 0 {
		return ""
	}
	name, low, high := v.gap()
	return fmt.Sprintf("but nothing near it with %s between %s and %s has been shown yet; ", name, low, high)
}

// gap returns the parameter and the values between which nothing was shown, of several the first.
func (v Verdict) gap() (name, low, high string) {
	first := v.Untried[0]
	for name = range first[0] {
		low, high = valueWords(first[0][name]), valueWords(first[1][name])
	}
	return name, low, high
}
