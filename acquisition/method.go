package acquisition

import (
	"context"
	"fmt"
	"strings"
)

// Method chooses a question. The choice depends on the task alone; when ctx ends early it is the best found
// so far and marked Partial. A method of one's own is any such function; Maximize makes one of a formula.
type Method func(ctx context.Context, t Task) (Choice, error)

// methods are those that go by a name. A new one is a file and a line here.
var methods = []struct {
	name string
	ask  Method
}{
	{"kg", knowledgeGradient}, // the exact knowledge gradient (Eq. 3), in its one-shot form
	{"eubo", eubo},            // the expected utility of the best option, analytic
	{"qeubo", qeubo},          // the same by Monte Carlo
	{"logei", logei},          // batch log expected improvement for two options
	{"bald", bald},            // the information gained about the utility
	{"thompson", thompson},    // the maximisers of two functions drawn from the posterior
	{"random", random},        // scrambled Sobol pairs
}

// Methods lists the names of the methods.
func Methods() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// Lookup returns the method of that name.
func Lookup(name string) (Method, bool) {
	for _, m := range methods {
		if m.name == name {
			return m.ask, true
		}
	}
	return nil, false
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
