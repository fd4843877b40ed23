package tastes

import (
	"context"
	"runtime"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

// impatience bounds the questions of a person who skips: so many for every answer.
const impatience = 3

// play plays a study up to the last mark. Everything but the seconds is a function of the taste, the rater and what asks.
func (p Plan) play(ctx context.Context, of *problem.Taste, u unit, rater, method string) (Study, error) {
	runtime.LockOSThread() // processor time is read off the thread
	defer runtime.UnlockOSThread()
	cpu := bench.ThreadTime()
	room := bench.Room{Taste: of}
	out := Study{taste: u.taste, Shape: of.Shape.String(), Kind: of.Kind, Family: of.Family, Dim: len(of.Parts),
		Rater: rater, Setup: p.Label, Method: method, Range: of.Max - of.Mean, Sigma: of.Sigma}
	who, err := of.Rater(rater)
	if err != nil {
		return out, err
	}
	s, err := p.study(ctx, room, who, u.seed(seedStudy), method)
	if err != nil {
		return out, err
	}
	last := slices.Max(p.Marks)
	for asked, answers := 0, 0; answers < last && asked < impatience*last; asked++ {
		if err := context.Cause(ctx); err != nil {
			return out, err
		}
		q, err := s.Ask(ctx, prefer.Request{})
		if err != nil {
			return out, err
		}
		reply := who.Answer(room.Worth(q.First), room.Worth(q.Second), u.seed(seedMood), uint64(asked))
		if _, err := s.Tell(ctx, q.ID, prefer.Answer{Choice: bench.Replies[reply]}); err != nil {
			return out, err
		}
		if reply == problem.Skip {
			continue
		}
		if answers++; !slices.Contains(p.Marks, answers) {
			continue
		}
		belief, err := s.Belief(ctx, prefer.Look{})
		if err != nil {
			return out, err
		}
		out.Picks = append(out.Picks, Pick{answers, of.Max - room.Worth(belief.Best())})
	}
	out.CPU = (bench.ThreadTime() - cpu).Seconds()
	return out, nil
}

// study makes a study about a taste.
func (p Plan) study(ctx context.Context, room bench.Room, who problem.TasteRater, seed uint64, method string) (*prefer.Study, error) {
	cfg := p.Study
	cfg.Space, cfg.Seed, cfg.Method = room.Space(), seed, method
	cfg.Search.Workers = 1 // tastes are what runs side by side
	if who.Delta == 0 && !p.Ties {
		cfg.Answers.Forced = true
	}
	if err := p.Setup.Choose(&cfg); err != nil {
		return nil, err
	}
	return prefer.New(ctx, cfg)
}
