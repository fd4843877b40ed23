package judge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// TestRun: eight at a time come to a verdict near the truth, every question is judged once, what the judge was shown first is what the log says, and sides
// and repeats are counted.
func TestRun(t *testing.T) {
	studies := room(t, file(t), tea)
	shown := map[prefer.QuestionID]Option{}
	o, wait := &once{}, sync.Once{}
	judge := o.watch(t, 8, func(ctx context.Context, q Question) (Reply, error) {
		o.mu.Lock()
		shown[q.ID] = q.First
		o.mu.Unlock()
		wait.Do(func() { // the first call is there until another has begun
			for begun := time.Now(); time.Since(begun) < 10*time.Second && !o.several(); {
				time.Sleep(time.Millisecond)
			}
		})
		if q.Prompt != "Which cup?" || q.Study != "tea" || q.Judge != "j" || q.Attempt != 1 || len(q.Choices) != 5 {
			t.Errorf("asked %+v", q)
		}
		cost := 0.5
		r, err := honest(ctx, q)
		r.Note, r.Meta, r.Cost = "by "+string(q.ID), prefer.Meta{"model": space.ValueOf("m1")}, &cost
		return r, err
	})
	result, err := start(t.Context(), Config{Studies: studies, Study: "tea", Judges: []Judge{{"j", judge}}, Budget: 150, Repeats: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	best := result.Verdict.Best.Option
	if result.Ended != Verdict || !result.Verdict.Kind.Done() || result.Calls != result.Done || likes(Option{Params: best}) < -0.02 {
		t.Errorf("%+v", result)
	}
	if o.at < 2 {
		t.Errorf("%d calls at a time, want several", o.at)
	}
	j := result.Judges[0]
	entries := history(t, studies)
	if j.Answers != len(entries) || j.Repeats == 0 || j.Repeats != j.Agreed.Of || j.Agreed.Count != j.Agreed.Of || result.Cost != 0.5*float64(len(entries)) || j.Cost != result.Cost {
		t.Errorf("%d answers, tally %+v, cost %g", len(entries), j, result.Cost)
	}
	firsts, swapped := 0, 0
	for _, e := range entries {
		first, won := e.First, e.First
		if e.Answer.Swapped {
			first = e.Second
			swapped++
		}
		if e.Answer.Choice == prefer.Second {
			won = e.Second
		}
		if !maps.Equal(shown[e.Question].Params, first) {
			t.Errorf("%s: the judge was shown %v first, the log says %v", e.Question, shown[e.Question].Params, first)
		}
		if maps.Equal(won, first) {
			firsts++
		}
		if e.Answer.Note != "by "+string(e.Question) || e.Answer.Meta["model"].String() != "m1" || e.Rater != "j" {
			t.Errorf("kept %+v", e)
		}
	}
	if j.First.Count != firsts || j.First.Of != len(entries) || swapped == 0 || swapped == len(entries) {
		t.Errorf("%d of %d chose the first, the tally says %+v; %d were exchanged", firsts, len(entries), j.First, swapped)
	}
	again, err := start(t.Context(), Config{Studies: studies, Study: "tea", Judges: []Judge{{"j", judge}}, Budget: 150})
	if err != nil || again.Calls != 0 || again.Ended != Verdict || again.Done != result.Done || again.Cost != result.Cost {
		t.Errorf("the same again: %+v, %v", again, err)
	}
}

// TestRunFails: what fails is tried again, then skipped with the reason and never guessed; a budget counts it.
func TestRunFails(t *testing.T) {
	studies := room(t, file(t), tea)
	var waits atomic.Int64
	flaky := func(ctx context.Context, q Question) (Reply, error) {
		n, _ := strconv.Atoi(strings.TrimPrefix(string(q.ID), "q"))
		switch {
		case n%4 == 0: // at the last try
			if q.Attempt < 3 {
				return Reply{}, errors.New("not yet")
			}
		case n%5 == 1:
			return Read("rubbish")
		case n%5 == 2:
			panic("oh")
		case n%5 == 3:
			<-ctx.Done()
			return Reply{}, context.Cause(ctx)
		}
		return honest(ctx, q)
	}
	result, err := start(t.Context(), Config{Studies: studies, Study: "tea", Judges: []Judge{{"j", flaky}}, Budget: 20, Cost: 1, GiveUp: 1000, Timeout: 30 * time.Millisecond, Repeats: -1,
		Sleep: func(context.Context, time.Duration) error { waits.Add(1); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	failed, answered, calls := map[Reason]int{}, 0, 0
	for _, e := range history(t, studies) {
		n, _ := strconv.Atoi(strings.TrimPrefix(string(e.Question), "q"))
		tries := 1
		if n%4 == 0 || n%5 > 0 && n%5 < 4 {
			tries = 3
		}
		calls += tries
		reason, skipped := e.Answer.Meta["failed"]
		if skipped {
			failed[Reason(reason.String())]++
			if e.Answer.Choice != prefer.Skip || !strings.Contains(e.Answer.Note, "no answer in 3 tries") || tries != 3 {
				t.Errorf("%s: %+v", e.Question, e.Answer)
			}
		} else {
			answered++
		}
		if e.Answer.Meta["cost"] != space.ValueOf(tries) || tries > 1 && e.Answer.Meta["attempts"].Float() != 3 {
			t.Errorf("%s after %d tries: %v", e.Question, tries, e.Answer.Meta)
		}
	}
	want := map[Reason]int{Rubbish: 3, Error: 3, Timeout: 3}
	j := result.Judges[0]
	if result.Ended != AtBudget || result.Done != 20 || !maps.Equal(failed, want) || !maps.Equal(j.Failed, want) || answered != 11 || j.Answers != 11 || j.Skips != 0 {
		t.Errorf("%d answered, failed %v, tally %+v of %+v", answered, failed, j, result)
	}
	if result.Calls != calls || int(result.Cost) != calls || int(waits.Load()) != calls-20 || j.Failures != calls-answered {
		t.Errorf("%d calls, cost %g, %d waits, %d failures, want %d calls", result.Calls, result.Cost, waits.Load(), j.Failures, calls)
	}
}

// TestRunGivesUp: a judge that only fails ends the run with an error that says how, and so, at once, does one that is none; what was asked stays open.
func TestRunGivesUp(t *testing.T) {
	studies := room(t, file(t), tea)
	cfg := Config{Studies: studies, Study: "tea", Parallel: 4, Judges: []Judge{{"j", func(context.Context, Question) (Reply, error) { return Reply{}, errors.New("no key") }}},
		Sleep: func(context.Context, time.Duration) error { return nil }}
	result, err := start(t.Context(), cfg)
	if err == nil || !strings.Contains(err.Error(), `judge "j" failed 12 times in a row, the last: error: no key`) || result.Ended != GaveUp || result.Judges[0].Answers != 0 {
		t.Errorf("%+v, %v", result, err)
	}
	cfg.Judges = []Judge{{"j", func(context.Context, Question) (Reply, error) { return Reply{}, fmt.Errorf("gone: %w", ErrMissing) }}}
	result, err = start(t.Context(), cfg)
	if !errors.Is(err, ErrMissing) || result.Calls != 0 {
		t.Errorf("%+v, %v", result, err)
	}
	asked := len(history(t, studies))
	cfg.Judges[0].Call, cfg.Budget = honest, 12
	if result, err = start(t.Context(), cfg); err != nil || result.Done != max(12, asked) {
		t.Errorf("after it was repaired %+v, %v", result, err)
	}
	for _, e := range history(t, studies)[asked:] {
		if n, _ := strconv.Atoi(strings.TrimPrefix(string(e.Question), "q")); n > 12 && asked == 0 {
			t.Errorf("%s was asked before what was open", e.Question)
		}
	}
}

// TestRunStops: stopped in the middle, or cut off, it loses nothing that was told, asks what is open again, and goes on to its budget.
func TestRunStops(t *testing.T) {
	address := file(t)
	studies := room(t, address, tea)
	ctx, cancel := context.WithCancel(t.Context())
	hangs := make(chan struct{})
	var calls atomic.Int64
	cfg := Config{Studies: studies, Study: "tea", Parallel: 4, Budget: 14, Repeats: -1, Judges: []Judge{{"j", func(ctx context.Context, q Question) (Reply, error) {
		if calls.Add(1) > 6 {
			cancel()
			select {
			case <-hangs:
			case <-ctx.Done():
				return Reply{}, context.Cause(ctx)
			}
		}
		return honest(ctx, q)
	}}}}
	result, err := start(ctx, cfg)
	if err != nil || result.Ended != Stopped || result.Done < 6 || result.Done > 9 {
		t.Fatalf("%+v, %v", result, err)
	}
	close(hangs)
	before := history(t, studies)
	var open []prefer.Question
	other := room(t, address, tea) // as another process would
	if err := other.With(t.Context(), "tea", func(s *live.Study) error { open = s.Study.OpenQuestions("j"); return nil }); err != nil || len(open) == 0 {
		t.Fatalf("%v open, %v", open, err)
	}
	cfg.Studies, cfg.Judges[0].Call = other, honest
	if result, err = start(t.Context(), cfg); err != nil || result.Done != 14 || result.Ended != AtBudget && result.Ended != Verdict {
		t.Errorf("%+v, %v", result, err)
	}
	after := history(t, other)
	answered := map[prefer.QuestionID]int{}
	for i, e := range after {
		answered[e.Question]++
		if i < len(before) && e.ID != before[i].ID {
			t.Errorf("answer %d is %s, was %s", i, e.ID, before[i].ID)
		}
	}
	for _, q := range open {
		if answered[q.ID] != 1 {
			t.Errorf("%s was open, and is answered %d times", q.ID, answered[q.ID])
		}
	}
}

// TestRunSeveral: judges take turns, each has a noise, and the cost ends it.
func TestRunSeveral(t *testing.T) {
	studies := room(t, file(t), tea)
	half := 0.5
	paid := func(ctx context.Context, q Question) (Reply, error) {
		r, err := honest(ctx, q)
		r.Cost = &half
		return r, err
	}
	result, err := start(t.Context(), Config{Studies: studies, Study: "tea", Judges: []Judge{{"a", paid}, {"b", paid}}, Parallel: 2, MaxCost: 5})
	if err != nil {
		t.Fatal(err)
	}
	if result.Ended != AtCost || result.Cost < 5 || result.Cost > 5.5 || len(result.Judges) != 2 || result.Judges[0].Answers+result.Judges[1].Answers != result.Done {
		t.Errorf("%+v", result)
	}
	if d := result.Judges[0].Answers - result.Judges[1].Answers; d < -1 || d > 1 || result.Judges[0].Noise == 0 {
		t.Errorf("%+v", result.Judges)
	}
}

func TestRunRefuses(t *testing.T) {
	studies := room(t, file(t), tea)
	ok := Config{Studies: studies, Study: "tea", Judges: []Judge{{"j", honest}}}
	ok.Study = "coffee"
	if _, err := start(t.Context(), ok); err == nil || !strings.Contains(err.Error(), "coffee") {
		t.Errorf("%v, want that there is no such study", err)
	}
	each := tea
	each.People = prefer.PerRater
	if _, err := start(t.Context(), Config{Studies: room(t, file(t), each), Study: "tea", Judges: ok.Judges}); errcode.Of(err) != "per_rater" {
		t.Errorf("%v, want per_rater", err)
	}
}

// TestManyJudges: eight judges in parallel over many questions, on both engines, without an error: 24 questions, with SOAK=1 500.
func TestManyJudges(t *testing.T) {
	questions := 24
	if os.Getenv("SOAK") != "" {
		questions = 500
	}
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			address := file(t)
			if engine == "postgres" {
				address = storetest.Database(t)
			}
			studies := room(t, address, tea)
			o := &once{}
			var judges []Judge
			call := o.watch(t, 8, func(ctx context.Context, q Question) (Reply, error) {
				time.Sleep(20 * time.Millisecond)
				r, err := honest(ctx, q)
				if n, _ := strconv.Atoi(strings.TrimPrefix(string(q.ID), "q")); n%7 == 3 { // a lapse: an exact judge has no noise to learn
					r.Choice = exchanged(r.Choice)
				}
				r.Note, r.Meta = "because", prefer.Meta{"tokens": space.ValueOf(512)}
				return r, err
			})
			for i := range 8 {
				judges = append(judges, Judge{fmt.Sprintf("judge-%d", i+1), call})
			}
			result, err := start(t.Context(), Config{Studies: studies, Study: "tea", Judges: judges, Parallel: 8, Budget: questions, Beyond: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d questions in %.1f s, %.1f a second, %d calls, %s", engine, result.Done, result.Seconds, float64(result.Done)/result.Seconds, result.Calls, result.Ended)
			if result.Done != questions || result.Calls != questions || len(history(t, studies)) != questions {
				t.Errorf("%+v", result)
			}
			for _, j := range result.Judges {
				if j.Failures != 0 || j.Answers < questions/8-1 {
					t.Errorf("%+v", j)
				}
			}
		})
	}
}

// stuckStore is a store that holds up the first reader of a log of three events.
type stuckStore struct {
	*store.Memory
	held          atomic.Bool
	stuck, resume chan struct{}
}

func (s *stuckStore) Follow(ctx context.Context, study *prefer.Study) (int, bool, error) {
	if study.Seq() == 3 && !s.held.Swap(true) {
		close(s.stuck)
		<-s.resume
	}
	return s.Memory.Follow(ctx, study)
}

// TestRunStuck: a judge's answer is taken while the store keeps the search for the next question waiting.
func TestRunStuck(t *testing.T) {
	st := &stuckStore{Memory: store.NewMemory(), stuck: make(chan struct{}), resume: make(chan struct{})}
	studies, err := live.New(live.Config{Store: st, Budget: -1, Workers: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = studies.Close(context.Background()) }()
	if err := studies.Create(t.Context(), "tea", tea, live.Settings{}); err != nil {
		t.Fatal(err)
	}
	taken := make(chan struct{}, 2)
	slow := func(ctx context.Context, q Question) (Reply, error) {
		<-st.stuck // two questions are asked
		return honest(ctx, q)
	}
	done := make(chan error, 1)
	go func() {
		_, err := start(t.Context(), Config{Studies: studies, Study: "tea", Judges: []Judge{{Name: "a", Call: slow}, {Name: "b", Call: slow}}, Budget: 2, Parallel: 2, Progress: func(Progress) { taken <- struct{}{} }})
		done <- err
	}()
	select {
	case <-taken:
	case <-time.After(10 * time.Second):
		t.Error("the answer waits for the store")
	}
	close(st.resume)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
