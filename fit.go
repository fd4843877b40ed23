package prefer

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/memory"
)

// Sizes at which learning changes; tests lower them.
var (
	refitAlways = 150  // up to this many duels hyper-parameters are fitted at every count
	refitGrowth = 20   // beyond, at counts that grow by a twentieth
	denseLimit  = 1000 // beyond, EP hands over to the sparse variational GP, whose cost is linear in n
)

// fits gives the posterior after a list of duels. Hyper-parameters are a function of the duels alone:
// they are fitted from the centres of the priors to the first refitAt(n) of the n duels, never from a
// state that looking, undoing or a snapshot could have changed. So a study replayed, resumed or
// rewound has the same posterior. The last few are kept: a verdict also looks at the answer before.
type fits struct {
	model    gp.Model
	beside   []alternative       // to model
	attach   func() any          // makes the attachment of a new fit; nil for none
	tells    []gp.Model          // models to average over, in place of model: what a study tells takes no hyper-parameters for known
	kinship  gp.Prior            // of raters, where each has a utility of her own
	saved    map[string]gp.State // by evidence.key: posteriors that need no fitting; never changed
	means    map[string]average  // by evidence.keys: averages that need none
	working  sync.Mutex          // held by the one fit of many duels that is computed
	mu       sync.Mutex          // guards what follows
	openings []opening           // the last ones
	keep     int                 // how many are kept, at least keptFits
	kept     []*fit              // newest last
}

// alternative is another prior, with its odds against the model before any answer.
type alternative struct {
	Model gp.Model
	Odds  float64
}

// fit is a posterior that is being computed or is ready.
type fit struct {
	evidence
	scales   []int
	done     chan struct{}
	fitted   []gp.State      // after the duels that hyper-parameters were fitted to: of the model, then its alternatives
	posts    []*gp.Posterior // after all of them
	post     *gp.Posterior   // the model's
	law      utility         // post, or the average
	marginal float64         // log evidence of the answers, hyper-parameters averaged out; NaN where they are not
	err      error

	attachment any // of the caller, who made it by attach: it goes when the fit goes

	entry   *memory.Entry // of its memory; nil while it is computed. Guarded by the mu of its fits
	waiting int           // callers of get; guarded likewise
}

// noise returns the noise of a rater's answers; that of the study for one who has not answered yet.
func (f *fit) noise(rater string) float64 {
	return f.post.RaterNoise(slices.Index(f.raters, rater))
}

// noises returns the noise of everybody's answers, relative to the study's.
func (f *fit) noises() map[string]float64 {
	out := map[string]float64{}
	for _, name := range f.raters {
		out[name] = f.noise(name) / f.post.Noise()
	}
	return out
}

// refitAt returns the largest count of the refitting schedule that is at most n.
func refitAt(n int) int {
	if n <= refitAlways {
		return n
	}
	at := refitAlways
	for next := at + at/refitGrowth; next <= n; next = at + at/refitGrowth {
		at = next
	}
	return at
}

// get returns the posterior of the duels. A computation that has begun goes on when ctx ends, so that a caller in
// a hurry does not change what a patient one gets.
func (f *fits) get(ctx context.Context, ev evidence, scales []int) (*fit, error) {
	f.mu.Lock()
	var current *fit
	if i := slices.IndexFunc(f.kept, func(k *fit) bool { return k.equal(ev) }); i >= 0 {
		if current = f.kept[i]; current.entry != nil {
			current.entry.Use()
		}
	} else if ctx.Err() != nil { // too late to begin: many in a hurry would pile up fits nobody waits for
		f.mu.Unlock()
		return nil, ended(ctx)
	} else {
		current = &fit{evidence: ev, scales: scales, done: make(chan struct{})}
		if f.attach != nil {
			current.attachment = f.attach()
		}
		f.kept = append(f.kept, current)
		f.drop()
		if ctx.Done() == nil { // a caller who cannot give up may as well do the work
			current.waiting = 1
			f.mu.Unlock()
			f.finish(current)
			return current, current.err
		}
		go f.finish(current)
	}
	current.waiting++
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		current.waiting--
		f.mu.Unlock()
	}()
	select {
	case <-current.done:
		return current, current.err
	default:
	}
	select {
	case <-current.done:
		return current, current.err
	case <-ctx.Done():
		return nil, ended(ctx)
	}
}

