package live

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// crowdRoom starts a server with a study of two more raters than make a crowd, each of whom has answered a few times and
// is looking at a question. The function it returns looks a question up in the log.
func crowdRoom(t *testing.T) (*testStudies, func(id string) prefer.Question) {
	t.Helper()
	// In six dimensions hardly a question in stock is too close to one that is open, which would be passed over.
	wide := coffee
	wide.Space = space.Box(space.Float("a", 0, 1), space.Float("b", 0, 1), space.Float("c", 0, 1), space.Float("d", 0, 1), space.Float("e", 0, 1), space.Float("f", 0, 1))
	h := openTestStudies(t, freshStore(t), nil).create("coffee", wide)
	var open []Question
	for i := range crowd + 2 {
		open = append(open, h.ask(fmt.Sprint("r", i)))
	}
	for round := range 3 { // so that a method chooses
		for i := range open {
			h.tell(open[i], []prefer.Choice{prefer.First, prefer.Second}[(i+round)%2])
			open[i] = h.ask(fmt.Sprint("r", i))
		}
	}
	return h, func(id string) prefer.Question {
		events, err := h.store.Events(t.Context(), "coffee")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Asked != nil && string(e.Asked.ID) == id {
				return *e.Asked
			}
		}
		t.Fatalf("question %s is not in the log", id)
		return prefer.Question{}
	}
}

