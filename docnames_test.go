package prefer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	quoted    = regexp.MustCompile("`[^`\n]+`")
	goName    = regexp.MustCompile(`^\.?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)
	goPath    = regexp.MustCompile(`[\w/]+\.go\b`)
	nameAndIn = regexp.MustCompile("((?:`[^`\n]+`(?:, )?)+)(?: \\(|, )((?:[\\w/]+\\.go(?:, )?)+)") // `Model.Fit`, `Model.Noise` (gp/model.go)
)

// others are words in backquotes that are no names of this module: of other programs, of formulas, or of the shell.
var others = map[string]bool{
	"PairwiseLogitLikelihood": true, "PairwiseProbitLikelihood": true, "sn": true, // BoTorch, R
	"PREFER_KERNELS": true, "cpu_s": true, "problem": true, // a variable, a column, a package
	"from": true, "random": true, // an argument; a method by its name
}

// TestDocumentNames: what docs/dev/paper.md and docs/dev/math.md name is declared in the code, and in the file they say.
func TestDocumentNames(t *testing.T) {
	in := declared(t)
	everywhere := map[string]bool{}
	for _, names := range in {
		maps.Copy(everywhere, names)
	}
	for _, doc := range []string{"docs/dev/paper.md", "docs/dev/math.md"} {
		data, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for i, line := range strings.Split(string(data), "\n") {
			files := resolve(goPath.FindAllString(line, -1))
			for _, f := range files {
				if in[f] == nil {
					t.Errorf("%s:%d: there is no file %s", doc, i+1, f)
				}
			}
			for _, q := range quoted.FindAllString(line, -1) {
				if name := last(q); name != "" && !others[name] {
					if checked++; !everywhere[name] {
						t.Errorf("%s:%d: %s is not declared anywhere", doc, i+1, q)
					}
				}
			}
			for _, m := range nameAndIn.FindAllStringSubmatch(line, -1) {
				there := resolve(goPath.FindAllString(m[2], -1))
				for _, q := range quoted.FindAllString(m[1], -1) {
					name := last(q)
					if name != "" && !others[name] && !slices.ContainsFunc(there, func(f string) bool { return in[f][name] }) {
						t.Errorf("%s:%d: %s is not declared in %s", doc, i+1, q, strings.Join(there, " or "))
					}
				}
			}
		}
		if checked < 80 {
			t.Errorf("%s: %d names were looked up, the expressions find nothing", doc, checked)
		}
	}
}

// last returns the last part of a name in backquotes, "" if it is none: a call, a command, a file.
func last(q string) string {
	name := strings.Trim(q, "`")
	if strings.ContainsAny(name, "/√") && strings.Contains(name, "(") { // a formula
		return ""
	}
	name, _, _ = strings.Cut(name, "(")
	if name, _, _ = strings.Cut(name, "{"); !goName.MatchString(name) || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".py") {
		return ""
	}
	if name = name[strings.LastIndexByte(name, '.')+1:]; len(name) < 3 { // letters of formulas
		return ""
	}
	return name
}

// resolve returns where the files of a line are: a bare name is in the folder of the one before it, else in gp, else at the top.
func resolve(paths []string) []string {
	var out []string
	dir := "gp"
	for _, p := range paths {
		if !strings.Contains(p, "/") {
			if _, err := os.Stat(filepath.Join(dir, p)); err == nil {
				p = dir + "/" + p
			}
		} else {
			dir = filepath.ToSlash(filepath.Dir(p))
		}
		out = append(out, p)
	}
	return out
}

// declared returns what each Go file of the module declares: functions, methods, types, their fields, constants and variables.
func declared(t *testing.T) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		names := map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = true
				return false
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.Field:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			}
			return true
		})
		if strings.HasSuffix(path, "_test.go") { // what they declare to help themselves has no capital
			maps.DeleteFunc(names, func(name string, _ bool) bool { return !ast.IsExported(name) })
		}
		out[filepath.ToSlash(path)] = names
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
