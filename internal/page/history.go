package page

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// History is the part of the owner's result page with every answer, the newest first. It is fetched again when others are wanted.
type History struct {
	Frame
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
	Number  int // of those that count; 0 of others
	Place   int // among all
	ID      string
	Left    Shown
	Right   Shown
	Choice  string // in words
	Won     int    // 1 left, 2 right, 0 neither
	Rater   string
	Undone  bool
	CanFlip bool
	Why     string
	Note    string // what goes with it, in words
	Meta    string // and by name
	Odd     string // why it contradicts the rest
}

// Sizes of the history.
const (
	firstPast = 10
	morePast  = 50
	maxPast   = 2000
)

// history sends the answers that the query asks for.
func (p *Pages) history(w http.ResponseWriter, r *http.Request, v visitor, fixed space.Option) error {
	belief, err := v.belief(r.Context(), fixed)
	if err != nil {
		return err
	}
	return p.write(w, http.StatusOK, v.origins(), *p.past(v, belief, r.URL.Query()))
}

// past lists answers, the newest first, in a study per rater those of one rater. Of the query, who says whose, kind which and n how many.
func (p *Pages) past(v visitor, belief *prefer.Belief, q url.Values) *History {
	odd := belief.Contradictions()
	out := &History{Frame: p.frame(v, "", "result"), Shown: firstPast + morePast, Keep: keep(q)}
	most, who, kind := firstPast, q.Get("who"), q.Get("kind")
	if n, err := strconv.Atoi(q.Get("n")); err == nil {
		most = min(max(n, firstPast), maxPast)
		out.Shown = most + morePast
	}
	kinds := [][2]string{{"", "history.all"}, {"odd", "history.odd"}, {"tie", "choice.tie"}, {"bad", "choice.both_bad"},
		{"skip", "history.skipped"}, {"undone", "history.undone"}}
	out.Kinds = xslices.Map(kinds, func(k [2]string) Choice { return Choice{k[0], v.Lang.T(k[1]), k[0] == kind} })
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
		past := Past{Number: e.Number, Place: n + 1, ID: string(e.ID), Rater: cmp.Or(v.names[live.PersonOf(e.Rater)], e.Rater), Undone: e.Undone, Left: p.onPage(v, left, ""), Right: p.onPage(v, right, ""),
			Choice: v.said(e.Answer, won), Won: won, CanFlip: won > 0 && !e.Observed, Why: v.reason(e, left, right, belief), Note: e.Answer.Note, Meta: e.Answer.Meta.String()}
		if isOdd {
			past.Odd = v.Lang.T("history.odd.why", "chance", sentence.Percent(chance))
		}
		out.List = append(out.List, past)
	}
	if len(people) > 1 {
		out.Raters = append(out.Raters, Choice{"", v.Lang.T("history.everybody"), who == ""})
		names := xslices.Map(slices.Sorted(maps.Keys(people)), v.called)
		out.Raters = append(out.Raters, xslices.Map(names, func(name string) Choice { return Choice{name, name, who == name} })...)
	}
	return out
}

// wanted tells whether an answer is of a kind that was asked for.
func wanted(e prefer.Entry, kind string, odd bool) bool {
	c := e.Answer.Choice
	is, named := map[string]bool{"odd": odd, "tie": c == prefer.Tie, "bad": c == prefer.BothBad, "skip": c == prefer.Skip, "undone": e.Undone}[kind]
	return is || !named
}

// said writes an answer; won is the side that was taken, 0 for none.
func (v visitor) said(a prefer.Answer, won int) string {
	side := [...]string{"", "left", "right"}[won]
	switch {
	case a.Choice == prefer.Skip:
		return v.Lang.T("history.skipped")
	case won == 0:
		return v.Lang.T("choice." + string(a.Choice))
	case a.Strength == 1:
		return v.Lang.T("history." + side + ".clearly")
	case a.Strength > 1:
		return v.Lang.T("history."+side+".strength", "n", a.Strength)
	}
	return v.Lang.T("history." + side)
}

// worthless is the knowledge gradient, in units of the noise, below which no single answer to a question about a list was expected to change the pick.
const worthless = 1e-9

// reason says why a question was asked, and what the study would expect today.
func (v visitor) reason(e prefer.Entry, left, right space.Option, belief *prefer.Belief) string {
	q, _ := v.Study.Study.Question(e.Question)
	text := v.Lang.T("why.method", "method", q.Method)
	switch {
	case e.Observed:
		return v.Lang.T("why.elsewhere")
	case q.Catch:
		return v.Lang.T("why.catch")
	case q.Method == "practice":
		return v.Lang.T("why.practice")
	case q.Blind != nil:
		return v.Lang.T("why.blind")
	case q.RepeatOf != "":
		return v.Lang.T("why.repeat")
	case q.Enqueued:
		text = v.Lang.T("why.enqueued")
	case q.Method == "kg" && len(v.Items()) > 0 && q.Value < worthless:
		text = v.Lang.T("why.several")
	case slices.Contains([]string{"design", "neighbour", "shortlist", "kg"}, q.Method):
		text = v.Lang.T("why." + q.Method)
	}
	today := ""
	if p, err := belief.Prefers(left, right); err == nil {
		today = v.Lang.T("why.today", "n", hundredths(p))
	}
	return v.Lang.Sentences(text, today)
}

// flip undoes an answer of the owner's choice and tells it the other way round.
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
