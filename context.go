package prefer

import (
	"context"
	"fmt"
	"slices"
)

// Look says whose utility somebody looks at, and under which conditions.
type Look struct {
	// Rater is whose utility it is, in a study per rater; otherwise "" will do.
	Rater string

	// Fixed are values that options have: of every context of the study, and of other parameters, or of features of items,
	// where the best with these is wanted.
	Fixed Option
}

// Contexts returns those parameters whose values the situation gives.
func (s Space) Contexts() []Parameter {
	return slices.DeleteFunc(slices.Clone(s.Parameters), func(p Parameter) bool { return !p.Context })
}

// Context returns the values that an option, or what is fixed, has of the contexts; nil if there is none.
func (s Space) Context(o Option) Option {
	var out Option
	for _, p := range s.Contexts() {
		if v, ok := o[p.Name]; ok {
			if out == nil {
				out = Option{}
			}
			out[p.Name] = p.canonical(v)
		}
	}
	return out
}

// given reports the first context that has no value.
func given(s Space, fixed Option) error {
	for _, p := range s.Contexts() {
		if _, ok := fixed[p.Name]; !ok {
			return fmt.Errorf("prefer: %q is a context of the study and nothing says which, want %s: %w", p.Name, p.allowed(), ErrContext)
		}
	}
	return nil
}

// conditions returns the request with the contexts that its options tell, and reports one that nothing tells. A repeat has
// those of the question it repeats.
func (r Request) conditions(s Space) (Request, error) {
	if r.Repeat != "" {
		return r, nil
	}
	var fixed Option
	if r.Catch != nil {
		fixed = s.Context(r.Catch.First)
	}
	for _, o := range []Option{r.Fixed, s.Context(r.Fixed)} { // the end of a circle is its beginning
		for name, v := range o {
			if fixed == nil {
				fixed = Option{}
			}
			fixed[name] = v
		}
	}
	r.Fixed = fixed
	return r, given(s, r.Fixed)
}

// across reports a pair that differs in a context: what is better there than here was never asked, and cannot be.
func (c *coding) across(x, y []float64) error {
	for _, a := range c.axes {
		if a.Context && gap(x[a.at:a.at+a.width], y[a.at:a.at+a.width]) > sameOption {
			return fmt.Errorf("prefer: the two options have %q = %v and %v, which is a context: no question goes across it: %w", a.Name, a.decode(x), a.decode(y), ErrContext)
		}
	}
	return nil
}

// under returns the coding of those options that have the fixed values, of which there must be one for every context. The
// coordinates stay the same.
func (c *coding) under(fixed Option) (*coding, error) {
	if c.costly != nil {
		return nil, c.costly
	}
	if err := given(c.space, fixed); err != nil || len(fixed) == 0 {
		return c, err
	}
	if err := c.meets(fixed); err != nil {
		return nil, err
	}
	out := &coding{space: c.space, axes: slices.Clone(c.axes), features: slices.Clone(c.features), dim: c.dim, scales: c.scales, constraints: c.constraints, costly: c.costly, fixed: fixed.clone(), whole: c.all()}
	for i, a := range out.axes {
		if v, ok := fixed[a.Name]; ok {
			x := make([]float64, c.dim)
			_ = a.encode(v, x) // meets has tried
			out.axes[i].held = x[a.at : a.at+a.width]
		}
	}
	if c.space.Crossed() {
		if err := out.hold(fixed); err != nil {
			return nil, err
		}
	} else if c.items != nil {
		if out.items = c.items.those(func(_ string, x []float64) bool { return out.holds(x) }); len(out.items.back) == 0 {
			return nil, fmt.Errorf("prefer: no item has {%v}: %w", fixed, ErrOption)
		}
		out.items.ever = c.items.ever
	}
	if len(c.constraints) > 0 {
		if err := out.feasible(); err != nil {
			return nil, fmt.Errorf("%w under {%v}: %w", err, fixed, ErrOption)
		}
	}
	return out, nil
}

// all returns the coding of the whole space.
func (c *coding) all() *coding {
	if c.whole != nil {
		return c.whole
	}
	return c
}

// holds reports whether a point has the values that options are held at.
func (c *coding) holds(x []float64) bool {
	return held(c.axes, x) && held(c.features, x)
}

