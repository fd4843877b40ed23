package view

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/say"
)

// Rater is how a rater answered, in words.
type Rater struct {
	Name, Answers, Ties, BothBad, Skips, Response string
	Left, Agreed                                  string
	LeftChart, AgreedChart                        template.HTML // with the mark where each should be; empty of none
	Noise                                         string
	Weight                                        string // how much an answer counts
	Reliability                                   string // how far the answers can be relied on
	Checks                                        string // how the checks among the questions went
}

// NewRater puts a rater's numbers into words, under a name. checks are those of the rater; empty for none.
func NewRater(r prefer.Rater, name, checks string) Rater {
	part := func(n int) string {
		if n == 0 || r.Answers == 0 {
			return strconv.Itoa(n)
		}
		return fmt.Sprintf("%d (%s)", n, sentence.Percent(float64(n)/float64(r.Answers)))
	}
	interval := func(s prefer.Share, ideal float64, what string) template.HTML {
		if s.Of == 0 {
			return ""
		}
		return chart.Share(s, ideal, fmt.Sprintf("%s: %s, 95%% interval %s to %s", what, sentence.Percent(float64(s.Count)/float64(s.Of)), sentence.Percent(s.Low), sentence.Percent(s.High)))
	}
	out := Rater{Name: name, Answers: strconv.Itoa(r.Counted), Ties: part(r.Ties), BothBad: part(r.BothBad), Skips: part(r.Skips), Response: Seconds(r.MedianResponse),
		Left: Share(r.Left), Agreed: Share(r.Agreed), LeftChart: interval(r.Left, 0.5, "Left option chosen by "+name), AgreedChart: interval(r.Agreed, 1, "Self-consistency of "+name),
		Noise: "–", Weight: cmp.Or(strings.TrimPrefix(say.Words{}.Weight(r), "counts "), "–"), Checks: checks}
	if r.Noise > 0 {
		out.Noise = Decimal(r.Noise)
	}
	out.Reliability, _ = say.Words{}.Rater(r)
	return out
}

// Decimal writes a number with two places and a real minus; what rounds to nothing is 0.00.
func Decimal(v float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(100*v)/100+0, 'f', 2, 64), "-", "−", 1)
}

// Share writes a share with its interval: "12 of 20, 60% [39, 78]"; a dash of none.
func Share(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d, %s [%.0f, %.0f]", s.Count, s.Of, sentence.Percent(float64(s.Count)/float64(s.Of)), 100*s.Low, 100*s.High)
}

// Percent writes the part of a share, with a space at which no line breaks; a dash of none.
func Percent(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return strings.Replace(sentence.Percent(float64(s.Count)/float64(s.Of)), " ", "\u00a0", 1)
}

// Seconds writes how long somebody looked; a dash if it was not recorded.
func Seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case d == 0:
		return "–"
	case s < 9.95:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	case s < 600:
		return strconv.FormatFloat(s, 'f', 0, 64) + " s"
	default:
		return strconv.FormatFloat(s/60, 'f', 0, 64) + " min"
	}
}
