package prefer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// completed is the program around the lines of Go in README.md: a simulated person likes two spoons of sugar and four minutes of brewing.
const completed = `package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func show(first, second space.Option) prefer.Choice {
	off := func(o space.Option) float64 { return math.Hypot(o.Float("sugar")-2, o.Float("minutes")-4) }
	if off(first) < off(second) {
		return prefer.First
	}
	return prefer.Second
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	ctx := context.Background()
`

// TestReadme builds and runs the Go of README.md: it ends, and says what is best.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines, words := strings.Count(string(text), "\n"), len(strings.Fields(string(text))); lines > 150 {
		t.Errorf("README.md has %d lines and %d words, want at most 150 lines", lines, words)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 1 {
		t.Fatalf("README.md has %d blocks of Go, want one", len(blocks))
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(completed+blocks[0][1]+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	if err != nil || !regexp.MustCompile(`^minutes [0-9.]+, sugar [0-9.]+ - (done: |stopped at )`).Match(out) {
		t.Errorf("the program says %q, %v", out, err)
	}
	t.Logf("%s", out)
}
