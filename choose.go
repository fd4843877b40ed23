package prefer

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

// choose picks the pair: a quasi-random one while there are fewer duels and pending questions than
// Initial or nobody has preferred anything yet, the method's afterwards.
//
// When ctx ends the best pair found by then is returned, marked Partial. Others are further pairs the search found, best first.
//
// Under a context the options, the incumbent and the inner maximum of the look-ahead are all under it: each context wants a best of its own, and what an
// answer teaches about others is worth something only once these are asked about. Other conditions hold the two options alone: the best is sought everywhere.
func (s *Study) choose(ctx context.Context, v view, r Request) (_ Question, others [][]float64, err error) {
	p, err := s.choosePair(ctx, v, r)
	if err != nil {
		return Question{}, nil, err
	}
	q := Question{Rater: r.Rater, Fixed: maps.Clone(r.Fixed), Partial: p.Partial, Method: p.method}
	if p.incumbent != nil {
		q.Incumbent = p.code.Option(p.incumbent)
	}
	if !math.IsNaN(p.Value) {
		q.Value = p.Value
	}
	q.First, q.Second = p.code.Option(p.A), p.code.Option(p.B)
	if splitmix.Coin(s.cfg.Seed^sideCoin, uint64(v.count)) {
		q.First, q.Second = q.Second, q.First
	}
	return q, slices.Concat(p.Others, p.Starts), nil
}

// sideCoin is for the coin that decides which option of a question comes first: which of them the method called its first would give the incumbent away.
const sideCoin = 0xc01

// chosenPair is a pair with what chose it, and the best option shown before, if that was sought.
type chosenPair struct {
	acquisition.Choice
	code      *coding.Coding // under the contexts of the request
	method    string
	incumbent []float64
}

// choosePair returns the pair of choose, in the coordinates of the model.
func (s *Study) choosePair(ctx context.Context, v view, r Request) (p chosenPair, err error) {
	v, rules, err := s.cfg.rules(v, r)
	if err != nil {
		return p, err
	}
	p.code = v.code
	design := func(start int, method string) (chosenPair, error) {
		p.method = method
		p.A, p.B, err = rules.Design(v.code, s.cfg.Seed, start)
		return p, err
	}
	if r.Practice {
		rules.Learn(v.code, nil)
		return design(practiceStart+v.practice*pairs.Tries, methodPractice)
	}
	fit, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
	if err != nil && ctx.Err() == nil {
		return p, err
	}
	rules.Learn(v.code, fit)
	rules = rules.Without(pairs.Frequent(v.code, rules.Past, r.Rater, v.shown), v.code)
	if err != nil { // a quasi-random pair is always at hand
		p.Partial = true
		return design(v.design, methodDesign)
	}
	foremost := fit.Belief.Foremost(v.shown)
	p.incumbent = fit.Belief.Top(foremost)
	if v.Duels.Len()+len(v.pending) < s.cfg.Initial || v.Undecided() || rules.Unseen(v.code, p.incumbent, v.shown) {
		return design(v.design, methodDesign)
	}
	p.method = methodShortlist
	if p.A, p.B = s.cfg.boundary(ctx, v, fit, rules); p.B == nil {
		p.method = methodNeighbour
		p.A, p.B, err = s.missing(ctx, v, rules)
	}
	if p.B != nil || err != nil && ctx.Err() == nil {
		return p, err
	}
	v.shown = foremost
	c, err := s.cfg.search(ctx, v, r, rules, fit, p.incumbent)
	if ctx.Err() != nil && len(v.code.Constraints) > 0 && (err != nil || !rules.Usable(v.code, c.A, c.B)) { // nothing was computed any more
		p.Partial = true
		return design(v.design, methodDesign)
	}
	if err != nil {
		return p, err
	}
	if !rules.Accepts(c.A, c.B) { // nothing the method found may be asked
		if a, b, err := rules.Design(v.code, s.cfg.Seed, v.design); err != nil || rules.Accepts(a, b) {
			return design(v.design, methodDesign)
		}
		// The rules leave no pair at all, as when every pair of a short list was asked: ask again.
	}
	p.Choice, p.method = c, s.cfg.Method
	return p, nil
}

