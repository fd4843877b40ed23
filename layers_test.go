package prefer_test

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw docs/dev/architecture.svg again")

// layers are the packages from the top down. A package belongs to the layer that has the longest beginning of its path, and
// imports packages of its own layer or of lower ones only.
var layers = []struct {
	name, does string
	packages   []string
}{
	{"command", "what people type", []string{"cmd"}},
	{"service", "REST, the page, a study in one HTML file", []string{"server", "internal/page", "internal/pack", "internal/paste"}},
	{"people", "an open study with raters: tokens, notices, background work", []string{"live", "internal/job"}},
	{"results and data", "sentences, reports, simulated raters, logs, tables, databases",
		[]string{"say", "report", "simulate", "exchange", "logfile", "store", "internal/chart", "internal/timeline", "internal/demo", "internal/media", "internal/view"}},
	{"study", "ask, tell, look; event sourcing", []string{"", "internal/learn", "internal/crowd", "internal/pairs", "internal/sentence"}},
	{"space", "what is searched, and its coordinates", []string{"space", "internal/coding"}},
	{"search", "what a question is worth, and the best one", []string{"acquisition", "problem"}},
	{"model", "a utility learned from duels", []string{"gp"}},
	{"tools", "numbers, text, memory", []string{"internal"}},
}

// layerOf returns the number of a package's layer.
func layerOf(pkg string) int {
	at, longest := -1, -1
	for i, l := range layers {
		for _, p := range l.packages {
			if (pkg == p || p != "" && strings.HasPrefix(pkg, p+"/")) && len(p) > longest {
				at, longest = i, len(p)
			}
		}
	}
	return at
}

// imports returns what each package of this module imports of it, as paths below the module; tests, examples and generators aside.
func imports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); slices.Contains([]string{"testdata", "gen", "examples", "storetest", "chaos"}, name) || len(name) > 1 && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")
		if out[pkg] == nil {
			out[pkg] = map[string]bool{}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name+"/", module+"/"); ok {
				out[pkg][strings.TrimSuffix(own, "/")] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLayers: imports go down, and the picture of them in docs is the one that the code has.
func TestLayers(t *testing.T) {
	all := imports(t)
	count := map[[2]int]int{}
	for pkg, imported := range all {
		from := layerOf(pkg)
		if from < 0 {
			t.Errorf("package %q is in no layer", pkg)
		}
		for other := range imported {
			to := layerOf(other)
			if to < from {
				t.Errorf("%q of layer %q imports %q of the higher layer %q", pkg, layers[from].name, other, layers[to].name)
			}
			if to > from {
				count[[2]int{from, to}]++
			}
		}
	}
	const file = "docs/dev/architecture.svg"
	want := drawLayers(all, count)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not what the imports are (%v): go test . -run TestLayers -update", file, err)
	}
}

// drawLayers draws a band per layer with the names of its packages, and an arc for every two layers of which the upper imports the lower, as thick
// as there are imports.
func drawLayers(all map[string]map[string]bool, count map[[2]int]int) string {
	const width, band, gap, right = 950, 62, 14, 150
	var out strings.Builder
	height := len(layers)*(band+gap) + gap
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" role="img" aria-label="Layers of packages; imports go down">`+"\n",
		width+right, height)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	top := func(i int) int { return gap + i*(band+gap) }
	for _, k := range slices.SortedFunc(maps.Keys(count), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		from, to := top(k[0])+band/2, top(k[1])+band/2
		bulge := width + 20 + 15*(k[1]-k[0])
		fmt.Fprintf(&out, `<path d="M%d %d C%d %d %d %d %d %d" fill="none" stroke="#5b7fa6" stroke-opacity=".55" stroke-width="%.1f"/>`+"\n",
			width, from+6, bulge, from+6, bulge, to-6, width, to-6, 1+float64(count[k])/8)
		fmt.Fprintf(&out, `<path d="M%d %d l8 -4 v8 z" fill="#5b7fa6"/>`+"\n", width, to-6)
	}
	for i, l := range layers {
		var public, private []string
		for _, pkg := range slices.Sorted(maps.Keys(all)) {
			if layerOf(pkg) != i {
				continue
			}
			switch _, inner, hidden := strings.Cut("/"+pkg, "/internal/"); {
			case pkg == "":
				public = append(public, "prefer")
			case hidden:
				inner, _, _ = strings.Cut(inner, "/")
				private = append(private, inner)
			default:
				public = append(public, pkg)
			}
		}
		private = slices.Compact(private)
		fmt.Fprintf(&out, `<rect x="10" y="%d" width="%d" height="%d" rx="8" fill="#f3f6fa" stroke="#c5d2e0"/>`+"\n", top(i), width-10, band)
		fmt.Fprintf(&out, `<text x="24" y="%d" font-size="15" font-weight="600" fill="#1d2b3a">%s</text><text x="170" y="%d" font-size="13" fill="#44566a">%s</text>`+"\n",
			top(i)+22, l.name, top(i)+22, l.does)
		text := strings.Join(public, " · ")
		if len(private) > 0 && len(text) > 0 {
			text += "   "
		}
		fmt.Fprintf(&out, `<text x="24" y="%d" font-size="13" xml:space="preserve"><tspan fill="#0b5394" font-weight="600">%s</tspan><tspan fill="#6b7b8c">%s</tspan></text>`+"\n",
			top(i)+46, text, strings.Join(private, " · "))
	}
	out.WriteString("</svg>\n")
	return out.String()
}
