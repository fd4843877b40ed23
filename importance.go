package prefer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/xslices"
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
		return nil, coding.Refuse("option", "slice along %q, which is not a parameter of the study", name)
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
		out[i].Below, out[i].BelowSD = b.lossAt(u)
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

	// Most is the probability that no other parameter has a larger loss.
	Most float64 `json:"most"`

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
	importanceMatters string = "matters" // of the items that are crossed with parameters
	importanceWith    string = "with"    // of a switch
	importanceWithout string = "without"
)

const (
	slicePoints = 11   // points of the average in Importance
	hardlyLoss  = 0.25 // a loss below this much of the noise hardly matters …
	hardlyShare = 0.2  // … and so does one below this part of the largest loss
	lowEnd      = 0.2  // best values this close to an end of the range are "lower" or "higher"
	clearEnough = 0.95 // how probable it must be that a parameter matters, or hardly does, to say so
)

// Importance returns every parameter, or feature, with what it is worth to get it right, most important
// first. Contexts are not ours to get right. Constraints are not considered: a slice may pass through options that are not allowed.
//
//	Loss_j = mean over t of μ(x̂) − μ(x̂ with x_j = t),   SD_j² = Var of the same average of f
//
// What is said rests on the probability that the loss is more than hardly one, Σ_k π_k Φ((Loss_jk − line_k)/SD_jk) over the settings k of the belief, each with
// a line of its own: settings differ in the strength of a taste more than in what it is about.
func (b *Belief) Importance() []Importance {
	axes := slices.DeleteFunc(slices.Clone(b.code.Axes), func(a coding.Axis) bool { return a.Context })
	out := make([]Importance, len(axes))
	if len(axes) == 0 {
		return out
	}
	x, sums := slices.Clone(b.favour()), make([][]float64, len(axes)) // the best option, and the slices one after the other
	for j, a := range axes {
		slice := a.Walk(b.favour(), slicePoints)
		n := len(slice) / b.code.Dim
		sums[j] = append(make([]float64, len(x)/b.code.Dim), slices.Repeat([]float64{-1 / float64(n)}, n)...)
		sums[j][0], x = 1, append(x, slice...)
	}
	means, covariances := b.utility.Sums(x, sums...)
	total, noise := 0.0, b.utility.Noise()
	variances := make([][]float64, len(axes)) // by axis and part
	for j, most := range b.utility.Largest(means, covariances) {
		variances[j] = xslices.Map(covariances, func(c []float64) float64 { return c[j*len(axes)+j] })
		loss, v := b.utility.Together(xslices.Map(means, func(m []float64) float64 { return m[j] }), variances[j])
		out[j] = Importance{Parameter: axes[j].Name, Loss: loss / noise, SD: math.Sqrt(v) / noise, Most: most}
		total += math.Max(0, loss) / noise
	}
	for j := range out {
		if total > 0 {
			out[j].Share = math.Max(0, out[j].Loss) / total
		}
		out[j].At = axes[j].Decode(b.favour())
		matters := 0.0
		for k, w := range b.utility.Weights {
			line := math.Max(hardlyLoss*noise, hardlyShare*slices.Max(means[k]))
			matters += w * normal.CDF((means[k][j]-line)/math.Sqrt(variances[j][k]))
		}
		out[j].Kind = b.kind(out[j], axes[j], matters)
		out[j].Sentence = sentence.Importance(out[j].Kind, out[j].Parameter, out[j].At).English()
	}
	slices.SortStableFunc(out, func(a, b Importance) int { return cmp.Compare(b.Loss, a.Loss) })
	return out
}

// kind decides what can be said about a parameter that matters with this probability.
func (b *Belief) kind(i Importance, a coding.Axis, matters float64) string {
	switch {
	case b.Answers > 0 && matters < 1-clearEnough:
		return importanceHardly
	case b.Answers == 0 || !(matters > clearEnough):
		return importanceUnknown
	case b.code.Space.Crossed() && a.Name == "item": // which one wins is for the ranking to say, with its doubt
		return importanceMatters
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
