package acquisition

import (
	"cmp"
	"slices"
	"testing"
)

// TestOthers: the other pairs of a search may be asked, are not the chosen one nor each other, and are not better; and
// refusing one of them leaves the question as it is.
func TestOthers(t *testing.T) {
	cases := append(domainCases(t), domainCase{name: "plain", post: testPosterior(t)})
	searches, starts := 0, 0
	for _, c := range cases {
		for _, name := range []string{"kg", "eubo"} {
			dom := c.dom
			if dom == nil {
				dom = Cube(2)
			}
			d := c.post.Dim()
			q, err := Ask(t.Context(), name, Task{Posterior: c.post, Domain: c.dom, Seed: 6})
			if err != nil {
				t.Fatal(err)
			}
			if c.dom != nil && c.dom.listed() != nil && len(q.Others) < 9 {
				t.Errorf("%s, %s: %d others of a list", c.name, name, len(q.Others))
			}
			if err := (Task{Posterior: c.post, Domain: c.dom}).Check(q); err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			for i, x := range q.Starts {
				starts++
				if err := (Task{Posterior: c.post, Domain: c.dom}).Check(Choice{A: x[:d], B: x[d:]}); err != nil {
					t.Errorf("%s, %s: start %d: %v", c.name, name, i, err)
				}
				for _, y := range slices.Concat([][]float64{slices.Concat(q.A, q.B)}, q.Others, q.Starts[:i]) {
					if samePair(x, y, d, sameHill) {
						t.Errorf("%s, %s: start %d is %v, which is on the hill of %v", c.name, name, i, x, y)
					}
				}
			}
			if len(q.Others) == 0 { // all climbs end on one hill
				continue
			}
			searches++
			value := NewEvaluator(c.post, EUBO{})
			last := q.Value
			for i, x := range q.Others {
				if len(x) != 2*d || !dom.Contains(x[:d]) || !dom.Contains(x[d:]) || slices.Equal(x[:d], x[d:]) {
					t.Errorf("%s, %s: other %d is %v", c.name, name, i, x)
				}
				for _, y := range append(q.Others[:i:i], slices.Concat(q.A, q.B)) {
					if slices.Equal(x, y) || slices.Equal(x, slices.Concat(y[d:], y[:d])) {
						t.Errorf("%s, %s: other %d comes twice: %v", c.name, name, i, x)
					}
				}
				if v := value.At(x, nil); name == "eubo" {
					if v > last+1e-9 {
						t.Errorf("%s: other %d is worth %g, more than %g before it", c.name, i, v, last)
					}
					last = v
				}
			}
			refused := q.Others[0]
			accept := func(a, b []float64) bool { return !slices.Equal(slices.Concat(a, b), refused) }
			again, err := Ask(t.Context(), name, Task{Posterior: c.post, Domain: c.dom, Seed: 6, Accept: accept})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.A, q.A) || !slices.Equal(again.B, q.B) || again.Value != q.Value {
				t.Errorf("%s, %s: refusing another pair changed the question", c.name, name)
			}
			if slices.ContainsFunc(again.Others, func(x []float64) bool { return slices.Equal(x, refused) }) {
				t.Errorf("%s, %s: %v was refused", c.name, name, refused)
			}
		}
	}
	if searches < len(cases) {
		t.Errorf("%d of %d searches found several hills", searches, 2*len(cases))
	}
	if starts < len(cases) {
		t.Errorf("%d searches began at %d other pairs", 2*len(cases), starts)
	}
	for _, name := range []string{"random", "thompson"} {
		if q, err := Ask(t.Context(), name, Task{Posterior: testPosterior(t)}); err != nil || q.Others != nil {
			t.Errorf("%s ranks nothing and has others: %v, %v", name, q.Others, err)
		}
	}
}

// TestOthersOfList: on a short list they are the next best pairs there are.
func TestOthersOfList(t *testing.T) {
	dom := features(30, 2, 8)
	p := posteriorOn(t, dom, fill(2, 0.6), 18, 0, 3)
	q, err := Ask(t.Context(), "eubo", Task{Posterior: p, Domain: dom})
	if err != nil {
		t.Fatal(err)
	}
	e := NewEvaluator(p, EUBO{})
	var values []float64
	for i := 0; i < len(dom.List); i += 2 {
		for j := 0; j < i; j += 2 {
			values = append(values, e.At(slices.Concat(dom.List[i:i+2], dom.List[j:j+2]), nil))
		}
	}
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(q.Others) < 20 {
		t.Fatalf("%d others of a list with %d pairs", len(q.Others), len(values))
	}
	for i, x := range q.Others {
		if v, want := e.At(x, nil), values[i+1]; v < want-1e-9 || v > want+1e-9 {
			t.Errorf("other %d is worth %g, want %g", i, v, want)
		}
	}
}
