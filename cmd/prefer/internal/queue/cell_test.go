package queue

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// TestKey: the key tells apart what has other rows, and nothing else.
func TestKey(t *testing.T) {
	r := bench.Runner{Questions: 100}
	c := bench.Cell{Problem: "branin2", Noise: 0.1, Method: "kg", Seed: 3}
	if got, want := newCell(&r, c, "").Key, "branin2 noise 0.1 kg seed 3, default, 100 questions"; got != want {
		t.Errorf("the key is %q, want %q", got, want)
	}
	same := r
	same.Setup = bench.Setup{Modelling: bench.Modelling{Model: "default"}, Link: "probit"}
	if got, want := newCell(&same, c, "").Key, newCell(&r, c, "").Key; got != want {
		t.Errorf("defaults that are spelled out have key %q, want %q", got, want)
	}
	seen := map[string]int{newCell(&r, c, "").Key: -1}
	for i, other := range []cell{
		{Problem: "branin3"}, {Noise: 0.3}, {Method: "eubo"}, {Seed: 4}, {Questions: 50}, {Early: true}, {Design: "abc"}, {Setup: bench.Setup{Modelling: bench.Modelling{Model: "paper"}}},
	} {
		cc, rr := c, r
		if other.Problem != "" {
			cc.Problem = other.Problem
		}
		if other.Noise != 0 {
			cc.Noise = other.Noise
		}
		if other.Method != "" {
			cc.Method = other.Method
		}
		if other.Seed != 0 {
			cc.Seed = other.Seed
		}
		if other.Questions != 0 {
			rr.Questions = other.Questions
		}
		rr.Early, rr.Setup = other.Early, other.Setup
		key := newCell(&rr, cc, other.Design).Key
		if before, there := seen[key]; there {
			t.Errorf("changes %d and %d have the same key %q", before, i, key)
		}
		seen[key] = i
	}
}

// TestCheck: a job in terms that this version does not know is refused.
func TestCheck(t *testing.T) {
	job := newCell(&bench.Runner{Setup: bench.Setup{Modelling: bench.Modelling{Model: "paper"}}}, bench.Cell{Problem: "branin2", Method: "kg"}, "")
	if err := job.check(); err != nil {
		t.Error(err)
	}
	job.Key = strings.Replace(job.Key, "paper", "paper telepathy=on", 1)
	if err := job.check(); err == nil || !strings.Contains(err.Error(), "another version of prefer") {
		t.Errorf("a job with an unknown choice: %v", err)
	}
}

// FuzzCell: what passes for a job here is the same job when it is written and read again.
func FuzzCell(f *testing.F) {
	sigma := 0.1
	for _, r := range []bench.Runner{{}, {Setup: bench.Setup{Modelling: bench.Modelling{Model: "paper", Starts: 3}, Sigma: &sigma}, Questions: 7, Early: true}} {
		data, err := json.Marshal(newCell(&r, bench.Cell{Problem: "levy6", Noise: 0.3, Method: "kg", Seed: 1 << 62}, "ab"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"key": "", "seed": -1}`))
	f.Add([]byte(`{"setup": {"Sigma": 1e400}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c, again cell
		if json.Unmarshal(data, &c) != nil || c.check() != nil {
			return
		}
		out, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &again); err != nil {
			t.Fatal(err)
		}
		if err := again.check(); err != nil || again.Key != c.Key {
			t.Errorf("%s is read again as %s: %v", data, out, err)
		}
	})
}