// finish computes a fit. Of many duels one fit is computed at a time: those after it use what it finds out about the first duels, and each
// needs several n×n matrices to work with. One that nobody waits for when its turn comes is given up if a later one is wanted: when
// answers come faster than they are learned from, such fits would pile up.
func (f *fits) finish(current *fit) {
	defer close(current.done)
	if current.duels.Len() > refitAlways {
		f.working.Lock()
		defer f.working.Unlock()
		if f.abandon(current) {
			current.err = errAbandoned
			return
		}
	}
	work := f.work(current.duels.Len())
	budget.Reserve(work)
	current.err = f.compute(current)
	budget.Reserve(-work)
	f.count(current)
}

// compute fits what current is about.
func (f *fits) compute(current *fit) (err error) {
	n := current.duels.Len()
	current.marginal = math.NaN()
	if f.tells != nil {
		return f.average(current, current.fittedTo())
	}
	if err := f.learn(current, f.model); err != nil {
		return err
	}
	defer func() {
		if err == nil {
			f.open(opening{evidence: current.head(current.fittedTo()), inference: current.fitted[0].Inference, fitted: current.fitted})
		}
	}()
	current.post = current.posts[0]
	current.law = likeliest(current.post)
	if len(f.beside) == 0 || n > denseLimit || namesOnly(current.scales) {
		return nil
	}
	logs := []float64{current.post.Evidence()}
	for _, a := range f.beside {
		if err := f.learn(current, a.Model); err != nil {
			return err
		}
		logs = append(logs, current.posts[len(logs)].Evidence()+math.Log(a.Odds))
	}
	current.law = weighed(current.posts, logs)
	return nil
}

// opening is what was found out about hyper-parameters from the first duels of several fits: those between two counts of the schedule,
// and of several people who learn from the same crowd. It belongs to one inference: at denseLimit the same first duels are learned
// anew, because a sparse model has no use for the hyper-parameters of a dense one.
type opening struct {
	evidence
	inference gp.Inference
	fitted    []gp.State // of the model, then its alternatives
	mean      average
}

// keptOpenings is how many are kept: that before is wanted for what a verdict was an answer ago.
const keptOpenings = 2

// opened returns what an inference has found out about the first duels of a fit, nothing if that is nothing.
func (f *fits) opened(first evidence, inference gp.Inference) opening {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.IndexFunc(f.openings, func(o opening) bool { return o.inference == inference && o.equal(first) }); i >= 0 {
		return f.openings[i]
	}
	return opening{}
}

