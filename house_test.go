//go:build house

package prefer_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHouse counts how the upper floors are built, so that a change can be held against the numbers before it:
//
//	go test -tags house -run TestHouse -v .
//
// Tests and generated files are left out everywhere. scripts/house adds which files one answer enters.
func TestHouse(t *testing.T) {
	all, err := load("./...")
	if err != nil {
		t.Fatal(err)
	}
	server, root := all.byPath["server"], all.byPath[""]
	calls, back := server.upward()
	fmt.Printf("%6d  files of server\n", len(server.files))
	fmt.Printf("%6d  methods of *server.Server\n", server.methods("Server", false))
	fmt.Printf("%6d  arrows between files of server that run back up, of %d\n", back, calls)
	if live := all.byPath["live"]; live != nil {
		calls, back := live.upward()
		fmt.Printf("%6d  files of live\n", len(live.files))
		fmt.Printf("%6d  arrows between files of live that run back up, of %d\n", back, calls)
	}
	fmt.Printf("%6d  packages that fold events: %s\n", len(all.folds()), strings.Join(all.folds(), ", "))
	fmt.Printf("%6d  exported names of the root\n", root.exported())
	fmt.Printf("%6d  methods of *prefer.Study\n", root.methods("Study", true))
	fmt.Printf("%6d  lines of Go\n", all.lines)
	fmt.Printf("%6d  files that name both_bad\n", all.naming)
}

// house is the module.
type house struct {
	byPath map[string]*room
	lines  int
	naming int // files, of any language, that spell an answer out
}

// room is a package.
type room struct {
	path  string
	files []*ast.File
	fset  *token.FileSet
	info  *types.Info
	pkg   *types.Package
}

// load type-checks the packages of the module against what the compiler has exported of their imports.
func load(pattern string) (*house, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,Module,DepOnly", pattern)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		DepOnly                 bool
		Module                  *struct {
			Path string
			Main bool
		}
	}
	var own []listed
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			own = append(own, p)
		}
	}
	h := &house{byPath: map[string]*room{}}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		r := &room{path: strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/"), fset: fset,
			info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			r.files = append(r.files, file)
		}
		cfg := types.Config{Importer: imports}
		if r.pkg, err = cfg.Check(p.ImportPath, fset, r.files, r.info); err != nil {
			return nil, err
		}
		h.byPath[r.path] = r
	}
	return h, h.count()
}

// count reads every file of the tree.
func (h *house) count() error {
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	return filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata" || d.Name() == "docs" || d.Name() == "tests" {
				return filepath.SkipDir
			}
			return nil
		}
		ext := filepath.Ext(path)
		if !slices.Contains([]string{".go", ".js", ".html", ".py", ".json"}, ext) || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("both_bad")) || bytes.Contains(text, []byte("BothBad")) {
			h.naming++
		}
		if ext == ".go" && !generated.Match(text) {
			h.lines += bytes.Count(text, []byte("\n"))
		}
		return nil
	})
}

// folds lists the packages that know from a log which answers were taken back: they read Event.Undone.
func (h *house) folds() []string {
	var out []string
	for path, r := range h.byPath {
		found := false
		for id, obj := range r.info.Uses {
			v, ok := obj.(*types.Var)
			if ok && v.IsField() && strings.HasSuffix(v.Pkg().Path(), "/prefer") && v.Name() == "Undone" && v.Type().String() == "*"+v.Pkg().Path()+".Undone" && r.reads(id) {
				found = true
			}
		}
		if found {
			out = append(out, cmp.Or(path, "prefer"))
		}
	}
	slices.Sort(out)
	return out
}

// reads reports whether the field is read: it is not the key of a literal.
func (r *room) reads(id *ast.Ident) bool {
	reads := true
	for _, f := range r.files {
		if f.FileStart <= id.Pos() && id.Pos() < f.FileEnd {
			ast.Inspect(f, func(n ast.Node) bool {
				if kv, ok := n.(*ast.KeyValueExpr); ok && kv.Key == id {
					reads = false
				}
				return reads
			})
		}
	}
	return reads
}

// methods counts the methods of a type, the exported ones or all.
func (r *room) methods(name string, exported bool) int {
	n := 0
	t := r.pkg.Scope().Lookup(name).Type().(*types.Named)
	for m := range t.Methods() {
		if !exported || m.Exported() {
			n++
		}
	}
	return n
}

// exported counts the exported names of a package: constants, variables, functions, types and methods of exported types.
func (r *room) exported() int {
	n := 0
	for _, name := range r.pkg.Scope().Names() {
		obj := r.pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		n++
		if t, ok := obj.Type().(*types.Named); ok && obj == t.Obj() {
			n += r.methods(name, true)
		}
	}
	return n
}

// upward counts the arrows between files, from who names a function, method, type, variable or constant to where it is
// declared, and how many run against the best order of the files that was found.
func (r *room) upward() (arrows, back int) {
	at := map[string]int{}
	for i, f := range r.files {
		at[r.fset.File(f.FileStart).Name()] = i
	}
	n := len(r.files)
	to := make([][]bool, n)
	for i := range to {
		to[i] = make([]bool, n)
	}
	for id, obj := range r.info.Uses {
		if obj.Pkg() != r.pkg || obj.Parent() != r.pkg.Scope() && !isMethod(obj) {
			continue
		}
		from, there := at[r.fset.File(id.Pos()).Name()], at[r.fset.File(obj.Pos()).Name()]
		if from != there && !to[from][there] {
			to[from][there] = true
			arrows++
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	against := func() (c int) {
		for i := range order {
			for j := range i {
				if to[order[i]][order[j]] {
					c++
				}
			}
		}
		return c
	}
	back = against()
	for better := true; better; { // move one file at a time to where it hurts least
		better = false
		for i := range order {
			for j := range order {
				move(order, i, j)
				if c := against(); c < back {
					back, better = c, true
				} else {
					move(order, j, i)
				}
			}
		}
	}
	return arrows, back
}

// move takes the element at i to j.
func move(s []int, i, j int) {
	v := s[i]
	s = slices.Insert(slices.Delete(s, i, i+1), j, v)
}

// isMethod tells methods, which are not in the scope of the package, from fields and what is local.
func isMethod(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Recv() != nil
}
