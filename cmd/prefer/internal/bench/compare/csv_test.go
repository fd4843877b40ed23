package compare

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

func TestSummaryCSV(t *testing.T) {
	var table Table
	fill(t, &table, branin, Series{"default outputscale=gamma(2,0.15)", "kg"}, 15, 1, 2, 4, 8)
	add(t, &table, bench.Row{Problem: "branin2", Noise: 0.3, Setup: "other", Method: "kg", Iter: 3, Gap: 1e-9})
	want := strings.Join([]string{
		"problem,noise,setup,method,iter,answers,n,q1,median,q3,mean,stuck",
		`branin2,0.3,"default outputscale=gamma(2,0.15)",kg,11,15,4,1.75,3,5,3.75,0.75`,
		"branin2,0.3,other,kg,3,,1,1e-09,1e-09,1e-09,1e-09,0",
		"",
	}, "\n")
	if diff := cmp.Diff(want, string(SummaryCSV(&table, Options{}))); diff != "" {
		t.Error(diff)
	}
}
