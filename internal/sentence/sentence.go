// Package sentence has the parts of sentences about results that the root package, which says them in English, and package say, which says them in
// any language, have in common: which text a result takes, and how English writes numbers.
package sentence

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/internal/language/words"
	"github.com/prefer-bo/prefer/space"
)

// Text is a sentence by the key of its text in a dictionary, with what fills its places.
type Text struct {
	Key    string
	Places []any
}

// English is the sentence in English.
func (t Text) English() string { return words.English(t.Key, t.Places...) }

// Importance is what is known of a parameter, by the kind of a prefer.Importance and its value at the best option.
func Importance(kind, name string, at space.Value) Text {
	key, value := "learned."+kind, at.String()
	switch kind {
	case "hardly", "lower", "higher", "chosen", "matters", "with", "without":
	case "around":
		value = fmt.Sprintf("%.3g", at.Float())
	default:
		key = "learned.unknown"
	}
	return Text{key, []any{"name", name, "names", name, "value", value}}
}

// Blind is the outcome of blind duels, by the kind of a prefer.BlindCheck, its counts, and the interval for the share of the pick.
func Blind(kind string, won, of, tied int, low, high float64) Text {
	key := "blind.close"
	switch kind {
	case "unchecked":
		return Text{Key: "blind.none"}
	case "holds", "fails":
		key = "blind." + kind
	}
	if tied > 0 {
		key += ".tied"
	}
	return Text{key, []any{"n", won, "of", of, "tied", tied, "low", fmt.Sprintf("%.0f", 100*(1-high)), "high", fmt.Sprintf("%.0f", 100*(1-low))}}
}

// FollowsOrder says that answers follow the order in which options are shown.
var FollowsOrder = Text{Key: "claim.order"}

// Untried names the parameter, and the values of it between which nothing was shown, of several gaps the first.
func Untried(gaps [][2]space.Option) (name, low, high string) {
	for name = range gaps[0][0] {
		low, high = Value(gaps[0][0][name]), Value(gaps[0][1][name])
	}
	return name, low, high
}

// topOfSpace is prefer.Best.TopShare in a space; in a list it is larger.
const topOfSpace = 0.01

// Listed returns how many options a list has, 0 in a space. Items crossed with parameters are a space: every setting is another option.
func Listed(topShare float64, items int) int {
	if topShare == topOfSpace {
		return 0
	}
	return items
}

// Beats returns how many of the others in its list the pick is expected to be better than, all of them only where that is certain. Without a list,
// or in a long one, n is out of 100 options and others is 0.
func Beats(share float64, listed int) (n, others int) {
	others = listed - 1
	if others < 1 || others >= 100 {
		return Hundredths(share), 0
	}
	n = int(math.Round(share * float64(others)))
	if n == others && share < 1 {
		n--
	}
	return n, others
}

// More returns by how much the n of Beats would rise, as whole options, by more of the share.
func More(rise, share float64, listed int) int {
	n, _ := Beats(share, listed)
	then, _ := Beats(math.Min(share+rise, 1), listed)
	return then - n
}

// Hundredths rounds a probability to a percentage that is 0 or 100 only where it is certain.
func Hundredths(p float64) int {
	n := int(math.Round(100 * p))
	if n == 100 && p < 1 {
		return 99
	}
	if n == 0 && p > 0 {
		return 1
	}
	return n
}

// Probability writes a probability as "97%"; 0% and 100% are for what is certain.
func Probability(p float64) string { return words.English("number.percent", "n", Hundredths(p)) }

// Percent writes a share to the nearest percentage: "91%".
func Percent(share float64) string {
	return words.English("number.percent", "n", int(math.Round(100*share)))
}

// Count writes a number of things: "1 answer", "2 answers", "3 people".
func Count(n int, thing string) string {
	switch {
	case n == 1:
	case thing == "person":
		thing = "people"
	case thing == "study":
		thing = "studies"
	default:
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// List joins names: "a, b and c".
func List(names []string) string { return words.List(names, false, words.English) }

// Value writes a value, a fraction to three digits.
func Value(v space.Value) string {
	if x := v.Float(); !math.IsNaN(x) && x != math.Trunc(x) {
		return fmt.Sprintf("%.3g", x)
	}
	return v.String()
}

// Range writes a range of things: "3 to 7 answers", "1 answer".
func Range(r [2]int, thing string) string {
	if r[0] == r[1] {
		return Count(r[1], thing)
	}
	return fmt.Sprintf("%d to %s", r[0], Count(r[1], thing))
}

// Raters lists raters.
func Raters(names []string) string {
	names = slices.Clone(names)
	for i, name := range names {
		if name == "" {
			names[i] = "somebody without a name"
		}
	}
	return List(names)
}

// Verb returns the form of a verb for as many names.
func Verb(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}
