package page

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Limits of the page with questions.
const (
	maxBlind   = 20  // the longest final check
	maxMore    = 1e6 // questions whatever the verdict
	maxPreload = 48  // the longest list whose pictures a page fetches ahead
	maxName    = 100 // the longest name of a session
	maxChoices = 100 // the number of values up to which they are listed
)

// answer shows the page with a question; ?check= asks for the final check, of visitors who see the result, and ?more= for so many questions whatever the verdict.
func (p *Pages) answer(w http.ResponseWriter, r *http.Request, v visitor) error {
	q := r.URL.Query()
	check, err := number(q, "check", 1, maxBlind)
	if err == nil && check > 0 && v.MayLook(v.owner) != nil {
		err = problem.New(http.StatusUnprocessableEntity, "invalid", "check is for a study whose result may be seen")
	}
	beyond, bad := number(q, "more", 1, maxMore)
	if err = cmp.Or(err, bad); err != nil {
		return err
	}
	fixed, err := v.ReadFixed(q["fixed"]...)
	if err != nil {
		return problem.Explain(r.Context(), p.Logger, err, "query.fixed")
	}
	if len(v.Config.Space.Context(fixed)) < len(v.Config.Space.Contexts()) && !q.Has("against") {
		return p.situation(w, v, q)
	}
	session := q.Get("SESSION_ID")
	if len(session) > maxName {
		return problem.New(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("SESSION_ID has %d characters, want at most %d", len(session), maxName))
	}
	pair, err := p.against(r.Context(), v, q.Get("against"))
	if err != nil {
		return err
	}
	prompt, translated := v.prompt()
	title, complete := prompt, v.Settings.Page.Complete
	if v.owner {
		title, complete = v.Name, ""
	}
	return p.write(w, http.StatusOK, v.origins(), Answer{
		Frame: p.frame(v, title, "answer"), Look: v.look(), Prompt: prompt, Translated: translated, Rater: v.rater, Session: session,
		Forced: v.Config.Answers.Forced, Grades: v.Config.Answers.Grades, Beyond: beyond, Check: check,
		Complete: complete, Result: v.owner || v.Settings.ShowResult, Blind: live.BlindQuestions, Preload: p.preload(v), Fixed: fixed, Skip: v.elsewhere(fixed), Pair: pair,
	})
}

// number reads a whole number of a query; 0 if it has none of the name.
func number(q url.Values, name string, low, high int) (int, error) {
	text := q.Get(name)
	n, err := strconv.Atoi(text)
	if text != "" && (err != nil || n < low || n > high) {
		return 0, problem.New(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("%s is %.40q, want a number from %d to %d", name, text, low, high))
	}
	return n, nil
}

// ending is what a page says when a rater has come to an end.
type ending struct {
	Done     bool         `json:"done"` // false if the answer that was not counted yet has changed that
	Headline string       `json:"headline"`
	Text     string       `json:"text"`
	More     string       `json:"more,omitempty"` // why it is the pick or, where nothing is known of that, whether more answers are worth it
	Pick     *live.Shown  `json:"pick,omitempty"`
	Besides  []live.Shown `json:"besides,omitempty"` // the rest of a shortlist
	Take     *Take        `json:"take,omitempty"`
}

// ending says how it ended in the words of the result page, which has the same verdict. Raters who may not see the result are thanked.
func (p *Pages) ending(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx := r.Context()
	own, err := v.Verdict(ctx, v.rater)
	if err != nil {
		return err
	}
	out := ending{Done: own.Kind.Done(), Headline: v.Lang.T("ending.thanks"), Text: v.Lang.T("ending.last")}
	if !v.owner && !v.Settings.ShowResult {
		return reply(w, out)
	}
	verdict, err := v.result(ctx, v.settled())
	if err != nil {
		return err
	}
	said := v.Sentences(verdict, v.of)
	why, err := v.why(ctx, verdict, v.settled())
	if err != nil {
		return err
	}
	out.Headline, out.Text, out.More = said.Headline, said.Claim, cmp.Or(why, said.More)
	if verdict.Raters > 1 {
		out.More = v.Lang.Sentences(out.More, v.Lang.Sentence(after(v.Lang, verdict)))
	}
	if verdict.Answers > 0 && verdict.Kind.Picks() {
		out.Pick = new(v.Study.Show(verdict.Best.Option))
		out.Besides = xslices.Map(verdict.Shortlist[min(1, len(verdict.Shortlist)):], v.Study.Show)
		if out.Take, err = p.take(ctx, v, verdict); err != nil {
			return err
		}
	}
	return reply(w, out)
}