// held reports whether a point has the values that axes are held at.
func held(axes []axis, x []float64) bool {
	return !slices.ContainsFunc(axes, func(a axis) bool { return a.held != nil && gap(x[a.at:a.at+a.width], a.held) > sameOption })
}

// concerns reports whether a point lies under the contexts that options are held at; others that are held do not matter.
func (c *coding) concerns(x []float64) bool {
	return !slices.ContainsFunc(c.axes, func(a axis) bool {
		return a.Context && a.held != nil && gap(x[a.at:a.at+a.width], a.held) > sameOption
	})
}

// single reports whether there is one option at most, so that nothing can be asked.
func (c *coding) single() bool {
	d := c.domain(context.Background())
	return d != nil && len(d.Points(2, 0)) <= c.dim
}

// look returns what a look sees: answers and blind duels under its contexts, and of what was shown what has all its values.
// What was learned is learned from everything.
func (s *state) look(l Look) (view, error) {
	v, err := s.view(l.Rater).under(l.Fixed)
	if err == nil && v.code.whole != nil {
		s.counted(&v, l.Rater, s.only(l.Rater))
	}
	return v, err
}

// under returns the view of options with the fixed values.
func (v view) under(fixed Option) (view, error) {
	code, err := v.code.under(fixed)
	if err != nil || code == v.code {
		return v, err
	}
	v.code = code
	var shown []float64
	for x := range slices.Chunk(v.shown, code.dim) {
		if code.holds(x) {
			shown = append(shown, x...)
		}
	}
	v.shown = shown
	v.blind = slices.DeleteFunc(slices.Clone(v.blind), func(d blindDuel) bool { return !code.concerns(d.pick) })
	v.takes = slices.DeleteFunc(slices.Clone(v.takes), func(t taken) bool { return !code.concerns(t.a) })
	return v, nil
}

// before returns the view as it was before the last n duels, right after the one before them, when something was told: of those under its
// contexts, and where there are several tastes of those of its rater.
func (v view) before(n int) view {
	d := v.duels
	at := 0
	for i := d.Len() - 1; i >= 0; i-- {
		if v.kin && v.raters[d.Rater[i]] != v.rater || !v.code.concerns(d.A[i*d.Dim:(i+1)*d.Dim]) {
			continue
		}
		if n == 0 {
			at = i + 1
			break
		}
		n--
	}
	v.evidence = v.head(at)
	return v
}

// Standing is where a study stands under one setting of its contexts.
type Standing struct {
	Fixed   Option  `json:"fixed"`
	Verdict Verdict `json:"verdict"` // without its Value, which takes a search for the next question
}

// maxStandings is the number of settings of the contexts up to which every one is told about.
const maxStandings = 24

// ContextValues returns the settings of the contexts that Standings tells about: all of them if they are finitely many and no
// more than 24, those that the constraints rule out left aside; else those that were asked about, in the order of their first question, at most
// as many. None in a study without contexts.
func (s *Study) ContextValues() []Option {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state
	given := st.cfg.Space.Contexts()
	if len(given) == 0 {
		return nil
	}
	all := []Option{{}}
	for _, p := range given {
		if continuous(p) || len(all)*len(p.Values()) > maxStandings {
			return st.settings()
		}
		var more []Option
		for _, o := range all {
			for _, v := range p.Values() {
				each := o.clone()
				each[p.Name] = v
				more = append(more, each)
			}
		}
		all = more
	}
	return slices.DeleteFunc(all, func(o Option) bool {
		_, err := st.code.under(o)
		return err != nil
	})
}

// settings returns the settings of the contexts of the first questions and observed duels.
func (s *state) settings() (out []Option) {
	seen := map[string]bool{}
	add := func(o Option) {
		o = s.cfg.Space.Context(o)
		if k := o.String(); !seen[k] && len(out) < maxStandings {
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

// Standings says for a rater where the study stands under every one of ContextValues.
func (s *Study) Standings(ctx context.Context, rater string) ([]Standing, error) {
	var out []Standing
	for _, fixed := range s.ContextValues() {
		v, err := s.Host().Ended(ctx, Look{Rater: rater, Fixed: fixed})
		if err != nil {
			return nil, err
		}
		out = append(out, Standing{fixed, v})
	}
	return out, nil
}
