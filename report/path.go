package report

import (
	"context"
	"fmt"
	"html/template"
	"maps"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/say"
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
	questions := map[prefer.QuestionID]prefer.Question{}
	for _, e := range s.Events(0) {
		if e.Asked != nil {
			questions[e.Asked.ID] = *e.Asked
		}
	}
	var out []answerLine
	for _, e := range s.History() {
		if only != nil && e.Rater != *only {
			continue
		}
		a := answerLine{
			Number: e.Number, Time: e.Time.UTC().Format("2 Jan 15:04:05"), Rater: e.Rater,
			First: w.words(e.First), Second: w.words(e.Second), Left: w.picture(e.First), Right: w.picture(e.Second), Odd: odd[e.ID] > 0, Said: said(e.Answer), Response: seconds(e.Answer.ResponseTime), Undone: e.Undone,
		}
		switch e.Answer.Choice {
		case prefer.First:
			a.Won = 1
		case prefer.Second:
			a.Won = 2
		}
		var notes []string
		q := questions[e.Question]
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
func changes(list []timeline.Moment, w presenter) (out []change) {
	var all []change
	for i, r := range list {
		if i == 0 || !maps.Equal(r.Best, list[i-1].Best) {
			if picture := w.picture(r.Best); picture != "" {
				all = append(all, change{dictionary("path.after", "n", r.Answers), picture})
			}
		}
	}
	for k := 1; k <= maxChanges && len(all) > maxChanges; k++ {
		out = append(out, all[k*len(all)/maxChanges-1])
	}
	if out != nil {
		return out
	}
	return all
}

// contradicting returns which answers the others do not bear out.
func contradicting(ctx context.Context, s *prefer.Study, l prefer.Look) (map[prefer.AnswerID]float64, error) {
	b, err := s.Belief(ctx, l)
	if err != nil {
		return nil, err
	}
	return b.Contradictions(), nil
}

// confidenceChart draws how sure the study was after each answer.
func confidenceChart(list []timeline.Moment, target float64) template.HTML {
	first, last := list[0], list[len(list)-1]
	return chart.Sureness{List: list, Target: target, Axis: "answers",
		Say: func(r timeline.Moment) string {
			return fmt.Sprintf("after %s: %s", say.Count(r.Answers, "answer"), say.Percent(r.Confidence))
		},
		Label: fmt.Sprintf("How sure the study was after each answer: %s after %s, %s after %s; a verdict needs %s",
			say.Percent(first.Confidence), say.Count(first.Answers, "answer"), say.Percent(last.Confidence), say.Count(last.Answers, "answer"), say.Percent(target))}.HTML()
}
