package page

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

// Sizes of the result page.
const (
	sliceSteps = 41 // points of a curve
	mapSteps   = 21 // cells of a map, each way
	topItems   = 10 // items of a ranking
	maxPast    = 200

	randomOptions = 128 // that the pick is compared with
)

// result shows the pick, what was learned and, to the owner, all answers; to raters if their study shows results.
func (p *Pages) result(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.owner && !v.Settings.ShowResult {
		return problem.New(http.StatusForbidden, "result_hidden", "The result of this study is not shown to those who answer. Thank you for your answers.")
	}
	ctx := r.Context()
	verdict, err := v.Verdict(ctx, v.rater)
	if err != nil {
		return err
	}
	belief, err := v.belief(ctx)
	if err != nil {
		return err
	}
	best, answers := verdict.Best, v.Status(v.rater).Answers
	view := Result{Frame: p.frame(v, "Result of "+v.Name, "result"), Look: v.look(), Answers: answers,
		Pick: p.onPage(v, best.Option, ""), Values: v.values(best.Option), Percent: int(math.Round(100 * best.Confidence)),
		Beats: int(math.Round(100 * v.beats(belief, best.Option))), Headline: headline(verdict.Kind, answers), More: more(verdict)}
	if answers > 0 {
		view.Check = prefer.BlindQuestions
	}
	if best.Rival != nil {
		shown := p.onPage(v, best.Rival, fmt.Sprintf("The strongest of those that are quite different. The chance that it, "+
			"or another far from the pick, is as good to the eye: %.0f %%.", 100*best.RivalClose))
		view.Rival = &shown
	}
	if view.Lines, err = v.lines(belief, best.Option); err != nil {
		return err
	}
	if v.items() != nil {
		view.Ranking = p.ranking(v, belief)
	} else if err := v.drawMap(ctx, &view, belief, r.URL.Query().Get("x"), r.URL.Query().Get("y")); err != nil {
		return err
	}
	if v.owner {
		view.History = p.past(v, belief)
	}
	return p.write(w, http.StatusOK, v.origins(), view)
}

// more says in a sentence whether to go on.
func more(v prefer.Verdict) string {
	switch {
	case v.Kind == prefer.PracticalTie:
		return "More answers would change little: the runner-up below is as good to the eye."
	case v.Kind == prefer.ClearWinner:
		return "More answers would change little."
	}
	return fmt.Sprintf("A good direction. About %d to %d more answers would make sure of the details.", v.Left.Low, v.Left.High)
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
	rng := rand.New(rand.NewPCG(v.Config.Seed, 1))
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
	if items := v.items(); items != nil {
		return prefer.ItemOption(items[rng.IntN(len(items))].ID)
	}
	o := prefer.Option{}
	for _, p := range v.Config.Space.Parameters {
		at := rng.Float64()
		switch {
		case len(p.Choices) > 0:
			o[p.Name] = p.Choices[int(at*float64(len(p.Choices)))]
		case p.Type == "bool":
			o[p.Name] = prefer.ValueOf(at < 0.5)
		case p.Type == "int":
			step := max(1, p.Step)
			o[p.Name] = prefer.ValueOf(p.Low + step*math.Floor(at*(1+math.Floor((p.High-p.Low)/step))))
		case p.Log:
			o[p.Name] = prefer.ValueOf(min(p.High, p.Low*math.Pow(p.High/p.Low, at))) // rounding must not leave the range
		default:
			o[p.Name] = prefer.ValueOf(min(p.High, p.Low+at*(p.High-p.Low)))
		}
	}
	return o
}

// onPage makes an option ready for a page, in the form in which questions bring it.
func (p *Pages) onPage(v visitor, o prefer.Option, label string) Shown {
	return Shown{Label: label, Option: o, As: p.Studies.Show(v.Study, o)}
}

// values writes an option out: its item, or every parameter.
func (v visitor) values(o prefer.Option) (out []NameValue) {
	if v.items() != nil {
		return []NameValue{{Name: "item", Value: o.Item()}}
	}
	for _, p := range v.Config.Space.Parameters {
		out = append(out, NameValue{Name: p.Name, Value: Number(o[p.Name])})
	}
	return out
}

// lines says, for every parameter or feature, what was learned, with a curve.
func (v visitor) lines(belief *prefer.Belief, best prefer.Option) ([]Line, error) {
	values := Values(v.items(), best)
	var out []Line
	for _, i := range belief.Importance() {
		points, err := belief.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return nil, err
		}
		p := prefer.Parameter{Name: i.Parameter}
		for _, q := range v.Config.Space.Parameters {
			if q.Name == i.Parameter {
				p = q
			}
		}
		out = append(out, Line{Name: i.Parameter, Sentence: i.Sentence, Chart: SliceChart(p, points, values[i.Parameter])})
	}
	return out, nil
}

func (p *Pages) ranking(v visitor, belief *prefer.Belief) (out []RankLine) {
	for n, r := range belief.Ranking(topItems) {
		mean := fmt.Sprintf("%+.1f ± %.1f", r.Mean, r.SD)
		out = append(out, RankLine{Shown: p.onPage(v, r.Option, r.Option.Item()), Place: n + 1, Mean: mean})
	}
	return out
}

// drawMap draws the utility over two parameters, by default the two that matter most.
func (v visitor) drawMap(ctx context.Context, view *Result, belief *prefer.Belief, x, y string) error {
	axes := belief.Axes
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
	m, err := live.NewUtilityMap(ctx, belief, x, y, mapSteps)
	if err != nil {
		return err
	}
	view.Axes, view.X, view.Y = axes, x, y
	view.Map = MapChart(m, x, y)
	return nil
}

func rank(v prefer.Value) int {
	if !math.IsNaN(v.Float()) {
		return 0
	}
	return 1
}