// TestCrowdStock: while there is other work a crowd is served from a stock, and the log says so; conditions are still
// met, a rater with an open question keeps it, and nobody is given an older question for nothing.
func TestCrowdStock(t *testing.T) {
	h, asked := crowdRoom(t)
	study := h.open().Study
	if n, err := study.Host().Stock(t.Context(), stockSize); err != nil || n == 0 {
		t.Fatalf("%d in stock, %v", n, err)
	}
	await(t, "that nothing runs", h.processors.Idle)
	if was := asked(h.ask("early").ID); was.From != 0 {
		t.Errorf("while nothing runs the crowd is asked %+v", was)
	}
	await(t, "that nothing runs", h.processors.Idle)
	if !h.processors.Take(t.Context(), false) {
		t.Fatal("no processor")
	}
	defer h.processors.Give()
	hits := h.Counters.StockHits.Load()
	q := h.ask("new")
	if was := asked(q.ID); was.From == 0 || was.From >= q.Seq || was.Rater != "new" {
		t.Errorf("the crowd is asked %+v", was)
	}
	if got := h.Counters.StockHits.Load(); got != hits+1 {
		t.Errorf("%d questions were in stock, want one more than %d", got, hits)
	}
	if again := h.ask("new"); again.ID != q.ID {
		t.Errorf("new has %s and %s open", q.ID, again.ID)
	}
	held := h.askFor(Ask{Rater: "other", HoldBest: true, Owner: true})
	if was := asked(held.ID); was.From != 0 {
		t.Errorf("a question that holds the best comes from a stock: %+v", was)
	}
	events, err := h.store.Events(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prefer.Open(context.Background(), events, prefer.OpenOptions{}); err != nil {
		t.Error(err)
	}
}

// TestCrowdWaits: a renewal begins while there is something in stock, and leaves a processor free; a rater who finds the stock
// empty waits for it, with others, and is asked one of its questions. Without one in time they are searched for.
func TestCrowdWaits(t *testing.T) {
	h, asked := crowdRoom(t)
	r, processors := h.open(), h.processors
	await(t, "that nothing runs", processors.Idle)
	for range runtime.NumCPU() {
		if !processors.Take(t.Context(), false) {
			t.Fatal("no processor")
		}
	}
	queued := processors.Waiting
	first, later := queued()
	host := r.host()
	drain := func() { // asks others what is in stock; what is too close to that goes, too
		t.Helper()
		for ok := true; ok && host.Stocked(99) > 0; {
			var err error
			if _, ok, err = host.AskStocked(t.Context(), fmt.Sprint("other", r.Study.Seq()), 99); err != nil {
				t.Fatal(err)
			}
		}
	}
	drain()
	if n, err := host.Stock(t.Context(), stockLow+1); err != nil || n == 0 {
		t.Fatalf("%d in stock, %v", n, err)
	}
	if was := asked(h.ask("last").ID); was.From == 0 {
		t.Fatalf("what is in stock is passed over for %+v", was)
	}
	await(t, "a renewal", func() bool { f, l := queued(); return f == first && l > later })
	drain()
	hits, waits := h.Counters.StockHits.Load(), h.Counters.StockWaits.Load()
	var all sync.WaitGroup
	questions := make([]Question, 2)
	for i := range questions {
		all.Go(func() {
			var err error
			if questions[i], err = h.Ask(t.Context(), "coffee", Ask{Rater: fmt.Sprint("waits", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	await(t, "that two wait", func() bool { f, _ := queued(); return f > first && h.Counters.StockWaits.Load() == waits+2 })
	hasty := h.askFor(Ask{Rater: "hasty", Within: time.Millisecond, Owner: true})
	if was := asked(hasty.ID); was.From != 0 {
		t.Errorf("a rater without time was asked %+v", was)
	}
	processors.Give()
	all.Wait()
	for _, q := range questions {
		if was := asked(q.ID); was.From == 0 || was.Partial {
			t.Errorf("a waiting rater was asked %+v", was)
		}
	}
	if questions[0].ID == questions[1].ID {
		t.Errorf("two raters have question %s", questions[0].ID)
	}
	if got := h.Counters.StockHits.Load(); got != hits+2 {
		t.Errorf("%d questions were in stock, want two more than %d", got, hits)
	}
	for range runtime.NumCPU() - 1 {
		processors.Give()
	}
	await(t, "the end of renewals", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return r.renewal == nil })
	if events := r.Study.Events(0); len(events) != r.Study.Seq() {
		t.Errorf("%d events up to %d", len(events), r.Study.Seq())
	} else if _, err := prefer.Open(context.Background(), events, prefer.OpenOptions{}); err != nil {
		t.Error(err)
	}
}

// TestCrowdTooLate: a rater who finds no stock in time while there is more to do than processors is refused with a retry, and nothing is asked; from then on
// stocks are larger and verdicts rarer. A request with a time limit gets what is found in it.
func TestCrowdTooLate(t *testing.T) {
	h, asked := crowdRoom(t)
	r := h.open()
	await(t, "that nothing runs", h.processors.Idle)
	for range runtime.NumCPU() {
		if !h.processors.Take(t.Context(), false) {
			t.Fatal("no processor")
		}
	}
	for ok := true; ok; { // what is in stock goes to others, or is too close to that
		var err error
		if _, ok, err = r.host().AskStocked(t.Context(), fmt.Sprint("other", r.Study.Seq()), 99); err != nil {
			t.Fatal(err)
		}
	}
	if size, low := stocks(9, h.processors.Pressed()); size != stockSize || low != stockLow || h.processors.Pressed() {
		t.Errorf("before anybody was late a stock has %d and is renewed at %d", size, low)
	}
	h.cfg.Budget = time.Millisecond
	seq := r.Study.Seq()
	_, err := h.Ask(t.Context(), "coffee", Ask{Rater: "late"})
	if !isCode(err, TooLate) || r.Study.Seq() != seq || h.Counters.TooLate.Load() != 1 {
		t.Errorf("who came too late heard %v, and the log has %d events, want %d", err, r.Study.Seq(), seq)
	}
	if size, low := stocks(9, h.processors.Pressed()); size != 9 || low != 4 || !h.processors.Pressed() {
		t.Errorf("under pressure a stock has %d and is renewed at %d, want 9 and 4", size, low)
	}
	if was := asked(h.askFor(Ask{Rater: "hasty", Within: time.Millisecond, Owner: true}).ID); was.From != 0 || was.Rater != "hasty" {
		t.Errorf("a request with a time limit was asked %+v", was)
	}
	for range runtime.NumCPU() {
		h.processors.Give()
	}
}
