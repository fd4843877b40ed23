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

	"github.com/prefer-bo/prefer/acquisition"
)

// mapped is the number of files above which a package needs a table of contents.
const mapped = 5

var (
	columns = regexp.MustCompile(`  +`)                     // what keeps the columns of a table apart
	goFile  = regexp.MustCompile(`(?:^|[^/\w])(\w+)\.go\b`) // a file of the package itself
)

// TestContents holds the tables of contents: the comment of a package of more than five files names every one of them,
// and what any comment names is there. gp/doc.go is the model: lines under "# Contents" that begin with one or several
// names, where cpu stands for cpu_linux.go and cpu_other.go. A name may also be written with its ending, cpu_linux.go.
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
	source, err := os.ReadFile("cmd/prefer/main.go")
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]bool{} // files of commands, which the list in main.go names
	for _, m := range regexp.MustCompile("(studies|service|experiments)\\.(\\w+) +`cmd").FindAllSubmatch(source, -1) {
		commands["cmd/prefer/internal/"+string(m[1])+"/"+strings.ToLower(string(m[2]))] = true
	}
	for _, pkg := range slices.Sorted(maps.Keys(files)) {
		named := map[string]bool{}
		name := func(name string) {
			stem, _, _ := strings.Cut(name, "_")
			if named[stem] = true; stem != "doc" && !slices.Contains(files[pkg], stem) {
				t.Errorf("the comment of package %q names %q, which is not a file of it", pkg, name)
			}
		}
		for _, match := range goFile.FindAllStringSubmatch(comments[pkg], -1) {
			if !strings.HasSuffix(match[1], "_test") {
				name(match[1])
			}
		}
		_, contents, _ := strings.Cut(comments[pkg], "# Contents\n")
		contents, _, _ = strings.Cut(contents, "\n# ")
		for line := range strings.Lines(contents) {
			line, inTable := strings.CutPrefix(line, "\t")
			for i, field := range columns.Split(strings.TrimSpace(line), -1) {
				for word := range strings.SplitSeq(field, " · ") {
					if inTable && !strings.Contains(field, ".go") && (i == 0 || slices.Contains(files[pkg], word)) {
						name(word)
					}
				}
			}
		}
		slices.Sort(files[pkg])
		for _, file := range slices.Compact(slices.Clone(files[pkg])) {
			method := pkg == "acquisition" && slices.Contains(acquisition.Methods(), file) // which the table of method.go names
			if len(files[pkg]) > mapped && !named[file] && !method && !commands[pkg+"/"+file] {
				t.Errorf("the comment of package %q, which has %d files, does not name %s.go", pkg, len(files[pkg]), file)
			}
		}
	}
}

// TestSectionExamples: the examples that the sections of the package comment name are there, and each is named.
func TestSectionExamples(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	named, there := map[string]bool{}, map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^// # .*\[(.*)\]$`).FindAllSubmatch(doc, -1) {
		for _, name := range strings.Split(string(line[1]), ", ") {
			named[name] = true
		}
	}
	for _, f := range regexp.MustCompile(`(?m)^func (Example\w*)\(`).FindAllSubmatch(tests, -1) {
		there[string(f[1])] = true
	}
	if !maps.Equal(named, there) || len(named) < 10 {
		t.Errorf("doc.go names %v, example_test.go has %v", slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(there)))
	}
}
