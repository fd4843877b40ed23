package page

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

// maxBlind is the longest final check.
const maxBlind = 20

// answer shows the page with a question: to the owner and to raters; ?check= asks for the final check, to whom sees
// the result.
func (p *Pages) answer(w http.ResponseWriter, r *http.Request, v visitor) error {
	q := r.URL.Query()
	var check int
	if text := q.Get("check"); text != "" {
		if _, err := fmt.Sscanf(text, "%d", &check); err != nil || check < 1 || check > maxBlind || v.MayLook(v.owner) != nil {
			return problem.New(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("check is %q, want a study whose result may be seen, and a number of questions from 1 to %d", text, maxBlind))
		}
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
		Forced: v.Config.Answers.Forced, Grades: v.Config.Answers.Grades, Beyond: q.Get("more") != "", Check: check,
		Complete: complete, Result: v.owner || v.Settings.ShowResult, Blind: live.BlindQuestions, Preload: p.preload(v), Fixed: fixed, Skip: v.elsewhere(fixed), Pair: pair,
	})
}

// ending is what a page says when a rater has come to an end.
type ending struct {
	Done     bool        `json:"done"` // false if the answer that was not counted yet has changed that
	Headline string      `json:"headline"`
	Text     string      `json:"text"`
	More     string      `json:"more,omitempty"` // whether more answers are worth it
	Pick     *live.Shown `json:"pick,omitempty"`
	Take     *Take       `json:"take,omitempty"`
}

// ending says how it ended in the words of the result page, which has the same verdict. Raters who may not see the result are thanked.
func (p *Pages) ending(w http.ResponseWriter, r *http.Request, v visitor) error {
	ctx := r.Context()
	hers, err := v.Verdict(ctx, v.rater)
	if err != nil {
		return err
	}
	out := ending{Done: hers.Kind.Done(), Headline: v.lang.T("ending.thanks"), Text: v.lang.T("ending.last")}
	if !v.owner && !v.Settings.ShowResult {
		return reply(w, out)
	}
	verdict, err := v.result(ctx, v.settled())
	if err != nil {
		return err
	}
	words := v.words()
	out.Headline, out.Text, out.More = words.Headline(verdict, v.of), words.Claim(verdict), words.More(verdict)
	if verdict.Raters > 1 {
		out.More = v.lang.Sentences(out.More, v.lang.Sentence(after(v.lang, verdict)))
	}
	if verdict.Answers > 0 && verdict.Kind.Picks() {
		shown := p.Studies.Show(v.Study, verdict.Best.Option)
		out.Pick = &shown
		if out.Take, err = p.take(ctx, v, verdict); err != nil {
			return err
		}
	}
	return reply(w, out)
}

// ahead tells a page what it may show next, to have it at hand.
func (p *Pages) ahead(w http.ResponseWriter, _ *http.Request, v visitor) error {
	return reply(w, p.Studies.Ahead(v.Study, v.rater, v.owner))
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
	if err := p.Studies.Lose(r.Context(), v.Study, v.rater, body.Question, body.Side); err != nil {
		return err
	}
	return reply(w, struct{}{})
}

// maxPreload is the longest list whose pictures a page fetches ahead.
const maxPreload = 48

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

// maxName is the longest name of a sitting.
const maxName = 100
