package linalg

import (
	"fmt"
	"os"
	"slices"
)

// A Path is one implementation of the kernels; see the package comment.
type Path int

const (
	Generic Path = iota // plain Go, every machine
	AVX2                // 256-bit kernels; needs AVX2 and FMA
	AVX512              // 512-bit kernels; needs AVX-512 F, DQ, VL and BW, and FMA
)

// pathVariable is the environment variable that forces a path at start-up.
const pathVariable = "PREFER_KERNELS"

var pathNames = [...]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512"}

// String returns the name by which PREFER_KERNELS knows the path.
func (p Path) String() string {
	if p < 0 || int(p) >= len(pathNames) {
		return fmt.Sprintf("linalg.Path(%d)", int(p))
	}
	return pathNames[p]
}

// available is fixed before any init function runs, active is set by one and by Force only.
var (
	available = detect()
	active    Path
)

func init() {
	p, err := choose(os.Getenv(pathVariable))
	if err != nil {
		panic(err.Error())
	}
	active = p
}

// choose returns the path called name, or the fastest for an empty name. A path that cannot be had is an error: a caller that
// asks for one wants its bits, and a quiet substitute would give others.
func choose(name string) (Path, error) {
	if name == "" {
		return available[len(available)-1], nil
	}
	i := slices.Index(pathNames[:], name)
	if i < 0 {
		return Generic, fmt.Errorf("linalg: %s=%q is not a path; want one of %v", pathVariable, name, available)
	}
	if !slices.Contains(available, Path(i)) {
		return Generic, fmt.Errorf("linalg: %s=%s is not available here; have %v", pathVariable, name, available)
	}
	return Path(i), nil
}

// Active returns the path in use.
func Active() Path { return active }

// Available returns the paths this machine and this build can run, from the slowest to the fastest. Generic is always the first.
func Available() []Path { return slices.Clone(available) }

// Force selects a path, for tests and to reproduce results, and returns a function that selects the former one again.
// It must not be called while a kernel runs.
func Force(p Path) (restore func(), err error) {
	if !slices.Contains(available, p) {
		return nil, fmt.Errorf("linalg: path %v is not available here; have %v", p, available)
	}
	former := active
	active = p
	return func() { active = former }, nil
}
