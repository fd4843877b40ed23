package main

import (
	"context"
	"math/rand/v2"
	"time"
)

// fault is something that was done to the servers or to the database.
type fault struct {
	what       string
	from, back time.Time // until it served again
}

// disturb kills and restarts until ctx ends, and leaves everything running.
func (p plan) disturb(ctx context.Context, f *fleet, db *database, l *ledger) {
	lasting := context.WithoutCancel(ctx)
	r := rand.New(rand.NewPCG(p.seed, 0xc4a05))
	half := time.Now().Add(p.length / 2)
	restarted := !p.db
	for ctx.Err() == nil {
		wait := p.length
		if p.kill {
			wait = time.Duration(r.ExpFloat64() * float64(p.every))
		}
		if !restarted {
			wait = min(wait, max(0, time.Until(half)))
		}
		if sleep(ctx, wait) != nil {
			return
		}
		from := time.Now()
		if !restarted && !from.Before(half) {
			restarted = true
			if err := db.restart(lasting); err != nil {
				l.violated("the database did not come back: %v", err)
				return
			}
			l.fault(fault{"database restarted", from, time.Now()})
			continue
		}
		if !p.kill {
			continue
		}
		i := r.IntN(len(f.members))
		if err := f.kill(i); err != nil {
			l.violated("server %d could not be killed: %v", i, err)
			return
		}
		_ = sleep(ctx, time.Duration(r.Int64N(int64(2*time.Second)))) // when the run ends it is started at once
		if err := f.start(i); err != nil {
			l.violated("server %d did not start again: %v", i, err)
			return
		}
		if err := f.ready(lasting, i); err != nil {
			l.violated("%v", err)
			return
		}
		l.fault(fault{"server killed", from, time.Now()})
	}
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
