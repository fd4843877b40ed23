package prefer_test

import (
	"bytes"
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

// uncharted are packages whose comment has no table of contents yet.
var uncharted = []string{"", "acquisition", "server", "server/page", "live", "queue", "job", "cmd/prefer"}

// mapped is the number of files above which a package needs a table of contents.
const mapped = 5

// columns are what two or more spaces keep apart in a line of a table.
var columns = regexp.MustCompile(`  +`)

// TestContents holds the tables of contents: a package of more than five files has one, under "# Contents" of its
// comment, and where there is one it names every file and no other. gp/doc.go is the model. A line begins with one or
// several names; cpu stands for cpu_linux.go and cpu_other.go.
func TestContents(t *testing.T) {
	files, comments := map[string][]string{}, map[string]string{} // by package
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name == "gen" || len(name) > 1 && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")
		comments[pkg] += file.Doc.Text()
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".go"), "_")
		if first, _, _ := bytes.Cut(source, []byte("\n")); name != "doc" && !bytes.HasPrefix(first, []byte("// Code generated ")) {
			files[pkg] = append(files[pkg], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range slices.Sorted(maps.Keys(files)) {
		if slices.Contains(uncharted, pkg) {
			continue
		}
		_, contents, found := strings.Cut(comments[pkg], "# Contents\n")
		if !found && len(files[pkg]) > mapped {
			t.Errorf("package %q has %d files and no \"# Contents\" in its comment", pkg, len(files[pkg]))
		}
		if !found {
			continue
		}
		contents, _, _ = strings.Cut(contents, "\n# ")
		named := map[string]bool{}
		for line := range strings.Lines(contents) {
			line, inTable := strings.CutPrefix(line, "\t")
			for i, field := range columns.Split(strings.TrimSpace(line), -1) {
				for name := range strings.SplitSeq(field, " · ") {
					named[name] = named[name] || inTable
					if inTable && i == 0 && !slices.Contains(files[pkg], name) {
						t.Errorf("the contents of package %q name %q, which is no file of it", pkg, name)
					}
				}
			}
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(files[pkg]))) {
			if !named[name] {
				t.Errorf("the contents of package %q lack %s.go", pkg, name)
			}
		}
	}
}
