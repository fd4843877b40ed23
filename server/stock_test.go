package server

import (
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestCrowdStock: while there is other work a crowd is served from a stock, and the log says so; conditions are still
// met, who has a question open keeps it, and nobody is given an older question for nothing.
func TestCrowdStock(t *testing.T) {
	h := busyHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	asked := func(id string) prefer.Question {
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
	var open []Question
	for i := range crowd + 2 {
		open = append(open, h.ask(fmt.Sprint("r", i)))
	}
	for round := range 3 { // so that a method chooses
		for i := range open {
			h.tell(open[i], []string{"first", "second"}[(i+round)%2])
			open[i] = h.ask(fmt.Sprint("r", i))
		}
	}
	study := h.server.studies.peek("coffee").study
	if n, err := study.Stock(t.Context(), stockSize); err != nil || n == 0 {
		t.Fatalf("%d in stock, %v", n, err)
	}
	await(t, "that nothing runs", h.server.slots.idle)
	if was := asked(h.ask("early").ID); was.From != 0 {
		t.Errorf("while nothing runs the crowd is asked %+v", was)
	}
	await(t, "that nothing runs", h.server.slots.idle)
	if !h.server.slots.take(t.Context(), false) {
		t.Fatal("no slot")
	}
	defer h.server.slots.give()
	hits := h.server.metrics.stockHits.n.Load()
	q := h.ask("new")
	if was := asked(q.ID); was.From == 0 || was.From >= q.Seq || was.Rater != "new" {
		t.Errorf("the crowd is asked %+v", was)
	}
	if got := h.server.metrics.stockHits.n.Load(); got != hits+1 {
		t.Errorf("%d questions were in stock, want one more than %d", got, hits)
	}
	if again := h.ask("new"); again.ID != q.ID {
		t.Errorf("new has %s and %s open", q.ID, again.ID)
	}
	var held Question
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"other","hold_best":true}`, &held)
	if was := asked(held.ID); was.From != 0 {
		t.Errorf("a question that holds the best comes from a stock: %+v", was)
	}
	events, err := h.store.Events(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prefer.Open(prefer.Config{}, events); err != nil {
		t.Error(err)
	}
}
