// Package learn turns answers into posteriors: duels of raters into a distribution of their utility, which is cached, averaged over
// hyper-parameters, drawn from, and asked how sure a pick is. It knows points, not options, questions or studies.
//
//	evidence.go      the duels that a model learns from, and those that the others do not bear out
//	cache.go fit.go  posteriors by evidence, computed once; how one is computed, and sizes at which learning changes
//	snapshot.go      posteriors written down, to begin with next time
//	belief.go        what is believed of the utility; draws of it
//	confidence.go    how sure a pick is
//	places.go        the places of a ranking
//	tolerance.go     what does not matter to a person
package learn

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Fit is a posterior that is being computed or is ready.
type Fit struct {
	Evidence
	refit
	regime    regime
	done      chan struct{}
	continued bool            // hyper-parameters were at hand
	states    []gp.State      // after the duels that hyper-parameters were fitted to: of the model, then its alternatives
	posts     []*gp.Posterior // after all of them; nil where the model is hopeless
	Post      *gp.Posterior   // by the model
	Belief    Belief          // Post, or the mixture of several posteriors
	marginal  float64         // log evidence of the duels, averaged over hyper-parameters; NaN where those are fitted
	err       error

	Using *sync.Mutex // held by callers who compute what others may want as well

	entry   *memory.Entry // in Budget; nil while the fit is computed. Guarded by Cache.mu
	waiting int           // callers that wait in Get; guarded by Cache.mu
}

func newFit(ev Evidence) *Fit {
	r := ev.refitAt(ev.Duels.Len())
	return &Fit{Evidence: ev, refit: r, regime: ev.regimeAt(r.since), done: make(chan struct{}), Using: new(sync.Mutex)}
}

// Noise returns the noise of a rater's answers; the study's noise for a rater without answers.
func (f *Fit) Noise(rater string) float64 { return f.Post.RaterNoise(slices.Index(f.Raters, rater)) }

// Noises returns the noise of every rater, relative to the study's.
func (f *Fit) Noises() map[string]float64 {
	return xslices.ToMap(f.Raters, func(name string) (string, float64) { return name, f.Noise(name) / f.Post.Noise() })
}

// Bias returns the mean and the standard deviation of a rater's position bias, relative to the study's noise; 0 for a rater without answers.
func (f *Fit) Bias(rater string) (mean, sd float64) {
	r := slices.Index(f.Raters, rater)
	if r < 0 {
		return 0, 0
	}
	mean, v := gp.NewMixture(f.Belief.Parts, f.Belief.Weights).Bias(r)
	return mean / f.Post.Noise(), math.Sqrt(v) / f.Post.Noise()
}

// Surprise returns how much likelier, in logs, the duels are by chance than by the model; 0 where the fit is not an average.
func (f *Fit) Surprise(models []gp.Model) float64 {
	if x := models[0].Chance(f.Duels) - f.marginal; !math.IsNaN(x) {
		return x
	}
	return 0
}

// Awaited is an open question: its options and the rater it was put to.
type Awaited struct {
	A, B  []float64
	Rater string
}

// Answered is a question with its answer.
type Answered struct {
	Awaited
	Outcome  gp.Outcome // of a preference or a tie
	Compares bool       // it is one of these
}

// Await returns the posterior with the open questions answered, whatever the answers: what they will teach is not worth
// asking again. The mixture is nil where there is one model.
func (f *Fit) Await(pending []Awaited) (*gp.Posterior, *gp.Mixture) {
	wait := func(p *gp.Posterior) *gp.Posterior {
		for _, q := range pending {
			p = p.AwaitAt(q.A, q.B, f.Noise(q.Rater))
		}
		return p
	}
	switch {
	case len(f.Belief.Parts) == 1:
		return wait(f.Belief.Parts[0]), nil
	case len(pending) == 0:
		return f.Post, f.Belief.Mixture()
	}
	posts := xslices.Map(f.Belief.Parts, wait)
	return posts[0], gp.NewMixture(posts, f.Belief.Weights)
}

