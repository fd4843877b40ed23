package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module is the import path of this module, top its folder.
const module, top = "github.com/prefer-bo/prefer", "../../"

// snippetNames are what fragments of programs in documents use and do not declare.
const snippetNames = `
var (
	ctx        context.Context
	cfg        prefer.Config
	coffee     space.Space
	study      *prefer.Study
	events     []prefer.Event
	show       func(first, second space.Option) prefer.Choice
	x, y       []float64
	lo, hi, x0 []float64
	u1, u2     []float64
	x1, x2     []float64
	f          maximize.Objective
	seed       uint64
	post       *gp.Posterior
	st         *sqlstore.Store
	room       *live.Studies
	call       judge.Call
	sweep      *bench.Sweep
	simulation job.Job
	kinds      job.Kinds
	keep       func(context.Context, []prefer.Event) error
	file       *os.File
	w          http.ResponseWriter
	r          *http.Request
	mux        *http.ServeMux
	p          space.Parameter
	points     []prefer.SlicePoint
	best       space.Value
	token      string
)

func must[T any](v T, err error) T { panic(err) }
`

// snippet is Go in a document or a doc comment.
type snippet struct {
	from   string   // the file
	pkg    string   // the import path of a doc comment's package
	blocks []string // in one scope after the other
}

// TestSnippets: all Go in README.md, docs and the doc comments compiles against the packages as they are.
func TestSnippets(t *testing.T) {
	all := append(documents(t), comments(t)...)
	if len(all) < 20 {
		t.Fatalf("%d files with Go were found, the search finds nothing", len(all))
	}
	exports, paths := compiled(t)
	lookup := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("there is no export data of %s", path)
		}
		return os.Open(exports[path])
	}
	fset := token.NewFileSet()
	check := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	for _, s := range all {
		check.Error = func(err error) {
			if text := err.Error(); !strings.Contains(text, "declared and not used: ") && !strings.Contains(text, "imported and not used") {
				t.Errorf("%s: %s", s.from, text)
			}
		}
		file, err := parser.ParseFile(fset, "snippet.go", s.source(paths), parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v in\n%s", s.from, err, strings.Join(s.blocks, "\n"))
			continue
		}
		_, _ = check.Check("snippet", fset, []*ast.File{file}, nil) // errors went to check.Error
	}
}

// documents returns the Go of README.md and docs.
func documents(t *testing.T) (out []snippet) {
	t.Helper()
	files, err := filepath.Glob(top + "docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, top+"README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			out = append(out, snippet{from: file, blocks: []string{block[1]}})
		}
	}
	return out
}

// comments returns the Go in the doc comments of the module: indented blocks that declare something, or that parse as statements with a call.
func comments(t *testing.T) (out []snippet) {
	t.Helper()
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || len(name) > len(top) && strings.HasPrefix(d.Name(), ".")) {
			return cmp.Or(err, fs.SkipDir)
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		found := snippet{from: name, pkg: path.Join(module, filepath.ToSlash(filepath.Dir(strings.TrimPrefix(name, filepath.FromSlash(top)))))}
		for _, group := range file.Comments {
			for _, part := range new(comment.Parser).Parse(group.Text()).Content {
				if code, ok := part.(*comment.Code); ok && isGo(code.Text) {
					found.blocks = append(found.blocks, code.Text)
				}
			}
		}
		if found.blocks != nil {
			out = append(out, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func isGo(text string) bool {
	if strings.Contains(text, ":=") {
		return true
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+text+"}", parser.SkipObjectResolution)
	calls := false
	if err == nil {
		ast.Inspect(file, func(n ast.Node) bool {
			_, call := n.(*ast.CallExpr)
			calls = calls || call
			return true
		})
	}
	return calls
}

var packageClause, declaration = regexp.MustCompile(`(?m)^package \w+$`), regexp.MustCompile(`(?m)^(func|type) `)

// source makes a file of a snippet: a program is one, declarations are those of a package, and statements the body of a function.
func (s snippet) source(paths map[string][]string) string {
	body := strings.Join(s.blocks, "\n")
	if packageClause.MatchString(body) {
		return body
	}
	if !declaration.MatchString(body) {
		body = "func _() error {\n" + strings.Join(s.blocks, "\n{\n") + strings.Repeat("\n}", len(s.blocks)-1) + "\nreturn nil\n}\n"
	}
	body = snippetNames + body
	var b strings.Builder
	b.WriteString("package snippet\n")
	for _, name := range slices.Compact(slices.Sorted(slices.Values(regexp.MustCompile(`\b[a-z]+\.`).FindAllString(body, -1)))) {
		if found := paths[strings.TrimSuffix(name, ".")]; found != nil {
			if slices.Contains(found, s.pkg) {
				found = []string{s.pkg}
			}
			fmt.Fprintf(&b, "import %q\n", found[0])
		}
	}
	return b.String() + body
}

// compiled returns where the compiled packages behind this program are, and the import paths of each package name, the module's first, the shortest of
// them first. They were compiled for this test's own binary, so nothing is built here.
func compiled(t *testing.T) (exports map[string]string, paths map[string][]string) {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Name}} {{.Export}} {{.Standard}}", ".")
	var failed bytes.Buffer
	list.Stderr = &failed
	text, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &failed)
	}
	exports, paths = map[string]string{}, map[string][]string{}
	for line := range strings.Lines(string(text)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		exports[part[0]] = part[2]
		if ours := strings.HasPrefix(part[0], module); ours || part[3] == "true" && !strings.Contains(part[0], "internal") && !strings.HasPrefix(part[0], "vendor/") {
			paths[part[1]] = append(paths[part[1]], part[0])
		}
	}
	rank := func(path string) int {
		if strings.HasPrefix(path, module) {
			return len(path)
		}
		return 1000 + len(path)
	}
	for _, all := range paths {
		slices.SortFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	}
	return exports, paths
}
