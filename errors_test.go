package prefer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocNames: doc.go lists every sentinel of errors.go, and every file of the package once.
func TestDocNames(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var sentinels []string
	for _, spec := range f.Decls[1].(*ast.GenDecl).Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			sentinels = append(sentinels, "["+name.Name+"]")
		}
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "# Errors")
	list, _, _ = strings.Cut(list, "After an error")
	if got := regexp.MustCompile(`\[Err\w+\]`).FindAllString(list, -1); !slices.Equal(got, sentinels) {
		t.Errorf("doc.go lists %v, errors.go has %v", got, sentinels)
	}
	_, contents, _ := strings.Cut(string(doc), "# What is where")
	listed := regexp.MustCompile(`\b\w+\.go\b`).FindAllString(contents, -1)
	slices.Sort(listed)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") || name == "doc.go" || name == "errors.go"
	})
	if !slices.Equal(listed, files) {
		t.Errorf("doc.go lists %v, the files are %v", listed, files)
	}
}