func (f *Cache) compute(current *Fit) (err error) {
	n := current.Duels.Len()
	current.marginal = math.NaN()
	if f.Many != nil && current.regime == plain {
		same, err := f.Many.Get(context.Background(), current.Evidence)
		if err == nil {
			current.Post, current.Belief = same.Post, same.Belief
		}
		return err
	}
	if f.Averaged != nil {
		return f.average(current)
	}
	models := []Alternative{{Model: f.Model, Odds: 1}}
	if current.regime != plain && !namesOnly(current.Scales) {
		for _, a := range f.Alternatives {
			if a.Until > 0 && n > a.Until {
				break // those after it are left out, too, so that fits keep their places
			}
			models = append(models, a)
		}
	}
	if err := f.learn(current, models); err != nil {
		return err
	}
	f.keepPrefix(current, prefixFit{Evidence: current.first(current.fitted), regime: current.regime, states: current.states})
	current.states = xslices.Map(current.states, gp.State.Bare)
	current.Post = current.posts[0]
	current.Belief = Single(current.Post)
	if len(models) > 1 {
		logs := make([]float64, len(models))
		for k, p := range current.posts {
			if logs[k] = math.Inf(-1); p != nil {
				logs[k] = p.Evidence() + math.Log(models[k].Odds)
			}
		}
		current.Belief = mixtureOf(current.posts, logs)
	}
	return nil
}

// learn sets the posteriors of current by these models, that of an alternative nil if the duels which hyper-parameters are fitted to speak against it: it is
// not continued until they are fitted again.
func (f *Cache) learn(current *Fit, models []Alternative) error {
	first := current.first(current.fitted)
	kept, more := f.prefix(current, first).states, first.Duels.Len() < current.Duels.Len()
	current.states, current.posts = make([]gp.State, len(models)), make([]*gp.Posterior, len(models))
	each := func(do func(k int, own, m gp.Model) (*gp.Posterior, error)) error {
		return cooperate.Each(context.Background(), len(models), f.Workers, func(k int) (err error) {
			own := models[k].Model
			if current.PerRater {
				own = f.perRater(own)
			}
			current.posts[k], err = do(k, own, current.sized(own, current.regime))
			return err
		})
	}
	if err := each(func(k int, own, m gp.Model) (p *gp.Posterior, err error) {
		if k < len(kept) {
			current.states[k] = kept[k]
			return nil, nil
		}
		if p = f.restore(own, m, first, current.fitted); p == nil {
			if p, err = m.Fit(context.Background(), first.Duels, nil); err != nil {
				return nil, err
			}
		}
		current.states[k] = p.State()
		return p, nil
	}); err != nil {
		return err
	}
	return each(func(k int, own, m gp.Model) (*gp.Posterior, error) {
		at := current.states[k]
		switch {
		case more && at.Evidence+math.Log(models[k].Odds) < current.states[0].Evidence+math.Log(hopeless):
			return nil, nil
		case more:
			if p := f.restore(own, m, current.Evidence, current.fitted); p != nil {
				return p, nil
			}
			return m.Continue(current.Duels, at)
		case current.posts[k] == nil:
			return m.Restore(current.Duels, at)
		}
		return current.posts[k], nil
	})
}

// regime is how answers are learned from; it changes with the hyper-parameters only.
type regime int

const (
	dense   regime = iota
	reduced        // beyond DenseLimit, of several utilities or levels
	plain          // one model: beyond DenseLimit, of several utilities or levels beyond PlainLimit
)

func (ev Evidence) regimeAt(n int) regime {
	switch {
	case n <= DenseLimit:
		return dense
	case n <= PlainLimit && !ev.single():
		return reduced
	}
	return plain
}

// single reports whether one utility is learned and nothing is said about single options: what the sparse GP knows.
func (ev Evidence) single() bool { return !ev.PerRater && ev.Duels.Level == nil }

// Sized returns the model as it is used for so many duels: beyond DenseLimit by the sparse GP or, if it is about several utilities or levels, which that does
// not know, by reduced inference.
func (ev Evidence) Sized(m gp.Model) gp.Model {
	return ev.sized(m, ev.regimeAt(ev.refitAt(ev.Duels.Len()).since))
}