// search lets the study's method choose a pair among those that the rules allow.
func (cfg *Config) search(ctx context.Context, v view, r Request, rules pairs.Rules, fit *learn.Fit, incumbent []float64) (acquisition.Choice, error) {
	task := cfg.task(ctx, v, fit, r.Rater, v.pending)
	task.Allowed, task.Hold, task.Accept, task.Avoid, task.Sequence, task.Count = rules.Allowed, rules.Hold, rules.Accept, rules.Avoid, cfg.Seed, v.count
	task.Lower, task.Upper = cfg.bounds(v, r, cfg.Margin)
	if task.Domain = rules.Domain(task.Domain, v.code, v.count, fit.Belief, incumbent, v.shown); task.Domain != nil && task.Domain.List != nil {
		task.Lower, task.Upper = nil, nil
	}
	c, err := cfg.ask(ctx, task)
	// All that the constraints allow may lie in the margin, and so may all that would be new.
	if ctx.Err() == nil && (err != nil && len(v.code.Constraints) > 0 || err == nil && task.Lower != nil && rules.Avoids(c.A, c.B)) {
		within := task.Lower
		if task.Lower, task.Upper = cfg.bounds(v, r, 0); !slices.Equal(within, task.Lower) {
			return cfg.ask(ctx, task)
		}
	}
	return c, err
}

// task returns what a method is told about a question to the rater, while the pending questions are open.
func (cfg *Config) task(ctx context.Context, v view, fit *learn.Fit, rater string, pending []*asked) acquisition.Task {
	post, mixture := fit.Await(askedPairs(pending))
	return acquisition.Task{Posterior: post, Mixture: mixture, Duels: v.Duels, Shown: v.shown, Domain: v.code.Domain(ctx),
		Seed: splitmix.At(cfg.Seed, uint64(v.count)), Noise: cfg.LookAhead, Rater: fit.Noise(rater) / fit.Post.Noise(), Search: cfg.Search}
}

// bounds returns the box of the method's questions, nil for the whole space. A Gaussian process knows least at the faces and extrapolates a slope towards
// them, so the first questions of a method that looks for value go there, and so does its best option; once that is held by a face, one answer at the model's
// noise cannot move it, and no question near it has any value (docs/dev/experiments.md, "Faces and corners"). Only real parameters keep the margin, and circles
// have no faces. Conditions hold their coordinates.
func (cfg *Config) bounds(v view, r Request, margin float64) (lower, upper []float64) {
	done := v.count - v.design // of the method's questions; those that are open have taught nothing yet
	for _, q := range v.pending {
		if q.Method != methodDesign {
			done--
		}
	}
	early := margin > 0 && cfg.Method != "random" && done < marginQuestions*len(v.code.Axes)
	if v.code.List != nil || !early && len(r.Fixed) == 0 {
		return nil, nil
	}
	lower, upper = make([]float64, v.code.Dim), slices.Repeat([]float64{1}, v.code.Dim)
	for _, a := range v.code.Axes {
		if value, fixed := r.Fixed[a.Name]; fixed {
			_ = a.Encode(value, lower) // rules checked it
			copy(upper[a.At:a.At+a.Width], lower[a.At:a.At+a.Width])
		} else if early && coding.Continuous(a.Parameter) && !a.Circular {
			lower[a.At], upper[a.At] = margin, 1-margin
		}
	}
	return lower, upper
}

// ask chooses a question by the study's method.
func (c Config) ask(ctx context.Context, t acquisition.Task) (acquisition.Choice, error) {
	switch {
	case c.Chooser != nil:
		return c.askChooser(ctx, t)
	case c.checkMethod() != nil:
		return acquisition.Choice{}, fmt.Errorf("prefer: the study's method is %q, which is not one of %v: give it as OpenOptions.Chooser", c.Method, acquisition.Methods())
	}
	return acquisition.Ask(ctx, c.Method, t)
}

// askChooser calls a method that is not ours and looks at what it returns: whatever it does is an error of this ask.
func (c Config) askChooser(ctx context.Context, t acquisition.Task) (choice acquisition.Choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			choice, err = acquisition.Choice{}, fmt.Errorf("prefer: method %q panicked: %v", c.Method, p)
		}
	}()
	if choice, err = c.Chooser(ctx, t); err == nil {
		err = t.Check(choice)
	}
	if err != nil {
		return acquisition.Choice{}, fmt.Errorf("prefer: method %q: %w", c.Method, err)
	}
	if math.IsInf(choice.Value, 0) { // the log could not keep it
		return acquisition.Choice{}, fmt.Errorf("prefer: method %q returned the value %v, want a finite one, or NaN for none", c.Method, choice.Value)
	}
	return choice, nil
}

// Practice questions are pairs of the same sequence from practiceStart on, where no study comes, as far apart as may be passed over.
const practiceStart = 1 << 40
