package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server/page"
)

// Sizes of the result page.
const (
	sliceSteps = 41 // points of a curve
	mapSteps   = 21 // cells of a map, each way
	topItems   = 10 // items of a ranking
	maxPast    = 200

	randomOptions = 128 // that the pick is compared with
)

func (s *Server) pageResult(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.who.owner && !v.settings.ShowResult {
		return refuse(http.StatusForbidden, "result_hidden", "The result of this study is not shown to those who answer. Thank you for your answers.")
	}
	ctx := r.Context()
	look, err := v.look()
	if err != nil {
		return err
	}
	verdict, err := s.verdict(ctx, v.running, v.who.rater)
	if err != nil {
		return err
	}
	belief, err := v.beliefOf(ctx)
	if err != nil {
		return err
	}
	view := page.Result{Frame: s.frame(v, "Result of "+v.name, "result"), Look: look, Verdict: verdict,
		Percent: int(math.Round(100 * verdict.Best.Confidence)), Headline: headline(verdict.Kind, v.status(v.who.rater).Answers)}
	view.Answers = v.status(v.who.rater).Answers
	view.Beats = int(math.Round(100 * v.beats(belief, verdict.Best.Option)))
	view.More = more(verdict)
	if view.Pick, err = s.onPage(v, verdict.Best.Option, ""); err != nil {
		return err
	}
	if rival := verdict.Best.Rival; rival != nil {
		shown, err := s.onPage(v, rival, fmt.Sprintf("The strongest of those that are quite different. The chance that it, or another far from the pick, is as good to the eye: %.0f %%.", 100*verdict.Best.RivalClose))
		if err != nil {
			return err
		}
		view.Rival = &shown
	}
	if view.Lines, err = v.lines(belief, verdict.Best.Option); err != nil {
		return err
	}
	if v.study.Items() != nil {
		if view.Ranking, err = s.ranking(v, belief); err != nil {
			return err
		}
	} else if err := v.drawMap(&view, belief, r.URL.Query().Get("x"), r.URL.Query().Get("y")); err != nil {
		return err
	}
	if v.who.owner {
		if view.History, err = s.past(ctx, v, belief); err != nil {
			return err
		}
	}
	return s.write(w, http.StatusOK, v.origins(), view)
}

// more says in a sentence whether to go on.
func more(v prefer.Verdict) string {
	switch {
	case v.Kind == prefer.PracticalTie:
		return "More answers would change little: the runner-up below is as good to the eye."
	case v.Kind == prefer.ClearWinner:
		return "More answers would change little."
	}
	return fmt.Sprintf("A good direction. About %d to %d more answers would make sure of the details.", v.Left[0], v.Left[1])
}

func headline(kind prefer.VerdictKind, answers int) string {
	switch {
	case answers == 0:
		return "Nothing is known yet"
	case kind == prefer.ClearWinner:
		return "This is your favourite"
	case kind == prefer.PracticalTie:
		return "A favourite, and one as good"
	}
	return "Your favourite so far"
}

// beats returns how often, on average, the pick would be taken over an option drawn at random.
func (v visitor) beats(belief *prefer.Belief, best prefer.Option) float64 {
	rng := rand.New(rand.NewPCG(v.cfg.Seed, 1))
	sum, n := 0.0, 0
	for range randomOptions {
		if p, err := belief.Prefers(best, v.random(rng)); err == nil { // a constraint may forbid it
			sum += p
			n++
		}
	}
	return sum / float64(max(1, n))
}

// random draws an option evenly, constraints aside.
func (v visitor) random(rng *rand.Rand) prefer.Option {
	if items := v.study.Items(); items != nil {
		return prefer.ItemOption(items[rng.IntN(len(items))].ID)
	}
	o := prefer.Option{}
	for _, p := range v.cfg.Space.Parameters {
		at := rng.Float64()
		switch {
		case len(p.Choices) > 0:
			o[p.Name] = p.Choices[int(at*float64(len(p.Choices)))]
		case p.Type == "bool":
			o[p.Name] = prefer.Bool(at < 0.5)
		case p.Type == "int":
			step := max(1, p.Step)
			o[p.Name] = prefer.Number(p.Low + step*math.Floor(at*(1+math.Floor((p.High-p.Low)/step))))
		case p.Log:
			o[p.Name] = prefer.Number(min(p.High, p.Low*math.Pow(p.High/p.Low, at))) // rounding must not leave the range
		default:
			o[p.Name] = prefer.Number(min(p.High, p.Low+at*(p.High-p.Low)))
		}
	}
	return o
}

