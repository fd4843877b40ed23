package experiments

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

// TestBenchGrowth: a study of few answers, imported, is measured in process and on a server.
func TestBenchGrowth(t *testing.T) {
	c := benchGrowth{Answers: []int{4, 12}, Dims: 2, Repeats: 1}
	var text, data bytes.Buffer
	if err := c.Run(t.Context(), cli.Streams{Out: &text, Err: new(bytes.Buffer)}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(text.String()), "\n"); len(lines) != 3 || !strings.HasPrefix(strings.TrimSpace(lines[2]), "12 ") {
		t.Errorf("the table is\n%s", text.String())
	}
	if err := c.Run(t.Context(), cli.Streams{Out: &data, Err: new(bytes.Buffer), JSON: true}); err != nil {
		t.Fatal(err)
	}
	var rows []growth
	if err := json.Unmarshal(data.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		for name, v := range map[string]float64{"import": r.Import, "first ask": r.First, "ask": r.Ask, "best": r.Best, "tell": r.TellNext, "GET best": r.GetBest} {
			if !(v > 0) {
				t.Errorf("%d answers: %s took %g ms", r.Answers, name, v)
			}
		}
		if r.Answers != c.Answers[i] || r.Memory == 0 {
			t.Errorf("row %d is %+v", i, r)
		}
	}
	c.Answers = []int{0}
	if err := c.Run(t.Context(), cli.Streams{Out: &data, Err: new(bytes.Buffer)}); err == nil || !strings.Contains(err.Error(), "--answers") {
		t.Errorf("no answers: %v", err)
	}
}
