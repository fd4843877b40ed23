package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChoicesAsInDocs: the report says what docs/paper.md says, so that neither can change alone. Rows of
// the table there may go on after what is quoted.
func TestChoicesAsInDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "paper.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(strings.NewReplacer("`", "", `\|`, "¦").Replace(string(data))) {
		if cells := strings.Split(line, "|"); len(cells) == 6 {
			rows[strings.TrimSpace(cells[1])] = cells
		}
	}
	for _, c := range choices {
		row, ok := rows[c.what]
		if !ok {
			t.Errorf("docs/paper.md has no row %q", c.what)
			continue
		}
		for i, text := range []string{c.ours, c.why} {
			if there := strings.ReplaceAll(strings.TrimSpace(row[2+i]), "¦", "|"); !strings.HasPrefix(there, text) {
				t.Errorf("%s: docs/paper.md says %q, the report %q", c.what, there, text)
			}
		}
	}
}
