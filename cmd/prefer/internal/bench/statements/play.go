package statements

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
)

// Statement is one thing a study said, and what was true.
type Statement struct {
	Kind    string  `json:"kind"`
	Answers int     `json:"answers"`        // after which it was said
	Mark    int     `json:"mark,omitempty"` // the same, of what is noted at fixed numbers of answers
	Said    float64 `json:"said"`           // the probability it was given, or the share it named; 1 for what was said flatly
	Held    float64 `json:"held"`           // 1 if it was true and 0 if not; of a share, or of an answer that is a matter of chance, what it truly is
	Bits    float64 `json:"bits,omitempty"` // the expected surprise at an answer that was forecast, −Σ p log₂ q; 0 for other kinds
}

// Study is one study that was played: who answered, how it ended, and what it said.
type Study struct {
	Taste  int    `json:"taste"` // its number
	Space  string `json:"space"`
	Family string `json:"family"`
	Smooth bool   `json:"smooth"`
	Rater  string `json:"rater"`

	Answers int    `json:"answers"`          // given, skips aside
	Ended   int    `json:"ended"`            // answers until the first ending; 0 if there was none
	Ending  string `json:"ending,omitempty"` // its kind

	Statements []Statement `json:"statements"`
}

// group returns the row of the table the study belongs to.
func (s Study) group() Group {
	kind := "rugged"
	if s.Smooth {
		kind = "smooth"
	}
	return Group{s.Space, kind, s.Rater}
}

// Group is a kind of people: what the taste is about, what family it is of, and how they answer.
type Group struct {
	Space  string `json:"space"`
	Family string `json:"family"` // smooth or rugged
	Rater  string `json:"rater"`
}

// moment is what a study says after some answers, and what is true of its pick.
type moment struct {
	trial.Person
	answers int
	limit   int
	verdict prefer.Verdict
	belief  *prefer.Belief
	pick    float64  // true utility of the pick
	later   *float64 // … and of the pick ten answers later; nil if that was not looked at

	mark   bool // a number of answers at which everything is noted
	ending bool // the first verdict that ends the study
	last   bool // nothing was asked after it
	ended  int  // answers until the first ending, known once the study is over; 0 if there was none
}

const near = 0.8 // the part of the confidence wanted from which on every answer is looked at

// play plays a study: until it has ended and the last mark is passed, or the answers are up. Only what is asked and answered
// changes a study, so looking more often changes no statement, only when an ending is seen.
func (p Plan) play(ctx context.Context, c cell) (out Study, err error) {
	o, err := options(c.space, c.family)
	if err != nil {
		return out, err
	}
	taste, err := problem.NewTaste(c.seed(p.Seed, seedTaste), c.index, o)
	if err != nil {
		return out, err
	}
	who := trial.Person{TasteSpace: trial.TasteSpace{Taste: taste}, Mood: c.seed(p.Seed, seedMood)}
	if who.Rater, err = taste.Rater(c.rater); err != nil {
		return out, err
	}
	out = Study{Taste: c.index, Space: c.space, Family: who.Family, Smooth: who.Kind != "rugged", Rater: c.rater}
	cfg := p.Study
	cfg.Space, cfg.Seed = who.Space(), c.seed(p.Seed, seedStudy)
	cfg.Search.Workers = 1 // studies are what runs side by side
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return out, err
	}
	cfg = s.Config()
	who.Graded = cfg.Answers.Grades > 0
	limit, next := p.limit(c.space), 2
	var moments []moment
	err = who.Play(ctx, s, limit, func(answers int) (bool, error) {
		out.Answers = answers
		mark := slices.Contains(p.Marks, answers)
		if !mark && answers != limit && (answers < next || out.Ended > 0) {
			return out.Ended == 0 || answers < slices.Max(p.Marks), nil
		}
		v, err := s.Verdict(ctx, prefer.Look{})
		if err != nil {
			return false, err
		}
		if next = answers + p.Every; v.Best.Confidence >= near*cfg.Confidence {
			next = answers + 1
		}
		m := moment{Person: who, answers: answers, limit: limit, verdict: v, pick: who.Worth(v.Best.Option), mark: mark, last: answers == limit}
		if out.Ended == 0 && v.Kind.Sure() {
			out.Ended, out.Ending, m.ending = answers, string(v.Kind), true
		}
		if m.mark || m.ending || m.last {
			if m.belief, err = s.Belief(ctx, prefer.Look{}); err != nil {
				return false, err
			}
			moments = append(moments, m)
		}
		return out.Ended == 0 || answers < slices.Max(p.Marks), nil
	})
	if err != nil {
		return out, err
	}
	for i := range moments {
		moments[i].ended = out.Ended
		moments[i].last = moments[i].last || i == len(moments)-1
		for _, m := range moments[i+1:] {
			if m.answers == moments[i].answers+10 {
				moments[i].later = &m.pick
			}
		}
		out.Statements = append(out.Statements, judge(moments[i])...)
	}
	return out, nil
}
