package live_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestBrowser: the package builds for a browser, and brings along no server, no database and no driver of one: the same
// room can live in a page.
func TestBrowser(t *testing.T) {
	command := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}}", ".") // -export compiles
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/prefer-bo/prefer/live") {
		t.Fatalf("the list of %d packages is of something else", len(deps))
	}
	for _, dep := range deps {
		for _, bad := range []string{"net", "net/http", "database/sql", "os/exec", "golang.org/x/term", "github.com/prefer-bo/prefer/store/sqlstore", "github.com/prefer-bo/prefer/server"} {
			if dep == bad {
				t.Errorf("it depends on %s", dep)
			}
		}
		for _, bad := range []string{"github.com/danielgtaylor/huma", "modernc.org/", "github.com/jackc/", "github.com/riverqueue/", "github.com/prefer-bo/prefer/server/"} {
			if strings.HasPrefix(dep, bad) {
				t.Errorf("it depends on %s", dep)
			}
		}
	}
}
