package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// result shows the pick: what it is, why, how it looks along each parameter, and what comes next to it. The rest is details.
func (p *Pages) result(w http.ResponseWriter, r *http.Request, v visitor, fixed space.Option) error {
	ctx := r.Context()
	if v.owner && v.Config.People == prefer.PerRater && !r.URL.Query().Has("rater") {
		return p.everybody(w, r, v, fixed)
	}
	verdict, err := v.result(ctx, fixed)
	if err != nil {
		return err
	}
	out := Result{Frame: p.frame(v, v.Lang.T("result.title", "study", v.Name), "result"), Look: v.look(), Sentences: v.Sentences(verdict, v.of), Answers: verdict.Answers,
		After: v.Lang.Sentence(after(v.Lang, verdict)), Of: v.of, Fixed: fixed, Contexts: v.others(r.URL, fixed), Details: v.owner || p.Alone || verdict.Answers > 0}
	if out.Why, err = v.why(ctx, verdict, fixed); err != nil {
		return err
	}
	if len(fixed) > 0 {
		out.Under = v.Under(fixed)
	}
	if verdict.Kind.Picks() && verdict.Answers > 0 {
		if err := p.picked(ctx, v, verdict, &out); err != nil {
			return err
		}
	}
	return p.write(w, http.StatusOK, v.origins(), out)
}

// details sends the part of a result page that is fetched when somebody opens it: what was learned, the list, the past, a rival of one's own, and the data.
func (p *Pages) details(w http.ResponseWriter, r *http.Request, v visitor, fixed space.Option) error {
	ctx := r.Context()
	verdict, belief, err := v.known(ctx, fixed)
	if err != nil {
		return err
	}
	out := Details{Frame: p.frame(v, "", "result"), About: v.learnedOf(verdict), Calibration: v.Sentences(verdict, v.of).Calibration}
	if best := verdict.Best.Option; verdict.Kind.Picks() && verdict.Answers > 0 {
		if v.owner && v.of == "" {
			out.Try = v.trying(best)
		}
		if out.Learned, err = v.Learned(belief, best, v.Shown(v.rater, fixed), "along-"); err != nil {
			return err
		}
		if out.Map, err = p.drawMap(ctx, v, belief, r.URL.Query(), fixed); err != nil {
			return err
		}
		out.Gallery, out.Path = p.gallery(v, belief), v.hasPath() && verdict.Answers > 1
	}
	if v.owner || p.Alone {
		out.History = p.past(v, belief, r.URL.Query())
	}
	return p.write(w, http.StatusOK, v.origins(), out)
}

var errHidden = problem.New(http.StatusForbidden, "result_hidden", "This study does not show its result to participants. Thank you for your answers.")

// result is the verdict that a result is about: the visitor's, or that of the rater looked at, and of several people with a shared utility the team's.
func (v visitor) result(ctx context.Context, fixed space.Option) (prefer.Verdict, error) {
	if v.Config.People != prefer.PerRater && v.Several(v.Config.Space.Context(fixed)) {
		return v.All(ctx, fixed)
	}
	return v.VerdictFor(ctx, prefer.Look{Rater: v.rater, Fixed: fixed})
}

