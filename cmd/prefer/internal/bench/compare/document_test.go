package compare

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// small is a table with what reports meet: three noise levels, a stack without seconds and with larger
// initial designs, a stuck seed, a missing seed, runs that ended early; ours better, worse and no different.
func small(t *testing.T) *Table {
	t.Helper()
	table := &Table{}
	for _, g := range []Group{branin, quadratic, {"quadratic2", 0}} {
		for i, s := range []Series{ours, {"default", "random"}, theirs, third} {
			initial := 4
			if s.Setup == "botorch" {
				initial = 8
			}
			for seed := range uint64(6) {
				if s == third && seed == 2 && g == branin {
					continue
				}
				for iter := 0; initial+iter <= 30; iter++ {
					if s == theirs && g == quadratic && iter > 15 {
						break
					}
					gap := float64(1+i) * math.Exp2(float64(seed)/4-float64(iter)/2)
					switch {
					case g == branin && seed == 5:
						gap = 1.546
					case g == quadratic && s == third:
						gap /= 1024
					case g.Noise == 0 && s.Method == "random":
						gap *= math.Exp2(float64(seed%2)*3 - 2.5) // half of the seeds better, half of them worse than kg
					}
					r := bench.Row{Problem: g.Problem, Noise: g.Noise, Setup: s.Setup, Method: s.Method, Seed: seed, Iter: iter, Answers: initial + iter, Gap: gap}
					if s.Setup == "default" {
						r.FitSeconds, r.AskSeconds, r.RecommendSeconds, r.CPUSeconds = 0.25, 0.125*float64(1+i), 0.0625, 0.375
					}
					add(t, table, r)
				}
			}
		}
	}
	return table
}

func TestMarkdownGolden(t *testing.T) {
	d, err := New(small(t), Options{Late: Range{10, 20}})
	if err != nil {
		t.Fatal(err)
	}
	d.Sections = slices.Insert(d.Sections, 0, Section{Title: "Notes", Notes: []string{"Gaps of this table are made up."}})
	got, path := d.Markdown(), filepath.Join("testdata", "report.md")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("after reading the change, run with -update: %s", diff)
	}
}

func TestMarkdownEscapes(t *testing.T) {
	d := Document{
		Title: "a_b*c", Lead: "two\nlines",
		Sections: []Section{{
			Title: "<b>", Notes: []string{"x|y", "[text](address)"},
			Grids: []Grid{{Head: []string{"p|q", "n"}, Labels: 1, Rows: [][]Cell{{{Text: "a|b", Strong: true}, {Text: "~", Detail: "[1, 2]"}}}}},
		}},
	}
	want := strings.Join([]string{
		"<!-- made by prefer -->", `# a\_b\*c`, "", "two lines", "", "## &lt;b>", "", `- x\|y`, `- [text]\(address)`, "",
		`| p\|q | n |`, "|:--|--:|", `| **a\|b** | ~ [1, 2] |`, "",
	}, "\n")
	if diff := cmp.Diff(want, string(d.Markdown())); diff != "" {
		t.Error(diff)
	}
}

func TestHTMLEscapes(t *testing.T) {
	const bad = `<script>alert("&")</script>`
	d := Document{
		Title: bad, Lead: bad,
		Sections: []Section{{
			Title: bad, Text: []string{bad}, Notes: []string{bad},
			Figures: []Figure{{Caption: bad, SVG: []byte("<?xml version=\"1.0\"?>\n<svg></svg>")}},
			Grids:   []Grid{{Caption: bad, Head: []string{bad}, Rows: [][]Cell{{{Text: bad, Detail: bad}}, {{Text: bad, Strong: true}}}}},
		}},
	}
	page := d.HTML()
	if strings.Contains(string(page), "<script") || strings.Contains(string(page), "<?xml") {
		t.Errorf("markup of a name or a prolog gets through:\n%s", page)
	}
	if got := strings.Count(string(page), "&lt;script&gt;"); got != 13 { // the title thrice, the section's twice
		t.Errorf("%d escaped names, want 13", got)
	}
}

// TestHTMLSelfContained: the page loads nothing. Names of XML namespaces look like addresses and are none.
func TestHTMLSelfContained(t *testing.T) {
	d, err := New(small(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	page := d.HTML()
	text := regexp.MustCompile(`xmlns(:\w+)?="[^"]*"`).ReplaceAllString(string(page), "")
	if found := regexp.MustCompile(`(?i)(https?:)?//[\w.-]+\.\w+[^"\s<]*|@import|url\([^)#]*\)|<link|<script|\bsrc=`).FindAllString(text, -1); found != nil {
		t.Errorf("the page refers to %q", found)
	}
	for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if id, inside := strings.CutPrefix(href[1], "#"); !inside || strings.Count(text, `id="`+id+`"`) != 1 {
			t.Errorf("link to %q", href[1])
		}
	}
	if got := strings.Count(text, "<svg"); got != 4 { // all, and three noise levels
		t.Errorf("%d figures inside, want 4", got)
	}
	dec := xml.NewDecoder(strings.NewReader(string(page))) // every element is closed
	for err == nil {
		_, err = dec.Token()
	}
	if !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
