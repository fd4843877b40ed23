package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRunOrder: rows of parallel workers come in any order.
func TestRunOrder(t *testing.T) {
	var r Run
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(50) {
		if err := r.add(point{answers: int32(10 + i), iter: int32(i - 2), gap: float64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 {
		if a, b := r.Gap(Position{Answers, 10 + i}), r.Gap(Position{Iter, i - 2}); a != float64(i) || b != float64(i) {
			t.Errorf("gaps %v and %v, want %d", a, b, i)
		}
	}
	for _, p := range []Position{{Answers, 9}, {Answers, 60}, {Iter, -3}, {Iter, 48}, {Answers, 0}, {Answers, -1}} {
		if got := r.Gap(p); !math.IsNaN(got) {
			t.Errorf("gap %v at %v, want NaN", got, p)
		}
	}
	if n, known := r.Initial(); n != 12 || !known {
		t.Errorf("initial pairs %d, %v, want 12", n, known)
	}
}

// TestRunAnswersAlone: a stack that counts answers and nothing else.
func TestRunAnswersAlone(t *testing.T) {
	var r Run
	for n := range int32(3) {
		if err := r.add(point{answers: 8 + n, gap: 1 / float64(1+n)}); err != nil {
			t.Fatal(err)
		}
	}
	if n, known := r.Initial(); known {
		t.Errorf("initial pairs %d of rows that do not tell", n)
	}
	if got := r.Gap(Position{Answers, 9}); got != 0.5 {
		t.Errorf("gap %v at 9 answers, want 0.5", got)
	}
	if err := r.add(point{answers: 12, iter: 4}); err == nil {
		t.Error("a row with iter joins rows without")
	}
}

// TestRunFirstRow: one row at iter 0 is the end of the initial pairs, and binds the later ones.
func TestRunFirstRow(t *testing.T) {
	r := Run{points: []point{{answers: 8}}}
	if n, known := r.Initial(); n != 8 || !known {
		t.Errorf("initial pairs %d, %v, want 8", n, known)
	}
	if err := r.add(point{answers: 12, iter: 3}); err == nil {
		t.Error("8 and 9 initial pairs in one run")
	}
	if err := r.add(point{answers: 12, iter: 4}); err != nil {
		t.Error(err)
	}
	if err := r.add(point{answers: 9, iter: 0}); err == nil {
		t.Error("two rows at iter 0 of a run that counts it")
	}
}
