package sqlstore

import (
	"errors"
	"strings"
	"testing"
)

// TestPlan: what would be done is said, and not done.
func TestPlan(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		running := old(t, address, 1)
		p, err := NewPlan(ctx, address, Options{})
		if err != nil || p.Tables != 1 || p.Known != int64(latest(t)) || p.Studies != 1 || p.Events != len(running.Events(0)) || len(p.Steps) != latest(t)-1 {
			t.Fatalf("%+v, %v", p, err)
		}
		step := p.Steps[0]
		if step.Version != 2 || step.Name != "notes" || !strings.Contains(step.Statements, "CREATE TABLE prefer_notes (") || strings.Contains(step.Statements, "--") {
			t.Errorf("the first step is %+v", step)
		}
		if h, err := Examine(ctx, address, Options{}); err != nil || h.Tables != 1 {
			t.Errorf("the tables have version %d now (%v)", h.Tables, err)
		}
		sameLog(t, open(t, address), running)
		if p, err = NewPlan(ctx, address, Options{}); err != nil || p.Tables != p.Known || len(p.Steps) != 0 {
			t.Errorf("up to date: %+v, %v", p, err)
		}
		if _, err = NewPlan(ctx, address, withMigrations(t, 1)); !errors.Is(err, ErrNewer) {
			t.Errorf("a newer store: %v, want ErrNewer", err)
		}
	})
}
