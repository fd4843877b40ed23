package linalg

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	paths := Available()
	if len(paths) == 0 || paths[0] != Generic || !slices.IsSorted(paths) {
		t.Fatalf("Available() = %v", paths)
	}
	if !slices.Contains(paths, Active()) {
		t.Errorf("Active() = %v is not among %v", Active(), paths)
	}
	if want, err := choose(os.Getenv(pathVariable)); err != nil || Active() != want {
		t.Errorf("Active() = %v at start-up, want %v (%v)", Active(), want, err)
	}
	for _, p := range paths {
		before := Active()
		restore, err := Force(p)
		if err != nil || Active() != p {
			t.Errorf("Force(%v): %v, active is %v", p, err, Active())
		}
		restore()
		if Active() != before {
			t.Errorf("restore left %v, want %v", Active(), before)
		}
	}
	for _, p := range []Path{-1, 3} {
		if _, err := Force(p); err == nil {
			t.Errorf("Force(%v) succeeded", p)
		}
	}
}

func TestPathString(t *testing.T) {
	want := map[Path]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512", 7: "linalg.Path(7)"}
	for p, s := range want {
		if p.String() != s {
			t.Errorf("%d: got %q, want %q", int(p), p.String(), s)
		}
	}
}

// TestPathVariable starts this test binary again with PREFER_KERNELS set.
func TestPathVariable(t *testing.T) {
	const child = "LINALG_TEST_PRINT_PATH"
	if os.Getenv(child) != "" {
		fmt.Printf("active=%v\n", Active())
		return
	}
	run := func(value string) (string, error) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPathVariable$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", pathVariable+"="+value)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, p := range Available() {
		if out, err := run(p.String()); err != nil || !strings.Contains(out, "active="+p.String()+"\n") {
			t.Errorf("%s=%v: %v\n%s", pathVariable, p, err, out)
		}
	}
	bad := []string{"sse", "AVX2", " generic"}
	for _, p := range []Path{AVX2, AVX512} {
		if !slices.Contains(Available(), p) {
			bad = append(bad, p.String())
		}
	}
	for _, name := range bad {
		if out, err := run(name); err == nil || !strings.Contains(out, "panic: linalg: "+pathVariable) {
			t.Errorf("%s=%q: want a panic that names the variable, got %v\n%s", pathVariable, name, err, out)
		}
	}
}
