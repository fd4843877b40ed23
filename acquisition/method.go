package acquisition

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/gp"
)

// methods is the list of everything that can choose a question. A new method is one file and one
// line here.
var methods = []struct {
	name, about string
	ask         func(context.Context, Task) Choice
}{
	{"kg", "the exact knowledge gradient (Eq. 3), in its one-shot form", oneShot},
	{"eubo", "the expected utility of the best option, analytic", askEUBO},
	{"qeubo", "the same by Monte Carlo", askQEUBO},
	{"logei", "batch log expected improvement for two options", askLogEI},
	{"bald", "the information gained about the utility", askBALD},
	{"thompson", "the maximisers of two functions drawn from the posterior", thompson},
	{"random", "scrambled Sobol pairs", random},
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
			return m.ask(ctx, t.withDefaults()), nil
		}
	}
	return Choice{}, fmt.Errorf("acquisition: unknown method %q, want one of %s", method, strings.Join(Methods(), ", "))
}

func askEUBO(ctx context.Context, t Task) Choice { return searchPair(ctx, t, EUBO{}, nil) }

func askQEUBO(ctx context.Context, t Task) Choice {
	return searchPair(ctx, t, NewQEUBO(2, baseSamples, t.Seed), EUBO{})
}

func askBALD(ctx context.Context, t Task) Choice {
	p := t.Posterior
	bald := NewBALD(p.Answers(), p.Hyper().Cuts, p.Noise())
	bald.Sigma = t.Noise
	return searchPair(ctx, t, bald, nil)
}

// askLogEI takes the paper's incumbent: the highest posterior mean among the options shown. Before
// anything was shown that is the prior mean.
func askLogEI(ctx context.Context, t Task) Choice {
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
	return searchPair(ctx, t, NewLogEI(2, best, baseSamples, t.Seed), EUBO{})
}

// baseSamples is the number of fixed normal draws of the Monte Carlo methods: their stack's default.
const baseSamples = 512
