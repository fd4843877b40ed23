package maximize

import "fmt"

// A Status says why a search ended. Whatever it is, the result holds the best point seen.
type Status int

const (
	// Converged: the projected gradient is within Settings.GradTol of zero.
	Converged Status = iota + 1
	// Stalled: neither the last step nor the model's next one gains what Settings.ValueTol asks for. As good an end
	// as Converged, and the usual one where f is flat at its maximum.
	Stalled
	// EvalLimit: Settings.MaxEvals evaluations are used up.
	EvalLimit
	// IterLimit: Settings.MaxIters steps are done.
	IterLimit
	// LineSearchFailed: no uphill step could be found even along the gradient. The gradient is wrong, the function is
	// not smooth here, or the value cannot rise further in floating point.
	LineSearchFailed
	// NotFinite: the value or a gradient entry at the start is NaN or infinite, so there is nothing to climb.
	NotFinite
	// Cancelled: the context ended the search.
	Cancelled
)

var statusNames = [...]string{
	Converged:        "converged",
	Stalled:          "stalled",
	EvalLimit:        "evaluation limit",
	IterLimit:        "iteration limit",
	LineSearchFailed: "line search failed",
	NotFinite:        "not finite",
	Cancelled:        "cancelled",
}

// String returns the status in words.
func (s Status) String() string {
	if s < Converged || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}
