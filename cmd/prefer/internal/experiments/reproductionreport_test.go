package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

func TestLess(t *testing.T) {
	for _, c := range []struct {
		r    reproduction
		want []string
	}{
		{reproduction{setup: bench.Setup{Modelling: bench.Modelling{Model: "paper"}}, grid: bench.Grid{}.WithDefaults(), questions: 100}, nil},
		{reproduction{setup: bench.Setup{Modelling: bench.Modelling{Model: "default"}}, grid: bench.Grid{Problems: []string{"branin2"}, Seeds: []uint64{4}}, questions: 25}, []string{
			"1 seed; the paper has 20.",
			"25 questions after the initial pairs; the paper has 100.",
			"The problems are branin2; the paper has quadratic2, branin2, hartmann6, ackley6, alpine7, levy6.",
			"The model, the number of initial pairs and the search are prefer's own, not the paper's.",
		}},
	} {
		if diff := cmp.Diff(c.want, c.r.less()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestIters(t *testing.T) {
	for questions, want := range map[int][]int{100: {10, 25, 50, 100}, 25: {10, 25}, 30: {10, 25, 30}, 2: {2}, 150: {10, 25, 50, 100, 150}} {
		if diff := cmp.Diff(want, (&reproduction{questions: questions}).iters()); diff != "" {
			t.Errorf("%d questions: %s", questions, diff)
		}
	}
}

// TestChoicesAsInDocs: the report says what docs/dev/paper.md says, so that neither can change alone. Rows of
// the table there may go on after what is quoted.
func TestChoicesAsInDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "dev", "paper.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(strings.NewReplacer("`", "", `\|`, "¦").Replace(string(data))) {
		if cells := strings.Split(line, "|"); len(cells) == 6 {
			rows[strings.TrimSpace(cells[1])] = cells
		}
	}
	for line := range strings.Lines(choices) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		row, ok := rows[c[0]]
		if !ok || len(c) != 3 {
			t.Errorf("docs/dev/paper.md has no row %q", c)
			continue
		}
		for i, text := range c[1:] {
			if there := strings.ReplaceAll(strings.TrimSpace(row[2+i]), "¦", "|"); !strings.HasPrefix(there, text) {
				t.Errorf("%s: docs/dev/paper.md says %q, the report %q", c[0], there, text)
			}
		}
	}
}
