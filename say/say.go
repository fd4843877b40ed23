// Package say puts results of a study into words, in eight languages:
//
//	verdict, err := study.Verdict(ctx, prefer.Look{Rater: "ann"})
//	words := say.In("de")
//	fmt.Println(words.Headline(verdict, ""), words.Claim(verdict), words.More(verdict))
//
// The texts are those of the page (internal/language/words). Progress, Assumptions, Rater, Weight and Tolerance have no translations yet and are
// English in every language.
package say

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sentence"
)

// Words says results in one language. The zero value says them in English.
type Words struct{ lang language.Language }

// In returns the words of a language by its BCP 47 tag, such as "de" or "pt-BR"; English if prefer does not have the language.
func In(tag string) Words {
	lang, _ := language.Of(tag)
	return Words{lang}
}

func (w Words) text(t sentence.Text) string { return w.lang.T(t.Key, t.Places...) }

// probability writes a probability as a percentage; 0% and 100% are for what is certain.
func (w Words) probability(p float64) string { return w.lang.Percent(float64(sentence.Hundredths(p))) }

// Importance says what is known of one parameter: "lower sugar wins".
func (w Words) Importance(i prefer.Importance) string {
	return w.text(sentence.Importance(i.Kind, i.Parameter, i.At))
}

// Blind says the outcome of blind duels.
func (w Words) Blind(c prefer.BlindCheck) string {
	return w.text(sentence.Blind(c.Kind, c.Won, c.Of, c.Tied, c.Low, c.High))
}

// Ranked says at which places of a list an item may be: "place 1 to 4, shown 7 times".
func (w Words) Ranked(r prefer.Ranked) string {
	place, shown := w.lang.T("rank.places", "low", r.Low, "high", r.High), w.lang.T("rank.shown", "n", r.Shown)
	if r.Low == r.High {
		place = w.lang.T("rank.place", "place", r.Low)
	}
	if r.Shown == 0 {
		shown = w.lang.T("rank.never")
	}
	return w.lang.T("rank.words", "place", place, "shown", shown)
}

const (
	fewPredictions = 5   // of fewer, the calibration says nothing
	miscalibrated  = 2.5 // standard deviations of the score beyond which predictions are called off
)

// Calibration says how many predictions were right, and whether that is as expected. It is empty where there are few predictions.
func (w Words) Calibration(f prefer.Calibration) string {
	key := "forecast.expected"
	switch {
	case f.Of < fewPredictions:
		return ""
	case f.Score < -miscalibrated:
		key = "forecast.fewer"
	case f.Score > miscalibrated:
		key = "forecast.more"
	}
	return w.lang.T(key, "n", f.Right, "of", f.Of)
}

// Count writes a number of things in English: "1 answer", "2 answers", "3 people".
func Count(n int, thing string) string { return sentence.Count(n, thing) }

// Progress says in one line under a question how far the study is, towards the budget if there is one. It is English in every language.
func (Words) Progress(v prefer.Verdict) string {
	given, more := sentence.Count(v.Given, "answer"), ""
	switch v.Left[1] {
	case 0:
	case v.Left[0]:
		more = fmt.Sprintf(", about %d more", v.Left[1])
	default:
		more = fmt.Sprintf(", about %d to %d more", v.Left[0], v.Left[1])
	}
	switch {
	case v.Kind.Done():
		headline := Words{}.Headline(v, "")
		return given + ": " + strings.ToLower(headline[:1]) + headline[1:]
	case v.Budget > 0:
		given, more = fmt.Sprintf("%d of %s", v.Given, sentence.Count(v.Budget, "answer")), ""
	case v.Late:
		more += "; this study takes longer than most"
	}
	if v.Shortlist != nil {
		return fmt.Sprintf("%s: %d%% sure of the top %d so far%s", given, sentence.Hundredths(v.ShortlistSure), len(v.Shortlist), more)
	}
	if v.Best.Beats < 0.6 {
		return given + ": exploring" + more
	}
	n, others := sentence.Beats(v.Best.Beats, sentence.Listed(v.Best.TopShare, v.Items))
	if others == 0 {
		return fmt.Sprintf("%s: better than about %d%% of all options so far%s", given, n, more)
	}
	return fmt.Sprintf("%s: better than about %d of the other %d so far%s", given, n, others, more)
}

// Assumptions says what the claim of a verdict means. It is English in every language.
func (Words) Assumptions() string {
	return "The share of options that the pick beats is an estimate from the answers; in simulations with smooth and with rugged tastes it was right on average. " +
		"It is about these raters, not about people in general."
}

// Tolerance says what a tolerance is, as the object of a sentence. It is English in every language.
func (Words) Tolerance(t prefer.Tolerance) string {
	var parts []string
	if t.Noise != 0 {
		parts = append(parts, fmt.Sprintf("a difference that is noticed %d times in 100", sentence.Hundredths(normal.CDF(t.Noise))))
	}
	if t.Share != 0 {
		parts = append(parts, fmt.Sprintf("%.3g%% of what the best option gains over one at random", 100*t.Share))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Steps)) {
		parts = append(parts, fmt.Sprintf("the effect of %v of %s at the best option", t.Steps[name], name))
	}
	switch len(parts) {
	case 0, 1:
		return strings.Join(parts, "")
	case 2:
		return "the larger of " + sentence.List(parts)
	}
	return "the largest of " + sentence.List(parts)
}

const (
	fewAnswers = crowd.CarelessAnswers // of fewer answers nobody can tell how reliable they are
	manyClear  = 12                    // preferences from which on it is a habit to call them all clear
)

// Rater says how reliable a rater's answers are, and warns of habits that are not taste. It is English in every language.
func (w Words) Rater(r prefer.Rater) (words string, warn bool) {
	words, warn = w.rater(r)
	switch {
	case r.Position != nil && words == "":
		words = "position bias " + r.Position.String()
	case r.Position != nil:
		words += ", position bias " + r.Position.String()
	case words == "":
		words = "nothing odd about the answers"
	}
	return words, warn
}

// rater is Rater without position bias, empty where there is nothing to say.
func (w Words) rater(r prefer.Rater) (words string, warn bool) {
	switch weight := w.Weight(r); {
	case r.Careless:
		return "looks careless: " + r.Why, true
	case r.FollowsOrder:
		return "follows the order in which options are shown", true
	case r.Clear >= manyClear && r.Clear == r.Left.Of:
		return "calls every preference clear", true
	case r.Answers < fewAnswers:
		return "too early to say how consistent", false
	case weight != "" && !r.Out:
		return weight, false
	}
	return "", false
}

// Weight says how much a rater's answers count against those of a usual rater. It is empty where nobody can tell, and English in every language.
func (Words) Weight(r prefer.Rater) string {
	switch {
	case r.Out:
		return "left out"
	case r.Noise == 0:
		return ""
	}
	weight := 1 / (r.Noise * r.Noise)
	for _, c := range []struct {
		least float64
		words string
	}{{1.5, "counts for more than most"}, {0.83, "counts in full"}, {0.58, "counts about two thirds as much"}, {0.42, "counts about half as much"}, {0.29, "counts about a third as much"},
		{0.2, "counts about a quarter as much"}, {0.08, "counts for little"}} {
		if weight >= c.least {
			return c.words
		}
	}
	return "hardly counts"
}
