package main

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

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
