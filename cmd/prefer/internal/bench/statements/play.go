package statements

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
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
	items   []float64 // true worth of items that are crossed with parameters
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

// game is a study that is being played.
type game struct {
	Plan
	cell
	cast
	*prefer.Study
	limit int // answers of each opinion after which it is given up
}

// play plays a study: until it has ended and the last mark is passed, or the answers are up. Only what is asked and answered
// changes a study, so looking more often changes no statement, only when an ending is seen.
func (p Plan) play(ctx context.Context, c cell) (out Study, err error) {
	g := game{Plan: p, cell: c, limit: p.limit(c.space)}
	if g.cast, err = c.cast(p); err != nil {
		return out, err
	}
	g.config.Seed, g.config.Search.Workers = c.seed(p.Seed, seedStudy), 1 // studies are what runs side by side
	if g.Study, err = prefer.New(ctx, g.config); err != nil {
		return out, err
	}
	g.config = g.Config()
	first := g.opinions[0]
	out = Study{Taste: c.index, Space: c.space, Family: first.Family, Smooth: first.Kind != "rugged", Rater: c.rater}
	for number, more := 0, true; more && number < patience*g.limit*len(g.asked); number++ {
		if err := context.Cause(ctx); err != nil {
			return out, err
		}
		a := g.asked[number%len(g.asked)]
		if a.about == nil || !g.over(a.about) {
			if err := g.ask(ctx, a, number); err != nil {
				return out, err
			}
		}
		if number%len(g.asked) < len(g.asked)-1 {
			continue
		}
		more = slices.ContainsFunc(g.opinions, func(o *opinion) bool { return !g.over(o) })
		if g.alike != nil && slices.Contains(p.Marks, len(a.questions)) {
			said, err := g.judgeGroup(ctx, len(a.questions))
			if err != nil {
				return out, err
			}
			out.Statements = append(out.Statements, said...)
		}
	}
	g.sum(&out)
	return out, nil
}

const patience = 3 // bounds the questions of a person who skips: so many for every answer

// over reports whether nothing more is asked about an opinion. Several people all answer to the end.
func (g *game) over(o *opinion) bool {
	return o.answers >= g.limit || g.alike == nil && o.ended > 0 && o.answers >= slices.Max(g.Marks)
}

// ask asks somebody a question, tells the study the answer of that number, and looks at what it says then.
func (g *game) ask(ctx context.Context, a *asked, number int) error {
	r := g.request(a)
	q, err := g.Ask(ctx, r)
	if err != nil {
		return err
	}
	f1, f2 := a.of.Worth(q.First), a.of.Worth(q.Second)
	a.of.Graded = g.config.Answers.Grades > 0
	answer := a.of.Compare(f1, f2, number)
	if g.alike != nil {
		answer = a.of.Respond(f1, f2, number)
	}
	if a.questions = append(a.questions, q.ID); r.Repeat != "" {
		a.again = append(a.again, [2]float64{f1, f2})
	}
	if _, err := g.Tell(ctx, q.ID, answer); err != nil || a.about == nil || answer.Choice == prefer.Skip {
		return err
	}
	return g.look(ctx, a.about)
}

// look counts an answer about an opinion, and notes what the study says of it then.
func (g *game) look(ctx context.Context, o *opinion) error {
	o.answers++
	mark, last := slices.Contains(g.Marks, o.answers), o.answers == g.limit
	if !mark && !last && (o.answers < o.next || o.ended > 0) {
		return nil
	}
	v, err := g.Verdict(ctx, o.look)
	if err != nil {
		return err
	}
	if o.next = o.answers + g.Every; v.Best.Confidence >= near*g.config.Confidence {
		o.next = o.answers + 1
	}
	m := moment{Person: o.Person, items: o.items, answers: o.answers, limit: g.limit, verdict: v, pick: o.Worth(v.Best.Option), mark: mark, last: last}
	if o.ended == 0 && v.Kind.Sure() {
		o.ended, o.ending, m.ending = o.answers, v.Kind, true
	}
	if m.mark || m.ending || m.last {
		if m.belief, err = g.Belief(ctx, o.look); err != nil {
			return err
		}
		o.moments = append(o.moments, m)
	}
	return nil
}

// sum adds what was said about all opinions to a study. It has ended when that of each has.
func (g *game) sum(out *Study) {
	for _, o := range g.opinions {
		out.Answers += o.answers
		if out.Ended, out.Ending = max(out.Ended, o.ended), string(o.ending); o.ended == 0 {
			out.Ending = ""
		}
		for i := range o.moments {
			o.moments[i].ended = o.ended
			o.moments[i].last = o.moments[i].last || i == len(o.moments)-1
			for _, m := range o.moments[i+1:] {
				if m.answers == o.moments[i].answers+10 {
					o.moments[i].later = &m.pick
				}
			}
			out.Statements = append(out.Statements, judge(o.moments[i])...)
		}
	}
	if slices.ContainsFunc(g.opinions, func(o *opinion) bool { return o.ended == 0 }) {
		out.Ended, out.Ending = 0, ""
	}
}
