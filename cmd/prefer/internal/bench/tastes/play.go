package tastes

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/problem"
)

// play plays a study up to the last mark. Everything but the seconds is a function of the taste, the rater and what asks.
func (p Plan) play(ctx context.Context, of *problem.Taste, k key) (out Study, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tastes: taste %d of %s, rater %s, %s/%s: %w", k.Number, k.Of, k.rater, k.setup, k.method, err)
		}
	}()
	runtime.LockOSThread() // processor time is read off the thread
	defer runtime.UnlockOSThread()
	cpu := bench.ThreadTime()
	out = Study{taste: k.taste, Shape: of.Shape.String(), Kind: of.Kind, Family: of.Family, Dim: len(of.Parts),
		Rater: k.rater, Setup: k.setup, Method: k.method, Range: of.Max - of.Mean, Sigma: of.Sigma}
	who := trial.Person{TasteSpace: trial.TasteSpace{Taste: of}, Mood: k.seed(seedMood)}
	if who.Rater, err = of.Rater(k.rater); err != nil {
		return out, err
	}
	cfg := p.Study
	cfg.Space, cfg.Seed, cfg.Method = who.Space(), k.seed(seedStudy), k.method
	cfg.Search.Workers = 1 // tastes are what runs side by side
	if who.Rater.Delta == 0 && !p.Ties {
		cfg.Answers.Forced = true
	}
	if err := p.setup().Choose(&cfg); err != nil {
		return out, err
	}
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return out, err
	}
	err = who.Play(ctx, s, slices.Max(p.Marks), func(answers int) (bool, error) {
		if !slices.Contains(p.Marks, answers) {
			return true, nil
		}
		belief, err := s.Belief(ctx, prefer.Look{})
		if err != nil {
			return false, err
		}
		out.Picks = append(out.Picks, Pick{answers, of.Max - who.Worth(belief.Best())})
		return true, nil
	})
	out.CPU = (bench.ThreadTime() - cpu).Seconds()
	return out, err
}

// Study is one study that was played, a line of a file: who answered, what asked, and how good its picks were.
type Study struct {
	taste
	Shape  string `json:"shape"`
	Kind   string `json:"kind"` // smooth, rugged or conjoint
	Family string `json:"family"`
	Dim    int    `json:"dim"` // parts

	Rater  string `json:"rater"`
	Setup  string `json:"setup"`
	Method string `json:"method"`

	Range float64 `json:"range"` // max f − mean f
	Sigma float64 `json:"sigma"` // the noise of an ordinary rater of this taste

	Picks []Pick  `json:"picks"`
	CPU   float64 `json:"cpu_s"` // processor seconds of all questions and picks; 0 where unknown
}

// Pick is what a study held for best after some answers.
type Pick struct {
	Answers int     `json:"answers"`
	Gap     float64 `json:"gap"` // max f − f(x̂)
}

// measure is one of the two: what a pick is judged by.
type measure struct {
	name string
	of   func(s Study, gap float64) float64
}

var measures = []measure{
	{"share missed", func(s Study, gap float64) float64 { // of the possible improvement; 0 where all options are alike
		if s.Range == 0 {
			return 0
		}
		return gap / s.Range
	}},
	{"chance that one answer goes to the best", func(s Study, gap float64) float64 { // of an ordinary rater, between the best option and the pick
		if s.Sigma == 0 {
			return 0.5
		}
		return normal.CDF(gap / s.Sigma)
	}},
}

// at returns the measure after so many answers, if it was looked at.
func (m measure) at(s Study, answers int) (float64, bool) {
	gap, looked := s.gap(answers)
	return m.of(s, gap), looked
}

// gap returns the gap after so many answers, if it was looked at.
func (s Study) gap(answers int) (float64, bool) {
	for _, p := range s.Picks {
		if p.Answers == answers {
			return p.Gap, true
		}
	}
	return 0, false
}

func (s Study) series() string { return s.Setup + "/" + s.Method }

type key struct {
	taste
	rater, setup, method string
}

func (s Study) Key() key { return key{s.taste, s.Rater, s.Setup, s.Method} }

func (s Study) Looks() int { return len(s.Picks) }

// Check returns what a study of a file lacks.
func (s Study) Check() error {
	if s.Method == "" || s.Rater == "" || len(s.Picks) == 0 {
		return errors.New("has no method, no rater or no picks")
	}
	return nil
}
