package prefer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Group is the view of a study per rater on all raters together. It compares what was learned about each of them, with its uncertainty;
// docs/guides/people.md has the formulas and how they did in simulations.
type Group struct {
	Raters []string `json:"raters"` // raters with a preference who are not excluded, by name

	// Weights say how much each rater counts in Best, by how much is known of their taste and how likely they answered by it. The largest is 1.
	Weights []float64 `json:"weights"`

	// Best has the highest expected mean of the standardised utilities of those who answer by taste: each rater's utility less its
	// mean over the space, divided by its spread there, so that nobody counts for more by having stronger feelings. Score is that mean.
	Best  space.Option `json:"best"`
	Score float64      `json:"score"`

	// Favourites are the raters' own best options, Loss what each gives up, in their standardised units, if Best is taken.
	Favourites []space.Option `json:"favourites"`
	Loss       []float64      `json:"loss"`

	// Agreement is the correlation of the utilities of each two raters over the space, as expected; it lies between Low and High
	// with probability 0.95. Of two of whom little is known it may be anything. Together is the mean over all pairs. Careless
	// raters have no part in Together, Disagrees and Camps, and an Agreement of 0, from −1 to 1.
	Agreement [][]float64 `json:"agreement"`
	Low       [][]float64 `json:"low"`
	High      [][]float64 `json:"high"`
	Together  correlation `json:"together"`

	// Disagrees names those of whom it is 95 % sure that they want the contrary of what the others want on average.
	Disagrees []string `json:"disagrees,omitempty"`

	// Camps are two groups with different tastes, where it is likely that there are such; else none. CampOdds is the log of how much
	// likelier two camps are than one group of individuals.
	Camps    []camp  `json:"camps,omitempty"`
	CampOdds float64 `json:"camp_odds,omitempty"`

	// Careless names those who count for little because they hardly answer by taste (Rater.Careless).
	Careless []string `json:"careless,omitempty"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// correlation is one of utilities over the space, as expected; it lies between Low and High with probability 0.95.
type correlation struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// camp is one of two groups of raters with different tastes.
type camp struct {
	Raters []string     `json:"raters"`
	Best   space.Option `json:"best"` // what suits this camp best
}

// groupPoints is the number of options the utilities of a group are compared at.
const groupPoints = 128

// groupStarts is the number of options shown that the best for a group is sought from, spread evenly over all: sixty raters have seen thousands.
const groupStarts = 256

// jointAnswers is the number of answers that the utilities of a group are drawn jointly by, as many of each rater: more would take seconds. Tests lower it.
var jointAnswers = 400

// Group compares the raters of a study per rater, by options with the values of Look.Fixed. Look.Rater must be empty.
func (s *Study) Group(ctx context.Context, l Look) (Group, error) {
	if l.Rater != "" {
		return Group{}, coding.RefuseField("rater", "rater", l.Rater, "Look.Rater = %q, want none: a group is about all raters", l.Rater)
	}
	if s.people() != PerRater {
		return Group{}, coding.Refuse("shared", "the raters of this study share one result: see Best and Raters")
	}
	raters, err := s.Raters(ctx)
	if err != nil {
		return Group{}, err
	}
	s.mu.Lock()
	all, err := view{code: s.state.list, shown: s.state.list.Listed(s.state.shown(nil))}.withFixed(l.Fixed) // what was shown to anybody
	s.mu.Unlock()
	if err != nil {
		return Group{}, err
	}
	var g Group
	x := all.code.Sample(groupPoints, s.cfg.Seed)
	members, favourites, err := s.members(ctx, &g, raters, l.Fixed, all.code, x)
	if err != nil {
		return Group{}, err
	}
	if len(members) == 0 {
		g.Sentence = "nobody has preferred anything yet"
		if slices.ContainsFunc(raters, func(r Rater) bool { return r.Out }) {
			g.Sentence = "nobody who is not left out has preferred anything yet"
		}
		return g, nil
	}
	all.shown = append(crowd.Spread(all.shown, all.code.Dim, groupStarts), favourites...)
	if err := s.drawJointly(ctx, g.Raters, members, all.code, x); err != nil {
		return Group{}, err
	}
	if g.Best, g.Score, err = s.cfg.bestForAll(ctx, members, all); err != nil {
		return Group{}, err
	}
	best, err := all.code.Unit(g.Best)
	if err != nil {
		panic(err) // it was made of coordinates
	}
	g.Weights, g.Loss = crowd.Weights(members), xslices.Map(members, func(m *crowd.Member) float64 { return m.Loss(best) })
	agreement := crowd.Agree(members)
	g.Agreement, g.Low, g.High, g.Together = agreement.Mean, agreement.Low, agreement.High, correlation(agreement.Together)
	for i, disagrees := range agreement.Disagrees {
		if disagrees {
			g.Disagrees = append(g.Disagrees, g.Raters[i])
		}
	}
	if err := g.findCamps(ctx, s, members, all); err != nil {
		return Group{}, err
	}
	g.Sentence = g.sentence()
	return g, nil
}

// members returns the raters of a group who have preferred something and are not excluded, compared at the points x, and the coordinates of their
// favourites. It fills in what g says of each of them.
func (s *Study) members(ctx context.Context, g *Group, raters []Rater, fixed space.Option, code *coding.Coding, x []float64) (members []*crowd.Member, favourites []float64, err error) {
	all := make([]*crowd.Member, len(raters))
	if err := cooperate.Each(ctx, len(raters), s.cfg.Search.Workers, func(i int) error {
		v, err := s.look(ctx, Look{Rater: raters[i].Name, Fixed: fixed})
		if err == nil && !raters[i].Out && !v.Own(v.rater).Undecided() {
			all[i], err = s.member(ctx, v, x)
		}
		return err
	}); err != nil {
		return nil, nil, cmp.Or(ended(ctx), err)
	}
	for i, r := range raters {
		if all[i] == nil {
			continue
		}
		m := *all[i] // draws may be replaced by joint ones
		m.Honest, m.Careless = 1-crowd.Probability(r.Odds), r.Careless
		g.Raters, g.Favourites, members = append(g.Raters, r.Name), append(g.Favourites, code.Option(m.Favourite)), append(members, &m)
		favourites = append(favourites, m.Favourite...)
		if r.Careless {
			g.Careless = append(g.Careless, r.Name)
		}
	}
	return members, favourites, nil
}

// member returns the rater of a view, compared at the points x. It depends on what pickKey names, and is remembered by that: the draws take long.
func (s *Study) member(ctx context.Context, v view, x []float64) (*crowd.Member, error) {
	key := s.pickKey(v)
	if m, ok := s.known.Get(key); ok {
		return m, nil
	}
	best, fit, err := s.pick(ctx, v) // as Best asks for next
	if err != nil {
		return nil, err
	}
	favourite, err := v.code.Unit(best.Option)
	if err != nil {
		panic(err) // it was made of coordinates
	}
	whole := v.Evidence
	v.Evidence = v.Own(v.rater)
	own, err := s.beliefModel(ctx, v)
	if err != nil {
		return nil, err
	}
	m := crowd.NewMember(v.rater, own.Belief, fit.Belief, x, s.cfg.Seed)
	mean, bytes := fit.Belief.MeanOnly()
	m.Mean, m.Favourite = mean, favourite
	s.beliefFits.Spend(whole) // else the fits of sixty raters would evict what is remembered of them
	memory.PutCounted(&s.known, learn.Budget, key, m, bytes+m.Size())
	return m, nil
}

// drawJointly draws the members' utilities jointly, where one model learns all of them and they are not too many.
func (s *Study) drawJointly(ctx context.Context, names []string, members []*crowd.Member, code *coding.Coding, x []float64) error {
	s.mu.Lock()
	ev := s.state.jointEvidence(names, jointAnswers)
	s.mu.Unlock()
	n := crowd.JointPoints(len(members), len(x)/code.Dim)
	if !ev.PerRater || n == 0 {
		return nil
	}
	fit, err := s.beliefFits.Get(ctx, ev)
	if err != nil {
		return err
	}
	numbers := xslices.Map(names, func(name string) int { return slices.Index(fit.Raters, name) })
	crowd.DrawJointly(members, numbers, x[:n*code.Dim], code.Dim, s.cfg.Seed, fit.Belief.DrawPeople)
	return nil
}

// bestForAll returns the option with the highest expected mean of what these members want, and that mean.
func (cfg *Config) bestForAll(ctx context.Context, members []*crowd.Member, all view) (space.Option, float64, error) {
	sum, constant := crowd.Sum(members)
	peaks := acquisition.Recommend(ctx, all.code.Domain(ctx), sum, all.shown, nil, cfg.Seed, cfg.Search.Workers)
	if err := ended(ctx); err != nil {
		return nil, 0, err
	}
	return all.code.Option(peaks[0].X), peaks[0].Mean + constant, nil
}

// findCamps fills in the camps of a group of a study.
func (g *Group) findCamps(ctx context.Context, s *Study, members []*crowd.Member, all view) error {
	attentive := len(g.Raters) - len(g.Careless)
	duels := make([]*gp.Duels, len(members))
	s.mu.Lock()
	for i, name := range g.Raters {
		ev := s.state.singleEvidence(&name).Preferences()
		duels[i] = ev.Head(min(ev.Duels.Len(), max(1, crowd.CampDuels/max(1, attentive)))).Duels
	}
	scales := s.state.code.Scales
	s.mu.Unlock()
	camps, err := crowd.FindCamps(members, g.Agreement, duels, scales, &s.camps)
	if g.CampOdds = camps.Odds; err != nil {
		return err
	}
	for _, side := range camps.Sides {
		var c camp
		var some []*crowd.Member
		for _, i := range side {
			c.Raters, some = append(c.Raters, g.Raters[i]), append(some, members[i])
		}
		if c.Best, _, err = s.cfg.bestForAll(ctx, some, all); err != nil {
			return err
		}
		g.Camps = append(g.Camps, c)
	}
	return nil
}

// sentence says how far the members of a group agree, and which of them stand out.
func (g Group) sentence() string {
	if len(g.Raters) == 1 {
		return fmt.Sprintf("only %s has answered", sentence.Raters(g.Raters))
	}
	n := len(g.Raters) - len(g.Careless)
	out := fmt.Sprintf("%d raters %s", n, g.Together.sentence())
	switch {
	case n < 2:
		out = fmt.Sprintf("of %d raters %d looked, as it seems", len(g.Raters), n)
	case len(g.Camps) > 0:
		out += fmt.Sprintf("; they are two camps: %s, and %s", sentence.Raters(g.Camps[0].Raters), sentence.Raters(g.Camps[1].Raters))
	case len(g.Disagrees) == n:
		out += ": each wants something else"
	case len(g.Disagrees) > 0:
		out += fmt.Sprintf("; %s %s the contrary of what the others want", sentence.Raters(g.Disagrees), sentence.Verb(g.Disagrees, "wants", "want"))
	}
	if len(g.Careless) > 0 {
		out += fmt.Sprintf("; %s hardly %s, having answered without looking, as it seems, and %s left out of the agreement", sentence.Raters(g.Careless), sentence.Verb(g.Careless, "counts", "count"), sentence.Verb(g.Careless, "is", "are"))
	}
	return out
}

// sentence says how far raters agree, as a predicate.
func (a correlation) sentence() string {
	switch {
	case a.Low > 0.5:
		return "agree"
	case a.Low > 0.1:
		return "agree in part"
	case a.High-a.Low > 0.5:
		return "have said too little to tell how far they agree"
	case a.High < 0:
		return "disagree"
	}
	return "hardly agree"
}
