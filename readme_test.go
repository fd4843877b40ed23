package prefer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReadme builds and runs the program in README.md as it is printed there: it ends, and says what is best.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) != 1 {
		t.Fatalf("README.md has %d blocks of Go, want the one program", len(blocks))
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, blocks[0][1], 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	if err != nil || !regexp.MustCompile(`^minutes [0-9.]+, sugar [0-9.]+ - (done: |stopped at |keep going: )`).Match(out) {
		t.Errorf("the program says %q, %v", out, err)
	}
	t.Logf("%s", out)
}
