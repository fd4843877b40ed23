package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"

	"github.com/prefer-bo/prefer"
)

// sitting is one rater before one study. Its methods may be called from several goroutines.
type sitting struct {
	rater  string
	again  func(context.Context) (*prefer.Study, error) // opens the study anew; nil if nobody else can change it
	length int                                          // answers after which the pick is shown, sure or not; 0 for no such number

	mu    sync.Mutex
	study *prefer.Study

	opening sync.Mutex // held by the one that opens the study anew
}

// turn is a question as it is put to the rater.
type turn struct {
	prefer.Question
	number  int  // among those the rater has answered, from 1
	swapped bool // the second option is in the first place
}

// shown returns the options in the order of the screen.
func (t turn) shown() (first, second prefer.Option) {
	if t.swapped {
		return t.Second, t.First
	}
	return t.First, t.Second
}

// answer turns a choice on the screen into one of the question's.
func (t turn) answer(choice prefer.Choice, strength int) prefer.Answer {
	if t.swapped {
		switch choice {
		case prefer.First:
			choice = prefer.Second
		case prefer.Second:
			choice = prefer.First
		}
	}
	return prefer.Answer{Choice: choice, Strength: strength, Swapped: t.swapped}
}

// open returns the study as it is now.
func (s *sitting) open() *prefer.Study {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.study
}

// with runs do on the study, and again on the study opened anew when another process has moved it on.
func (s *sitting) with(ctx context.Context, do func(*prefer.Study) error) error {
	const tries = 10
	for try := 1; ; try++ {
		study := s.open()
		err := do(study)
		if !errors.Is(err, prefer.ErrConflict) || s.again == nil || try == tries {
			return err
		}
		if err := s.reopen(ctx, study); err != nil {
			return err
		}
	}
}

// reopen puts a fresh study in the place of one that is behind, unless somebody else did already.
func (s *sitting) reopen(ctx context.Context, behind *prefer.Study) error {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.open() != behind {
		return nil
	}
	fresh, err := s.again(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.study = fresh
	s.mu.Unlock()
	return nil
}

// next asks.
func (s *sitting) next(ctx context.Context) (turn, error) {
	var t turn
	err := s.with(ctx, func(study *prefer.Study) (err error) {
		t.Question, err = study.Ask(ctx, s.rater)
		if err != nil {
			return err
		}
		t.number = 1 + len(s.standing(study))
		asked := 0 // by then, those withdrawn by an undo included: a question that is open again keeps its sides
		for _, e := range study.Events() {
			if e.Kind == "asked" && e.Asked.Rater == s.rater {
				asked++
				if e.Asked.ID == t.ID {
					break
				}
			}
		}
		t.swapped = swappedSides(study.Config().Seed, s.rater, asked)
		return nil
	})
	return t, err
}

// remark is something to tell the rater that is no reason to end the sitting.
type remark string

func (r remark) Error() string { return string(r) }

const (
	nothingToUndo remark = "there is no answer left to take back"
	elsewhere     remark = "that question was answered elsewhere; here is the next"
)

// tell answers a turn.
func (s *sitting) tell(ctx context.Context, t turn, a prefer.Answer) error {
	return s.with(ctx, func(study *prefer.Study) error {
		_, err := study.Tell(ctx, t.ID, a)
		if errors.Is(err, prefer.ErrNoQuestion) {
			return elsewhere
		}
		return err
	})
}

// undo takes back the rater's latest answer that stands, of this sitting or an earlier one.
func (s *sitting) undo(ctx context.Context) error {
	return s.with(ctx, func(study *prefer.Study) error {
		stand := s.standing(study)
		if len(stand) == 0 {
			return nothingToUndo
		}
		return study.Undo(ctx, stand[len(stand)-1].ID)
	})
}

// standing lists the rater's answers that were not taken back.
func (s *sitting) standing(study *prefer.Study) []prefer.Entry {
	var out []prefer.Entry
	for _, e := range study.History() {
		if !e.Undone && !e.Observed && e.Rater == s.rater {
			out = append(out, e)
		}
	}
	return out
}

// outlook is where the study stands: a verdict with what it rests on.
type outlook struct {
	prefer.Verdict
	answers int // the rater's, skips not counted
	belief  *prefer.Belief
}

// done reports whether it is time to show the pick: the verdict says so, or the sitting has its length.
func (o outlook) done(length int) bool {
	return o.belief != nil && (o.Kind != prefer.KeepGoing || length > 0 && o.answers >= length)
}

// look computes the outlook.
func (s *sitting) look(ctx context.Context) (outlook, error) {
	study := s.open()
	var o outlook
	for _, e := range s.standing(study) {
		if e.Answer.Choice != prefer.Skip {
			o.answers++
		}
	}
	var err error
	if o.Verdict, err = study.Verdict(ctx, s.rater); err != nil {
		return o, err
	}
	o.belief, err = study.Belief(ctx, s.rater)
	return o, err
}

// swappedSides decides which option of a rater's question is on the left; number counts from 1. Who leans to one side must not
// lean to one kind of option, so in every block of four questions two are swapped, in an order that the
// seed, the rater and the number of the block decide.
func swappedSides(seed uint64, rater string, number int) bool {
	const block = 4
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d %s", seed, (number-1)/block, rater)
	order := rand.New(rand.NewPCG(h.Sum64(), 0x51de)).Perm(block)
	return order[(number-1)%block] < block/2
}
