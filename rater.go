package prefer

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/normal"
)

// People says whose utility a study learns.
type People string

const (
	// Shared: all raters share one utility, and each has a noise of their own, so that a careless rater or a noisy judge counts for less.
	Shared People = "shared"
	// PerRater: every rater has their own utility, learned from their answers and, as far as Config.Kinship finds people alike, from those of others.
	PerRater People = "per_rater"
)

// checkRater refuses what is not valid UTF-8, and U+FFFD, which is what programs make of that when they write it down: two
// names could become one. Logs that have such a name stay readable.
func checkRater(name string) error {
	if !utf8.ValidString(name) || strings.ContainsRune(name, utf8.RuneError) {
		return coding.RefuseField("rater", "rater", name, "rater %q is not valid UTF-8, and another such name could be taken for it", name)
	}
	return nil
}

// rater returns the name that an event brings into the log, if it does.
func (e Event) rater() string {
	switch {
	case e.Asked != nil:
		return e.Asked.Rater
	case e.Observed != nil:
		return e.Observed.Duel.Rater
	case e.Enqueued != nil:
		return e.Enqueued.Rater
	case e.Taken != nil:
		return e.Taken.Rater
	}
	return ""
}

// Rater is what a study knows about one of those who answer.
type Rater struct {
	Name    string `json:"name"`
	Answers int    `json:"answers"`         // not undone, skips included, blind duels and practice not
	Clear   int    `json:"clear,omitempty"` // preferences that they called clear, or stronger
	Ties    int    `json:"ties"`
	BothBad int    `json:"both_bad"`
	Skips   int    `json:"skips"`
	Counted int    `json:"counted"` // answers that count, as in Verdict.Answers: no skips, no checks (Entry.Counts)

	// Noise is how noisy the answers are, 1 being usual: in a shared study with several raters a careless
	// one has more and counts for less. 0 where it cannot be told.
	Noise float64 `json:"noise,omitempty"`

	// Left counts the preferences for what was shown on the left, which is the question's first option unless the answer says Swapped. Observed duels
	// none of which is Swapped have no sides: an import puts the winner first.
	Left Share `json:"left"`

	// FollowsOrder says that the side on which an option was shown explains their choices (careless.go has the rule).
	FollowsOrder bool `json:"follows_order,omitempty"`

	// Position is how far the rater leans to what is shown first; nil where sides were not recorded, or where it is not clear that they lean to a side.
	Position *positionBias `json:"position_bias,omitempty"`

	// Agreed counts the repeated questions that they answered as before.
	Agreed Share `json:"agreed"`

	// Odds is the log of how much likelier the answers are of a rater who does not look than of one who answers by taste (internal/crowd/careless.go has the
	// formula); 0 of fewer than 8 preferences. Careless says that the odds are high enough to call the rater careless, and Why what speaks most for it.
	Odds     float64 `json:"odds,omitempty"`
	Careless bool    `json:"careless,omitempty"`
	Why      string  `json:"why,omitempty"`

	// Out says that the rater is excluded from what the group learns (Change.Exclude), OutWhy why, in the owner's words.
	Out    bool   `json:"out,omitempty"`
	OutWhy string `json:"out_why,omitempty"`

	// MedianResponse is the median of the response times that were recorded; 0 if none was.
	MedianResponse time.Duration `json:"median_response_ns,omitempty"`
}

// positionBias is b_r of g = f(first) − f(second) ± b_r + ε, by which a rater leans to what is shown first, or to what is shown second where it is negative,
// in units of the usual noise (package gp, position.go). At 1 a rater takes the option shown first 84 times in a hundred between equal options.
type positionBias struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// String writes it as "0.8 ± 0.2", with a real minus.
func (b positionBias) String() string {
	return strings.Replace(fmt.Sprintf("%.1f ± %.1f", b.Mean, b.SD), "-", "−", 1)
}

// clearBias returns the bias of a rater in a fit where it is clearly not 0: more than two standard deviations from it.
func clearBias(fit *learn.Fit, rater string) *positionBias {
	if mean, sd := fit.Bias(rater); math.Abs(mean) > 2*sd {
		return &positionBias{Mean: mean, SD: sd}
	}
	return nil
}

// Share is a count out of a total, with the 95 % interval of Wilson for the share behind it.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func newShare(count, of int) Share {
	low, high := normal.Wilson(count, of)
	return Share{Count: count, Of: of, Low: low, High: high}
}