// open keeps one.
func (f *fits) open(h opening) {
	if h.duels.Len() == 0 || !h.kin && h.duels.Len() <= refitAlways { // one of every answer
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.openings = append(slices.DeleteFunc(f.openings, func(o opening) bool { return o.inference == h.inference && o.equal(h.evidence) }), h)
	f.openings = f.openings[max(0, len(f.openings)-keptOpenings):]
}

// learn adds the posterior of one model to current.
func (f *fits) learn(current *fit, model gp.Model) (err error) {
	if current.kin {
		model = f.kindred(model)
	}
	m, n := model, current.duels.Len()
	m.Scales = current.scales
	if n > denseLimit && m.Inference == gp.EP {
		m.Inference, m.Trend = gp.Sparse, gp.None() // so many answers need no help with the main effects
	}
	first := current.head(current.fittedTo())
	var p *gp.Posterior
	var at gp.State
	if same := f.opened(first, m.Inference).fitted; len(current.fitted) < len(same) {
		at = same[len(current.fitted)]
	} else {
		if p = f.restore(model, m, first); p == nil {
			if p, err = m.Fit(context.Background(), first.duels, nil); err != nil {
				return err
			}
		}
		at = p.State()
	}
	current.fitted = append(current.fitted, at)
	switch {
	case first.duels.Len() < n:
		if p = f.restore(model, m, current.evidence); p == nil {
			p, err = m.Continue(current.duels, at)
		}
	case p == nil:
		p, err = m.Restore(current.duels, at)
	}
	if err != nil {
		return err
	}
	current.posts = append(current.posts, p)
	return nil
}

// namesOnly reports whether coordinates do nothing but name things: of those no prior has anything to say.
func namesOnly(scales []int) bool {
	return len(scales) > 0 && !slices.ContainsFunc(scales, func(s int) bool { return s >= 0 })
}

// awaited is an open question: its options and the rater it was put to.
type awaited struct {
	A, B  []float64
	Rater string
}

// await returns the posterior with the open questions answered, whatever the answers: what they will teach is not worth
// asking again. The mixture is nil where there is one model.
func (f *fit) await(pending []awaited) (*gp.Posterior, *gp.Mixture) {
	wait := func(p *gp.Posterior) *gp.Posterior {
		for _, q := range pending {
			p = p.AwaitAt(q.A, q.B, f.noise(q.Rater))
		}
		return p
	}
	switch {
	case len(f.law.parts) == 1:
		return wait(f.law.parts[0]), nil
	case len(pending) == 0:
		return f.post, f.law.mixture()
	}
	posts := make([]*gp.Posterior, len(f.law.parts))
	for k, p := range f.law.parts {
		posts[k] = wait(p)
	}
	return posts[0], gp.NewMixture(posts, f.law.weights)
}

// average completes a fit whose hyper-parameters are averaged: settings and their weights are found on the first at
// duels; the later ones tell the settings apart by how well each foretold them.
func (f *fits) average(current *fit, at int) error {
	models := slices.Clone(f.tells)
	for i := range models {
		models[i].Scales = current.scales
		if current.kin {
			models[i] = f.kindred(models[i])
		}
		if current.duels.Len() > denseLimit {
			models[i].Inference, models[i].Trend = gp.Sparse, gp.None()
		}
	}
	if current.duels.Len() > denseLimit {
		models = models[:1] // so many answers leave no doubt about priors
	}
	if x, marginal := f.restoreAverage(models, current); x != nil {
		current.post, current.law, current.marginal = x.Posterior(0), averaged(x), marginal
		return nil
	}
	first := current.head(at)
	mean := f.opened(first, models[0].Inference).mean
	var x *gp.Mixture
	if mean.Settings == nil {
		var err error
		if x, err = gp.Average(context.Background(), first.duels, models...); err != nil {
			return err
		}
		mean = averageOf(x, x.Evidence())
		f.open(opening{evidence: first, inference: models[0].Inference, mean: mean})
	}
	marginal := mean.Marginal
	if at < current.duels.Len() {
		posts, weights := make([]*gp.Posterior, len(mean.Settings)), make([]float64, len(mean.Settings))
		for k, state := range mean.Settings {
			var err error
			if posts[k], err = modelOf(models, state.Hyper).Continue(current.duels, state); err != nil {
				return err
			}
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
		if x, err = mean.restore(models, current.duels); err != nil {
			return err
		}
	}
	current.post, current.law, current.marginal = x.Posterior(0), averaged(x), marginal
	return nil
}

// modelOf returns a model of a setting of the hyper-parameters in an average of these models: at given ones priors say nothing.
func modelOf(models []gp.Model, h gp.Hyper) gp.Model {
	m := models[0]
	if h.Kernel.Trend > 0 {
		m.Trend, m.Effects = gp.Flat(), h.Kernel.Effects
	} else {
		m.Trend = gp.None()
	}
	return m
}

func (ev evidence) equal(o evidence) bool {
	a, b := ev.duels, o.duels
	return ev.kin == o.kin && a.Dim == b.Dim && slices.Equal(a.Outcome, b.Outcome) && slices.Equal(a.Rater, b.Rater) && slices.Equal(a.Level, b.Level) && slices.Equal(ev.raters, o.raters) &&
		slices.Equal(a.A, b.A) && slices.Equal(a.B, b.B)
}
