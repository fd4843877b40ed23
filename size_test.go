package prefer_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSizeLimits measures the size of the module and fails where a measure is above its limit in limits.txt. With -v it prints
// the table, as scripts/house does. Test files and generated files do not count.
func TestSizeLimits(t *testing.T) {
	module, err := measure(".")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("limits.txt")
	if err != nil {
		t.Fatal(err)
	}
	measures := module.measures()
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := columns.Split(line, 3)
		if len(fields) != 3 {
			t.Errorf("limits.txt: %q: want a name, a limit and a reason, two spaces apart", line)
			continue
		}
		name := fields[0]
		limit, err := strconv.Atoi(strings.ReplaceAll(fields[1], ",", ""))
		if err != nil {
			t.Errorf("limits.txt: limit of %q: %v", name, err)
			continue
		}
		is, ok := measures[name]
		if !ok {
			t.Errorf("limits.txt: no measure is called %q, or it has two lines", name)
			continue
		}
		delete(measures, name)
		if testing.Verbose() {
			fmt.Printf("%7d of %7d  %s\n", is, limit, name)
		}
		if is > limit {
			t.Errorf("%s: %d, the limit is %d (limits.txt). Remove something, or raise the limit in a commit of its own that gives the reason", name, is, limit)
		}
	}
	for name, is := range measures {
		t.Errorf("limits.txt has no limit for %q, which is %d", name, is)
	}
}

// sizes are the counts of a module.
type sizes struct {
	packages map[string]*sizedPackage // by folder, "" the root
	words    int                      // of Markdown, CHANGELOG.md aside
}

// sizedPackage is a folder with Go files.
type sizedPackage struct {
	name         string
	files, lines int
	fset         *token.FileSet
	parsed       []*ast.File // of the packages whose names are counted
}

// named are the packages whose exported names are counted.
var named = map[string]bool{"": true, "space": true, "say": true}

// typed are the types whose methods are counted, by package.
var typed = map[string]string{"live": "Studies", "server": "Server"}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// measure reads the files below a folder.
func measure(root string) (*sizes, error) {
	m := &sizes{packages: map[string]*sizedPackage{}}
	return m, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "dist" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		markdown := strings.HasSuffix(name, ".md") && name != "CHANGELOG.md" // a history only grows
		if !markdown && (!strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go")) {
			return nil
		}
		text, err := os.ReadFile(path)
		switch {
		case err != nil:
			return err
		case markdown:
			m.words += len(bytes.Fields(text))
			return nil
		case generated.Match(text):
			return nil
		}
		return m.add(path, text)
	})
}

// add counts a Go file.
func (m *sizes) add(path string, text []byte) error {
	folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")
	p := m.packages[folder]
	if p == nil {
		p = &sizedPackage{fset: token.NewFileSet()}
		m.packages[folder] = p
	}
	mode := parser.PackageClauseOnly
	if named[folder] || typed[folder] != "" {
		mode = parser.ParseComments | parser.SkipObjectResolution
	}
	file, err := parser.ParseFile(p.fset, path, text, mode)
	if err != nil {
		return err
	}
	p.name = file.Name.Name
	p.files++
	p.lines += bytes.Count(text, []byte("\n"))
	if named[folder] || typed[folder] != "" {
		p.parsed = append(p.parsed, file)
	}
	return nil
}

// measures returns every measure by its name in limits.txt.
func (m *sizes) measures() map[string]int {
	out := map[string]int{"packages": len(m.packages), "words of Markdown": m.words}
	for folder, p := range m.packages {
		out["Go lines"] += p.lines
		out["lines of the largest package"] = max(out["lines of the largest package"], p.lines)
		out["files in one folder"] = max(out["files in one folder"], p.files)
		if p.name != "main" && !strings.Contains("/"+folder+"/", "/internal/") {
			out["public packages"]++
		}
	}
	for _, folder := range []string{"", "acquisition"} {
		p := m.at(folder)
		out[label(folder)+": files"], out[label(folder)+": lines"] = p.files, p.lines
	}
	for _, folder := range []string{"live", "server", "cmd/prefer"} {
		out[folder+": files"] = m.at(folder).files
	}
	out["root: exported methods of Study"], out["root: all methods of Study"] = m.at("").methods("Study")
	for folder, name := range typed {
		_, out[folder+": methods of "+name] = m.at(folder).methods(name)
	}
	for folder := range named { // last: go/doc removes unexported declarations
		out[label(folder)+": exported names"] = m.at(folder).exported()
	}
	return out
}

// at returns the package in a folder, an empty one if there is none.
func (m *sizes) at(folder string) *sizedPackage {
	if p := m.packages[folder]; p != nil {
		return p
	}
	return &sizedPackage{}
}

// label names a folder in limits.txt.
func label(folder string) string {
	if folder == "" {
		return "root"
	}
	return folder
}

// exported counts what go doc -all lists: constants, variables, functions, types and methods of exported types.
func (p *sizedPackage) exported() (n int) {
	if len(p.parsed) == 0 {
		return 0
	}
	list, err := doc.NewFromFiles(p.fset, p.parsed, "github.com/prefer-bo/prefer")
	if err != nil {
		panic(err)
	}
	values := func(lists ...[]*doc.Value) {
		for _, list := range lists {
			for _, v := range list {
				for _, name := range v.Names {
					if token.IsExported(name) {
						n++
					}
				}
			}
		}
	}
	values(list.Consts, list.Vars)
	n += len(list.Funcs) + len(list.Types)
	for _, t := range list.Types {
		values(t.Consts, t.Vars)
		n += len(t.Funcs) + len(t.Methods)
	}
	return n
}

// methods counts the methods that a type declares, the exported ones and all.
func (p *sizedPackage) methods(of string) (exported, all int) {
	for _, file := range p.parsed {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			t := f.Recv.List[0].Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			if id, ok := t.(*ast.Ident); ok && id.Name == of {
				all++
				if f.Name.IsExported() {
					exported++
				}
			}
		}
	}
	return exported, all
}
