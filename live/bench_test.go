package live

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// BenchmarkStudyMemory reports what an open study takes up: just opened, with one posterior, and after answers
// have come in for a while.
func BenchmarkStudyMemory(b *testing.B) {
	for _, d := range []int{2, 6} {
		for _, n := range []int{10, 100, 500} {
			b.Run(fmt.Sprintf("D=%d/n=%d", d, n), func(b *testing.B) {
				h := newTestStudies(b, nil)
				const studies = 4
				for i := range studies {
					if err := h.store.Import(context.Background(), fmt.Sprint("study", i), answered(b, d, n)); err != nil {
						b.Fatal(err)
					}
				}
				for b.Loop() {
					held := make([]*Study, studies)
					start := heap()
					each := func(do func(r *Study) error) float64 {
						for _, r := range held {
							if err := do(r); err != nil {
								b.Fatal(err)
							}
						}
						return float64(heap()-start) / studies
					}
					for i := range held {
						var err error
						if held[i], err = h.load(context.Background(), fmt.Sprint("study", i)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(each(func(*Study) error { return nil }), "B/opened")
					b.ReportMetric(each(func(r *Study) error {
						_, err := r.Study.Belief(context.Background(), prefer.Look{})
						return err
					}), "B/fitted")
					b.ReportMetric(each(func(r *Study) error {
						for range 10 {
							e := r.Study.Events(0)[1].Asked
							if _, err := r.Study.Observe(context.Background(), prefer.Duel{First: e.First, Second: e.Second, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
								return err
							}
							if _, err := r.Study.Belief(context.Background(), prefer.Look{}); err != nil {
								return err
							}
						}
						return nil
					}), "B/busy")
					runtime.KeepAlive(held)
				}
			})
		}
	}
}

func heap() int64 {
	for range 3 { // what pools hold goes in the second
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// answered returns the log of a study of d parameters with n answers.
func answered(b *testing.B, d, n int) []prefer.Event {
	b.Helper()
	var params []space.Parameter
	for j := range d {
		params = append(params, space.Float(fmt.Sprint("x", j), 0, 1))
	}
	study, err := prefer.New(context.Background(), prefer.Config{Space: space.Box(params...)})
	if err != nil {
		b.Fatal(err)
	}
	events := slices.Clone(study.Events(0))
	for i := range n {
		at := func(shift int) space.Option {
			o := space.Option{}
			for j := range d {
				o[fmt.Sprint("x", j)] = space.ValueOf(float64((i*(7+2*j)+shift*(3+j))%101) / 100)
			}
			return o
		}
		id := prefer.QuestionID(fmt.Sprint("q", i+1))
		choice := prefer.First
		if i*i%7 < 3 {
			choice = prefer.Second
		}
		events = append(events,
			prefer.Event{Seq: len(events) + 1, Time: time.Unix(int64(i), 0).UTC(), Kind: "asked", Asked: &prefer.Question{ID: id, Rater: "ann", First: at(1), Second: at(17), Method: "random"}},
			prefer.Event{Seq: len(events) + 2, Time: time.Unix(int64(i), 1).UTC(), Kind: "answered"})
		answered := fmt.Sprintf(`{"answered":{"id":"a%d","question":%q,"answer":{"choice":%q}}}`, i+1, id, choice)
		if err := json.Unmarshal([]byte(answered), &events[len(events)-1]); err != nil {
			panic(err)
		}
	}
	return events
}

// BenchmarkTell answers a question and asks the next one in a study with so many events.
func BenchmarkTell(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint("events=", n), func(b *testing.B) {
			log := answered(b, 2, (n-1)/2)
			for _, e := range log { // no model is fitted, which would take longer than all else
				if e.Answered != nil {
					e.Answered.Answer.Check = true
				}
			}
			s := newTestStudies(b, nil)
			if err := s.store.Import(context.Background(), "tea", log); err != nil {
				b.Fatal(err)
			}
			q, err := s.Ask(context.Background(), "tea", Ask{Rater: "ann"})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				told, err := s.Tell(context.Background(), "tea", Tell{Question: prefer.QuestionID(q.ID), Owner: true, Answer: prefer.Answer{Choice: prefer.First, Check: true}, Next: true})
				if err != nil {
					b.Fatal(err)
				}
				q = *told.Next
			}
		})
	}
}
