package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sweepFile makes this test binary a process that runs a sweep into the file it names, to be killed.
const sweepFile = "PREFER_TEST_SWEEP_FILE"

func TestMain(m *testing.M) {
	path := os.Getenv(sweepFile)
	if path == "" {
		os.Exit(m.Run())
	}
	f, err := OpenFile(path)
	if err == nil {
		err = long().Run(context.Background(), f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// long returns a sweep with more to interrupt.
func long() *Sweep {
	s := tiny()
	s.Questions, s.Jobs = 8, 2
	return s
}

// TestResumeAfterKill kills a sweep at random moments, now and then with the end of its file lost as well,
// and starts it again. What is in the file at the end is what a sweep left in peace writes: the same
// rows but for the seconds, none missing, none twice.
func TestResumeAfterKill(t *testing.T) {
	kills := 4
	if os.Getenv("SOAK") != "" {
		kills = 60
	}
	want := result(t, long())
	rng := rand.New(rand.NewPCG(1, 2))
	for killed := 0; killed < kills; {
		path := filepath.Join(t.TempDir(), "results.jsonl")
		for done := false; !done; {
			done = runAndKill(t, path, rng.Int64N(2500))
			if done {
				break
			}
			killed++
			if info, err := os.Stat(path); err == nil && killed%2 == 0 {
				if err := os.Truncate(path, info.Size()-min(info.Size(), rng.Int64N(400))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if diff := cmp.Diff(want, rowsOfFile(t, path)); diff != "" {
			t.Fatalf("after %d kills: %s", killed, diff)
		}
	}
}

// runAndKill runs the sweep in a process of its own and kills it as soon as the file has grown by more
// than so many bytes. It reports whether the sweep came to its end before that.
func runAndKill(t *testing.T, path string, after int64) (done bool) {
	t.Helper()
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(exe)
	child.Env = append(os.Environ(), sweepFile+"="+path)
	child.Stderr = os.Stderr
	limit := size() + after
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			return true
		case <-time.After(500 * time.Microsecond):
			if size() <= limit {
				continue
			}
			if err := child.Process.Kill(); err != nil {
				t.Log(err) // it ended in this moment
			}
			return <-ended == nil
		}
	}
}
