package chaos

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/signal"
	"sync"
	"testing"
	"time"
)

// plan is what a run does.
type plan struct {
	servers, raters, studies int
	length, think            time.Duration
	kill, freeze             bool
	db, failover             bool
	every                    time.Duration // between two faults of servers, on average
	frozen                   time.Duration
	seed                     uint64
	kills                    int    // of TestKills
	keep                     string // where the servers' logs go; empty: nowhere
}

var planned plan

func init() {
	p := &planned
	flag.DurationVar(&p.length, "for", 0, "how long raters answer; 0: TestChaos does not run")
	flag.IntVar(&p.servers, "servers", 3, "servers on one database")
	flag.IntVar(&p.raters, "raters", 500, "simulated raters")
	flag.IntVar(&p.studies, "studies", 50, "studies, of which each rater works on one")
	flag.DurationVar(&p.think, "think", 30*time.Second, "how long a rater looks at a question, on average")
	flag.BoolVar(&p.kill, "kill", true, "kill servers at random moments, and start them again")
	flag.BoolVar(&p.freeze, "freeze", true, "freeze servers (SIGSTOP) in turn with kills, and the database once; "+
		"in a run of two minutes or more a second time, four times as long")
	flag.BoolVar(&p.db, "db", true, "restart the database once")
	flag.BoolVar(&p.failover, "failover", false, "give the database a synchronous standby, kill it once, and have the standby take its place")
	flag.DurationVar(&p.every, "every", 10*time.Second, "time between two kills or freezes of servers, on average")
	flag.DurationVar(&p.frozen, "frozen", 4*time.Second, "how long the database is frozen, and a server half to twice as long")
	flag.Uint64Var(&p.seed, "seed", 1, "of the raters' tastes and pauses, and of the trouble")
	flag.IntVar(&p.kills, "kills", 0, "how often TestKills kills a server on each engine; 0: it does not run")
	flag.StringVar(&p.keep, "logs", "", "folder for the logs of the servers, from the root of the repository")
}

// TestChaos: whatever happens to servers and database, what was acknowledged is kept.
func TestChaos(t *testing.T) {
	p := planned
	if p.length == 0 {
		t.Skip("a load and fault test of minutes: make chaos, or go test ./internal/chaos -run '^TestChaos$' -v -timeout 0 -for 1m")
	}
	if p.servers < 1 || p.raters < 1 || p.studies < 1 || p.length < 0 || p.think <= 0 || p.every <= 0 || p.frozen <= 0 || flag.NArg() > 0 {
		t.Fatal("servers, raters, studies and times must be positive, and there are no arguments")
	}
	t.Chdir("../..") // where the program and scripts/postgres are
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := p.run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Error("promises were broken, see above")
	}
}

// run returns whether all promises were kept.
func (p plan) run(ctx context.Context) (ok bool, err error) {
	dir, err := os.MkdirTemp("", "chaos")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // the database may run as somebody else
		return false, err
	}
	db, err := startDatabase(ctx, dir, p.failover)
	if err != nil {
		return false, err
	}
	defer db.stop()
	f, err := startFleet(ctx, p, dir, db.address)
	if err != nil {
		return false, err
	}
	defer f.stop()
	l := newLedger()
	names, err := makeStudies(ctx, p, f, l)
	if err != nil {
		return false, err
	}
	start, before := time.Now(), loadAverage()
	working, enough := context.WithTimeout(ctx, p.length)
	defer enough()
	listening, quiet := context.WithCancel(ctx)
	defer quiet()
	var hearing []*listener
	var raters, trouble, ears sync.WaitGroup
	for i, name := range names[:min(listeners, len(names))] {
		one := &listener{study: name, fleet: f}
		hearing = append(hearing, one)
		ears.Go(func() { one.listen(listening, rand.New(rand.NewPCG(p.seed, uint64(i)<<32))) })
	}
	for i := range p.raters {
		raters.Go(func() { newRater(p, i, names[i%len(names)], f, l).work(working) })
	}
	trouble.Go(func() { p.disturb(working, f, db, l) })
	raters.Wait()
	trouble.Wait()
	took := time.Since(start)
	if err := ctx.Err(); err != nil {
		return false, err
	}
	missed, err := caughtUp(ctx, db.address, hearing)
	if err != nil {
		return false, err
	}
	for _, m := range missed {
		l.violated("%s", m)
	}
	quiet()
	ears.Wait()
	memory, counted := f.memory(), f.counted()
	f.stop()
	if len(l.faults) == 0 && (p.kill || p.freeze || p.db || p.failover) {
		l.violated("no fault struck, so nothing was tested")
	}
	found, err := verify(ctx, db.address, l)
	if err != nil {
		return false, err
	}
	size, err := db.size(ctx)
	if err != nil {
		return false, err
	}
	report(os.Stdout, p, l, took, found, size, f, memory, counted, before)
	return len(found.broken) == 0, nil
}
