package statements

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

// person is somebody with a taste who answers.
type person struct {
	bench.Room
	rater problem.TasteRater
}

// tolerance is by how much an option may miss the best and be good enough to her.
func (p person) tolerance() float64 { return p.Tolerance(p.rater.Sigma) }

// moment is what a study says after some answers, and what is true of its pick.
type moment struct {
	person
	answers int
	limit   int
	verdict prefer.Verdict
	belief  *prefer.Belief
	pick    float64 // true utility of the pick
	seed    uint64  // of what is drawn to judge by

	mark   bool // a number of answers at which everything is noted
	ending bool // the first verdict that ends the study
	last   bool // nothing was asked after it
	ended  int  // answers until the first ending, known once the study is over; 0 if there was none
}

// near is the part of the confidence wanted from which on every answer is looked at.
const near = 0.8

// impatience bounds the questions of a person who skips: so many for every answer.
const impatience = 3

// play plays a study: until it has ended and the last mark is passed, or the answers are up. Only what is asked and answered
// changes a study, so looking more often changes no statement, only when an ending is seen.
func (p Plan) play(ctx context.Context, c cell, who person) (Study, error) {
	out := Study{Taste: c.index, Space: c.space, Family: who.Family, Smooth: who.Kind != "rugged", Rater: c.rater}
	cfg := p.Study
	cfg.Space, cfg.Seed = who.Space(), c.seed(p.Seed, seedStudy)
	cfg.Search.Workers = 1 // studies are what runs side by side
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return out, err
	}
	cfg = s.Config()
	limit, mood := p.limit(c.space), c.seed(p.Seed, seedMood)
	var moments []moment
	next := 2
	for asked := 0; out.Answers < limit && asked < impatience*limit; asked++ {
		if out.Ended > 0 && out.Answers >= slices.Max(p.Marks) {
			break
		}
		q, err := s.Ask(ctx, prefer.Request{})
		if err != nil {
			return out, err
		}
		reply := who.rater.Answer(who.Worth(q.First), who.Worth(q.Second), mood, uint64(asked))
		a := prefer.Answer{Choice: bench.Replies[reply]}
		if cfg.Answers.Grades > 0 && (reply == problem.First || reply == problem.Second) {
			a.Strength = who.rater.Grade(who.Worth(q.First), who.Worth(q.Second), mood, uint64(asked))
		}
		if _, err := s.Tell(ctx, q.ID, a); err != nil {
			return out, err
		}
		if reply == problem.Skip {
			continue
		}
		out.Answers++
		mark := slices.Contains(p.Marks, out.Answers)
		if !mark && out.Answers != limit && (out.Answers < next || out.Ended > 0) {
			continue
		}
		v, err := s.Verdict(ctx, prefer.Look{})
		if err != nil {
			return out, err
		}
		if next = out.Answers + p.Every; v.Best.Confidence >= near*cfg.Confidence {
			next = out.Answers + 1
		}
		m := moment{person: who, answers: out.Answers, limit: limit, verdict: v, pick: who.Worth(v.Best.Option), seed: mood, mark: mark, last: out.Answers == limit}
		if out.Ended == 0 && v.Kind.Sure() {
			out.Ended, out.Ending, m.ending = out.Answers, string(v.Kind), true
		}
		if m.mark || m.ending || m.last {
			if m.belief, err = s.Belief(ctx, prefer.Look{}); err != nil {
				return out, err
			}
			moments = append(moments, m)
		}
	}
	for i := range moments {
		moments[i].ended = out.Ended
		moments[i].last = moments[i].last || i == len(moments)-1
		out.Statements = append(out.Statements, judge(moments[i])...)
	}
	return out, nil
}

// drawn returns the generator of what a moment is judged by, the same at every moment of a study.
func (m moment) drawn() *rand.Rand { return rand.New(rand.NewPCG(m.seed, 1)) }
