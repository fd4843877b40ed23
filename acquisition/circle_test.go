package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestTurn: coordinates and turns are each other's inverse, and the seam is a place like any other.
func TestTurn(t *testing.T) {
	for _, u := range []float64{0, 1e-12, 0.2, 0.25, 0.5, 0.75, 1 - 1e-12} {
		x, y := Circle(u)
		agree(t, "turn", CirclePosition(x, y), u, 1e-15)
		if math.Abs(math.Hypot(x-0.5, y-0.5)-0.5) > 1e-15 || !onCircle([]float64{x, y}) {
			t.Errorf("turn %g is at (%g, %g)", u, x, y)
		}
		for _, k := range []float64{-2, -1, 1, 3} {
			a, b := Circle(u + k)
			agree(t, "next round", math.Hypot(a-x, b-y), 0, 1e-14)
		}
	}
	if x, y := Circle(1); x != 1 || y != 0.5 || CirclePosition(1, 0.5-1e-17) != 0 || CirclePosition(1, math.Nextafter(0.5, 0)) >= 1 {
		t.Error("the seam is no place")
	}
	x := circleAt(0.95)
	towards(x, circleAt(0.15), 0.5) // the shorter way, across the seam
	agree(t, "half-way", CirclePosition(x[0], x[1]), 0.05, 1e-14)
	rotate(x, -0.1*math.Pi)
	agree(t, "rotated", CirclePosition(x[0], x[1]), 0.95, 1e-14)
}

func circleAt(u float64) []float64 {
	x, y := Circle(u)
	return []float64{x, y}
}

// TestChart: the gradient in the turns of every acquisition on a posterior with a circle, by differences, at the seam and
// on both sides of it, and wherever on the circle the chart was centred.
func TestChart(t *testing.T) {
	const h = 1e-6
	dom := &Domain{Parts: []Part{{At: 0, Width: 1}, {At: 1, Width: 2, Circular: true}}}
	post := posteriorOn(t, dom, []float64{0.6, 0.5, 0.5}, 20, 0, 5)
	r := newRegion(dom, 3, 1)
	eachAcquisition(t, func(t *testing.T, e entry) {
		q := e.acq.Points()
		all := make([]limits, q)
		for i := range all {
			all[i] = r.anywhere()
		}
		rng := rand.New(rand.NewPCG(31, 1))
		for _, u := range []float64{0, 0.02, 0.98, 0.43} {
			var start, x []float64
			for i := range q {
				start = append(append(start, rng.Float64()), circleAt(rng.Float64())...)
				x = append(append(x, rng.Float64()), circleAt(u+0.003*float64(i))...)
			}
			flat := newChart(all, 3, start)
			f := flat.objective(NewEvaluator(post, e.acq).At)
			z := flat.flat(0, x)
			if y := flat.rounded(z); !closeTo(x, y, 1e-14) {
				t.Fatalf("%v is laid out and rounded to %v", x, y)
			}
			grad := make([]float64, len(z))
			f(z, grad)
			for i := range z {
				if i%3 == 2 {
					if grad[i] != 0 {
						t.Errorf("slope %g off the circle", grad[i])
					}
					continue
				}
				want := slope(func() float64 { return f(z, nil) }, h, &z[i])
				agree(t, fmt.Sprintf("∂z[%d] at u = %g", i, u), grad[i], want, 2e-6)
			}
		}
	})
}

// TestFlatten: slope and bend of the mean along a circle, by differences.
func TestFlatten(t *testing.T) {
	dom := circular()
	post := posteriorOn(t, dom, fill(5, 0.6), 20, 0, 5)
	x := slices.Concat([]float64{0.3}, circleAt(0.99), dom.Parts[2].level(3))
	m := gp.NewMoments(1)
	grad, h := make([]float64, 5), make([]float64, 25)
	post.MeanGradient(m, x, grad)
	post.MeanHessian(m, x, h)
	flatten(x, grad, h, []int{1})
	at := func(amount, length float64) float64 {
		y := clone(x)
		y[0] += amount
		rotate(y[1:3], length)
		return post.Mean(y)
	}
	const e = 1e-4
	agree(t, "slope", grad[1], (at(0, e)-at(0, -e))/(2*e), 1e-6)
	agree(t, "bend", h[1*5+1], (at(0, e)+at(0, -e)-2*at(0, 0))/(e*e), 1e-5)
	mixed := (at(e, e) + at(-e, -e) - at(e, -e) - at(-e, e)) / (4 * e * e)
	agree(t, "mixed", h[0*5+1], mixed, 1e-5)
	agree(t, "mixed", h[1*5+0], mixed, 1e-5)
}

