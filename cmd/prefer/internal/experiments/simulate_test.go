package experiments

import (
	"context"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/simulate"
)

// TestSimulateStopped: Ctrl-C prints what there is, here nothing, and says so. Package simulate has the test with some
// who had finished.
func TestSimulateStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, talk strings.Builder
	c := Simulate{Path: "-", Raters: 3, Noise: "prior,low", Questions: new(8), Seconds: 5}
	err := c.Run(ctx, cli.Streams{In: strings.NewReader(`{"params": [{"name": "x", "low": 0, "high": 1}]}`), Out: &out, Err: &talk})
	if err == nil || err.Error() != "stopped: the numbers are those of the 0 of 6 people who had finished" {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(out.String(), "Nobody has finished yet.") || !strings.Contains(out.String(), simulate.Caveat) {
		t.Error(out.String())
	}
}

// TestWriteSimulation: numbers stand where their headings say.
func TestWriteSimulation(t *testing.T) {
	quantiles := []simulate.Quantile{{Share: 0.1, Questions: 9}, {Share: 0.25, Questions: 12}, {Share: 0.5, Questions: 24}, {Share: 0.75, Questions: 31}, {Share: 0.9}}
	r := simulate.Result{Raters: 8, MaxQuestions: 25, Confidence: 0.9, Levels: []simulate.Level{{MaxQuestions: 25, Confidence: 0.9, Noise: simulate.High, Summary: simulate.Summary{
		Finished: 8, Verdicts: prefer.Share{Count: 7, Of: 8}, Questions: quantiles, Good: prefer.Share{Count: 6, Of: 8}, Right: prefer.Share{Count: 6, Of: 7},
		Endings: []simulate.Ending{{Kind: prefer.Settled, Share: prefer.Share{Count: 7, Of: 8}}, {Kind: prefer.KeepGoing, Share: prefer.Share{Count: 1, Of: 8}}},
		Loss:    0.25, Range: 0.031, Budgets: []simulate.Budget{{Questions: 10, Good: prefer.Share{Count: 2, Of: 8}}, {Questions: 20, Good: prefer.Share{Count: 4, Of: 8}}},
	}}}}
	var b strings.Builder
	if err := writeSimulation(&b, r, 5e9); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{
		"noise people 10% 25% 50% 75% 90% median time no verdict\nhigh 8 9 12 24 31 > 25 2.0 min 1\n",
		"noise ending people\nhigh done 88%\nhigh not yet 12%\n", "noise 10 20 end true verdicts median loss, of the range\nhigh 25% 50% 75% 86% 3.1%\n",
		"took a median of 24 questions (10–90%: 9–more than 25), about 2 minutes at 5 s per answer; 1 of 8 had none after 25.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nhas no\n%s", text, want)
		}
	}
}
