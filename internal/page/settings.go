//go:build !js

package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// SettingsForm is what an owner may change while the study runs, as it is.
type SettingsForm struct {
	Summary    string // in a line
	Prompt     string
	Budget     int
	Complete   string
	ShowResult bool
	Repeats    []Choice // how many questions are put twice
	Catch      []CatchLine
	CatchJSON  []live.Catch // as the service takes them
	CatchEvery int
	Fields     []TryField  // to make pairs of; none of a long list
	Languages  []Choice    // of raters' pages, by tags; an empty one for everybody's own
	Prompts    []NameValue // in each of the languages, by tags
}

// CatchLine is a pair with a known answer, in words.
type CatchLine struct{ Better, Worse string }

// ChangeLine is what was changed while the study ran.
type ChangeLine struct {
	Time  time.Time
	Words []string
}

// maxPairItems is the longest list that pairs with a known answer are made of on the page.
const maxPairItems = 500

// settingsForm returns what the owner may change.
func (v visitor) settingsForm() SettingsForm {
	c, page := v.Settings.Checks, v.Settings.Page
	out := SettingsForm{Prompt: v.Config.Prompt, Budget: v.Budget(), Complete: page.Complete, ShowResult: v.Settings.ShowResult, CatchJSON: append([]live.Catch{}, c.Catch...), CatchEvery: cmp.Or(c.CatchEvery, 10)}
	rates := []float64{0, 0.05, 0.1, 0.2}
	if !slices.Contains(rates, c.RepeatRate) {
		rates = append(rates, c.RepeatRate)
		slices.Sort(rates)
	}
	out.Repeats = xslices.Map(rates, func(rate float64) Choice { return Choice{fmt.Sprint(rate), repeats(rate), rate == c.RepeatRate} })
	out.Catch = xslices.Map(c.Catch, func(k live.Catch) CatchLine { return CatchLine{k.Better.String(), k.Worse.String()} })
	if items := v.Items(); len(items) <= maxPairItems {
		if len(items) > 0 {
			ids := xslices.Map(items, func(it space.Item) space.Value { return space.ValueOf(it.ID) })
			out.Fields = append(out.Fields, TryField{Name: "item", Value: ids[0], Choices: ids})
		}
		out.Fields = append(out.Fields, v.fields(v.favoured())...)
	}
	out.Languages = []Choice{{"", "everybody’s own", page.Language == ""}}
	for _, tag := range language.Tags() {
		out.Languages = append(out.Languages, Choice{tag, tag, tag == page.Language})
		out.Prompts = append(out.Prompts, NameValue{tag, page.Prompts[tag]})
	}
	out.Summary = strings.Join([]string{budgetWords(out.Budget), shownWords(out.ShowResult), repeatWords(c.RepeatRate), catchWords(len(c.Catch))}, " · ")
	return out
}

// repeats says how many questions are put twice.
func repeats(rate float64) string {
	switch {
	case rate == 0:
		return "none"
	case rate > 0.25:
		return fmt.Sprintf("%.0f\u00a0%%", 100*rate)
	}
	return fmt.Sprintf("one in %.0f", 1/rate)
}

func repeatWords(rate float64) string {
	if rate == 0 {
		return "no repeats"
	}
	return repeats(rate) + " questions twice"
}

func budgetWords(n int) string {
	if n == 0 {
		return "as many answers as it takes"
	}
	return say.Count(n, "answer") + " each"
}

func shownWords(shown bool) string {
	return map[bool]string{true: "people see the result", false: "only you see the result"}[shown]
}

func catchWords(n int) string {
	if n == 0 {
		return "no attention checks"
	}
	return say.Count(n, "pair") + " with a known answer"
}

// changes says what was changed while the study ran, the latest first.
func (v visitor) changes() (out []ChangeLine) {
	for _, a := range v.Alterations() {
		line := ChangeLine{Time: a.Time}
		say := func(changed bool, words string) {
			if changed {
				line.Words = append(line.Words, words)
			}
		}
		if p := a.Change.People; p != nil {
			say(true, map[prefer.People]string{prefer.Shared: "one favourite for everyone", prefer.PerRater: "one favourite per person"}[*p])
		}
		if n := a.Change.Budget; n != nil {
			say(true, budgetWords(*n))
		}
		if n := a.Change.Shortlist; n != nil {
			say(true, map[bool]string{true: fmt.Sprintf("looks for the top %d", *n), false: "looks for one favourite"}[*n > 0])
		}
		if text := a.Change.Prompt; text != nil {
			say(true, fmt.Sprintf("the question is “%s”", *text))
		}
		was, is := a.Was, a.Is
		say(was.ShowResult != is.ShowResult, shownWords(is.ShowResult))
		say(was.OwnDuels != is.OwnDuels, map[bool]string{true: "people may report duels of their own", false: "people report no duels of their own"}[is.OwnDuels])
		say(was.Checks.RepeatRate != is.Checks.RepeatRate, repeatWords(is.Checks.RepeatRate))
		say(was.Checks.MinRT != is.Checks.MinRT, fmt.Sprintf("answers within %d ms are refused", is.Checks.MinRT))
		say(fmt.Sprint(was.Checks.Catch) != fmt.Sprint(is.Checks.Catch), catchWords(len(is.Checks.Catch)))
		say(was.Checks.CatchEvery != is.Checks.CatchEvery, fmt.Sprintf("a known answer after every %d questions", cmp.Or(is.Checks.CatchEvery, 10)))
		say(was.Page.Complete != is.Page.Complete, "when done, people go to "+cmp.Or(is.Page.Complete, "nowhere"))
		say(was.Page.Language != is.Page.Language, "the language of the pages is "+cmp.Or(is.Page.Language, "everybody’s own"))
		for _, tag := range language.Tags() {
			text := fmt.Sprintf("the question in %s is “%s”", tag, is.Page.Prompts[tag])
			if is.Page.Prompts[tag] == "" {
				text = fmt.Sprintf("no question of its own in %s", tag)
			}
			say(was.Page.Prompts[tag] != is.Page.Prompts[tag], text)
		}
		say(fmt.Sprint(was.Page.Situations, was.Page.Words) != fmt.Sprint(is.Page.Situations, is.Page.Words), "what people read for situations and parameters")
		say(was.Page.Paused != is.Page.Paused, map[bool]string{true: "paused", false: "went on"}[is.Page.Paused])
		if len(line.Words) > 0 {
			line.Words[0] = strings.TrimSuffix(language.English().Sentence(line.Words[0]), ".")
			out = append(out, line)
		}
	}
	slices.Reverse(out)
	return out
}
