package acquisition

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Method chooses a question. The choice depends on the task alone; when ctx ends early it is the best found
// so far and marked Partial. A method of one's own is any such function; Maximize makes one of a formula.
type Method func(ctx context.Context, t Task) (Choice, error)

// method is one that goes by a name: a choice where a task is searched, or a formula of the two options, which Maximize searches.
type method struct {
	name    string
	choose  func(at space, ctx context.Context, t Task) Choice
	formula func(t Task) Acquisition // of a prepared task
	screen  Acquisition              // ranks pairs for the formula; nil: itself
	linear  bool                     // in the law of f, so that a mixture's worth is an average
}

// methods are all of them. A new one is a file and a line here.
var methods = []method{
	{name: "kg", choose: knowledgeGradient},                          // the exact knowledge gradient (Eq. 3), in its one-shot form
	{name: "eubo", formula: newEUBO, linear: true},                   // the expected utility of the best option, analytic
	{name: "qeubo", formula: newQEUBO, screen: EUBO{}, linear: true}, // the same by Monte Carlo
	{name: "logei", formula: newLogEI, screen: EUBO{}},               // batch log expected improvement for two options
	{name: "bald", formula: newBALD},                                 // the information gained about the utility
	{name: "thompson", choose: space.thompson},                       // the maximisers of two functions drawn from the posterior
	{name: "random", choose: space.random},                           // scrambled Sobol pairs
}

// ask chooses a question. Of the methods "kg" alone knows a mixture.
func (m method) ask(ctx context.Context, t Task) (Choice, error) {
	prepare := t.prepareAlone
	if m.name == "kg" {
		prepare = t.Prepare
	}
	t, err := prepare()
	if err != nil {
		return Choice{}, err
	}
	if m.formula != nil {
		return Maximize(ctx, t, m.formula(t), m.screen)
	}
	at, err := t.space()
	if err != nil {
		return Choice{}, err
	}
	return m.choose(at, ctx, t), nil
}

// Methods lists the names of the methods.
func Methods() []string { return xslices.Map(methods, func(m method) string { return m.name }) }

// Lookup returns the method of that name.
func Lookup(name string) (Method, bool) {
	m, ok := named(name)
	if !ok {
		return nil, false
	}
	return m.ask, true
}

func named(name string) (method, bool) {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	if i < 0 {
		return method{}, false
	}
	return methods[i], true
}

// Ask chooses a question by the named method.
func Ask(ctx context.Context, method string, t Task) (Choice, error) {
	ask, ok := Lookup(method)
	if !ok {
		return Choice{}, unknown(method)
	}
	if method != "kg" {
		t = t.avoiding()
	}
	return ask(ctx, t)
}

func unknown(method string) error {
	return fmt.Errorf("acquisition: unknown method %q, want one of %s", method, strings.Join(Methods(), ", "))
}
