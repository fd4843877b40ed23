package problem

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
)

func tastes(t *testing.T, seed uint64, n int, o TasteOptions) []*Taste {
	t.Helper()
	all := make([]*Taste, n)
	var work sync.WaitGroup
	for i := range all {
		work.Go(func() {
			var err error
			if all[i], err = NewTaste(seed, i, o); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	return all
}

var (
	fortyOnce  sync.Once
	fortyDrawn []*Taste
)

// forty are tastes of all shapes, drawn once for the tests that only look at them.
func forty(t *testing.T) []*Taste {
	t.Helper()
	fortyOnce.Do(func() { fortyDrawn = tastes(t, 17, 40, TasteOptions{}) })
	return fortyDrawn
}

func TestTastesAreFunctionsOfSeedAndIndex(t *testing.T) {
	all := tastes(t, 7, 12, TasteOptions{})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	alone := tastes(t, 7, 12, TasteOptions{})
	other := tastes(t, 8, 12, TasteOptions{})
	rng := rand.New(rand.NewPCG(1, 1))
	for i, a := range all {
		b, err := NewTaste(7, i, TasteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*Taste{alone[i], b} {
			x := a.Random(rng)
			if a.Family != c.Family || a.Max != c.Max || a.Sigma != c.Sigma || !reflect.DeepEqual(a.Items, c.Items) || a.Utility(x) != c.Utility(x) {
				t.Errorf("taste %d changes", i)
			}
		}
		if a.Mean == other[i].Mean || i > 0 && a.Mean == all[i-1].Mean {
			t.Errorf("taste %d is another one", i)
		}
	}
}

func TestMeanAndSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, a := range forty(t)[:20] {
		values := make([]float64, 20000)
		for i := range values {
			values[i] = a.Utility(a.Random(rng))
		}
		mean, sd := moments(values)
		if math.Abs(mean-a.Mean) > 0.08*sd || math.Abs(sd/a.Spread-1) > 0.15 {
			t.Errorf("%s: mean %g, spread %g; sampled %g, %g", a.Family, a.Mean, a.Spread, mean, sd)
		}
		below := 0.0
		for _, v := range values {
			if v < a.Mean {
				below += 1.0 / 20000
			}
		}
		if got := a.Share(a.Mean); math.Abs(got-below) > 0.03 {
			t.Errorf("%s: the mean beats %g of all, sampled %g", a.Family, got, below)
		}
		if got := a.Share(a.Max + 1); got != 1 {
			t.Errorf("%s: more than the best beats %g of all", a.Family, got)
		}
	}
}

// TestNoPlaceIsFavoured counts best options in places of a tenth of the square each.
func TestNoPlaceIsFavoured(t *testing.T) {
	const n = 100
	all := tastes(t, 5, n, TasteOptions{Shape: Box, Dim: 2})
	half, edge := math.Sqrt(0.1)/2, math.Sqrt(0.1)/2
	var centre, corner, left, low float64
	for _, a := range all {
		x, y := a.At[0], a.At[1]
		if math.Abs(x-0.5) < half && math.Abs(y-0.5) < half {
			centre += 1.0 / n
		}
		if min(x, 1-x) < edge && min(y, 1-y) < edge {
			corner += 1.0 / n
		}
		if x < 0.5 {
			left += 1.0 / n
		}
		if y < 0.5 {
			low += 1.0 / n
		}
	}
	t.Logf("centre %.3f, corners %.3f, left %.3f, low %.3f", centre, corner, left, low)
	if centre < 0.02 || centre > 0.15 {
		t.Errorf("%.3f of the best options are in the tenth round the centre", centre)
	}
	if corner > 0.5 { // a fifth of the ideal points, half of the gentle draws, all linear tastes and most sums of part-worths belong there
		t.Errorf("%.3f of the best options are in the tenth at the corners", corner)
	}
	for _, share := range []float64{left, low} {
		if math.Abs(share-0.5) > 0.2 { // 4 standard errors
			t.Errorf("%.3f of the best options are in one half", share)
		}
	}
}

func TestShapes(t *testing.T) {
	count := map[Shape]int{}
	for _, a := range forty(t) {
		count[a.Shape]++
		discrete := slices.ContainsFunc(a.Parts, func(p Part) bool { return p.Kind != Continuous })
		switch a.Shape {
		case Box:
			if discrete || a.Items != nil || len(a.Parts) < 1 || len(a.Parts) > maxTasteDim {
				t.Errorf("a box has parts %v and %d items", a.Parts, len(a.Items))
			}
		case Mixed:
			if !discrete || a.Items != nil {
				t.Errorf("a mixed space has parts %v and %d items", a.Parts, len(a.Items))
			}
		case List:
			if len(a.Items) != listLength || len(a.Items[0]) != len(a.Parts) || len(a.Parts) == 0 {
				t.Errorf("a list has parts %v and %d items", a.Parts, len(a.Items))
			}
		case PlainList:
			if len(a.Items) != listLength || len(a.Parts) != 0 || a.Items[0] != nil {
				t.Errorf("a plain list has parts %v and %d items", a.Parts, len(a.Items))
			}
		}
	}
	if len(count) != 4 {
		t.Errorf("of forty tastes: %v", count)
	}
	if a, err := NewTaste(1, 1, TasteOptions{Shape: List, Items: 25, Dim: 3}); err != nil || len(a.Items) != 25 || len(a.Parts) != 3 {
		t.Errorf("a list of 25 items with 3 features: %v", err)
	}
}

func TestTasteOptions(t *testing.T) {
	for _, o := range []TasteOptions{{Family: "salty", Shape: Box}, {Dim: 9, Shape: Box}, {Dim: -1, Shape: Box}, {Family: "hartmann6", Dim: 2, Shape: Box},
		{Shape: List, Items: 1}, {Shape: PlainList, Family: "linear"}} {
		if _, err := NewTaste(1, 0, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	a, err := NewTaste(1, 0, TasteOptions{Family: "hartmann6", Shape: Box})
	if err != nil || len(a.Parts) < 6 {
		t.Errorf("hartmann6 in any dimension: %v", err)
	}
}

// TestAmong: under a constraint a taste has the same utilities, and the best, the mean and the ranks of what is allowed.
func TestAmong(t *testing.T) {
	for _, whole := range tastes(t, 37, 6, TasteOptions{Shape: Box, Dim: 2}) {
		a := whole.Among(5, func(x []float64) bool { return x[0]+x[1] <= 1 })
		best, mean, n, rng := math.Inf(-1), 0.0, 0.0, rand.New(rand.NewPCG(3, 3))
		for i := range 201 {
			for k := range 201 - i {
				f := whole.Utility([]float64{float64(i) / 200, float64(k) / 200})
				best, mean, n = max(best, f), mean+f, n+1
			}
		}
		x := a.Random(rng)
		if a.Utility(x) != whole.Utility(x) || x[0]+x[1] > 1 || !math.IsInf(a.Utility([]float64{0.6, 0.5}), -1) || a.Sigma != whole.Sigma {
			t.Errorf("%s: %v", a.Family, x)
		}
		if a.Max < best-1e-9 || a.Max > best+0.02*a.Spread || math.Abs(mean/n-a.Mean) > 0.1*a.Spread || a.Share(a.Max) < 0.99 {
			t.Errorf("%s: best %g, on a grid %g; mean %g, on a grid %g", a.Family, a.Max, best, a.Mean, mean/n)
		}
	}
}