// onPage makes an option ready for a page, in the form in which questions bring it.
func (s *Server) onPage(v visitor, o prefer.Option, label string) (page.Shown, error) {
	var shown Shown
	v.running.look(func(*book) { shown = s.shown(v.running, "", o) })
	text, err := page.JSON(shown)
	if err != nil {
		return page.Shown{}, err
	}
	out := page.Shown{Label: label, JSON: text}
	if out.Text, err = page.JSON(o); err != nil {
		return out, err
	}
	if shown.Item != nil {
		out.Values = []page.NameValue{{Name: "item", Value: shown.Item.ID}}
		return out, nil
	}
	for _, p := range v.cfg.Space.Parameters {
		out.Values = append(out.Values, page.NameValue{Name: p.Name, Value: page.Number(o[p.Name])})
	}
	return out, nil
}

// lines says, for every parameter or feature, what was learned, with a curve.
func (v visitor) lines(belief *prefer.Belief, best prefer.Option) ([]page.Line, error) {
	values := page.Values(v.study.Items(), best)
	var out []page.Line
	for _, i := range belief.Importance() {
		points, err := belief.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return nil, err
		}
		p := prefer.Parameter{Name: i.Parameter}
		for _, q := range v.cfg.Space.Parameters {
			if q.Name == i.Parameter {
				p = q
			}
		}
		out = append(out, page.Line{Name: i.Parameter, Sentence: i.Sentence, Chart: page.SliceChart(p, points, values[i.Parameter])})
	}
	return out, nil
}

func (s *Server) ranking(v visitor, belief *prefer.Belief) ([]page.RankLine, error) {
	var out []page.RankLine
	for n, ranked := range belief.Ranking(topItems) {
		label := ranked.Option.Item()
		shown, err := s.onPage(v, ranked.Option, label)
		if err != nil {
			return nil, err
		}
		out = append(out, page.RankLine{Shown: shown, Place: n + 1, Mean: fmt.Sprintf("%+.1f ± %.1f", ranked.Mean, ranked.SD)})
	}
	return out, nil
}

// drawMap draws the utility over two parameters, by default the two that matter most.
func (v visitor) drawMap(view *page.Result, belief *prefer.Belief, x, y string) error {
	axes := belief.Axes()
	if len(axes) < 2 {
		return nil
	}
	best, top := belief.Best(), belief.Importance()
	slices.SortStableFunc(top, func(a, b prefer.Importance) int { // a map of numbers says more than one of words
		return cmp.Compare(rank(best[a.Parameter]), rank(best[b.Parameter]))
	})
	if !slices.Contains(axes, x) {
		x = top[0].Parameter
	}
	if !slices.Contains(axes, y) || y == x {
		other := slices.IndexFunc(top, func(i prefer.Importance) bool { return i.Parameter != x })
		y = top[other].Parameter
	}
	columns, err := belief.Slice(x, mapSteps)
	if err != nil {
		return err
	}
	rows, err := belief.Slice(y, mapSteps)
	if err != nil {
		return err
	}
	cells := make([][]page.MapCell, len(rows))
	for i, row := range rows {
		for _, column := range columns {
			o := maps.Clone(best)
			o[x], o[y] = column.Value, row.Value
			mean, sd, err := belief.Utility(o)
			if errors.Is(err, prefer.ErrOption) { // a constraint forbids it
				mean, err = math.NaN(), nil
			}
			if err != nil {
				return err
			}
			cells[i] = append(cells[i], page.MapCell{Mean: mean, SD: sd})
		}
	}
	label := fmt.Sprintf("How much is liked over %s and %s: best at %s and %s", x, y, page.Number(best[x]), page.Number(best[y]))
	view.Axes, view.X, view.Y = axes, x, y
	view.Map = template.HTML(page.MapChart(label, x, y, cells, fraction(columns, best[x]), fraction(rows, best[y])))
	return nil
}

func rank(v prefer.Value) int {
	if v.IsNumber() {
		return 0
	}
	return 1
}

// fraction returns where on an axis of cells a value lies, from 0 to 1.
func fraction(points []prefer.SlicePoint, v prefer.Value) float64 {
	at := slices.IndexFunc(points, func(p prefer.SlicePoint) bool { return p.Value == v })
	if at < 0 {
		at, _ = slices.BinarySearchFunc(points, v, func(p prefer.SlicePoint, v prefer.Value) int { return cmp.Compare(p.Value.Float(), v.Float()) })
		at = min(at, len(points)-1)
	}
	return (float64(at) + 0.5) / float64(len(points))
}

// past lists the latest answers, the newest first.
func (s *Server) past(_ context.Context, v visitor, belief *prefer.Belief) ([]page.Past, error) {
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
	s.bell.ring(v.name, v.end(), string(prefer.KindAnswered))
	s.afterAnswer(v.running, e.Rater)
	return s.reply(w, map[string]string{"answer_id": string(id)})
}