// Raters returns everybody who was asked or answered, by name.
func (s *Study) Raters(ctx context.Context) ([]Rater, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	var noise map[string]float64 // relative to the study's, where it can be told
	var shared *learn.Fit
	if s.people() != PerRater {
		fit, err := s.questionModel(ctx, s.view(""))
		if err != nil {
			return nil, err
		}
		shared = fit
		if len(fit.Raters) > 1 {
			noise = fit.Noises()
		}
	}
	byName := s.tallies(noise)
	medians := map[string]time.Duration{}
	for name, y := range byName {
		medians[name] = y.MedianResponse
	}
	usual := crowd.UsualResponses(medians)
	out := make([]Rater, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		y := byName[name]
		if shared != nil {
			y.Position = clearBias(shared, name)
		}
		if err := s.suspect(ctx, y, usual[name]); err != nil {
			return nil, err
		}
		out = append(out, y.Rater)
	}
	return out, nil
}

// tallies counts everybody's answers.
func (s *Study) tallies(noise map[string]float64) map[string]*tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	byName := map[string]*tally{}
	of := func(name string) *tally {
		if byName[name] == nil {
			why, out := s.state.out[name]
			byName[name] = &tally{Rater: Rater{Name: name, Noise: noise[name], Out: out, OutWhy: why}}
		}
		return byName[name]
	}
	for _, q := range s.state.order {
		of(q.Rater)
	}
	for _, t := range s.state.answers {
		if !t.undone && !t.question.isBlind() && !t.question.isPractice() {
			of(t.rater).add(t, s.state.questions)
		}
	}
	followers := s.state.followers()
	for name, y := range byName {
		person, _, _ := strings.Cut(name, "#")
		y.FollowsOrder = followers[person]
		y.done()
	}
	return byName
}

// tally counts a rater's answers.
type tally struct {
	Rater
	times    []time.Duration
	sided    []crowd.Preference // but those to catch questions
	caught   Share              // catch questions that were answered right
	observed Share              // as Left, of observed duels
	placed   bool               // some of these are Swapped, so that they have sides
}

func (y *tally) add(t *told, questions map[QuestionID]*asked) {
	y.Answers++
	if t.counts() {
		y.Counted++
	}
	switch t.answer.Choice {
	case Tie:
		y.Ties++
	case BothBad:
		y.BothBad++
	case Skip:
		y.Skips++
	}
	if k, _ := t.answer.Choice.info(); k.Side != 0 {
		if t.answer.Strength > 0 {
			y.Clear++
		}
		if t.question != nil && t.question.Known != "" {
			y.caught.Of++
			if t.answer.Choice == t.question.Known {
				y.caught.Count++
			}
		} else {
			y.sided = append(y.sided, crowd.Preference{A: t.a, B: t.b, First: k.Side > 0, Check: t.answer.Check})
		}
		left := &y.Left
		if t.question == nil {
			left = &y.observed
			y.placed = y.placed || t.answer.Swapped
		}
		left.Of++
		if (k.Side > 0) != t.answer.Swapped {
			left.Count++
		}
	}
	if t.answer.ResponseTime > 0 {
		y.times = append(y.times, t.answer.ResponseTime)
	}
	if t.question == nil || t.question.RepeatOf == "" {
		return
	}
	if before := questions[t.question.RepeatOf]; before != nil && before.answer != nil {
		was, same := before.answer.winner(), t.winner()
		if was != nil && same != nil || before.answer.answer.Choice == t.answer.Choice {
			y.Agreed.Of++
			if was == nil || coding.Gap(was, same) <= coding.SameOption {
				y.Agreed.Count++
			}
		}
	}
}

// winner returns the option that was preferred, or nil.
func (t *told) winner() []float64 {
	switch k, _ := t.answer.Choice.info(); {
	case k.Side > 0:
		return t.a
	case k.Side < 0:
		return t.b
	}
	return nil
}

func (y *tally) done() {
	if y.placed {
		y.Left.Count, y.Left.Of = y.Left.Count+y.observed.Count, y.Left.Of+y.observed.Of
	}
	y.Left, y.Agreed = newShare(y.Left.Count, y.Left.Of), newShare(y.Agreed.Count, y.Agreed.Of)
	if len(y.times) > 0 {
		y.MedianResponse = crowd.Median(y.times)
	}
}
