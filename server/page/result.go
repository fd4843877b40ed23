package page

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// result shows the pick, what was learned and, to the owner, all answers; to raters if their study shows results.
func (p *Pages) result(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.owner && !v.Settings.ShowResult {
		return errHidden
	}
	ctx := r.Context()
	fixed, err := v.ReadFixed(r.URL.Query()["fixed"]...)
	if err != nil {
		return problem.Explain(ctx, p.Logger, err, "query.fixed")
	}
	if v.owner && v.Config.People == prefer.PerRater {
		q := r.URL.Query()
		if !q.Has("rater") {
			return p.everybody(w, r, v, fixed)
		}
		if err := v.lookAt(ctx, q.Get("rater")); err != nil {
			return err
		}
	}
	if fixed == nil {
		fixed = v.settled()
	}
	verdict, err := v.result(ctx, fixed)
	if err != nil {
		return err
	}
	belief, err := v.belief(ctx, fixed)
	if err != nil {
		return err
	}
	words := v.words()
	view := Result{Frame: p.frame(v, v.lang.T("result.title", "study", v.Name), "result"), Look: v.look(), Answers: verdict.Answers, After: v.lang.Sentence(after(v.lang, verdict)),
		About: v.learnedOf(verdict), Of: v.of, More: words.More(verdict)}
	view.Headline = words.Headline(verdict, v.of)
	if view.Fixed, view.Contexts = fixed, v.others(r.URL, fixed); len(fixed) > 0 {
		view.Under = fixed.String()
	}
	if verdict.Blind != nil && verdict.Blind.Of > 0 {
		view.Blind = v.lang.Sentence(words.Blind(*verdict.Blind))
	}
	view.Foretold = v.lang.Sentence(words.Calibration(verdict.Calibration))
	if view.Claim = words.Claim(verdict); verdict.Kind.Picks() {
		view.Beside = words.Detail(verdict)
		if verdict.Answers > 0 {
			if err := p.picked(ctx, r.URL.Query(), v, belief, verdict, &view); err != nil {
				return err
			}
		}
	}
	if v.owner || p.Alone {
		if view.History, err = p.past(ctx, v, belief, fixed, r.URL.Query()); err != nil {
			return err
		}
	}
	return p.write(w, http.StatusOK, v.origins(), view)
}

var errHidden = problem.New(http.StatusForbidden, "result_hidden", "The result of this study is not shown to those who answer. Thank you for your answers.")

// under returns what is fixed for who looks: what the address says, else the contexts she was last under.
func (v visitor) under(r *http.Request) (space.Option, error) {
	fixed, err := v.ReadFixed(r.URL.Query()["fixed"]...)
	if err == nil && fixed == nil {
		fixed = v.settled()
	}
	return fixed, err
}

// result is the verdict that a result is about: the visitor's or that of whom she looks at, and of several people who share one utility the
// team's, whoever of them looks.
func (v visitor) result(ctx context.Context, fixed space.Option) (prefer.Verdict, error) {
	if v.Config.People != prefer.PerRater && v.Several(v.Config.Space.Context(fixed)) {
		return v.All(ctx, fixed)
	}
	return v.VerdictFor(ctx, prefer.Look{Rater: v.rater, Fixed: fixed})
}

// lookAt has the owner look at one rater of a study per rater.
func (v *visitor) lookAt(ctx context.Context, rater string) error {
	raters, err := v.Study.Study.Raters(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(raters, func(r prefer.Rater) bool { return r.Name == rater }) && rater != v.rater {
		return problem.New(http.StatusNotFound, "no_rater", fmt.Sprintf("Nobody called %.80q was asked anything in this study.", rater))
	}
	if rater != v.rater {
		v.rater, v.of = rater, cmp.Or(v.names[rater], rater)
	}
	return nil
}

// picked fills in what there is to say about a pick: what it is, what was learned, and what comes after it.
func (p *Pages) picked(ctx context.Context, q url.Values, v visitor, belief *prefer.Belief, verdict prefer.Verdict, view *Result) error {
	best := verdict.Best
	shown := p.onPage(v, best.Option, "")
	view.Pick, view.Check = &shown, live.BlindQuestions
	var err error
	if view.Take, err = p.take(ctx, v, verdict); err != nil {
		return err
	}
	if view.Strips, err = p.strips(v, belief, best.Option); err != nil {
		return err
	}
	if v.owner && v.of == "" {
		view.Try = p.trying(v, best.Option)
	}
	if best.Rival != nil {
		rival := p.onPage(v, best.Rival, v.words().RunnerUp(verdict))
		view.Rival = &rival
	}
	if view.Learned, err = v.learned(belief, best.Option, view.Fixed); err != nil {
		return err
	}
	view.Gallery, view.Path = p.gallery(v, belief), v.hasPath() && verdict.Answers > 1
	view.Map, err = p.drawMap(ctx, v, belief, q, view.Fixed)
	return err
}

// onPage makes an option ready for a page, in the form in which questions bring it.
func (p *Pages) onPage(v visitor, o space.Option, label string) Shown {
	return Shown{Label: label, Option: o, As: p.Studies.Show(v.Study, o)}
}

// hundredths writes a share for the length of a bar.
func hundredths(share float64) int { return int(math.Round(100 * share)) }