// why says in one sentence why an option is the pick: what was counted, else what the model knows of the most important parameter. It is empty where
// there is no pick, or nothing to say.
func (v visitor) why(ctx context.Context, verdict prefer.Verdict, fixed space.Option) (string, error) {
	if verdict.Answers == 0 || !verdict.Kind.Picks() || verdict.FollowsOrder {
		return "", nil
	}
	known, err := v.learned(ctx, fixed)
	if err != nil || len(known) == 0 {
		return "", err
	}
	return v.Lang.Sentence(known[0]), nil
}

// learned lists what the answers say of the parameters: first what was counted, then what the model knows, the most important first.
func (v visitor) learned(ctx context.Context, fixed space.Option) (out []string, err error) {
	if counted := v.Counted(v.Utility(v.rater), fixed); counted != "" {
		out = append(out, counted)
	}
	belief, err := v.belief(ctx, fixed)
	if err != nil {
		return nil, err
	}
	known := xslices.Filter(belief.Importance(), func(i prefer.Importance) bool {
		return !slices.Contains([]string{"unknown", "hardly", "matters"}, i.Kind)
	})
	return append(out, xslices.Map(known, v.Importance)...), nil
}

// ahead tells a page what it may show next, to have it at hand.
func (p *Pages) ahead(w http.ResponseWriter, _ *http.Request, v visitor) error {
	return reply(w, v.Study.Ahead(v.rater, v.owner))
}

