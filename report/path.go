package report

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
)

// asked is one line of the path.
type asked struct {
	Number        int
	Time, Rater   string
	First, Second string
	Won           int // 1, 2, or 0
	Said          string
	Note          string
	Response      string
	Undone        bool
}

// path lists the answers, those of one rater if only is not nil.
func path(s *prefer.Study, w shower, o Options, only *string) []asked {
	questions := map[prefer.QuestionID]prefer.Question{}
	for _, e := range s.Events() {
		if e.Asked != nil {
			questions[e.Asked.ID] = *e.Asked
		}
	}
	var out []asked
	for i, e := range s.History() {
		if only != nil && e.Rater != *only {
			continue
		}
		a := asked{
			Number: i + 1, Time: e.Time.In(o.Zone).Format("2 Jan 15:04:05"), Rater: e.Rater, First: w.words(e.First), Second: w.words(e.Second),
			Said: said(e.Answer), Response: seconds(e.Answer.ResponseTime), Undone: e.Undone,
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
			{e.Observed, "from elsewhere"}, {e.Method == "design", "to begin with"}, {q.RepeatOf != "", "again " + string(q.RepeatOf)},
			{q.Catch, "known answer"}, {e.Answer.Check, "check, not learned from"}, {e.Answer.Swapped, "sides swapped"}, {e.Undone, "taken back"},
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

// said writes an answer.
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
	answers    int
	confidence float64
}

// How many prefixes of a log are replayed: each takes a fit, which grows with the answers.
const (
	manyReadings = 40
	fewReadings  = 12
	quickAnswers = 150
)

// prefixes returns the lengths of the beginnings of the log to be replayed, each ending in an answer of the rater (all if
// only is nil), and the number of answers in each: all of a short log, else evenly spread, the last included.
func prefixes(events []prefer.Event, only *string) (lengths, answers []int) {
	rater := map[prefer.QuestionID]string{}
	for i, e := range events {
		who := ""
		switch {
		case e.Asked != nil:
			rater[e.Asked.ID] = e.Asked.Rater
			continue
		case e.Answered != nil:
			who = rater[e.Answered.Question]
		case e.Observed != nil:
			who = e.Observed.Duel.Rater
		default:
			continue
		}
		if only == nil || who == *only {
			lengths, answers = append(lengths, i+1), append(answers, len(answers)+1)
		}
	}
	n, most := len(lengths), manyReadings
	if n > quickAnswers {
		most = fewReadings
	}
	if n <= most {
		return lengths, answers
	}
	var at, count []int
	for k := 1; k <= most; k++ {
		i := k*n/most - 1
		at, count = append(at, lengths[i]), append(count, answers[i])
	}
	return at, count
}

// readings replays the beginnings of the log.
func readings(ctx context.Context, events []prefer.Event, rater string, lengths, answers []int, step func()) ([]reading, error) {
	var out []reading
	for i, n := range lengths {
		s, err := prefer.Open(ctx, slices.Clip(events[:n]), prefer.OpenOptions{})
		if err != nil {
			return nil, err
		}
		best, err := s.Best(ctx, rater)
		if err != nil {
			return nil, err
		}
		out = append(out, reading{answers[i], best.Confidence})
		step()
	}
	return out, nil
}

// confidenceChart draws how sure the study was after each answer.
func confidenceChart(list []reading, target float64) template.HTML {
	const width, height, left, right = 480.0, 220.0, 48.0, 14.0
	const top, bottom = 12.0, 40.0
	last := list[len(list)-1]
	d := newDrawing(width, height, fmt.Sprintf("How sure the study was after each answer: %s after %s, %s after %s; a verdict needs %s",
		percent(list[0].confidence), plural(list[0].answers, "answer"), percent(last.confidence), plural(last.answers, "answer"), percent(target)))
	x := newScale(0, float64(last.answers), left, width-right)
	y := newScale(0, 1, height-bottom, top)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		d.line("grid", left, y.at(v), width-right, y.at(v))
		d.text("tick", "end", left-6, y.at(v)+4, percent(v))
	}
	for _, v := range x.ticks(6) {
		if v == float64(int(v)) {
			d.text("tick", "middle", x.at(v), height-bottom+18, tick(v))
		}
	}
	d.text("soft", "middle", (left+width-right)/2, height-5, "answers")
	d.line("mark", left, y.at(target), width-right, y.at(target))
	var line [][2]float64
	for _, r := range list {
		line = append(line, [2]float64{x.at(float64(r.answers)), y.at(r.confidence)})
	}
	d.path("curve", false, line)
	for i, p := range line {
		d.dot("dot small", p[0], p[1], 2.6, fmt.Sprintf("after %s: %s", plural(list[i].answers, "answer"), percent(list[i].confidence)))
	}
	return d.done()
}
