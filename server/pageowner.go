package server

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server/page"
)

func (s *Server) pageOwner(w http.ResponseWriter, r *http.Request, v visitor) error {
	raters, err := v.study.Raters(r.Context())
	if err != nil {
		return err
	}
	st := v.status("")
	view := page.Owner{Frame: s.frame(v, "People of "+v.name, "owner"), Answers: st.Answers, Sentence: st.Sentence,
		Percent: int(math.Round(100 * st.Confidence)), Paused: v.settings.Page.Paused, Prompt: v.cfg.Prompt}
	for _, rater := range raters {
		view.Raters = append(view.Raters, raterLine(rater))
		if v.cfg.People == prefer.PerRater && rater.Name != "" {
			view.Names = append(view.Names, rater.Name)
		}
	}
	view.Jobs = s.jobsView(r.Context(), v, "")
	return s.write(w, http.StatusOK, "", view)
}

// raterLine puts a rater's numbers into words and warns of habits that are not taste.
func raterLine(r prefer.Rater) page.RaterLine {
	line := page.RaterLine{Name: r.Name, Answers: strconv.Itoa(r.Answers), Ties: strconv.Itoa(r.Ties),
		Left: share(r.Left), Agreed: share(r.Agreed), Response: "–", Noise: "–"}
	if line.Name == "" {
		line.Name = "you"
	}
	if r.MedianResponse > 0 {
		line.Response = fmt.Sprintf("%.1f s", r.MedianResponse.Round(100*time.Millisecond).Seconds())
	}
	if r.Noise > 0 {
		line.Noise = fmt.Sprintf("%.1f", r.Noise)
	}
	switch {
	case r.Left.Of > 0 && (r.Left.Low > 0.5 || r.Left.High < 0.5):
		line.Warn = "leans to one side"
	case r.Agreed.Of > 0 && r.Agreed.High < 0.8:
		line.Warn = "often disagrees with herself"
	}
	return line
}

func share(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", s.Count, s.Of)
}

// pagePause stops raters, or lets them go on.
func (s *Server) pagePause(w http.ResponseWriter, r *http.Request, v visitor) error {
	var body struct {
		Paused bool `json:"paused"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	settings := v.settings
	settings.Page.Paused = body.Paused
	if err := s.keepSettings(r.Context(), v.name, settings); err != nil {
		return err
	}
	s.studies.drop(v.running) // whoever comes next reads the settings again
	return s.reply(w, body)
}