// TestCirclePoints: points of a domain with circles are on them, evenly spread; neighbours too, on either side of the seam, and the
// level before the first is the last.
func TestCirclePoints(t *testing.T) {
	dom := circular()
	pts := dom.Points(512, 3)
	quarter, seven := [4]int{}, [7]int{}
	for i := 0; i < len(pts); i += 5 {
		x := pts[i : i+5]
		if !dom.Contains(x) {
			t.Fatalf("%v is no option", x)
		}
		quarter[int(4*CirclePosition(x[1], x[2]))]++
		seven[dom.Parts[2].find(x)]++
	}
	for _, n := range quarter {
		if n < 120 || n > 136 {
			t.Errorf("quarters have %v points of 512", quarter)
		}
	}
	if slices.Min(seven[:]) < 65 {
		t.Errorf("levels have %v points of 512", seven)
	}
	post := posteriorOn(t, dom, fill(5, 0.6), 10, 0, 5)
	x := slices.Concat([]float64{0.5}, circleAt(0), dom.Parts[2].level(0))
	before, last := 0, 0
	near := dom.Around(post, x, 100, rand.New(rand.NewPCG(1, 1)))
	for i := 0; i < len(near); i += 5 {
		y := near[i : i+5]
		if !dom.Contains(y) {
			t.Fatalf("%v is no option", y)
		}
		if CirclePosition(y[1], y[2]) > 0.5 {
			before++
		}
		if dom.Parts[2].find(y) == 6 {
			last++
		}
	}
	if before < 80 || before > 120 || last == 0 {
		t.Errorf("%d of 200 neighbours lie before the seam, %d on the last level", before, last)
	}
	off := clone(x)
	off[1] -= 1e-6
	if dom.Contains(off) || !dom.Contains(x) {
		t.Error("off the circle there is no option")
	}
	if got := []int{dom.Parts[2].away(0, 6), dom.Parts[2].away(5, 1), dom.Parts[2].away(2, 5)}; !slices.Equal(got, []int{1, 3, 3}) {
		t.Errorf("levels are %v apart", got)
	}
	bad := &Domain{Parts: []Part{{At: 0, Width: 1, Circular: true}}}
	if err := bad.validate(1); err == nil || !strings.Contains(err.Error(), "is a circle with Width = 1") {
		t.Errorf("%v", err)
	}
}

