package arena

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// golden are values of other software: testdata/golden.py says which.
type golden struct {
	Names      []string
	Battles    [][3]any
	Choix      []float64 // θ with mean 0
	Anchored   []float64 // θ less that of the last
	SD         []float64
	Covariance [][]float64
	Lambda     float64
	Map        []float64
}

func (g golden) battles() (out []Battle) {
	for _, b := range g.Battles {
		out = append(out, Battle{b[0].(string), b[1].(string), b[2].(bool)})
	}
	return out
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err == nil {
		err = json.Unmarshal(data, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// of returns the line of a name.
func (t Table) of(name string) Rating {
	return t.Ratings[slices.IndexFunc(t.Ratings, func(r Rating) bool { return r.Name == name })]
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

func TestRateGolden(t *testing.T) {
	g := readGolden(t)
	last := g.Names[len(g.Names)-1]
	free, err := Rate(g.battles(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	anchored, err := Rate(g.battles(), Options{Anchor: last, At: 1500})
	if err != nil {
		t.Fatal(err)
	}
	prior, err := Rate(g.battles(), Options{Prior: Points / math.Sqrt(g.Lambda)})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range g.Names {
		near(t, name+" by choix", (*free.of(name).Rating-1000)/Points, g.Choix[i], 1e-6)
		near(t, name+" anchored", (*anchored.of(name).Rating-1500)/Points, g.Anchored[i], 1e-7)
		near(t, name+"'s sd", anchored.of(name).SD/Points, g.SD[i], 1e-7)
		near(t, name+" with a prior", (*prior.of(name).Rating-1000)/Points, g.Map[i], 1e-6)
	}
	// Ranks by the covariance of statsmodels: the last has variance 0 and covariance 0 there.
	cov := func(i, j int) float64 {
		if i == 5 || j == 5 {
			return 0
		}
		return g.Covariance[i][j]
	}
	for i, name := range g.Names {
		low, high := 1, len(g.Names)
		for j := range g.Names {
			if z := (g.Anchored[j] - g.Anchored[i]) / math.Sqrt(cov(i, i)+cov(j, j)-2*cov(i, j)); i != j && z > 1.959964 {
				low++
			} else if i != j && z < -1.959964 {
				high--
			}
		}
		if r := free.of(name); r.RankLow != low || r.RankHigh != high {
			t.Errorf("%s is %d to %d, want %d to %d", name, r.RankLow, r.RankHigh, low, high)
		}
	}
	if r := anchored.of(last); r.SD != 0 || *r.Rating != 1500 || r.Low != 1500 {
		t.Errorf("the anchor is %+v", r)
	}
	if free.Battles != len(g.Battles) || len(free.Notes) != 0 {
		t.Errorf("%d battles, notes %q", free.Battles, free.Notes)
	}
}

// TestRateIdentities: at the maximum everybody has scored what they were expected to; and what is told the other way round is the mirror image.
func TestRateIdentities(t *testing.T) {
	g := readGolden(t)
	battles := g.battles()
	s, err := newScore(battles)
	if err != nil {
		t.Fatal(err)
	}
	var everybody []int
	for i := range s.Names {
		everybody = append(everybody, i)
	}
	f, err := s.fit(everybody, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range s.Names {
		var scored, expected float64
		for j := range s.Names {
			n := s.points(i, j) + s.points(j, i)
			scored += s.points(i, j)
			expected += n / (1 + math.Exp(f.theta[j]-f.theta[i]))
		}
		near(t, name+"'s expected score", expected, scored, 1e-9)
	}
	for i, b := range battles {
		if !b.Tied {
			battles[i].Winner, battles[i].Loser = b.Loser, b.Winner
		}
	}
	there, err := Rate(g.battles(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	back, err := Rate(battles, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range g.Names {
		near(t, name+" mirrored", *back.of(name).Rating-1000, 1000-*there.of(name).Rating, 1e-8)
		near(t, name+"'s sd mirrored", back.of(name).SD, there.of(name).SD, 1e-8)
	}
}

func wins(pairs ...string) (out []Battle) {
	for _, p := range pairs {
		out = append(out, Battle{Winner: p[:1], Loser: p[1:2], Tied: len(p) > 2})
	}
	return out
}

// TestRateUndefeated: an item that never lost, never won or never met the others has no rating, and says why; with a prior all have one.
func TestRateUndefeated(t *testing.T) {
	battles := wins("ab", "ba", "bc", "cb", "ca", "ac", "xa", "xa", "by", "yz", "mn", "nm")
	table, err := Rate(battles, Options{Anchor: "b", At: 1200})
	if err != nil {
		t.Fatal(err)
	}
	for name, why := range map[string]string{"a": "", "b": "", "c": "", "x": Above, "y": Below, "z": Below, "m": Apart, "n": Apart} {
		if r := table.of(name); r.Why != why || (r.Rating == nil) != (why != "") {
			t.Errorf("%s is %+v, want %q", name, r, why)
		}
	}
	if r := table.of("x"); r.Won != 2 || r.Lost != 0 {
		t.Errorf("%+v", r)
	}
	if text := strings.Join(table.Notes, "; "); !strings.Contains(text, "2 groups that never met") || !strings.Contains(text, "5 without a rating") {
		t.Errorf("notes %q", text)
	}
	table, err = Rate(battles, Options{Prior: 300})
	if err != nil {
		t.Fatal(err)
	}
	if x, a, z := table.of("x"), table.of("a"), table.of("z"); !(*x.Rating > *a.Rating && *a.Rating > *z.Rating && x.SD > a.SD) || !strings.Contains(strings.Join(table.Notes, ""), "nothing but the prior") {
		t.Errorf("%v %v %v, %q", *x.Rating, *a.Rating, *z.Rating, table.Notes)
	}
	if share, ok := table.Wins.Share(slices.Index(table.Wins.Names, "x"), slices.Index(table.Wins.Names, "a")); !ok || share != 1 {
		t.Errorf("x won %g of their battles with a", share)
	}
	if _, ok := table.Wins.Share(0, slices.Index(table.Wins.Names, "m")); ok {
		t.Error("a and m never met")
	}
	one, err := Rate(wins("ab", "ab=", "ba"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if share, _ := one.Wins.Share(0, 1); share != 0.5 || math.Abs(*one.of("a").Rating-1000) > 1e-9 || one.of("a").Tied != 1 {
		t.Errorf("a win each and a tie: %+v", one)
	}
}

func TestRateErrors(t *testing.T) {
	for what, c := range map[string]struct {
		battles []Battle
		o       Options
		words   string
	}{
		"nothing":         {nil, Options{}, "no answers yet"},
		"itself":          {wins("ab", "cc"), Options{}, "battle 2"},
		"a chain":         {wins("ab", "bc"), Options{}, "no finite ratings"},
		"unknown anchor":  {wins("ab", "ba"), Options{Anchor: "q"}, `"q"`},
		"an anchor above": {wins("ab", "ba", "xa"), Options{Anchor: "x"}, "anchor another"},
		"a prior below 0": {wins("ab", "ba"), Options{Prior: -1}, "-1"},
		"no number":       {wins("ab", "ba"), Options{At: math.Inf(1)}, "Inf"},
	} {
		if _, err := Rate(c.battles, c.o); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", what, err, c.words)
		}
	}
}

// TestRateLopsided: one lost battle in ten thousand is a finite rating, and found.
func TestRateLopsided(t *testing.T) {
	var battles []Battle
	for range 10_000 {
		battles = append(battles, Battle{Winner: "a", Loser: "b"})
	}
	battles = append(battles, Battle{Winner: "b", Loser: "a"})
	table, err := Rate(battles, Options{Anchor: "b"})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log odds", (*table.of("a").Rating-1000)/Points, math.Log(10_000), 1e-8)
	near(t, "its sd", table.of("a").SD/Points, math.Sqrt(1+1e-4), 1e-8) // √(1/w + 1/l)
}
