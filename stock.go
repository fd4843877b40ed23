package prefer

import (
	"context"
	"errors"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

// nobody is the rater of a question in stock: one of whom nothing is known, so the study's noise is theirs.
const nobody = "\x00"

// alike is the ratio of a rater's noise to the study's up to which a question in stock is good for them.
const alike = 2

// Stock chooses n questions ahead for the crowd of a shared study, by one search: the best for a rater of ordinary
// noise, whose Value alone is known, other hills that the search has climbed, and where these are few the pairs it began
// at; while nobody has preferred anything, the next quasi-random pairs. They are asked before those in stock, and are a function of the log, to which nothing is written. Stock returns how many there are: fewer if the
// search has not found as many, none in a study per rater or with contexts. Of several calls at a time one searches for all.
func (h *Host) Stock(ctx context.Context, n int) (int, error) {
	s := h.study
	if s.people() == PerRater || n <= 0 || len(s.cfg.Space.Contexts()) > 0 {
		return 0, nil
	}
	called := s.Seq()
	select {
	case s.stock.filling <- struct{}{}:
		defer func() { <-s.stock.filling }()
	case <-ctx.Done():
		return 0, ended(ctx)
	}
	s.mu.Lock()
	if left := s.stock.left; len(left) > 0 && left[0].From >= called {
		s.mu.Unlock()
		return len(left), nil
	}
	v, answers := s.state.view(nobody), len(s.state.answers)
	s.mu.Unlock()
	fit, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
	if err != nil {
		return 0, err
	}
	q, also, err := s.choose(ctx, v, Request{Rater: nobody})
	if err := errors.Join(err, ended(ctx)); err != nil {
		return 0, err
	}
	q.From = v.seq
	if q.Method == methodDesign {
		if also, err = s.cfg.designPairs(v, n-1); err != nil {
			return 0, err
		}
	}
	var made []*asked
	for i := -1; i < len(also) && len(made) < n; i++ {
		if i >= 0 {
			d := v.code.Dim
			q.First, q.Second, q.Value = v.code.Option(also[i][:d]), v.code.Option(also[i][d:2*d]), 0 // the value is that of the best
			if splitmix.Coin(s.cfg.Seed^sideCoin, uint64(v.count)) {
				q.First, q.Second = q.Second, q.First
			}
		}
		as := &asked{Question: q}
		if as.a, as.b, err = v.code.Pair(q.First, q.Second); err != nil {
			return 0, err
		}
		if i < 0 || !pairs.Clash(v.code, askedPairs(made), as.a, as.b, pairs.Close) {
			made = append(made, as)
			v.count++ // for the coin
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	older := s.stock.left[:min(n, len(s.stock.left))]
	s.stock.noise, s.stock.left = fit.Noises(), nil
	for _, as := range made {
		s.stock.left = append(s.stock.left, stocked{as, answers})
	}
	s.stock.left = append(s.stock.left, older...)
	return len(made), nil
}

// AskStocked asks a question in stock, if there is one that is at most stale answers old, for a rater whose noise is not far from the study's, and if it is
// still worth asking: whether it is too close to what others are looking at is seen now. It costs no search. Where ok is false nothing was asked: Ask.
func (h *Host) AskStocked(ctx context.Context, rater string, stale int) (q Question, ok bool, err error) {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	if noise, known := s.stock.noise[rater]; known && (noise > alike || noise < 1.0/alike) {
		return Question{}, false, nil
	}
	if len(s.state.waiting(rater)) > 0 || s.state.queued(rater, nil) >= 0 {
		return Question{}, false, nil
	}
	n := s.stocked(stale)
	if s.stock.left = s.stock.left[:n]; n == 0 {
		return Question{}, false, nil
	}
	v := s.state.view(rater)
	v, rules, err := s.cfg.rules(v, Request{Rater: rater})
	if err != nil {
		return Question{}, false, err
	}
	rules.Learn(v.code, nil)
	frequent := pairs.Frequent(v.code, rules.Past, rater, v.shown)
	if v.code.List != nil { // Stock saw which pairs of items are worth a second time
		rules.Accept = rules.Again
	}
	i := slices.IndexFunc(s.stock.left, func(q stocked) bool {
		return rules.Accepts(q.a, q.b) && !rules.Avoids(q.a, q.b) && !frequent[coding.Bits(q.a)] && !frequent[coding.Bits(q.b)]
	})
	if i < 0 {
		s.stock.left = nil
		return Question{}, false, nil
	}
	q = s.stock.left[i].Question.clone()
	q.ID, q.Rater = s.state.nextQuestion(), rater
	if err := s.append(ctx, Event{Kind: kindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	s.stock.left = s.stock.left[i+1:]
	return s.state.pose(q), true, nil
}

// Stocked returns how many questions are in stock that are at most stale answers old.
func (h *Host) Stocked(stale int) int {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stocked(stale)
}

// stocked is Stocked for who holds mu. Questions that are older come after those it counts. Nothing is left from
// before an answer was taken back, an item joined or left, or the study or who counts in it was changed.
func (s *Study) stocked(stale int) int {
	left := &s.stock.left
	if len(*left) == 0 {
		return 0
	}
	for _, e := range s.events[(*left)[len(*left)-1].From:] {
		if e.Undone != nil || e.Joined != nil || e.Left != nil || e.Excluded != nil || e.Changed != nil {
			*left = slices.DeleteFunc(*left, func(q stocked) bool { return q.From < e.Seq })
		}
	}
	n := slices.IndexFunc(*left, func(q stocked) bool { return len(s.state.answers)-q.answers > stale })
	if n < 0 {
		n = len(*left)
	}
	return n
}

// designPairs returns the pairs of the sequence that come after the next one.
func (cfg *Config) designPairs(v view, n int) (out [][]float64, err error) {
	v, rules, err := cfg.rules(v, Request{})
	if err != nil {
		return nil, err
	}
	rules.Learn(v.code, nil)
	for range n {
		v.design++
		a, b, err := rules.Design(v.code, cfg.Seed, v.design)
		if err != nil {
			return nil, err
		}
		out = append(out, slices.Concat(a, b))
	}
	return out, nil
}
