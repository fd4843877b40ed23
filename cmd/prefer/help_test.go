package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/experiments"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/studies"
)

// TestTexts: every text is that of a command, which shows it.
func TestTexts(t *testing.T) {
	parser := kong.Must(&commands{}, kong.Exit(func(int) {}), kong.Vars{"version": "", "parameter_forms": ""}, kong.Vars(studies.HelpVars()), kong.Vars(experiments.HelpVars()))
	addTexts(parser.Model.Node, "prefer")
	files, err := texts.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "prefer.txt" {
			continue
		}
		at := parser.Model.Node
		for _, word := range strings.Split(strings.TrimSuffix(f.Name(), ".txt"), "-") {
			for _, child := range at.Children {
				if child.Name == word {
					at = child
				}
			}
		}
		if !at.Leaf() || at.Detail == "" {
			t.Errorf("help/%s is of no command", f.Name())
		}
	}
}

// TestTimeOfPaper: the help and the README say the same of how long a first look at the paper takes.
func TestTimeOfPaper(t *testing.T) {
	said := map[string]bool{}
	for _, path := range []string{"help/prefer.txt", "../../README.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if m := regexp.MustCompile(`in (?:a|\w+) minutes?`).FindString(line); m != "" && strings.Contains(line, "reproduce --quick") {
				said[m] = true
			}
		}
	}
	if len(said) != 1 {
		t.Errorf("they say %v", said)
	}
}
