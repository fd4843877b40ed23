package prefer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestErrors: doc.go lists every sentinel of errors.go.
func TestErrors(t *testing.T) {
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
}
