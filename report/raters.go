package report

import (
	"cmp"
	"fmt"
	"html/template"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/say"
)

// raterLine is one line about a rater.
type raterLine struct {
	Name                          string
	Answers, Ties, BothBad, Skips string
	Response                      string
	Left, Agreed                  string
	LeftChart, AgreedChart        template.HTML
	Noise, Counts, Checks         string
}

func raterLines(raters []prefer.Rater, checks map[string]string) []raterLine {
	part := func(n, of int) string {
		if n == 0 || of == 0 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d (%s)", n, say.Percent(float64(n)/float64(of)))
	}
	var out []raterLine
	for _, r := range raters {
		a := raterLine{
			Name: r.Name, Answers: fmt.Sprint(r.Counted), Ties: part(r.Ties, r.Answers), BothBad: part(r.BothBad, r.Answers), Skips: part(r.Skips, r.Answers),
			Response: seconds(r.MedianResponse), Left: spell(r.Left), Agreed: spell(r.Agreed), Noise: "–", Checks: cmp.Or(checks[r.Name], "–"),
		}
		if r.Left.Of > 0 {
			a.LeftChart = interval(r.Left, 0.5, "Left picked by "+named(r.Name))
		}
		if r.Agreed.Of > 0 {
			a.AgreedChart = interval(r.Agreed, 1, "Agreement with herself of "+named(r.Name))
		}
		if r.Noise > 0 {
			a.Noise = decimal(r.Noise)
		}
		a.Counts, _ = english.Rater(r)
		out = append(out, a)
	}
	return out
}

// named gives those a name who have none.
func named(rater string) string {
	if rater == "" {
		return "the rater"
	}
	return rater
}

// interval draws a share with its interval, and a mark where it should be.
func interval(s prefer.Share, ideal float64, what string) template.HTML {
	return chart.Share(s, ideal, fmt.Sprintf("%s: %s, 95 %% interval %s to %s", what, say.Percent(float64(s.Count)/float64(s.Of)), say.Percent(s.Low), say.Percent(s.High)))
}

// biases says in words who looks careless, and whose choices of a side cannot be chance, at 95 %.
func biases(raters []prefer.Rater) []string {
	var out []string
	for _, r := range raters {
		if r.Careless {
			out = append(out, fmt.Sprintf("%s looks careless: %s.", named(r.Name), r.Why))
			continue
		}
		side := ""
		switch {
		case r.Left.Of == 0:
		case r.Left.Low > 0.5:
			side = "left"
		case r.Left.High < 0.5:
			side = "right"
		}
		if side != "" {
			out = append(out, fmt.Sprintf("%s picks what is on the %s more often than chance explains.", named(r.Name), side))
		}
	}
	return out
}
