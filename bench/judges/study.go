package judges

import (
	"context"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// study is prefer, as somebody would run it: a list, a judge that must choose, and the defaults for everything else.
type study struct {
	*prefer.Study
	at       map[string]int
	question prefer.QuestionID
}

func newStudy(ctx context.Context, items []space.Item, seed uint64) (*study, error) {
	space := space.Space{Items: items, Own: len(items[0].Features) > 0}
	s, err := prefer.New(ctx, prefer.Config{Space: space, Seed: seed, Answers: prefer.Answers{Forced: true}})
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(items))
	for i, it := range items {
		at[it.ID] = i
	}
	return &study{Study: s, at: at}, nil
}

func (s *study) next(ctx context.Context) (a, b int, err error) {
	q, err := s.Ask(ctx, prefer.Request{})
	s.question = q.ID
	return s.at[q.First.Item()], s.at[q.Second.Item()], err
}

func (s *study) told(ctx context.Context, tookA, swapped bool) error {
	choice := prefer.Second
	if tookA {
		choice = prefer.First
	}
	_, err := s.Tell(ctx, s.question, prefer.Answer{Choice: choice, Swapped: swapped})
	return err
}

func (s *study) pick(ctx context.Context) (int, float64, error) {
	best, err := s.Best(ctx, prefer.Look{})
	return s.at[best.Option.Item()], best.Confidence, err
}
