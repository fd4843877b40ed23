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
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/sentence"
)

// Words says results in one language. The zero value says them in English.
type Words struct{ lang language.Language }

// In returns the words of a language by its BCP 47 tag, such as "de" or "pt-BR"; English if prefer does not have the language.
func In(tag string) Words {
	lang, _ := language.Of(tag)
	return Words{lang}
}

// text says a sentence in the language.
func (w Words) text(t sentence.Text) string { return w.lang.T(t.Key, t.Places...) }

// probability writes a probability as a percentage; 0 % and 100 % are for what is certain.
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
	key := "foretold.expected"
	switch {
	case f.Of < fewPredictions:
		return ""
	case f.Score < -miscalibrated:
		key = "foretold.fewer"
	case f.Score > miscalibrated:
		key = "foretold.more"
	}
	return w.lang.T(key, "n", f.Right, "of", f.Of)
}
