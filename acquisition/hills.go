package acquisition

import "slices"

// sameHill is the distance, in the coordinate where they differ most, up to which two pairs are one question.
const sameHill = 0.05

// others returns the pairs that may be asked and are neither x nor one before them, in whichever order of their options. Each is a row of two options.
func (t Task) others(x []float64, pairs [][]float64, tol float64) [][]float64 {
	d := len(t.Lower)
	kept := [][]float64{x[:2*d]}
	for _, p := range pairs {
		if !slices.ContainsFunc(kept, func(k []float64) bool { return samePair(p, k, d, tol) }) && t.accepts(p[:d], p[d:2*d]) {
			kept = append(kept, clone(p[:2*d]))
		}
	}
	return kept[1:]
}

// samePair reports whether the questions at the heads of x and y are one, in either order of their options.
func samePair(x, y []float64, d int, tol float64) bool {
	same := func(a, b []float64) bool { return closeTo(a, b, tol) }
	return same(x[:d], y[:d]) && same(x[d:2*d], y[d:2*d]) || same(x[:d], y[d:2*d]) && same(x[d:2*d], y[:d])
}

// begun returns the pairs that climbs began at, where they may be asked and are on none of the hills.
func (s *oneShot) begun(x []float64, hills [][]float64) [][]float64 {
	d := s.in.d
	pairs := slices.Clone(hills)
	for start := range slices.Chunk(s.starts, s.kg.points()*d) {
		p, in := clone(start[:2*d]), s.in.question(s.t)
		if clipAll(in, p); in[0].may(p[:d]) && in[1].may(p[d:]) && !slices.Equal(p[:d], p[d:]) {
			pairs = append(pairs, p)
		}
	}
	return s.t.others(x, pairs, sameHill)[len(hills):]
}
