package report

import (
	"fmt"
)

// Options say what a report is about. The zero value works.
type Options struct {
	// Title heads the page. Defaults to "Preference study".
	Title string

	// Rater is whose taste is reported in a study per rater; without one the report is about the group. A shared
	// study has one taste and takes none.
	Rater string

	// Version names the program in the methods text, as in "prefer v1.2.0". Defaults to "prefer".
	Version string

	// Media reads the file behind an item, by Item.Media, so that a picture of it can be put into the page. Nil, or
	// an error, leaves the item's name in its place.
	Media func(name string) ([]byte, error)

	// Progress, if not nil, is told how many of how many steps are done.
	Progress func(done, steps int)
}

func (o Options) withDefaults() Options {
	if o.Title == "" {
		o.Title = "Preference study"
	}
	if o.Version == "" {
		o.Version = "prefer"
	}
	if o.Media == nil {
		o.Media = func(name string) ([]byte, error) {
			return nil, fmt.Errorf("report: no pictures wanted, not even %q", name)
		}
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}
