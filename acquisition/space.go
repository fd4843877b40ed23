package acquisition

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// space is where a task is searched: the unit cube, a region with levels, constraints or conditions, or a list of options.
type space interface {
	knowledge(t Task) steps
	pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice
	thompson(ctx context.Context, t Task) Choice
	random(ctx context.Context, t Task) Choice
	worth(ctx context.Context, t Task, questions [][]float64) []float64
}

var (
	_ space = cube{}
	_ space = (*mixed)(nil)
	_ space = (*list)(nil)
)

// Why there is no question to ask.
var (
	errEmpty   = errors.New("acquisition: no option satisfies the constraints: the feasible set looks empty")
	errMixture = errors.New("acquisition: Task.Mixture is set, which \"kg\" alone knows; want Task.Posterior")
	errOne     = errors.New("acquisition: the domain has one option only, a question needs two")
)

// prepareAlone is Prepare for methods that know one posterior only.
func (t Task) prepareAlone() (Task, error) {
	if t.Mixture != nil {
		return t, errMixture
	}
	return t.Prepare()
}

// space returns where the task is searched: its options as a list if they are one or few, the cube if
// nothing but bounds limits them, else the region made of its parts.
func (t Task) space() (space, error) {
	d := t.utility().Dim()
	if t.Domain == nil && t.Allowed == nil && t.Hold == nil {
		return cube{newCube(d, t.Seed)}, nil
	}
	if t.Domain != nil {
		if rows := t.Domain.listed(); rows != nil {
			return newList(t, rows)
		}
	}
	r := newRegion(t.Domain, d, t.Seed)
	if len(r.sample) == 0 {
		return nil, errEmpty
	}
	f := &mixed{region: r, ask: r.asked(t)}
	f.askable = r.dom.points(regionSample, t.Seed^0x61736b, f.ask)
	var options [][]float64
	if t.Hold != nil {
		options = append(options, t.Hold)
	}
	for i := 0; i < len(f.askable) && len(options) < 2; i += d {
		if x := f.askable[i : i+d]; len(options) == 0 || !slices.Equal(x, options[0]) {
			options = append(options, x)
		}
	}
	if len(options) < 2 {
		return nil, t.tooFew(len(r.sample) / d)
	}
	return f, nil
}

// tooFew says why fewer than two options can be asked about, of total that were found.
func (t Task) tooFew(total int) error {
	switch {
	case total == 0:
		return errEmpty
	case total == 1:
		return errOne
	case t.Allowed != nil:
		return fmt.Errorf("acquisition: Task.Allowed leaves fewer than two options of the %d found to ask about", total)
	}
	return errOne
}

// steps are those of the search for the knowledge gradient on one kind of space. Each keeps what the later
// ones need. The cube and a mixed region share most of them (oneShot); a list enumerates where they climb.
type steps interface {
	// recommend finds x̂, the option with the best mean, and what the mean has for other peaks.
	recommend(ctx context.Context)

	// challengers finds options that a duel with x̂, or with a rival of x̂, may gain most from.
	challengers(ctx context.Context)

	// candidates gathers the options that may be asked about and ranks their pairs by the gain that a cheap stand-in for the inner maximum predicts.
	candidates()

	// climb improves the best of these pairs, a few of them for long. An ended context improves fewer.
	climb(ctx context.Context)

	// settle spells out the best question found that may be asked.
	settle(ctx context.Context) Choice
}

// knowledgeGradient asks the question after which the best posterior mean is expected to be highest (Eq. 3).
func knowledgeGradient(at space, ctx context.Context, t Task) Choice {
	s := at.knowledge(t)
	s.recommend(ctx)
	s.challengers(ctx)
	s.candidates()
	s.climb(ctx)
	return s.settle(ctx)
}
