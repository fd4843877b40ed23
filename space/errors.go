package space

import (
	"errors"
)

// What can be wrong with an option of a space. The text of an error names the field and the value.
var (
	ErrOption  = errors.New("option does not fit the space")
	ErrCostly  = errors.New("a constraint of the study costs too much")
	ErrContext = errors.New("a context takes one value") // and none is given, or two are
)
