package prefer

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"testing"
)

// TestOldLogs: logs from before a rater could have several questions open, with raters called "ann#1" for that, and from
// before "mixture" was dropped, are read, written again byte for byte, and say what they said: at every event at most one
// question of a rater is open, the last that was asked or brought back; and the best is where it was.
func TestOldLogs(t *testing.T) {
	for name, c := range map[string]struct {
		rater    string
		best     string // a parameter of the best option …
		at, mean float64
		warnings int
	}{
		"coffee":    {"", "milk", 0.4807873922595973, 3.3075761275202784, 0},
		"per_rater": {"ann", "milk", 0.46759104590011874, 1.897239440275178, 0},
		"graded":    {"", "x2", 0.42073299683749904, 5.243213608139501, 0},
		"mixture":   {"", "", 0, 0, 1},
	} {
		data, err := os.ReadFile("testdata/logs/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		events, err := readLines(data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(lines(t, events), data) {
			t.Errorf("%s: the log is written otherwise than it was read", name)
		}
		s := &Study{state: newState()}
		open, of := map[string][]QuestionID{}, map[AnswerID]*Question{}
		questions := map[QuestionID]*Question{}
		for _, e := range events {
			switch {
			case e.Asked != nil:
				questions[e.Asked.ID], open[e.Asked.Rater] = e.Asked, []QuestionID{e.Asked.ID}
			case e.Answered != nil:
				q := questions[e.Answered.Question]
				of[e.Answered.ID] = q
				delete(open, q.Rater)
			case e.Undone != nil:
				q := of[e.Undone.Answer]
				open[q.Rater] = []QuestionID{q.ID}
			}
			if err := s.state.apply(e); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := s.openIDs(); fmt.Sprint(got) != fmt.Sprint(open) {
				t.Fatalf("%s: after event %d %v are open, want %v", name, e.Seq, got, open)
			}
		}
		again := reopen(t, events)
		b, err := again.Belief(ctx, Look{Rater: c.rater})
		if err != nil || len(b.Warnings) != c.warnings {
			t.Errorf("%s: warnings %v, %v", name, b.Warnings, err)
		}
		if ask(t, again, "ann").Method != "kg" {
			t.Errorf("%s: the study does not go on", name)
		}
		if c.best == "" {
			continue
		}
		best, err := reopen(t, events).Best(ctx, Look{Rater: c.rater})
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-3 }         // the search may be another by now
		if !near(best.Option.Float(c.best), c.at) || !near(best.Mean, c.mean) { // how sure is another question now
			t.Errorf("%s: the best is %+v, was %s %g with %g", name, best, c.best, c.at, c.mean)
		}
	}
}

// TestOldGrades: a log from before grades had a prior of their own (gp.Model.Grade) is fitted by that of δ, as it was then.
func TestOldGrades(t *testing.T) {
	data, err := os.ReadFile("testdata/logs/graded.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	events, err := readLines(data)
	if err != nil {
		t.Fatal(err)
	}
	s := reopen(t, events)
	v := s.view("")
	asks, err := s.questionFits.Get(ctx, v.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	tells, err := s.beliefModel(ctx, v)
	if err != nil {
		t.Fatal(err)
	}
	p := asks.Belief.Parts[0]
	// What the version that wrote the log said, on another path of the kernels perhaps. The maximum of what is searched for is the same; where a search
	// ends near it its tolerance leaves open, and with it the evidence there.
	for _, c := range []struct {
		what                 string
		got, want, tolerance float64
	}{
		{"evidence and prior of the model that asks", p.Evidence() + p.State().LogPrior, -25.8008907945864, 1e-7},
		{"evidence of the model that asks", p.Evidence(), -18.296387068527387, 2e-4},
		{"δ", p.Hyper().Cuts[0], 0.642818195166693, 2e-4},
		{"clearly", p.Hyper().Cuts[1], 2.2800369178144027, 2e-4},
		{"evidence of the first that tells", tells.Belief.Parts[0].Evidence(), -20.366516052641387, 2e-4},
		{"its clearly", tells.Belief.Parts[0].Hyper().Cuts[1], 2.2977768604421795, 2e-4},
	} {
		if math.Abs(c.got-c.want) > c.tolerance*math.Abs(c.want) {
			t.Errorf("%s: %.15g, was %.15g", c.what, c.got, c.want)
		}
	}
}