// turned is a posterior on one circle, of duels that are all turned by the same part of it.
func turned(t *testing.T, by float64) *gp.Posterior {
	rng := rand.New(rand.NewPCG(77, 1))
	ds := &gp.Duels{Dim: 2}
	for range 12 {
		a, b := rng.Float64(), rng.Float64()
		o := gp.Outcome(1)
		if math.Cos(2*math.Pi*(a-0.98))+0.4*rng.NormFloat64() < math.Cos(2*math.Pi*(b-0.98)) {
			o = -1
		}
		if err := ds.Add(circleAt(a+by), circleAt(b+by), o); err != nil {
			t.Fatal(err)
		}
	}
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{0.6, 0.6}, Outputscale: 4}, Cuts: gp.Cuts{0}}
	p, err := gp.Model{Scales: []int{0, 0}}.Condition(ds, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCircleSearch: on one circle the best option and the best question of every formula are those of a fine grid, and a
// study that is turned has them turned, whether or not they lie at the seam.
func TestCircleSearch(t *testing.T) {
	const n = 180
	dom := &Domain{Parts: []Part{{At: 0, Width: 2, Circular: true}}}
	var found []float64 // per turn: the best option, then values
	for _, by := range []float64{0, 0.02, 0.31, 0.75} {
		p := turned(t, by)
		peak := Recommend(t.Context(), dom, p, nil, nil, 1, 1)[0]
		m := gp.NewMoments(n)
		var grid []float64
		for i := range n {
			grid = append(grid, circleAt(float64(i)/n)...)
		}
		p.Moments(m, grid)
		if top := slices.Max(m.Mean); !(peak.Mean >= top-1e-12 && peak.Mean < top+1e-2) {
			t.Errorf("turned by %g: best mean %g, %g on a grid", by, peak.Mean, top)
		}
		row := []float64{CirclePosition(peak.X[0], peak.X[1]) - by}
		row[0] -= math.Round(row[0])
		formulas := []struct {
			name string
			best func(i, j int) float64
		}{
			{"eubo", func(i, j int) float64 {
				return NewEvaluator(p, EUBO{}).At(slices.Concat(grid[2*i:2*i+2], grid[2*j:2*j+2]), nil)
			}},
			{"kg", func(i, j int) float64 { // E max over the grid, by Lemma 3.1
				mean := m.Mean[i] - m.Mean[j]
				s := math.Sqrt(m.Cov[i*n+i] + m.Cov[j*n+j] - 2*m.Cov[i*n+j] + 1)
				prob, tilt := make([]float64, 2), make([]float64, 2)
				KG{Edges: []float64{0}, Sigma: 1}.partition(mean, s, prob, tilt)
				sum := -peak.Mean
				for o := range prob {
					best := math.Inf(-1)
					for k := range n {
						best = math.Max(best, prob[o]*m.Mean[k]+tilt[o]*(m.Cov[i*n+k]-m.Cov[j*n+k])/s)
					}
					sum += best
				}
				return sum
			}},
		}
		for _, f := range formulas {
			q, err := Ask(t.Context(), f.name, Task{Posterior: p, Domain: dom, Seed: 2})
			if err != nil {
				t.Fatal(err)
			}
			top := math.Inf(-1)
			for i := 0; i < n; i += 2 {
				for j := 0; j < i; j += 2 {
					top = math.Max(top, f.best(i, j))
				}
			}
			if !(q.Value >= top*(1-1e-9)-1e-12 && q.Value < top+0.02*math.Abs(top)+1e-3) {
				t.Errorf("%s turned by %g finds %g, a grid %g", f.name, by, q.Value, top)
			}
			row = append(row, q.Value)
		}
		if found == nil {
			found = row
		}
		for i := range row {
			agree(t, fmt.Sprintf("result %d turned by %g", i, by), row[i], found[i], 1e-4)
		}
	}
	if math.Abs(found[0]+0.02) > 0.1 {
		t.Errorf("the best is at %g, the taste at −0.02", found[0])
	}
}

// TestPinnedCircle: equal bounds hold a circle, whatever the method; bounds that differ say nothing.
func TestPinnedCircle(t *testing.T) {
	dom := circular()
	post := posteriorOn(t, dom, fill(5, 0.6), 14, 0, 8)
	lower, upper := fill(5, 0), fill(5, 1)
	copy(lower[1:3], circleAt(0.97))
	copy(upper[1:3], lower[1:3])
	for _, name := range Methods() {
		task := Task{Posterior: post, Domain: dom, Lower: lower, Upper: upper, Seed: 1, Search: hasty}
		q, err := Ask(t.Context(), name, task)
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Check(q); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(q.A[1:3], lower[1:3]) || !slices.Equal(q.B[1:3], lower[1:3]) {
			t.Errorf("%s asks %v against %v", name, q.A, q.B)
		}
		copy(q.A[1:3], circleAt(0.5))
		if err := task.Check(q); err == nil || !strings.Contains(err.Error(), "circle at coordinate 1") {
			t.Errorf("%v", err)
		}
	}
}
