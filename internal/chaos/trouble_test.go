package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// fault is something that was done to the servers or to the database.
type fault struct {
	what       string
	from, back time.Time // until it served again
}

// appointment is trouble for the database, at its time.
type appointment struct {
	at   time.Duration
	what string
	do   func(context.Context) error
}

// agenda returns what the database goes through, each part of the run one thing. A long run has it frozen for longer than
// servers wait, too.
func (p plan) agenda(db *database) (list []appointment) {
	if p.freeze {
		list = append(list, appointment{what: "database frozen", do: func(ctx context.Context) error { return db.freeze(ctx, p.frozen) }})
	}
	if p.db {
		list = append(list, appointment{what: "database restarted", do: db.restart})
	}
	if p.failover {
		list = append(list, appointment{what: "database failed over", do: db.failover})
	}
	if p.freeze && p.length >= 2*time.Minute {
		list = append(list, appointment{what: "database frozen long", do: func(ctx context.Context) error { return db.freeze(ctx, 4*p.frozen) }})
	}
	for i := range list {
		list[i].at = p.length * time.Duration(i+1) / time.Duration(len(list)+1)
	}
	return list
}

// disturb does one thing after the other to servers and database until ctx ends, and leaves everything running.
func (p plan) disturb(ctx context.Context, f *fleet, db *database, l *ledger) {
	lasting := context.WithoutCancel(ctx)
	r := rand.New(rand.NewPCG(p.seed, 0xc4a05))
	start := time.Now()
	agenda := p.agenda(db)
	for n := 0; ctx.Err() == nil; {
		wait := p.length
		if p.kill || p.freeze {
			wait = time.Duration(r.ExpFloat64() * float64(p.every))
		}
		due := len(agenda) > 0 && time.Since(start)+wait >= agenda[0].at
		if due {
			wait = max(0, agenda[0].at-time.Since(start))
		}
		if sleep(ctx, wait) != nil {
			return
		}
		x := fault{from: time.Now()}
		var err error
		switch {
		case due:
			x.what, err = agenda[0].what, agenda[0].do(lasting)
			for i := range f.members {
				if err == nil {
					err = f.ready(lasting, i)
				}
			}
			agenda = agenda[1:]
		case p.kill && (n%2 == 0 || !p.freeze):
			x.what, err = "server killed", p.killOne(ctx, f, r)
			n++
		case p.freeze:
			x.what, err = "server frozen", p.freezeOne(ctx, f, r)
			n++
		default:
			continue
		}
		if err != nil {
			l.violated("%s: %v", x.what, err)
			return
		}
		x.back = time.Now()
		l.fault(x)
	}
}

// killOne kills a server and starts it again soon, or at once when the run ends.
func (p plan) killOne(ctx context.Context, f *fleet, r *rand.Rand) error {
	i := r.IntN(len(f.members))
	if err := f.kill(i); err != nil {
		return fmt.Errorf("server %d could not be killed: %w", i, err)
	}
	_ = sleep(ctx, time.Duration(r.Int64N(int64(2*time.Second))))
	if err := f.start(i); err != nil {
		return fmt.Errorf("server %d did not start again: %w", i, err)
	}
	return f.ready(context.WithoutCancel(ctx), i)
}

// freezeOne stops a server where it is, perhaps in the middle of a transaction, and has it go on later.
func (p plan) freezeOne(ctx context.Context, f *fleet, r *rand.Rand) error {
	i := r.IntN(len(f.members))
	if err := f.freeze(i); err != nil {
		return fmt.Errorf("server %d could not be frozen: %w", i, err)
	}
	_ = sleep(ctx, time.Duration((0.5+1.5*r.Float64())*float64(p.frozen)))
	if err := f.thaw(i); err != nil {
		return fmt.Errorf("server %d could not be thawed: %w", i, err)
	}
	return f.ready(context.WithoutCancel(ctx), i)
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

// TestAgenda: what the database goes through is spread over the run, and is what the flags say.
func TestAgenda(t *testing.T) {
	for _, c := range []struct {
		plan plan
		want []string
	}{
		{plan{length: time.Minute}, nil},
		{plan{length: time.Minute, db: true}, []string{"30s database restarted"}},
		{plan{length: 40 * time.Second, db: true, freeze: true, failover: true},
			[]string{"10s database frozen", "20s database restarted", "30s database failed over"}},
		{plan{length: 5 * time.Minute, db: true, freeze: true, failover: true},
			[]string{"1m0s database frozen", "2m0s database restarted", "3m0s database failed over", "4m0s database frozen long"}},
	} {
		var got []string
		for _, a := range c.plan.agenda(nil) {
			got = append(got, fmt.Sprint(a.at, " ", a.what))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.plan, got, c.want)
		}
	}
}
