package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/queue"
)

// queueFindings look at a queue without changing it.
func queueFindings(ctx context.Context, address string) []finding {
	h, err := queue.Examine(ctx, address, 3*time.Second)
	f := finding{Check: "queue", Level: trouble}
	switch {
	case errors.Is(err, queue.ErrNewer):
		f.Found, f.Advice = err.Error(), "use the newest prefer that works on this queue"
	case errors.Is(err, queue.ErrUnavailable):
		f.Found, f.Advice = err.Error(), "start the database, and see that address, role and password are right"
	case err != nil:
		f.Found, f.Advice = err.Error(), "see that the address is the queue's, and let this role read schema prefer_queue" // pgx leaves the password out
	case h.River == 0 && h.Version == 0:
		f.Found, f.Advice = "its tables are not there", "the first process that works on the queue makes them; see that the address is the queue's"
	case !h.Current:
		f.Level, f.Found = warning, fmt.Sprintf("tables version %d, of River %d; this program works with version %d", h.Version, h.River, h.Known)
		f.Advice = "the next process of this version that works on the queue brings them up to date; then older ones no longer start"
	default:
		f.Level, f.Found = fine, fmt.Sprintf("tables version %d, of River %d, those this program works with", h.Version, h.River)
		return []finding{f, workersFinding(h.Status)}
	}
	return []finding{f}
}

// workersFinding says who works, and whether something waits for somebody who does not.
func workersFinding(s queue.Status) finding {
	alive, jobs := s.Alive()
	f := finding{Check: "workers", Level: fine, Found: fmt.Sprintf("%d alive, %s at a time; %s waiting", alive, count(jobs, "job"), count(s.Waiting, "cell"))}
	var alone []string
	if alive == 0 && s.Waiting > 0 {
		alone = append(alone, "cells")
	}
	for _, e := range s.Jobs {
		f.Found += fmt.Sprintf(", %s of a %s", count(e.Waiting, "part"), e.Kind)
		if e.Waiting > 0 && e.Workers == 0 {
			alone = append(alone, e.Kind)
		}
	}
	if len(alone) > 0 {
		f.Level, f.Advice = warning, fmt.Sprintf("no worker does what waits (%s): start \"prefer worker\", for reports with the --store of the studies", strings.Join(alone, ", "))
	}
	return f
}
