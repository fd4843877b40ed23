package linalg

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerate wants the committed assembly to be what the generator writes today.
func TestGenerate(t *testing.T) {
	if out, err := exec.Command("go", "-C", "gen", "mod", "download").CombinedOutput(); err != nil {
		t.Skipf("NOT CHECKED that the assembly is up to date: the generator's modules cannot be had: %v\n%s", err, out)
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "-C", "gen", ".", "-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("generator: %v\n%s", err, out)
	}
	fresh, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(fresh) == 0 {
		t.Fatal("the generator wrote nothing")
	}
	written := map[string]bool{}
	for _, f := range fresh {
		written[f.Name()] = true
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(f.Name()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes (%v); run go generate", f.Name(), err)
		}
	}
	committed, err := filepath.Glob("*_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range committed {
		if !written[name] {
			t.Errorf("%s is no longer written by the generator", name)
		}
	}
}
