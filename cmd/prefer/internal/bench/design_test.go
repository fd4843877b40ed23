package bench

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prefer-bo/prefer/problem"
)

// TestDesignFormat reads a file as other programs write it.
func TestDesignFormat(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "designs.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadDesigns(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.For(2, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float64{{0, 0.5, 1, 0.25}}, d.Pairs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 1, 0.75, 0.25, 5. / (1 << 30), 6. / (1 << 30)}, d.Inducing); diff != "" {
		t.Error(diff)
	}
	draw, err := d.Draw(3)
	if err != nil || draw.Normal != -2.25 {
		t.Errorf("answer 3 has the noise %g, %v, want -2.25", draw.Normal, err)
	}
	if _, ok := f.Sigma("branin2", 0.1); ok {
		t.Error("a file without sigma states one")
	}
	for want, ask := range map[string]func() error{
		"no seed 2, only [0 1]":               func() error { _, err := f.For(2, 1, 2); return err },
		"no designs in 6 dimensions":          func() error { _, err := f.For(6, 1, 0); return err },
		"2 initial pairs in 2 dimensions":     func() error { _, err := f.For(2, 3, 0); return err },
		"4 normals for seed 0, answer 5 need": func() error { _, err := d.Draw(4); return err },
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

func TestDesignErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                   "design file",
		`{}`:                                   "oracle_normals is missing",
		`{"oracle_normals": [["a"]]}`:          "oracle_normals",
		`{"oracle_normals": [[1]], "tow": []}`: `"tow"`,
		`{"oracle_normals": [[1]], "0": []}`:   `"0"`,
		`{"oracle_normals": [[1]], "seeds": [1, 2]}`:                           "2 seeds but oracle_normals for 1",
		`{"oracle_normals": [[1]], "2": []}`:                                   "0 designs in 2 dimensions for 1 seeds",
		`{"oracle_normals": [[1]], "2": [{"initial_pairs": [[1, 2, 3]]}]}`:     "dimension 2, seed 0, initial_pairs[0] has 3 numbers, want 4",
		`{"oracle_normals": [[1]], "1": [{"inducing_sobol": [[-1]]}]}`:         "inducing_sobol[0] has -1",
		`{"oracle_normals": [[1]], "1": [{"inducing_sobol": [[1073741825]]}]}`: "inducing_sobol[0] has 1073741825",
		`{"oracle_normals": [[1]], "1": [{"inducing_sobol": [[0.5]]}]}`:        "0.5",
	} {
		if _, err := ReadDesigns(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

// TestDesignRoundTrip: a written file gives back what prefer would have used, bit for bit.
func TestDesignRoundTrip(t *testing.T) {
	quadratic, levy := mustProblem(t, "quadratic2"), mustProblem(t, "levy3")
	seeds := []uint64{7, 0}
	written, err := NewDesigns([]problem.Problem{quadratic, levy}, []float64{0}, seeds, 4)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadDesigns(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []problem.Problem{quadratic, levy} {
		for _, seed := range seeds {
			for _, count := range []int{4, 4 * p.Dim} {
				got, err := read.For(p.Dim, count, seed)
				if err != nil {
					t.Fatal(err)
				}
				want := NewDesign(p.Dim, count, seed)
				if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Design{})); diff != "" {
					t.Errorf("%s, seed %d: %s", p.Name, seed, diff)
				}
				for k := range designNormals {
					a, err := got.Draw(k)
					b, _ := want.Draw(k)
					if err != nil || a != b {
						t.Fatalf("seed %d, answer %d: %v, %v, want %v", seed, k, a, err, b)
					}
				}
			}
		}
		if sigma, ok := read.Sigma(p.Name, 0); !ok || sigma != 0 {
			t.Errorf("%s without noise: σ = %g, %v, want 0", p.Name, sigma, ok)
		}
	}
}

// TestDesignSigma: a file states σ for other programs, which have no calibration of their own.
func TestDesignSigma(t *testing.T) {
	f, err := NewDesigns([]problem.Problem{mustProblem(t, "quadratic2")}, []float64{0.3}, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	sigma, ok := f.Sigma("quadratic2", 0.3)
	if want := 3.72072e-3; !ok || math.Abs(sigma-want) > 2e-5 { // closed form in docs/dev/paper.md, section 2
		t.Errorf("σ = %g, want %g", sigma, want)
	}
	if sigma, ok := f.Sigma("quadratic2", 0.1); ok {
		t.Errorf("σ = %g at a level of noise nobody asked for", sigma)
	}
}

// TestDesignBelongsToSeed: pairs fill the cube, are those of a longer design, and differ between seeds.
func TestDesignBelongsToSeed(t *testing.T) {
	a, b, longer := NewDesign(2, 8, 1), NewDesign(2, 8, 2), NewDesign(2, 16, 1)
	if diff := cmp.Diff(a.Pairs, longer.Pairs[:8]); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(a.Pairs, b.Pairs) || cmp.Equal(a.Inducing, b.Inducing) {
		t.Error("two seeds have the same design")
	}
	var lower int
	for _, x := range a.Pairs {
		for _, v := range x {
			if v < 0 || v >= 1 || v*(1<<30) != math.Trunc(v*(1<<30)) {
				t.Errorf("coordinate %g is not a multiple of 2⁻³⁰ in the unit cube", v)
			}
			if v < 0.5 {
				lower++
			}
		}
	}
	if lower != 16 { // a scrambled Sobol sequence: half of every coordinate of the first 2ⁿ
		t.Errorf("%d of 32 coordinates are in the lower half, want 16", lower)
	}
}

// TestDesignFileChangesNothing: the rows with a file that prefer wrote are the rows without one.
func TestDesignFileChangesNothing(t *testing.T) {
	for _, model := range []string{"default", "paper"} { // the paper's model also takes its inducing points from the design
		s := tiny()
		s.Setup.Model = model
		s.Cells = s.Cells[:2]
		without := result(t, s)
		designs, err := NewDesigns([]problem.Problem{mustProblem(t, "quadratic2")}, nil, []uint64{0, 3}, 4)
		if err != nil {
			t.Fatal(err)
		}
		s = &Sweep{Runner: Runner{Setup: s.Setup, Questions: s.Questions, Designs: designs, Now: time.Now}, Cells: s.Cells}
		if diff := cmp.Diff(without, result(t, s)); diff != "" {
			t.Errorf("%s: %s", model, diff)
		}
	}
}

// FuzzDesigns: no file makes the reader panic, and what it accepts can be used and written again.
func FuzzDesigns(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("testdata", "designs.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"oracle_normals": [[1]], "seeds": [5], "sigma": {"branin2": {"0.1": 2}}, "1": [{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		designs, err := ReadDesigns(bytes.NewReader(data))
		if err != nil {
			return
		}
		for dim := range designs.sets {
			for i, seed := range designs.seeds {
				d, err := designs.For(dim, len(designs.sets[dim][i].Pairs), seed)
				if err != nil {
					continue // two designs for one seed, of different length
				}
				for _, x := range d.Pairs {
					if len(x) != 2*dim {
						t.Fatalf("a pair has %d numbers in %d dimensions", len(x), dim)
					}
				}
			}
		}
		out, err := json.Marshal(designs)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadDesigns(bytes.NewReader(out))
		if err != nil {
			t.Fatalf("what was written does not read: %v", err)
		}
		if diff := cmp.Diff(designs, again, cmp.AllowUnexported(Designs{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
