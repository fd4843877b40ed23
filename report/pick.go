package report

import (
	"context"
	"fmt"
	"html/template"

	"github.com/prefer-bo/prefer"
)

// pick is what the study found.
type pick struct {
	Whose      string // a rater of a study per rater
	Option     exhibit
	Sentence   string
	Sure       string
	Meter      template.HTML
	Rival      *exhibit
	RivalClose string
}

// caveat is docs/verdict.md in three sentences.
const caveat = "“Sure” means: if taste is as smooth as it looks, this is the probability that no option is better by more than a person would " +
	"notice. With simulated people of such taste, verdicts at 90 % were right in about 90 of 100 cases; on landscapes of " +
	"many narrow peaks, which a few dozen answers cannot tell from smooth ones, far less often. It is a statement about these answers by these " +
	"people, not about everybody."

func newPick(ctx context.Context, s *prefer.Study, rater string, w shower) (*pick, error) {
	v, err := s.Verdict(ctx, rater)
	if err != nil {
		return nil, err
	}
	p := &pick{
		Whose: rater, Option: w.show(v.Best.Option), Sentence: sentence(v.Sentence), Sure: percent(v.Best.Confidence),
		Meter: meter(v.Best.Confidence, s.Config().Confidence),
	}
	if v.Best.Rival != nil {
		e := w.show(v.Best.Rival)
		p.Rival, p.RivalClose = &e, percent(v.Best.RivalClose)
	}
	return p, nil
}

// meter is a bar from 0 to 100 % with a mark where a verdict is given.
func meter(confidence, target float64) template.HTML {
	const width, height = 320, 34
	d := newDrawing(width, height, fmt.Sprintf("%s sure; a verdict needs %s", percent(confidence), percent(target)))
	x := newScale(0, 1, 1, width-1)
	d.rect("track", x.at(0), 4, x.at(1)-x.at(0), 10)
	if confidence > 0 {
		d.rect("bar", x.at(0), 4, x.at(confidence)-x.at(0), 10)
	}
	d.line("mark", x.at(target), 0, x.at(target), 18)
	d.text("soft", "middle", min(x.at(target), width-52), 31, "verdict at "+percent(target))
	return d.done()
}
