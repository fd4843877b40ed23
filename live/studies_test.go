package live

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/store"
)

// searching returns a room with a study whose search goes on until its context ends, a rater who waits for it, and what they hear.
func searching(t *testing.T) (*Studies, chan error) {
	t.Helper()
	begun := make(chan struct{}, 1)
	cfg := coffee
	cfg.Initial = 1
	cfg.Chooser = func(ctx context.Context, _ acquisition.Task) (acquisition.Choice, error) {
		select {
		case begun <- struct{}{}:
		default:
		}
		<-ctx.Done()
		return acquisition.Choice{}, context.Cause(ctx)
	}
	s, err := New(Config{Workers: -1, Budget: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Create(t.Context(), "coffee", cfg, Settings{}); err != nil {
		t.Fatal(err)
	}
	q, err := s.Ask(t.Context(), "coffee", Ask{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(t.Context(), "coffee", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
		t.Fatal(err)
	}
	heard := make(chan error, 1)
	go func() {
		_, err := s.Ask(context.WithoutCancel(t.Context()), "coffee", Ask{})
		heard <- err
	}()
	<-begun
	return s, heard
}

// TestDeleteEndsSearch: a search for a study that is deleted ends at once.
func TestDeleteEndsSearch(t *testing.T) {
	s, heard := searching(t)
	if err := s.Delete(t.Context(), "coffee"); err != nil {
		t.Fatal(err)
	}
	if err := <-heard; !errors.Is(err, store.ErrNoStudy) {
		t.Errorf("after the study was deleted an ask says %v", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCloseEndsSearch: a search ends with a retry when the studies are closed.
func TestCloseEndsSearch(t *testing.T) {
	s, heard := searching(t)
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-heard; !isCode(err, Closing) {
		t.Errorf("while the room closes an ask says %v", err)
	}
}

// TestCloseLeaves: what does not end is left behind when the time of Close is over, and the log says what.
func TestCloseLeaves(t *testing.T) {
	var log bytes.Buffer
	s, err := New(Config{Workers: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	s.background.Add("verdict coffee\x00ann", func(context.Context) { close(begun); <-release })
	<-begun
	ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close says %v", err)
	}
	if !strings.Contains(log.String(), "verdict coffee ann") {
		t.Errorf("the log does not say what was left behind:\n%s", log.String())
	}
}
