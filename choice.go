package prefer

import (
	"slices"
	"strings"
)

// Choice is what a rater said about a pair. Each means something different to the model.
type Choice string

const (
	// First: the first option is better.
	First Choice = "first"
	// Second: the second option is better.
	Second Choice = "second"
	// Tie: can't tell. The noisy difference is within the just-noticeable difference.
	Tie Choice = "tie"
	// BothBad: neither will do. Both are below the rater's level of acceptance (Config.BothBad).
	BothBad Choice = "both_bad"
	// Skip: no answer, and no data; the pair is not asked again soon.
	Skip Choice = "skip"
)

// ChoiceInfo is a kind of answer as those need it who offer, read or write answers.
type ChoiceInfo struct {
	Choice Choice
	Key    string // the key that stands for it on a keyboard
	Label  string // what a button says
	Said   string // in a list of answers
	Means  string // in a list of keys

	Counted string   // above a column of counts, of one that prefers neither option
	Words   []string // further keys and words that stand for it

	Side     int  // which option is preferred: 1 the first, −1 the second, 0 neither
	Tied     bool // offered only where ties are
	Teaches  bool // the model learns from it
	Compares bool // it says how the two options compare: only such an answer may be observed, predicted or contradicted
}

// kinds is the one list of answers. What an answer teaches is in evidence.go.
var kinds = []ChoiceInfo{
	{Choice: First, Key: "1", Label: "First", Said: "first", Means: "the first is better", Words: []string{"a", "left"},
		Side: 1, Teaches: true, Compares: true},
	{Choice: Second, Key: "2", Label: "Second", Said: "second", Means: "the second is better", Words: []string{"b", "right"},
		Side: -1, Teaches: true, Compares: true},
	{Choice: Tie, Key: "=", Label: "Can’t tell", Said: "can't tell", Means: "can't tell: they are equally good", Words: []string{"t", "same"},
		Counted: "ties", Tied: true, Teaches: true, Compares: true},
	{Choice: BothBad, Key: "x", Label: "Both bad", Said: "both bad", Means: "both are bad: neither will do", Words: []string{"bad"},
		Counted: "both_bad", Teaches: true},
	{Choice: Skip, Key: "s", Label: "Skip", Said: "skipped", Means: "skip: no answer, and nothing like it for a while", Counted: "skips"},
}

// Choices lists the kinds of answers: range over it in place of a list of one's own.
func Choices() []ChoiceInfo { return slices.Clone(kinds) }

// info returns the kind of a choice; ok is false if there is none.
func (c Choice) info() (_ ChoiceInfo, ok bool) {
	i := slices.IndexFunc(kinds, func(k ChoiceInfo) bool { return k.Choice == c })
	if i < 0 {
		return ChoiceInfo{}, false
	}
	return kinds[i], true
}

// listChoices lists the choices that keep, for an error: "first, second or tie".
func listChoices(keep func(ChoiceInfo) bool) string {
	var names []string
	for _, k := range kinds {
		if keep(k) {
			names = append(names, string(k.Choice))
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