func (ev Evidence) sized(m gp.Model, r regime) gp.Model {
	m.Scales = ev.Scales
	if m.Inference != gp.EP || r == dense {
		return m
	}
	if m.Inference = gp.Reduced; r == plain && ev.single() {
		m.Inference = gp.Sparse
	}
	return m
}

// perRater returns the model with a utility for every rater. Raters then differ in taste and not in noise: noises as well forecast real people a little worse,
// at the cost of a hyper-parameter each. Where hyper-parameters are fitted, the prior of ρ/(1 − ρ) is moved so that its mode is at its former median: the
// maximum a posteriori is taken without the Jacobian of the log, and would else begin at raters who have nothing in common.
func (f *Cache) perRater(m gp.Model) gp.Model {
	m.Kinship, m.RaterNoise = f.Kinship, gp.None()
	if f.Averaged == nil && m.Kinship.Family == gp.LogNormalFamily {
		m.Kinship.A += m.Kinship.B * m.Kinship.B
	}
	return m
}

// namesOnly reports whether all coordinates only name things: then all priors say the same.
func namesOnly(scales []int) bool {
	return len(scales) > 0 && !slices.ContainsFunc(scales, func(s int) bool { return s >= 0 })
}

// average computes a fit whose hyper-parameters are averaged. Settings and their weights are found on the duels that hyper-parameters are fitted to; each later
// duel weighs the settings by how probable they made it.
func (f *Cache) average(current *Fit) error {
	models := slices.Clone(f.Averaged)
	for i := range models {
		if current.PerRater {
			models[i] = f.perRater(models[i])
		}
		models[i] = current.sized(models[i], current.regime)
	}
	if current.regime == plain {
		models = models[:1] // with so many answers the priors hardly matter
	}
	if x, marginal := f.restoreAverage(models, current); x != nil {
		current.Post, current.Belief, current.marginal = x.Posterior(0), ofMixture(x), marginal
		return nil
	}
	first := current.first(current.fitted)
	mean := f.prefix(current, first).mean
	var x *gp.Mixture
	if mean.Settings == nil {
		var err error
		if x, err = gp.Average(context.Background(), first.Duels, models...); err != nil {
			return err
		}
		mean = averageOf(x, x.Evidence())
		f.keepPrefix(current, prefixFit{Evidence: first, regime: current.regime, mean: mean})
	}
	marginal := mean.Marginal
	if first.Duels.Len() < current.Duels.Len() {
		posts, weights := make([]*gp.Posterior, len(mean.Settings)), make([]float64, len(mean.Settings))
		if err := cooperate.Each(context.Background(), len(posts), f.Workers, func(k int) (err error) {
			posts[k], err = modelOf(models, mean.Settings[k].Hyper).Continue(current.Duels, mean.Settings[k])
			return err
		}); err != nil {
			return err
		}
		for k, state := range mean.Settings {
			weights[k] = math.Log(mean.Weights[k]) + posts[k].Evidence() - state.Evidence
		}
		top := slices.Max(weights)
		sum := 0.0
		for k := range weights {
			weights[k] = math.Exp(weights[k] - top)
			sum += weights[k]
		}
		x, marginal = gp.NewMixture(posts, weights), marginal+top+math.Log(sum)
	} else if x == nil {
		var err error
		if x, err = mean.restore(models, current.Duels); err != nil {
			return err
		}
	}
	current.Post, current.Belief, current.marginal = x.Posterior(0), ofMixture(x), marginal
	return nil
}

// modelOf returns a model that has the hyper-parameters of one setting of an average. Its priors do not matter at given hyper-parameters.
func modelOf(models []gp.Model, h gp.Hyper) gp.Model {
	m := models[0]
	if h.Kernel.Trend > 0 {
		m.Trend, m.Effects = gp.Flat(), h.Kernel.Effects
	} else {
		m.Trend = gp.None()
	}
	return m
}

// prefixFit has the hyper-parameters that were fitted to the first duels of several fits: fits between two counts of the schedule share
// them, and so do raters who learn from the same answers. Beyond DenseLimit and PlainLimit the same first duels are fitted again, by another model.
type prefixFit struct {
	Evidence
	regime regime
	states []gp.State // of the model, then its alternatives
	mean   Average
}

