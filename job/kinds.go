package job

import "github.com/prefer-bo/prefer/store"

// Studies is what kinds of jobs need of the place where studies are kept.
type Studies struct {
	// Store keeps the studies. Nil: jobs about them fail.
	Store *store.Store

	// Media reads the file behind an item of a study, for pictures in reports. Nil: there are none.
	Media func(study, name string) ([]byte, error)

	// Version names the program in reports, as in "prefer v1.2.0".
	Version string
}

// Kinds are all there are.
func (s Studies) Kinds() Kinds {
	return Kinds{Simulation: doPerson, Report: s.doReport}
}
