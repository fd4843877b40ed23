package deploy

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/storetest"
)

const ownerToken = "a-token-for-the-tests-of-deploy"

// patience bounds what would otherwise hang; nothing is measured by it.
const patience = 60 * time.Second

var scratch string // for the program, which all tests share

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "prefer-deploy-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// built is the program, static as in the image and the releases.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "prefer")
	c := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-s -w -X main.release=v0-test", "-o", path, "../cmd/prefer")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: a short run does not build the program")
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// process is a server that was started: prefer itself, or what stands in front of it.
type process struct {
	cmd  *exec.Cmd
	said chan string // lines of both its outputs; closed when it ends
}

// start runs a program until the test ends, and passes on what it says.
func start(t *testing.T, c *exec.Cmd) *process {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = w, w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	p := &process{c, make(chan string, 1000)}
	go func() {
		defer close(p.said)
		for lines := bufio.NewScanner(r); lines.Scan(); {
			select {
			case p.said <- lines.Text():
			default: // nobody reads so much
			}
		}
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends it as a crash would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.cmd.Wait()
}

// line waits until the process says something with this text.
func (p *process) line(t *testing.T, text string) string {
	t.Helper()
	var before []string
	for late := time.After(patience); ; {
		select {
		case line, ok := <-p.said:
			if !ok {
				t.Fatalf("%s ended before it said %q: %s", p.cmd.Path, text, strings.Join(before, "\n"))
			}
			if strings.Contains(line, text) {
				return line
			}
			before = append(before, line)
		case <-late:
			t.Fatalf("%s did not say %q, but %s", p.cmd.Path, text, strings.Join(before, "\n"))
		}
	}
}

// serve starts "prefer serve" at an address, and returns the path that makes a browser the owner's.
func serve(t *testing.T, address, store, media string) (p *process, enter string) {
	t.Helper()
	c := exec.Command(program(t), "serve")
	c.Env = append(os.Environ(), "PREFER_ADDR="+address, "PREFER_STORE="+store, "PREFER_MEDIA="+media, "PREFER_OWNER_TOKEN="+ownerToken)
	p = start(t, c)
	line := p.line(t, "the owner's address")
	return p, line[strings.Index(line, "/o/"):]
}

// free returns an address that nobody listens at, below the ports that the system gives away by itself.
func free(t *testing.T) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000)))
		if err == nil {
			l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no free port")
	return ""
}

// database returns the address of an empty store: in the PostgreSQL that PREFER_TEST_POSTGRES names, else in SQLite.
func database(t *testing.T) string {
	t.Helper()
	if os.Getenv("PREFER_TEST_POSTGRES") == "" {
		t.Log("on SQLite: there is no PREFER_TEST_POSTGRES")
		return filepath.Join(t.TempDir(), "studies.db")
	}
	return storetest.Database(t)
}
