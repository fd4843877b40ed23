package prefer

import (
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Look says whose utility somebody looks at, and under which conditions.
type Look struct {
	// Rater is whose utility it is, in a study per rater; otherwise "" will do.
	Rater string

	// Fixed are values that options have: of every context of the study, and of other parameters, or of features of items,
	// where the best with these is wanted.
	Fixed space.Option
}

// conditions returns the request with the contexts that its options tell, and reports one that nothing tells. A repeat has those of the question it repeats.
func (r Request) conditions(s space.Space) (Request, error) {
	if r.Repeat != "" {
		return r, nil
	}
	var fixed space.Option
	if r.Catch != nil {
		fixed = s.Context(r.Catch.First)
	}
	for _, o := range []space.Option{r.Fixed, s.Context(r.Fixed)} { // the end of a circle is its beginning
		for name, v := range o {
			if fixed == nil {
				fixed = space.Option{}
			}
			fixed[name] = v
		}
	}
	r.Fixed = fixed
	return r, coding.Given(s, r.Fixed)
}

// look returns what a look sees: answers and blind duels under its contexts, and of what was shown what has all its values.
// What was learned is learned from everything.
func (s *state) look(l Look) (view, error) {
	v, err := s.view(l.Rater).under(l.Fixed)
	if err == nil && v.code.Whole != nil {
		s.counted(&v, l.Rater, s.only(l.Rater))
	}
	return v, err
}

// under returns the view of options with the fixed values.
func (v view) under(fixed space.Option) (view, error) {
	code, err := v.code.Under(fixed)
	if err != nil || code == v.code {
		return v, err
	}
	v.code = code
	var shown []float64
	for x := range slices.Chunk(v.shown, code.Dim) {
		if code.Holds(x) {
			shown = append(shown, x...)
		}
	}
	v.shown = shown
	v.blind = slices.DeleteFunc(slices.Clone(v.blind), func(d blindDuel) bool { return !code.Concerns(d.pick) })
	v.takes = slices.DeleteFunc(slices.Clone(v.takes), func(t taken) bool { return !code.Concerns(t.a) })
	return v, nil
}

// before returns the view as it was before the last n duels, right after the one before them, when something was told: of those under its
// contexts, and where there are several tastes of those of its rater.
func (v view) before(n int) view {
	d := v.Duels
	at := 0
	for i := d.Len() - 1; i >= 0; i-- {
		if v.PerRater && v.Raters[d.Rater[i]] != v.rater || !v.code.Concerns(d.A[i*d.Dim:(i+1)*d.Dim]) {
			continue
		}
		if n == 0 {
			at = i + 1
			break
		}
		n--
	}
	v.Evidence = v.Head(at)
	return v
}

// maxContexts is the number of settings of the contexts up to which Contexts lists all.
const maxContexts = 24

// Contexts returns the settings of the contexts to look at one by one: all of them if they are finitely many and no more than 24, those that the constraints
// rule out left aside; else those that were asked about, in the order of their first question, at most as many. None in a study without contexts.
func (s *Study) Contexts() []space.Option {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state
	given := st.cfg.Space.Contexts()
	if len(given) == 0 {
		return nil
	}
	all := []space.Option{{}}
	for _, p := range given {
		if coding.Continuous(p) || len(all)*len(p.Values()) > maxContexts {
			return st.settings()
		}
		var more []space.Option
		for _, o := range all {
			for _, v := range p.Values() {
				each := maps.Clone(o)
				each[p.Name] = v
				more = append(more, each)
			}
		}
		all = more
	}
	return slices.DeleteFunc(all, func(o space.Option) bool {
		_, err := st.code.Under(o)
		return err != nil
	})
}

// settings returns the settings of the contexts of the first questions and observed duels.
func (s *state) settings() (out []space.Option) {
	seen := map[string]bool{}
	add := func(o space.Option) {
		o = s.cfg.Space.Context(o)
		if k := o.String(); !seen[k] && len(out) < maxContexts {
			seen[k], out = true, append(out, o)
		}
	}
	for _, q := range s.order {
		add(q.First)
	}
	for _, t := range s.answers {
		if t.question == nil && !t.undone {
			add(t.duel.First)
		}
	}
	return out
}
