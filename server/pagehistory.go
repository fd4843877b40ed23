package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server/page"
)

// past lists the latest answers, the newest first.
func (s *Server) past(v visitor, belief *prefer.Belief) ([]page.Past, error) {
	history := v.study.History()
	var out []page.Past
	for n := len(history) - 1; n >= 0 && len(out) < maxPast; n-- {
		e := history[n]
		p := page.Past{Number: n + 1, ID: string(e.ID), Rater: e.Rater, When: e.Time, Undone: e.Undone}
		first, second := e.First, e.Second
		win, lose := 1, 2
		if e.Answer.Swapped {
			first, second, win, lose = second, first, 2, 1
		}
		var err error
		if p.Left, err = s.onPage(v, first, "Left"); err != nil {
			return nil, err
		}
		if p.Right, err = s.onPage(v, second, "Right"); err != nil {
			return nil, err
		}
		switch e.Answer.Choice {
		case prefer.First:
			p.Won = win
		case prefer.Second:
			p.Won = lose
		}
		p.Choice = map[prefer.Choice]string{prefer.Tie: "Can’t tell", prefer.BothBad: "Both bad", prefer.Skip: "Skipped"}[e.Answer.Choice]
		if p.Won > 0 {
			p.Choice = []string{"", "The left one", "The right one"}[p.Won]
		}
		p.CanFlip = p.Won > 0 && !e.Observed
		p.Why = v.reason(e, first, second, belief)
		out = append(out, p)
	}
	return out, nil
}

// reason says why a question was asked, and what the study would expect today.
func (v visitor) reason(e prefer.Entry, left, right prefer.Option, belief *prefer.Belief) string {
	var q prefer.Question
	v.running.look(func(b *book) {
		if asked := b.questions[e.Question]; asked != nil {
			q = asked.question
		}
	})
	text := ""
	switch {
	case e.Observed:
		return "Nobody asked: this answer came from elsewhere."
	case q.Catch:
		return "A check of attention: its answer is known, and nothing was learned from it."
	case q.RepeatOf != "":
		return "A repeat of an earlier question with the sides exchanged, to see how steady the answers are."
	case q.Enqueued:
		text = "Somebody wanted one of the two tried."
	case q.Method == "design":
		text = "One of the first questions, which are spread evenly to get an overview."
	case q.Method == "kg":
		text = fmt.Sprintf("Of all pairs, the answer to this one was expected to improve the pick the most: by %.2g of the noise of one answer.", q.Value)
	default:
		text = fmt.Sprintf("The method %q chose it.", q.Method)
	}
	if p, err := belief.Prefers(left, right); err == nil {
		text += fmt.Sprintf(" Seen from today, the left one would be taken %.0f times in a hundred.", 100*p)
	}
	return text
}

// pageFlip turns an answer round: it is taken back, and told again the other way.
func (s *Server) pageFlip(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Answer string `json:"answer"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	history := v.study.History()
	at := slices.IndexFunc(history, func(e prefer.Entry) bool { return string(e.ID) == body.Answer && !e.Undone })
	if at < 0 {
		return fmt.Errorf("server: answer %.40q: %w", body.Answer, prefer.ErrNoAnswer)
	}
	e := history[at]
	a := e.Answer
	switch {
	case e.Observed:
		return refuse(http.StatusUnprocessableEntity, "invalid", "this answer came from elsewhere and cannot be turned round; remove it instead")
	case a.Choice == prefer.First:
		a.Choice = prefer.Second
	case a.Choice == prefer.Second:
		a.Choice = prefer.First
	default:
		return refuse(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("an answer %q has no other way round", a.Choice))
	}
	a.Key = ""
	ctx := context.WithoutCancel(r.Context()) // both halves or the first alone would surprise
	if err := v.study.Undo(ctx, e.ID); err != nil {
		return err
	}
	id, err := v.study.Tell(ctx, e.Question, a)
	if err != nil {
		return err
	}
	s.bell.ring(v.name, v.end(), "answered")
	s.afterAnswer(v.running, e.Rater)
	return s.reply(w, map[string]string{"answer_id": string(id)})
}
