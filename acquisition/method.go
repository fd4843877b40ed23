package acquisition

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/gp"
)

// Method chooses a question.
type Method func(ctx context.Context, t Task) (Choice, error)

// methods is the list of everything that can choose a question, on the unit cube and on domains. A new
// method is one file and one line here.
var methods = []struct {
	name, about string
	ask         func(context.Context, Task) Choice
	in          func(place, context.Context, Task) Choice
}{
	{"kg", "the exact knowledge gradient (Eq. 3), in its one-shot form", oneShot, place.knowledge},
	{"eubo", "the expected utility of the best option, analytic", onCube(eubo), inPlace(eubo)},
	{"qeubo", "the same by Monte Carlo", onCube(qeubo), inPlace(qeubo)},
	{"logei", "batch log expected improvement for two options", onCube(logei), inPlace(logei)},
	{"bald", "the information gained about the utility", onCube(bald), inPlace(bald)},
	{"thompson", "the maximisers of two functions drawn from the posterior", thompson, place.thompson},
	{"random", "scrambled Sobol pairs", random, place.random},
}

// place is where a task on a domain is searched: a ground or a list.
type place interface {
	knowledge(ctx context.Context, t Task) Choice
	pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice
	thompson(ctx context.Context, t Task) Choice
	random(ctx context.Context, t Task) Choice
}

// Methods lists the names of the methods.
func Methods() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// Ask chooses a question by the named method. The choice depends on the task alone; when ctx ends
// early it is the best found so far and marked Partial.
func Ask(ctx context.Context, method string, t Task) (Choice, error) {
	for _, m := range methods {
		if m.name == method {
			if err := t.Search.Validate(); err != nil {
				return Choice{}, err
			}
			if t.Mixture != nil && method != "kg" {
				return Choice{}, fmt.Errorf("acquisition: method %q knows no mixture, only \"kg\" does", method)
			}
			if err := t.validate(); err != nil {
				return Choice{}, err
			}
			t = t.withDefaults()
			if t.Domain == nil && t.Allowed == nil && t.Hold == nil {
				return m.ask(ctx, t), nil
			}
			at, err := t.place()
			if err != nil {
				return Choice{}, err
			}
			return m.in(at, ctx, t), nil
		}
	}
	return Choice{}, fmt.Errorf("acquisition: unknown method %q, want one of %s", method, strings.Join(Methods(), ", "))
}

// formula is an acquisition of the two options alone and a cheaper one that ranks pairs for it, or nil.
type formula func(Task) (acq, screen Acquisition)

func onCube(f formula) func(context.Context, Task) Choice {
	return func(ctx context.Context, t Task) Choice {
		acq, screen := f(t)
		return searchPair(ctx, t, acq, screen)
	}
}

func inPlace(f formula) func(place, context.Context, Task) Choice {
	return func(at place, ctx context.Context, t Task) Choice {
		acq, screen := f(t)
		return at.pairs(ctx, t, acq, screen)
	}
}

func eubo(Task) (acq, screen Acquisition) { return EUBO{}, nil }

func qeubo(t Task) (acq, screen Acquisition) { return NewQEUBO(2, baseSamples, t.Seed), EUBO{} }

func bald(t Task) (acq, screen Acquisition) {
	p := t.Posterior
	b := NewBALD(p.Answers(), p.Hyper().Cuts, p.Noise())
	b.Sigma = t.Noise
	return b, nil
}

// logei takes the paper's incumbent: the highest posterior mean among the options shown. Before anything
// was shown that is the prior mean.
func logei(t Task) (acq, screen Acquisition) {
	p := t.Posterior
	d := p.Dim()
	best := math.Inf(-1)
	m := gp.NewMoments(1)
	for i := 0; i < len(t.Shown); i += d {
		best = math.Max(best, p.MeanGradient(m, t.Shown[i:i+d], nil))
	}
	if math.IsInf(best, -1) {
		best = 0
	}
	return NewLogEI(2, best, baseSamples, t.Seed), EUBO{}
}

// baseSamples is the number of fixed normal draws of the Monte Carlo methods: their stack's default.
const baseSamples = 512
