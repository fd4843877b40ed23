package page

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// past lists the latest answers, the newest first: in a study per rater those of whom the visitor looks at.
func (p *Pages) past(v visitor, belief *prefer.Belief) (out []Past) {
	history := v.Study.Study.History()
	for n := len(history) - 1; n >= 0 && len(out) < maxPast; n-- {
		e := history[n]
		if v.Config.People == prefer.PerRater && live.PersonOf(e.Rater) != v.rater {
			continue
		}
		left, right, win, lose := e.First, e.Second, 1, 2
		if e.Answer.Swapped {
			left, right, win, lose = right, left, 2, 1
		}
		won := map[prefer.Choice]int{prefer.First: win, prefer.Second: lose}[e.Answer.Choice]
		out = append(out, Past{
			Number: n + 1, ID: string(e.ID), Rater: cmp.Or(v.names[live.PersonOf(e.Rater)], e.Rater), Undone: e.Undone, Left: p.onPage(v, left, ""), Right: p.onPage(v, right, ""),
			Choice: said(e.Answer, won), Won: won, CanFlip: won > 0 && !e.Observed, Why: v.reason(e, left, right, belief),
		})
	}
	return out
}

// said writes an answer; won is the side that was taken, 0 for none.
func said(a prefer.Answer, won int) string {
	if won > 0 {
		text := []string{"The left one", "The right one"}[won-1]
		switch {
		case a.Strength == 1:
			text += ", clearly"
		case a.Strength > 1:
			text += fmt.Sprintf(", strength %d", a.Strength)
		}
		return text
	}
	for _, k := range prefer.Choices() {
		if k.Choice == a.Choice {
			return strings.ToUpper(k.Said[:1]) + k.Said[1:]
		}
	}
	return string(a.Choice)
}

// reason says why a question was asked, and what the study would expect today.
func (v visitor) reason(e prefer.Entry, left, right prefer.Option, belief *prefer.Belief) string {
	q, _ := v.Study.Study.Question(e.Question)
	text := ""
	switch {
	case e.Observed:
		return "Nobody asked: this answer came from elsewhere."
	case q.Catch:
		return "A check of attention: its answer is known, and nothing was learned from it."
	case q.Method == "practice":
		return "A question to practise on: nothing was learned from it."
	case q.Blind != nil:
		return "A blind duel of what was the pick then: nothing was learned from it."
	case q.RepeatOf != "":
		return "A repeat of an earlier question with the sides exchanged, to see how steady the answers are."
	case q.Enqueued:
		text = "Somebody wanted one of the two tried."
	case q.Method == "design":
		text = "One of the first questions, which are spread evenly to get an overview."
	case q.Method == "kg":
		text = "Of all pairs, the answer to this one was expected to improve the pick the most."
	default:
		text = fmt.Sprintf("The method %q chose it.", q.Method)
	}
	if p, err := belief.Prefers(left, right); err == nil {
		text += fmt.Sprintf(" Seen from today, the left one would be taken %.0f times in a hundred.", 100*p)
	}
	return text
}

// flip turns an answer round, for the owner: it is taken back, and told again the other way. An answer that has no other
// way round, or came from elsewhere, is refused.
func (p *Pages) flip(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Answer prefer.AnswerID `json:"answer"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	id, err := p.Studies.Flip(r.Context(), v.Name, body.Answer)
	if err != nil {
		return err
	}
	return reply(w, map[string]prefer.AnswerID{"answer_id": id})
}