// lost hears from a page that it cannot show one of the options of a question.
func (p *Pages) lost(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Question prefer.QuestionID `json:"question_id"`
		Side     int               `json:"side"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	if err := v.Study.ReportLoadFailure(r.Context(), v.rater, body.Question, body.Side); err != nil {
		return err
	}
	return reply(w, struct{}{})
}

// preload lists the pictures of a short list: the next question can be about any of them.
func (p *Pages) preload(v visitor) []string {
	items := v.Study.Study.Items(false)
	out := []string{}
	if len(items) > maxPreload {
		return out
	}
	kind := v.Settings.Page.Template.Kind
	for _, item := range items {
		switch {
		case (kind == "svg" || kind == "image") && v.Config.Space.Crossed(): // at which setting is not known yet
		case kind == "svg" || kind == "image":
			out = append(out, v.base+"/draw?"+url.Values{"item": {item.ID}}.Encode())
		case kind == "" && media.Type(item.Media) == "image":
			out = append(out, p.Files.Of(v.Name, item))
		}
	}
	return out
}

// Situation is the page that asks a rater under which contexts they will answer.
type Situation struct {
	Frame
	Keep   map[string]string // what else the address says
	Ask    string            // the study's own question; empty for the page's
	Fields []Field
}

// Field is a context to choose a value of.
type Field struct {
	Name    string
	Words   string    // its name, as the rater reads it
	Choices []Setting // none where any number will do
}

// Setting is a value, or a setting of all contexts, with what an address says of it.
type Setting struct{ Words, Address string }

// situation asks for the contexts that an address does not tell.
func (p *Pages) situation(w http.ResponseWriter, v visitor, q url.Values) error {
	view := Situation{Frame: p.frame(v, v.Name, "answer"), Keep: map[string]string{}, Ask: v.Settings.Page.Situations[v.Lang.Tag()]}
	for _, name := range []string{"check", "more", "SESSION_ID"} {
		if text := q.Get(name); text != "" {
			view.Keep[name] = text
		}
	}
	for _, at := range v.Config.Space.Contexts() {
		f := Field{Name: at.Name, Words: v.Term(at.Name)}
		if values := at.Values(); len(values) <= maxChoices {
			f.Choices = xslices.Map(values, func(value space.Value) Setting {
				return Setting{v.Term(chart.Number(value)), written(space.Option{at.Name: value})}
			})
		}
		view.Fields = append(view.Fields, f)
	}
	return p.write(w, http.StatusOK, v.origins(), view)
}

// written writes what is fixed as an address has it.
func written(fixed space.Option) string {
	text, err := json.Marshal(fixed)
	if err != nil {
		return "" // no value of a study
	}
	return string(text)
}

// elsewhere returns the visitor's open question under other contexts than these, or "".
func (v visitor) elsewhere(fixed space.Option) string {
	here := v.Config.Space.Context(fixed)
	for _, q := range v.Study.Study.OpenQuestions(v.rater) {
		if q.Blind == nil && !maps.Equal(v.Config.Space.Context(q.First), here) {
			return string(q.ID)
		}
	}
	return ""
}

// settled returns the contexts that a result is about if nobody says: those the visitor was last under, else the first.
func (v visitor) settled() space.Option {
	if at := v.Context(v.rater); at != nil {
		return at
	}
	if all := v.Study.Study.Contexts(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// others lists the settings of the contexts beside the one that is looked at, with their addresses.
func (v visitor) others(at *url.URL, fixed space.Option) (out []Setting) {
	here, q := v.Config.Space.Context(fixed), at.Query()
	for _, each := range v.Study.Study.Contexts() {
		if !maps.Equal(each, here) {
			q.Set("fixed", written(each))
			out = append(out, Setting{v.Under(each), "?" + q.Encode()})
		}
	}
	return out
}

// welcome sends everybody who opens a shared link to a link of their own, under the participant's ID that a recruiting service adds (PROLIFIC_PID), or a made-up
// name. An ID is not secret, so a browser is recognised by the cookie of its first visit; another browser with a taken name may start over (?anew=1). Nothing is
// kept before the first question.
func (p *Pages) welcome(w http.ResponseWriter, r *http.Request, link token.Token) error {
	q := r.URL.Query()
	id := q.Get("PROLIFIC_PID")
	sum := sha256.Sum256([]byte(link.ID + "\x00" + id))
	cookie := "prefer_place_" + hex.EncodeToString(sum[:6])
	token, ok := p.tokenOf(r, link, id, cookie)
	if !ok {
		var err error
		if token, err = p.Studies.Tokens.Visit(r.Context(), r.PathValue("token"), id, q.Get("anew") != ""); err != nil {
			if refused, ok := errors.AsType[*live.Error](err); ok && refused.Code == live.Invalid {
				err = problem.Field("query.PROLIFIC_PID", nil, fmt.Sprintf("PROLIFIC_PID is %.40q, and %s", id, refused.Detail))
			}
			return err
		}
	}
	p.Place(w, r, cookie, token)
	path := p.Root + "/r/" + url.PathEscape(token)
	keep := url.Values{}
	for _, name := range []string{"SESSION_ID", "fixed"} {
		if q.Get(name) != "" {
			keep[name] = q[name]
		}
	}
	if len(keep) > 0 {
		path += "?" + keep.Encode()
	}
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// tokenOf returns the token by which a browser is known: from the cookie of this link and ID, or the rater's cookie if it has the ID as a name.
func (p *Pages) tokenOf(r *http.Request, link token.Token, id, cookie string) (token string, ok bool) {
	for _, name := range []string{cookie, "prefer_rater"} {
		c, err := r.Cookie(name)
		if err != nil {
			continue
		}
		own, err := p.Studies.Tokens.Link(r.Context(), c.Value)
		if err == nil && !own.Everybody && own.Study == link.Study && (name == cookie && own.Through == link.ID || id != "" && own.Rater == id) {
			return c.Value, true
		}
	}
	return "", false
}
