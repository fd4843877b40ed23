package job

import (
	"context"

	"github.com/prefer-bo/prefer"
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

	// Version names the program in reports, as in "prefer v1.2.0".
	Version string
}

// Kinds are all there are.
func (s Studies) Kinds() Kinds {
	return Kinds{Simulation: doPerson, Report: s.doReport}
}