// keptPrefixes is how many are kept: that in effect, that before, since a verdict also looks at the fit before the last answer, and the next.
const keptPrefixes = 3

// prefix returns the hyper-parameters that were fitted to these first duels of a fit, the zero value if they are not kept. If they are being prepared it waits.
func (f *Cache) prefix(of *Fit, first Evidence) prefixFit {
	for {
		f.mu.Lock()
		ahead := f.ahead
		i := slices.IndexFunc(f.prefixes, func(o prefixFit) bool { return o.regime == of.regime && o.TeachesSame(first) })
		if i >= 0 {
			defer f.mu.Unlock()
			of.continued = true
			for k, o := range f.prefixes {
				if o.Duels.Len() < first.Duels.Len() { // which hardly any fit continues from now
					f.prefixes[k].states = xslices.Map(o.states, gp.State.Bare)
				}
			}
			return f.prefixes[i]
		}
		f.mu.Unlock()
		if ahead == nil || ahead == of || ahead.regime != of.regime || !ahead.TeachesSame(first) {
			return prefixFit{}
		}
		<-ahead.done
	}
}

// prepare fits the hyper-parameters of the next step of the schedule in the background, once a fit has continued from those of the present one: then the study
// goes on. Nothing that tests lower is read in the background.
func (f *Cache) prepare(now *Fit) {
	next := now.refitAt(now.next)
	if !now.continued || next.fitted > now.Duels.Len() || next.fitted == now.fitted && now.regimeAt(next.since) == now.regime {
		return
	}
	ahead := newFit(now.first(next.fitted))
	if ahead.refit, ahead.regime = next, now.regimeAt(next.since); ahead.regime == plain && f.Many != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ahead != nil || slices.ContainsFunc(f.prefixes, func(o prefixFit) bool { return o.regime == ahead.regime && o.TeachesSame(ahead.Evidence) }) {
		return
	}
	f.ahead = ahead
	budget, work := Budget, f.work(ahead)
	go func() {
		budget.Reserve(work) // without mu, which a fit that has to go takes
		_ = f.compute(ahead) // if it fails, the fit that needs it computes it again and has the error
		budget.Reserve(-work)
		f.mu.Lock()
		f.ahead = nil
		f.mu.Unlock()
		close(ahead.done)
	}()
}

// keepPrefix keeps those of a fit, unless every fit of its count has its own.
func (f *Cache) keepPrefix(of *Fit, h prefixFit) {
	if h.Duels.Len() == 0 || !h.PerRater && of.next == of.since+1 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.prefixes = append(slices.DeleteFunc(f.prefixes, func(o prefixFit) bool { return o.regime == h.regime && o.TeachesSame(h.Evidence) }), h)
	alike := func(o prefixFit) bool { return o.PerRater == h.PerRater } // fits of single raters leave that of their crowd alone
	if len(xslices.Filter(f.prefixes, alike)) > keptPrefixes {
		i := slices.IndexFunc(f.prefixes, alike)
		f.prefixes = slices.Delete(f.prefixes, i, i+1)
	}
}

// Sizes at which learning changes. Tests lower them.
var (
	RefitAlways = 30   // up to this many duels hyper-parameters are fitted at every count, …
	RefitEarly  = 10   // … then at counts that grow by a tenth …
	RefitAtOnce = 150  // … up to here; beyond, fits take effect one step later, …
	RefitGrowth = 20   // … at counts that grow by a twentieth
	DenseLimit  = 330  // beyond, there is one model, by the sparse GP, at a cost linear in n; …
	PlainLimit  = 1000 // … several utilities, and levels, have all models up to here, by EP in the span of some duels
)

// Sizes where raters have utilities of their own and learn from each other. Tests lower them.
var (
	CrowdLimit     = 240 // the first answers of a study, which teach about every rater: more would keep raters waiting
	PerRaterGrowth = 10  // beyond PerRaterAlways, hyper-parameters are fitted at counts that grow by a tenth: every answer changes the evidence of all raters
	PerRaterAlways = 30  // up to this many duels they are fitted at every count
)
