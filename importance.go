package prefer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/space"
)

// SlicePoint is one point of a slice: a parameter's value, and the utility there with its uncertainty.
type SlicePoint struct {
	Value space.Value `json:"value"`
	Mean  float64     `json:"mean"`
	SD    float64     `json:"sd"`

	// Below is how far the utility lies below that of the best option, f(x̂) − f(x), and BelowSD its uncertainty: 0 at the best
	// itself. Answers are about differences, so this is known better than either utility.
	Below   float64 `json:"below"`
	BelowSD float64 `json:"below_sd"`
}

// Slice walks along one parameter, or one feature of items, through the best option, the others held: in n ≥ 2 steps evenly spaced on the parameter's own
// scale, or, if there are no more than n, over all its values. Categories are always all there. Round a circle it ends one step before it would be back.
func (b *Belief) Slice(name string, n int) ([]SlicePoint, error) {
	a := b.code.Axis(name)
	switch {
	case a == nil:
		return nil, coding.Refuse("option", "slice along %q, which is no parameter of the study", name)
	case a.Context:
		return nil, coding.Refuse("context", "slice along %q, which is a context: no answer compares two of its values", name)
	}
	if n < 2 {
		return nil, fmt.Errorf("prefer: slice in %d points, want at least 2", n)
	}
	x := a.Walk(b.favour(), n)
	out := make([]SlicePoint, len(x)/b.code.Dim)
	for i := range out {
		u := x[i*b.code.Dim : (i+1)*b.code.Dim]
		out[i].Value = a.Decode(u)
		out[i].Mean, out[i].SD = b.utility.At(u)
		out[i].Below, out[i].BelowSD = b.below(u)
	}
	return out, nil
}

// Importance says how much one parameter matters.
type Importance struct {
	Parameter string `json:"parameter"`

	// Loss is the utility lost, on average, by setting this parameter at random and leaving the others
	// at their best, in units of the noise; SD is its uncertainty.
	Loss float64 `json:"loss"`
	SD   float64 `json:"sd"`

	// Share is the parameter's part of all losses.
	Share float64 `json:"share"`

	// Kind is what can be said about it, and At the value at the best option.
	Kind string      `json:"kind"`
	At   space.Value `json:"at"`

	// Sentence says it in English, "lower contrast wins", "blur hardly matters". It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// Kinds of importance. Unknown is common after twenty answers.
const (
	importanceUnknown string = "unknown" // cannot tell yet
	importanceHardly  string = "hardly"  // it hardly matters
	importanceLower   string = "lower"   // best near the lower end
	importanceHigher  string = "higher"  // best near the upper end
	importanceAround  string = "around"  // best around At
	importanceChosen  string = "chosen"  // the choice At is best
	importanceWith    string = "with"    // of a switch
	importanceWithout string = "without"
)

const (
	slicePoints = 11   // points of the average in Importance
	hardlyLoss  = 0.25 // a loss that, one and a half standard deviations up, is below this much of the noise hardly matters …
	hardlyShare = 0.2  // … and so does one below this part of the largest loss
	lowEnd      = 0.2  // best values this close to an end of the range are "lower" or "higher"
	clearEnough = 1.5  // a loss this many of its standard deviations above zero is worth a sentence
)

// Importance returns every parameter, or feature, with what it is worth to get it right, most important
// first. Contexts are not ours to get right. Constraints are not considered: a slice may pass through options that are not allowed.
//
//	Loss_j = mean over t of μ(x̂) − μ(x̂ with x_j = t),   SD_j² = Var of the same average of f
func (b *Belief) Importance() []Importance {
	axes := slices.DeleteFunc(slices.Clone(b.code.Axes), func(a coding.Axis) bool { return a.Context })
	out := make([]Importance, len(axes))
	total := 0.0
	noise := b.utility.Noise()
	for j, a := range axes {
		x := append(slices.Clone(b.favour()), a.Walk(b.favour(), slicePoints)...)
		w := make([]float64, len(x)/b.code.Dim)
		w[0] = 1
		for i := range w[1:] {
			w[i+1] = -1.0 / float64(len(w)-1)
		}
		loss, v := b.utility.Sum(x, w)
		out[j] = Importance{Parameter: a.Name, Loss: loss / noise, SD: math.Sqrt(v) / noise}
		total += math.Max(0, loss) / noise
	}
	var top float64
	for _, i := range out {
		top = math.Max(top, i.Loss)
	}
	for j := range out {
		if total > 0 {
			out[j].Share = math.Max(0, out[j].Loss) / total
		}
		out[j].At = axes[j].Decode(b.favour())
		out[j].Kind = b.kind(out[j], axes[j], top)
		out[j].Sentence = sentence.Importance(out[j].Kind, out[j].Parameter, out[j].At).English()
	}
	slices.SortStableFunc(out, func(a, b Importance) int { return cmp.Compare(b.Loss, a.Loss) })
	return out
}

// kind decides what can be said about a parameter; top is the largest loss.
func (b *Belief) kind(i Importance, a coding.Axis, top float64) string {
	switch {
	case b.Answers > 0 && i.Loss+1.5*i.SD < math.Max(hardlyLoss, hardlyShare*top):
		return importanceHardly
	case b.Answers == 0 || i.Loss < clearEnough*i.SD:
		return importanceUnknown
	case a.Type == "bool" && i.At == space.ValueOf(true):
		return importanceWith
	case a.Type == "bool":
		return importanceWithout
	case a.Type == "categorical" || a.Type == "ordinal":
		return importanceChosen
	case a.Circular:
		return importanceAround
	case b.favour()[a.At] < lowEnd:
		return importanceLower
	case b.favour()[a.At] > 1-lowEnd:
		return importanceHigher
	}
	return importanceAround
}
