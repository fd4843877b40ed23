package report

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/internal/view"
)

// answerLine is one line of the path.
type answerLine struct {
	Number        int // of those that count; 0 of others
	Time, Rater   string
	First, Second string
	Left, Right   template.HTML // pictures of the first and the second
	Won           int           // 1, 2, or 0
	Odd           bool          // the others do not bear it out
	Said          string
	Note          string
	Response      string
	Undone        bool
}

// practice is the method of questions to practise on.
const practice = "practice"

// path lists the answers, those of one rater if only is not nil.
func path(s *prefer.Study, w presenter, only *string, odd map[prefer.AnswerID]float64) []answerLine {
	var out []answerLine
	for _, e := range s.History() {
		if only != nil && e.Rater != *only {
			continue
		}
		a := answerLine{
			Number: e.Number, Time: e.Time.UTC().Format("2 Jan 15:04:05"), Rater: e.Rater,
			First: w.Label(e.First), Second: w.Label(e.Second), Left: w.picture(e.First), Right: w.picture(e.Second), Odd: odd[e.ID] > 0, Said: said(e.Answer), Response: view.Seconds(e.Answer.ResponseTime), Undone: e.Undone,
		}
		a.Won = map[prefer.Choice]int{prefer.First: 1, prefer.Second: 2}[e.Answer.Choice]
		var notes []string
		q, _ := s.Question(e.Question)
		for _, n := range []struct {
			say  bool
			text string
		}{
			{e.Observed, "from elsewhere"}, {e.Method == "design", "to begin with"}, {e.Method == practice, "practice, not learned from"}, {q.RepeatOf != "", "again " + string(q.RepeatOf)},
			{q.Catch, "known answer"}, {e.Blind, "blind duel of the pick"}, {e.Answer.Check && e.Method != practice, "check, not learned from"}, {e.Answer.Swapped, "sides swapped"}, {e.Undone, "taken back"}, {odd[e.ID] > 0, "against the rest"},
		} {
			if n.say {
				notes = append(notes, n.text)
			}
		}
		a.Note = strings.Join(notes, ", ")
		out = append(out, a)
	}
	return out
}

// said writes an answer. Of a kind without a word of its own it is the name: "both bad".
func said(a prefer.Answer) string {
	text := string(a.Choice)
	for _, c := range prefer.Choices() {
		if c.Choice == a.Choice {
			text = c.Said
		}
	}
	switch a.Strength {
	case 0:
		return text
	case 1:
		return "clearly " + text
	}
	return fmt.Sprintf("%s, strength %d", text, a.Strength)
}

// How many moments of a study's past are read again: each takes a fit, which grows with the answers.
const (
	manyReadings = 40
	fewReadings  = 12
	quickAnswers = 150
)

// readings returns the moments that the report tells of.
func readings(events []prefer.Event, only *string) []timeline.Moment {
	if all := timeline.Moments(events, only, quickAnswers+1); len(all) > quickAnswers {
		return timeline.Moments(events, only, fewReadings)
	}
	return timeline.Moments(events, only, manyReadings)
}

// change is a pick of the past, from one answer on until the next.
type change struct {
	Words   string // since when
	Picture template.HTML
}

// maxChanges is how many picks of the past are shown.
const maxChanges = 12

// changes lists the picks as they changed, those with a picture; of many that many, the last included.
func changes(picks []view.PathPick, w presenter) (out []change) {
	for _, pick := range picks {
		if picture := w.picture(pick.Option); picture != "" {
			out = append(out, change{pick.Words, picture})
		}
	}
	return timeline.Spread(out, maxChanges)
}

// named gives those a name who have none.
func named(rater string) string { return cmp.Or(rater, "the rater") }

// biases says in words who looks careless, and whose choices of a side cannot be chance, at 95 %.
func biases(raters []prefer.Rater) []string {
	var out []string
	for _, r := range raters {
		leans := func(side string) string {
			return fmt.Sprintf("%s picks what is on the %s more often than chance explains.", named(r.Name), side)
		}
		switch {
		case r.Careless:
			out = append(out, fmt.Sprintf("%s looks careless: %s.", named(r.Name), r.Why))
		case r.Left.Of == 0:
		case r.Left.Low > 0.5:
			out = append(out, leans("left"))
		case r.Left.High < 0.5:
			out = append(out, leans("right"))
		}
	}
	return out
}
