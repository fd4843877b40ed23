package report

import (
	"context"
	"fmt"
	"html/template"
	"slices"
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

// reading is how sure a study was after so many answers.
type reading struct {
	events     int // of the log, the last of them an answer
	answers    int
	confidence float64
}

// How many beginnings of a log are replayed: each takes a fit, which grows with the answers.
const (
	manyReadings = 40
	fewReadings  = 12
	quickAnswers = 150
)

// beginnings returns the beginnings of the log to be replayed, each ending in an answer of the rater (all if only is
// nil), skips, blind duels and practice aside: all of a short log, else evenly spread, the last included.
func beginnings(events []prefer.Event, only *string) []reading {
	var all, some []reading
	rater, aside := map[prefer.QuestionID]string{}, map[prefer.QuestionID]bool{}
	for i, e := range events {
		who := ""
		switch {
		case e.Asked != nil:
			rater[e.Asked.ID], aside[e.Asked.ID] = e.Asked.Rater, e.Asked.Blind != nil || e.Asked.Method == practice
			continue
		case e.Answered != nil && (aside[e.Answered.Question] || e.Answered.Answer.Choice == prefer.Skip):
			continue
		case e.Answered != nil:
			who = rater[e.Answered.Question]
		case e.Observed != nil:
			who = e.Observed.Duel.Rater
		default:
			continue
		}
		if only == nil || who == *only {
			all = append(all, reading{events: i + 1, answers: len(all) + 1})
		}
	}
	most := manyReadings
	if len(all) > quickAnswers {
		most = fewReadings
	}
	if len(all) <= most {
		return all
	}
	for k := 1; k <= most; k++ {
		some = append(some, all[k*len(all)/most-1])
	}
	return some
}

// replay fills in how sure the study was.
func replay(ctx context.Context, events []prefer.Event, rater string, list []reading, step func()) error {
	for i := range list {
		s, err := prefer.Open(ctx, slices.Clip(events[:list[i].events]), prefer.OpenOptions{})
		if err != nil {
			return err
		}
		best, err := s.Best(ctx, rater)
		if err != nil {
			return err
		}
		list[i].confidence = best.Confidence
		step()
	}
	return nil
}

// confidenceChart draws how sure the study was after each answer.
func confidenceChart(list []reading, target float64) template.HTML {
	const width, height, left, right = 480.0, 220.0, 48.0, 14.0
	const top, bottom = 12.0, 40.0
	last := list[len(list)-1]
	d := chart.New("", width, height, fmt.Sprintf("How sure the study was after each answer: %s after %s, %s after %s; a verdict needs %s",
		percent(list[0].confidence), plural(list[0].answers, "answer"), percent(last.confidence), plural(last.answers, "answer"), percent(target)))
	x := chart.NewScale(0, float64(last.answers), left, width-right)
	y := chart.NewScale(0, 1, height-bottom, top)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		d.Line("grid", left, y.At(v), width-right, y.At(v))
		d.Text("tick", "end", left-6, y.At(v)+4, percent(v))
	}
	for _, v := range x.Ticks(6) {
		if v == float64(int(v)) {
			d.Text("tick", "middle", x.At(v), height-bottom+18, tick(v))
		}
	}
	d.Text("soft", "middle", (left+width-right)/2, height-5, "answers")
	d.Line("mark", left, y.At(target), width-right, y.At(target))
	var line [][2]float64
	for _, r := range list {
		line = append(line, [2]float64{x.At(float64(r.answers)), y.At(r.confidence)})
	}
	d.Path("curve", false, line)
	for i, p := range line {
		d.Dot("dot small", p[0], p[1], 2.6, fmt.Sprintf("after %s: %s", plural(list[i].answers, "answer"), percent(list[i].confidence)))
	}
	return d.HTML()
}
