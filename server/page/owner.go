package page

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// people shows the owner who answered and how carefully, links to invite more, and the long work of the study.
func (p *Pages) people(w http.ResponseWriter, r *http.Request, v visitor) error {
	raters, err := v.Study.Study.Raters(r.Context())
	if err != nil {
		return err
	}
	st := v.Status("")
	answers, _ := v.Size()
	view := Owner{Frame: p.frame(v, "People of "+v.Name, "owner"), Answers: answers, Paused: v.Settings.Page.Paused, Prompt: v.Config.Prompt}
	if st.At > 0 {
		view.Sentence = st.Sentence
		if at := v.Context(""); at != nil {
			view.Sentence = at.String() + ": " + view.Sentence
		}
	}
	for _, rater := range raters {
		line := raterLine(rater)
		line.Checks = v.Checked(rater).String()
		view.Checked = view.Checked || line.Checks != ""
		if v.Config.People == prefer.PerRater && rater.Name != "" {
			view.Names = append(view.Names, rater.Name)
			line.Result = v.base + "/result?" + url.Values{"rater": {rater.Name}}.Encode()
		}
		view.Raters = append(view.Raters, line)
	}
	view.Jobs = p.jobsView(r.Context(), v, "")
	return p.write(w, http.StatusOK, "", view)
}

// raterLine puts a rater's numbers into words and warns of habits that are not taste.
func raterLine(r prefer.Rater) RaterLine {
	line := RaterLine{Name: r.Name, Answers: strconv.Itoa(r.Answers), Ties: strconv.Itoa(r.Ties),
		Left: share(r.Left), Agreed: share(r.Agreed), Response: "–", Weight: "–"}
	if line.Name == "" {
		line.Name = "you"
	}
	if r.MedianResponse > 0 {
		line.Response = fmt.Sprintf("%.1f s", r.MedianResponse.Round(100*time.Millisecond).Seconds())
	}
	if r.Noise > 0 {
		line.Weight = fmt.Sprintf("%.0f\u00a0%%", 100/(r.Noise*r.Noise)) // what an answer tells goes with 1/σ²
	}
	switch {
	case r.Left.Of > 0 && (r.Left.Low > 0.5 || r.Left.High < 0.5):
		line.Warn = "leans to one side"
	case r.Agreed.Of > 0 && r.Agreed.High < 0.8:
		line.Warn = "often disagrees with herself"
	case r.Clear >= manyClear && r.Clear == r.Left.Of:
		line.Warn = "calls every preference clear"
	}
	return line
}

// manyClear is the number of preferences from which on it is a habit to call them all clear.
const manyClear = 12

func share(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", s.Count, s.Of)
}

// pause stops raters, or lets them go on; the owner may.
func (p *Pages) pause(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Paused bool `json:"paused"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	if err := p.Studies.Configure(r.Context(), v.Name, func(s *live.Settings) { s.Page.Paused = body.Paused }); err != nil {
		return err
	}
	return reply(w, body)
}