// known is the verdict that a result is about, with what is known of the utility.
func (v visitor) known(ctx context.Context, fixed space.Option) (prefer.Verdict, *prefer.Belief, error) {
	verdict, err := v.result(ctx, fixed)
	if err != nil {
		return verdict, nil, err
	}
	belief, err := v.belief(ctx, fixed)
	return verdict, belief, err
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

// topOf is how many of a list a result names.
const topOf = 3

// picked fills in what a result shows of a pick.
func (p *Pages) picked(ctx context.Context, v visitor, verdict prefer.Verdict, out *Result) error {
	best := verdict.Best
	belief, err := v.belief(ctx, out.Fixed)
	if err != nil {
		return err
	}
	out.Pick, out.Check = new(p.onPage(v, best.Option, "")), live.BlindQuestions
	if out.Take, err = p.take(ctx, v, verdict); err != nil {
		return err
	}
	if out.Strips, err = p.strips(v, belief, best.Option); err != nil {
		return err
	}
	if len(v.Items()) > 0 {
		out.Besides = xslices.Map(verdict.Shortlist[min(1, len(verdict.Shortlist)):], func(o space.Option) Shown { return p.onPage(v, o, o.Item()) })
		out.Top = v.ranked(belief, max(topOf, len(verdict.Shortlist)))
	}
	return nil
}

// onPage makes an option ready for a page, in the form in which questions bring it.
func (p *Pages) onPage(v visitor, o space.Option, label string) Shown {
	return Shown{label, v.Study.Show(o)}
}

// hundredths writes a share for the length of a bar.
func hundredths(share float64) int { return int(math.Round(100 * share)) }

// Take is what a person can take away of a pick: a script makes files, colours and a picture of it.
type Take struct {
	Name     string            `json:"name"`            // of files, without an ending
	Question string            `json:"question"`        // that was asked
	Line     string            `json:"line"`            // about the pick, under a picture of it
	Option   space.Option      `json:"option"`          // with all digits
	Rounded  space.Option      `json:"rounded"`         // to what matters
	As       live.Shown        `json:"as"`              // Rounded, as it is drawn
	Units    map[string]string `json:"units,omitempty"` // of parameters, as CSS writes them
	File     string            `json:"file,omitempty"`
	Address  string            `json:"address,omitempty"` // of a template that is one
	Text     string            `json:"text,omitempty"`    // of an item
}

// take makes a pick ready to be taken away.
func (p *Pages) take(ctx context.Context, v visitor, verdict prefer.Verdict) (*Take, error) {
	pick := verdict.Best.Option
	short, err := v.rounded(ctx, pick)
	if err != nil {
		return nil, err
	}
	question, _ := v.prompt()
	t := &Take{Name: v.Name, Question: question, Line: v.line(verdict), Option: pick, Rounded: short, As: v.Study.Show(short)}
	for name := range short {
		if unit := v.Unit(name); unit != "" {
			if t.Units == nil {
				t.Units = map[string]string{}
			}
			t.Units[name] = strings.Replace(unit, "°", "deg", 1)
		}
	}
	if v.Items() != nil {
		item, err := v.item(pick.Item())
		if err != nil {
			return nil, err
		}
		if t.Text = item.Text; item.Media != "" {
			t.File = path.Base(item.ID) // an upload is kept under another name
			if path.Ext(t.File) != path.Ext(item.Media) {
				t.File = path.Base(item.Media)
			}
			if u, err := url.Parse(item.Media); err == nil && u.Host != "" {
				t.File = path.Base(u.Path)
			}
		}
	}
	if look := v.Settings.Page.Template; look.Kind == "image" || look.Kind == "page" {
		t.Address = fill(look, v.Values(short))
	}
	return t, nil
}

// line says under a picture of the pick what it is.
func (v visitor) line(verdict prefer.Verdict) string {
	team := verdict.Raters > 1
	switch n := len(v.Items()); {
	case n > 0 && team:
		return v.Lang.T("take.line.list.team", "n", n)
	case n > 0:
		return v.Lang.T("take.line.list", "n", n)
	case team:
		return v.Lang.T("take.line.team", "n", verdict.Answers)
	}
	return v.Lang.T("take.line", "n", verdict.Answers)
}

// rounded is an option with its numbers rounded, each by view.Round; as it is where that would leave what the constraints allow.
func (v visitor) rounded(ctx context.Context, o space.Option) (space.Option, error) {
	if v.Items() != nil && !v.Config.Space.Crossed() {
		return o, nil
	}
	out := maps.Clone(o)
	for _, p := range v.Config.Space.Parameters {
		out[p.Name] = view.Round(p, o[p.Name])
	}
	if len(v.Config.Space.Constraints) == 0 {
		return out, nil
	}
	belief, err := v.belief(ctx, v.Config.Space.Context(o))
	if err != nil {
		return nil, err
	}
	if _, _, err := belief.Utility(out); err != nil {
		return o, nil
	}
	return out, nil
}

// Try lets the owner compare an option of their own with the pick.
type Try struct {
	Option space.Option // where the fields begin
	Fields []TryField
	Items  []live.Shown // of a list, in place of fields or beside them
}

// TryField is a parameter to set.
type TryField struct {
	Name      string
	Low, High float64
	Step      float64
	Log       bool
	Value     space.Value
	Choices   []space.Value // in place of a range
}

// maxTried is the longest list to choose a rival from.
const maxTried = 500

// trying returns what sets an option to try, beginning at the pick.
func (v visitor) trying(pick space.Option) *Try {
	t := &Try{Option: pick}
	if items := v.Items(); items != nil {
		if len(items) > maxTried {
			return nil
		}
		crossed := v.Config.Space.Crossed()
		if i := slices.IndexFunc(items, func(it space.Item) bool { return it.ID == pick.Item() }); crossed && i >= 0 {
			t.Items = append(t.Items, v.Study.Show(space.ItemOption(items[i].ID))) // as it is, with other settings
		}
		others := xslices.Filter(v.Study.Study.Items(false), func(it space.Item) bool { return it.ID != pick.Item() })
		t.Items = append(t.Items, xslices.Map(others, func(it space.Item) live.Shown { return v.Study.Show(space.ItemOption(it.ID)) })...)
		if !crossed {
			return t
		}
	}
	t.Fields = v.fields(pick)
	return t
}

// fields returns the parameters of an option to set, but for contexts.
func (v visitor) fields(at space.Option) (out []TryField) {
	for _, p := range v.Config.Space.Parameters {
		if p.Context {
			continue
		}
		f := TryField{Name: p.Name, Low: p.Low, High: p.High, Log: p.Log, Value: view.Round(p, at[p.Name]), Choices: p.Choices}
		switch {
		case p.Type == "bool":
			f.Choices = []space.Value{space.ValueOf(false), space.ValueOf(true)}
		case p.Type == "int":
			f.Step = math.Max(p.Step, 1)
		default:
			f.Step = view.Step(p, p.High)
		}
		out = append(out, f)
	}
	return out
}

// against reads the option that is to be put against the pick, and returns both as they are shown: to the owner, whose duel it is.
func (p *Pages) against(ctx context.Context, v visitor, text string) ([]live.Shown, error) {
	if text == "" {
		return nil, nil
	}
	if !v.owner {
		return nil, errOwnersOnly
	}
	var own space.Option
	if err := json.Unmarshal([]byte(text), &own); err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("against is %.200q, want an option as JSON: {\"hue\": 20}", text))
	}
	verdict, belief, err := v.known(ctx, v.Config.Space.Context(own))
	if err != nil {
		return nil, err
	}
	pick := verdict.Best.Option
	if _, err := belief.Prefers(pick, own); err != nil {
		return nil, err
	}
	if same(pick, own) {
		return nil, problem.New(http.StatusUnprocessableEntity, "invalid", "That is the pick itself: change something, and try again.")
	}
	return []live.Shown{v.Study.Show(pick), v.Study.Show(own)}, nil
}

// learnedOf is the heading over what was learned: about the visitor's own taste, the team's, or that of the rater whose result they see.
func (v visitor) learnedOf(verdict prefer.Verdict) string {
	switch {
	case v.of != "":
		return v.Lang.T("result.learned.name", "name", v.of)
	case verdict.Raters > 1:
		return v.Lang.T("result.learned.team")
	}
	return v.Lang.T("result.learned")
}

// after says how many answers a verdict rests on, and of several people how many they are.
func after(in language.Language, verdict prefer.Verdict) string {
	if verdict.Raters > 1 {
		return in.T("result.after.people", "n", verdict.Answers, "people", verdict.Raters)
	}
	return in.T("result.after", "n", verdict.Answers)
}
