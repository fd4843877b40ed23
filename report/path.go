package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
)

// answerLine is one line of the path.
type answerLine struct {
	Number        int
	Time, Rater   string
	First, Second string
	Won           int // 1, 2, or 0
	Said          string
	Note          string
	Response      string
	Undone        bool
}

// practice is the method of questions to practise on.
const practice = "practice"

// path lists the answers, those of one rater if only is not nil.
func path(s *prefer.Study, w presenter, only *string) []answerLine {
	questions := map[prefer.QuestionID]prefer.Question{}
	for _, e := range s.Events() {
		if e.Asked != nil {
			questions[e.Asked.ID] = *e.Asked
		}
	}
	var out []answerLine
	for i, e := range s.History() {
		if only != nil && e.Rater != *only {
			continue
		}
		a := answerLine{
			Number: i + 1, Time: e.Time.UTC().Format("2 Jan 15:04:05"), Rater: e.Rater,
			First: w.words(e.First), Second: w.words(e.Second), Said: said(e.Answer), Response: seconds(e.Answer.ResponseTime), Undone: e.Undone,
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
			{q.Catch, "known answer"}, {e.Blind, "blind duel of the pick"}, {e.Answer.Check && e.Method != practice, "check, not learned from"}, {e.Answer.Swapped, "sides swapped"}, {e.Undone, "taken back"},
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
func readings(events []prefer.Event, only *string) []prefer.Reading {
	if all := prefer.Readings(events, only, quickAnswers+1); len(all) > quickAnswers {
		return prefer.Readings(events, only, fewReadings)
	}
	return prefer.Readings(events, only, manyReadings)
}

// confidenceChart draws how sure the study was after each answer.
func confidenceChart(list []prefer.Reading, target float64) template.HTML {
	first, last := list[0], list[len(list)-1]
	return chart.Sureness{List: list, Target: target, Axis: "answers",
		Say: func(r prefer.Reading) string {
			return fmt.Sprintf("after %s: %s", plural(r.Answers, "answer"), percent(r.Confidence))
		},
		Label: fmt.Sprintf("How sure the study was after each answer: %s after %s, %s after %s; a verdict needs %s",
			percent(first.Confidence), plural(first.Answers, "answer"), percent(last.Confidence), plural(last.Answers, "answer"), percent(target))}.HTML()
}
