package prefer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOutside: a program in another module does with public packages, in fewer than 40 of their names, what a Go service needs.
func TestOutside(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	source, err := os.ReadFile("testdata/outside/main.go")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod") // the versions that are here already
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	const name = "module github.com/prefer-bo/prefer\n"
	if !strings.HasPrefix(string(module), name) {
		t.Fatalf("go.mod begins with %.60q", module)
	}
	text := "module example.org/outside\n" + string(module[len(name):]) +
		"\nrequire github.com/prefer-bo/prefer v0.0.0\n\nreplace github.com/prefer-bo/prefer => " + filepath.ToSlash(here) + "\n"
	for file, data := range map[string][]byte{"main.go": source, "go.mod": []byte(text), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(folder, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", ".", t.TempDir())
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	const want = "study: 10 answers, much sugar: true\nlist: Cleo\nraters: [ann bob] kept: true\nhandler: 200\n"
	if err != nil || string(out) != want {
		t.Errorf("it says\n%s%v, want\n%s", out, err, want)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	packages, used := map[string]bool{}, map[string]bool{}
	for _, i := range file.Imports {
		if path := strings.Trim(i.Path.Value, `"`); strings.HasPrefix(path, "github.com/prefer-bo/") {
			packages[path[strings.LastIndex(path, "/")+1:]] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && packages[x.Name] {
				used[x.Name+"."+s.Sel.Name] = true
			}
		}
		return true
	})
	if len(used) < 15 || len(used) >= 40 {
		t.Errorf("it uses %d names, want fewer than 40: %v", len(used), slices.Sorted(maps.Keys(used)))
	}
	t.Logf("%d names of %d packages", len(used), len(packages))
}
