package job

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Store is what jobs need of the place where studies are kept, a *store.Store for example.
type Store interface {
	// Study opens a study.
	Study(ctx context.Context, name string) (*prefer.Study, error)

	// KeepDerived keeps a note made from the answers of a study as it was opened.
	KeepDerived(ctx context.Context, study *prefer.Study, name, body string) error
}

// Studies is what kinds of jobs need of the place where studies are kept.
type Studies struct {
	// Store keeps the studies. Nil: jobs about them fail.
	Store Store

	// Media reads the file behind an item of a study, for pictures in reports. Nil: there are none.
	Media func(study, name string) ([]byte, error)

	// Draw returns what draws the options of a study as SVG, for pictures in reports, or nil. Nil: nothing is drawn.
	Draw func(ctx context.Context, name string, study *prefer.Study) (func(space.Option) string, error)

	// Checks says of every rater of a study, by name, how it went with the checks among her questions; nothing of whom had none. Nil: reports do not say.
	Checks func(ctx context.Context, name string, study *prefer.Study) (map[string]string, error)

	// Version names the program in reports, as in "prefer v1.2.0".
	Version string
}

// Kinds are all there are.
func (s Studies) Kinds() Kinds {
	return Kinds{Simulation: doPerson, Report: s.doReport}
}

// read reads a body. A field it does not know would change what is asked for, and is an error.
func read(kind string, body json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("job: the body of a %s is not what it should be: %w", kind, err)
	}
	return nil
}
