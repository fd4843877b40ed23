package mcp

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// TestOneAtATime: a second call of a rater begins when the first has ended, that of another rater at once, and one that is given up does not begin.
func TestOneAtATime(t *testing.T) {
	var slots sync.Map
	begun, end := make(chan string), make(chan struct{})
	call := oneAtATime(&slots, func(_ context.Context, in [2]string) (string, error) {
		begun <- in[1]
		<-end
		return in[1], nil
	}, func(in [2]string) string { return in[0] })
	var all sync.WaitGroup
	start := func(rater, what string) { all.Go(func() { call(t.Context(), [2]string{rater, what}) }) }
	start("ann", "ask")
	if got := <-begun; got != "ask" {
		t.Fatal(got)
	}
	start("ann", "tell")
	start("bob", "other")
	if got := <-begun; got != "other" { // the tell of ann cannot begin before their ask has ended
		t.Fatal(got)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := call(gone, [2]string{"ann", "late"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	end <- struct{}{}
	end <- struct{}{}
	if got := <-begun; got != "tell" {
		t.Fatal(got)
	}
	close(end)
	all.Wait()
}
