package page

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/live"
)

// History is the part of the owner's result page with every answer, the newest first. It is fetched again when others are wanted.
type History struct {
	Kinds  []Choice // which answers can be asked for
	Raters []Choice // of whom; none where there is one
	Keep   []NameValue
	List   []Past
	Shown  int // of the answers there are, with the next button
	More   int // that are not shown
	Odd    int // that contradict the rest, of all
}

// Choice is one of a list to choose from.
type Choice struct {
	Value, Words string
	Chosen       bool
}

// Past is one answer of the history.
type Past struct {
	Number  int
	ID      string
	Left    Shown
	Right   Shown
	Choice  string // in words
	Won     int    // 1 left, 2 right, 0 neither
	Rater   string
	Undone  bool
	CanFlip bool
	Why     string
	Odd     string // why it contradicts the rest
}

// Sizes of the history.
const (
	firstPast = 10
	morePast  = 50
	maxPast   = 2000
)

// pastKinds are the answers that can be asked for.
var pastKinds = []Choice{{Value: "", Words: "All answers"}, {Value: "odd", Words: "Against the rest"}, {Value: "tie", Words: "Can’t tell"}, {Value: "bad", Words: "Both bad"},
	{Value: "skip", Words: "Skipped"}, {Value: "undone", Words: "Taken back"}}

// history sends the answers that the query asks for.
func (p *Pages) history(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx, q := r.Context(), r.URL.Query()
	fixed, err := v.under(r)
	if err != nil {
		return err
	}
	if q.Has("rater") && v.Config.People == prefer.PerRater {
		if err := v.lookAt(ctx, q.Get("rater")); err != nil {
			return err
		}
	}
	belief, err := v.belief(ctx, fixed)
	if err != nil {
		return err
	}
	view, err := p.past(ctx, v, belief, fixed, q)
	if err != nil {
		return err
	}
	return p.write(w, http.StatusOK, v.origins(), *view)
}

// past lists answers, the newest first: in a study per rater those of whom the visitor looks at. Of the query, who are whose, kind which and n how
// many.
func (p *Pages) past(ctx context.Context, v visitor, belief *prefer.Belief, fixed prefer.Option, q url.Values) (*History, error) {
	odd := map[prefer.AnswerID]float64{}
	list, err := v.Study.Study.Contradictions(ctx, prefer.Look{Rater: v.Utility(v.rater), Fixed: fixed})
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		odd[c.Answer] = c.Chance
	}
	out := &History{Shown: firstPast + morePast}
	most, who, kind := firstPast, q.Get("who"), q.Get("kind")
	if n, err := strconv.Atoi(q.Get("n")); err == nil {
		most = min(max(n, firstPast), maxPast)
		out.Shown = most + morePast
	}
	for _, k := range pastKinds {
		k.Chosen = k.Value == kind
		out.Kinds = append(out.Kinds, k)
	}
	for _, name := range []string{"rater", "fixed"} {
		if q.Has(name) {
			out.Keep = append(out.Keep, NameValue{name, q.Get(name)})
		}
	}
	people := map[string]bool{}
	history := v.Study.Study.History()
	for n, e := range slices.Backward(history) {
		person := live.PersonOf(e.Rater)
		if v.Config.People == prefer.PerRater && person != v.rater {
			continue
		}
		people[person] = true
		chance, isOdd := odd[e.ID]
		if isOdd {
			out.Odd++
		}
		if who != "" && v.called(person) != who || !wanted(e, kind, isOdd) {
			continue
		}
		if len(out.List) == most {
			out.More++
			continue
		}
		left, right, win, lose := e.First, e.Second, 1, 2
		if e.Answer.Swapped {
			left, right, win, lose = right, left, 2, 1
		}
		won := map[prefer.Choice]int{prefer.First: win, prefer.Second: lose}[e.Answer.Choice]
		past := Past{Number: n + 1, ID: string(e.ID), Rater: cmp.Or(v.names[live.PersonOf(e.Rater)], e.Rater), Undone: e.Undone, Left: p.onPage(v, left, ""), Right: p.onPage(v, right, ""),
			Choice: said(e.Answer, won), Won: won, CanFlip: won > 0 && !e.Observed, Why: v.reason(e, left, right, belief)}
		if isOdd {
			past.Odd = fmt.Sprintf("Against the rest: by all other answers, this one had a chance of %s.", chart.Percent(chance))
		}
		out.List = append(out.List, past)
	}
	if len(people) > 1 {
		out.Raters = append(out.Raters, Choice{"", "Everybody", who == ""})
		for _, name := range slices.Sorted(maps.Keys(people)) {
			out.Raters = append(out.Raters, Choice{v.called(name), v.called(name), who == v.called(name)})
		}
	}
	return out, nil
}

// wanted tells whether an answer is of a kind that was asked for.
func wanted(e prefer.Entry, kind string, odd bool) bool {
	switch kind {
	case "odd":
		return odd
	case "tie":
		return e.Answer.Choice == prefer.Tie
	case "bad":
		return e.Answer.Choice == prefer.BothBad
	case "skip":
		return e.Answer.Choice == prefer.Skip
	case "undone":
		return e.Undone
	}
	return true
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
