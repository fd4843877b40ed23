package acquisition

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Worth returns what a method expects of given questions, rows of two options each, in the method's own units: that of "kg" is the
// gain, as in Choice.Value. What may be asked (Hold, Lower, Upper, Allowed, Accept) is not looked at, only that both are
// options of the domain. Methods that put no number on a question are an error, and so is a context that ends.
func Worth(ctx context.Context, method string, t Task, questions [][]float64) ([]float64, error) {
	t.Hold, t.Lower, t.Upper, t.Allowed, t.Accept = nil, nil, nil, nil, nil
	t, err := t.Prepare()
	if err != nil {
		return nil, err
	}
	for i, x := range questions {
		if err := t.checkQuestion(x); err != nil {
			return nil, fmt.Errorf("acquisition: question %d: %w", i, err)
		}
	}
	if method == "kg" {
		at, err := t.space()
		if err != nil {
			return nil, err
		}
		out := at.worth(ctx, t, questions)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return out, nil
	}
	m, ok := named(method)
	switch {
	case !ok:
		return nil, unknown(method)
	case m.formula == nil:
		return nil, fmt.Errorf("acquisition: method %q puts no number on a question: %w", method, errNoWorth)
	case t.Mixture != nil && !m.linear:
		return nil, errMixture
	}
	e := t.expected(m.formula(t))
	out := xslices.Map(questions, func(x []float64) float64 { return e.At(x, nil) })
	return out, ctx.Err()
}

var errNoWorth = errors.New("want one that does: kg, eubo, qeubo, logei or bald")

// checkQuestion reports why x is no pair of options.
func (t Task) checkQuestion(x []float64) error {
	d := t.utility().Dim()
	if len(x) != 2*d {
		return fmt.Errorf("it has %d numbers, want two options of %d", len(x), d)
	}
	for _, o := range [][]float64{x[:d], x[d:]} {
		if !t.Domain.Contains(o) {
			return fmt.Errorf("%v is not an option of the domain", o)
		}
	}
	return nil
}

// worth is the knowledge gradient of questions about rows. The inner maxima run over all rows: it is exact.
func (l *list) worth(ctx context.Context, t Task, questions [][]float64) []float64 {
	s := &listSearch{l: l, t: t, full: map[int][][]float64{}}
	s.recommend(ctx)
	rows := &Domain{List: l.rows, Dim: l.d}
	out := make([]float64, len(questions))
	for k, x := range questions {
		if ctx.Err() != nil {
			break
		}
		s.pairs = []ranked{{i: rows.row(x[:l.d]), j: rows.row(x[l.d:])}}
		out[k] = s.settle(ctx).Value
	}
	return out
}

// worth is the knowledge gradient of questions where the inner maxima are climbed to: after each outcome from the best of the sample, the peaks of
// the mean and the options themselves, then from the levels next to the best, and the best of where these climbs end is taken. A fantasy point that beats x̂ becomes x̂, to all questions.
func (r *region) worth(ctx context.Context, t Task, questions [][]float64) []float64 {
	s := newOneShot(t, r)
	s.recommend(ctx)
	ends := make([][]float64, len(questions))
	for k, x := range questions {
		if ctx.Err() != nil {
			return nil
		}
		ends[k] = s.ends(ctx, x)
		if peak, better := s.betterPeak(ctx, ends[k]); better {
			s.adopt(peak)
		}
	}
	eval := s.kg.evaluator()
	return xslices.Times(len(questions), func(k int) float64 {
		x, _ := s.after(questions[k], ends[k])
		return eval.At(x, nil) - s.above(x[2*s.in.d:])
	})
}

// above returns by how much the highest mean at fantasy points exceeds that of x̂, which betterPeak takes for rounding.
func (s *oneShot) above(fantasy []float64) (most float64) {
	p, d, m := s.t.utility(), s.in.d, gp.NewMoments(1)
	for at := 0; at < len(fantasy); at += d {
		most = max(most, p.MeanGradient(m, fantasy[at:at+d], nil)-s.peaks[0].Mean)
	}
	return most
}

// ends returns where climbs of the fantasy points of a question end, row by row.
func (s *oneShot) ends(ctx context.Context, question []float64) []float64 {
	d := s.in.d
	rows := slices.Concat(s.in.sample, s.in.dom.among(s.t.Shown))
	first, gain := s.after(question, rows)
	starts := [][]float64{first}
	places := [][]float64{question[:d], question[d:]}
	for _, p := range s.peaks[:min(len(s.peaks), candidatePeaks)] {
		places = append(places, p.X)
	}
	for _, x := range places {
		start := clone(question)
		for range s.kg.points() - 2 {
			start = append(start, x...)
		}
		starts = append(starts, start)
	}
	s.ranks = []ranked{{score: gain}} // what units go by
	a := s.ascent()
	a.limits[0].held, a.limits[1].held, a.pair = true, true, false
	eval := s.kg.evaluator()
	var out []float64
	climb := func(x []float64) {
		up := a.climb(ctx, eval.At, x, maximize.Settings{MaxEvals: 100, GradTol: 1e-8, ValueTol: 1e-12}, exchangeRounds)
		for at := 2 * d; at < len(x); at += d {
			for _, end := range [][]float64{x[at : at+d], up.X[at : at+d]} {
				if s.in.dom.Contains(end) {
					out = append(out, end...)
				}
			}
		}
	}
	for _, x := range starts {
		climb(x)
	}
	for _, p := range s.in.discrete { // what is best at one level need not be at the next
		for _, step := range []int{1, p.count() - 1}[:min(2, p.count()-1)] {
			best, _ := s.after(question, out)
			for at := 2 * d; at < len(best); at += d {
				y := clone(best[at : at+d])
				copy(p.of(y), p.level((p.find(y)+step)%p.count()))
				if s.in.dom.feasible(y) {
					copy(best[at:at+d], y)
				}
			}
			climb(best)
		}
	}
	return out
}

// after returns the one-shot point of a question whose fantasy points are the best of rows after each outcome, peaks of the mean and the options
// themselves being among them, and its gain.
func (s *oneShot) after(question, rows []float64) (x []float64, gain float64) {
	of := s.known([][]float64{question}, rows)
	of.need(0, 1)
	best := make([]int, s.kg.points()-2)
	gain = of.gain(0, 1, best)
	x = clone(question)
	for _, i := range best {
		x = append(x, of.l.row(i)...)
	}
	return x, gain
}

// known returns the search of a list: the options of questions, two each, then the fantasy points rows and the peaks of the mean.
func (s *oneShot) known(questions [][]float64, rows []float64) *listSearch {
	rows = slices.Concat(slices.Concat(questions...), rows)
	for _, p := range s.peaks {
		rows = append(rows, p.X...)
	}
	of := &listSearch{l: &list{d: s.in.d, n: len(rows) / s.in.d, rows: rows, hold: -1, workers: s.t.Search.Workers}, t: s.t, full: map[int][][]float64{}}
	of.recommend(context.Background())
	return of
}
