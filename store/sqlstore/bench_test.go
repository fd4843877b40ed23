package sqlstore

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// synthetic returns the log of a study with this many asked and answered questions.
func synthetic(t testing.TB, answers int) []prefer.Event {
	t.Helper()
	s, err := prefer.New(t.Context(), config())
	if err != nil {
		t.Fatal(err)
	}
	log := s.Events(0)
	luck := rand.New(rand.NewPCG(3, 4))
	option := func() space.Option {
		return space.Option{"milk": space.ValueOf(0.5 * luck.Float64()), "grind": space.ValueOf(0.1 + 9*luck.Float64())}
	}
	for i := 1; i <= answers; i++ {
		q := prefer.Question{ID: prefer.QuestionID(fmt.Sprint("q", i)), Rater: "ann", First: option(), Second: option(), Method: "kg",
			Value: luck.Float64(), Incumbent: option()}
		at := log[0].Time.Add(time.Duration(i) * time.Minute)
		log = append(log, prefer.Event{Seq: 2 * i, Time: at, Kind: "asked", Asked: &q},
			prefer.Event{Seq: 2*i + 1, Time: at.Add(time.Second), Kind: "answered"})
		a := payload(&log[2*i].Answered)
		a.ID, a.Question = prefer.AnswerID(fmt.Sprint("a", i)), q.ID
		a.Answer = prefer.Answer{Choice: prefer.First, Key: fmt.Sprintf("%016x", luck.Uint64()), ResponseTime: time.Duration(luck.IntN(1e10))}
	}
	return log
}

// withStudy runs a benchmark on studies of several lengths in both engines.
func withStudy(b *testing.B, bench func(b *testing.B, s *Store)) {
	for _, e := range engines {
		for _, answers := range []int{10, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", e.name, answers), func(b *testing.B) {
				s := open(b, e.fresh(b))
				if err := s.Import(ctx, "coffee", synthetic(b, answers)); err != nil {
					b.Fatal(err)
				}
				bench(b, s)
			})
		}
	}
}

// BenchmarkOpen is the time from a name to a study that can be told something.
func BenchmarkOpen(b *testing.B) {
	withStudy(b, func(b *testing.B, s *Store) {
		for b.Loop() {
			study(b, s, "coffee")
		}
	})
}

// BenchmarkAppend is the time until an answer is on disk.
func BenchmarkAppend(b *testing.B) {
	withStudy(b, func(b *testing.B, s *Store) {
		running := study(b, s, "coffee")
		q := running.Events(0)[1].Asked
		duel := prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.First}}
		for b.Loop() {
			if _, err := running.Observe(ctx, duel); err != nil {
				b.Fatal(err)
			}
		}
	})
}
