package prefer

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/prefer-bo/prefer/problem"
)

var groups = flag.Int("groups", 0, "simulated groups per row of the tables of picks and camps in docs/people.md; 0: they are not made")

// population is twelve simulated people of one space.
type population struct {
	name  string
	camps [2]int  // how many are in each; the second has another taste
	own   float64 // share of the variance of a taste that is a person's own
}

var populations = []population{
	{"same taste", [2]int{12, 0}, 0},
	{"kindred", [2]int{12, 0}, 0.4},
	{"two camps, 6 and 6", [2]int{6, 6}, 0.2},
	{"two camps, 9 and 3", [2]int{9, 3}, 0.2},
	{"strangers", [2]int{12, 0}, 1},
}

// tasteOf returns a standardised utility on a box of d parameters.
func tasteOf(t testing.TB, seed uint64, index, d int) func(Option) float64 {
	t.Helper()
	f, err := problem.NewTaste(seed, index, problem.TasteOptions{Shape: problem.Box, Dim: d, Family: "smooth"})
	if err != nil {
		t.Fatal(err)
	}
	return func(o Option) float64 { return (f.Utility(at(o, d)) - f.Mean) / f.Spread }
}

// people makes a population, the last careless of whom click at random.
func (p population) people(t testing.TB, seed uint64, careless int) (Space, []*person) {
	d := 1 + int(seed)%4
	var params []Parameter
	for j := range d {
		params = append(params, Float(fmt.Sprint("x", j), 0, 1))
	}
	space := Box(params...)
	common := []func(Option) float64{tasteOf(t, seed, 0, d), nil}
	for index := 100; ; index++ { // another taste, not one that happens to be alike
		if common[1] = tasteOf(t, seed, index, d); like(common[0], common[1], space, seed) < 0.1 {
			break
		}
	}
	var out []*person
	for i := range p.camps[0] + p.camps[1] {
		shared, own := common[0], tasteOf(t, seed, 2+i, d)
		if i >= p.camps[0] {
			shared = common[1]
		}
		m := manners[1]
		if i >= p.camps[0]+p.camps[1]-careless {
			m = manners[4]
		}
		out = append(out, &person{manner: m, name: fmt.Sprintf("%02d", i), sigma: 0.4, space: space, rng: rand.New(rand.NewPCG(seed, uint64(i))),
			utility: func(o Option) float64 { return math.Sqrt(1-p.own)*shared(o) + math.Sqrt(p.own)*own(o) }})
	}
	return space, out
}

// like returns the correlation of two standardised utilities over the space.
func like(a, b func(Option) float64, space Space, seed uint64) (sum float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for range 300 {
		o := Option{}
		for _, p := range space.Parameters {
			o[p.Name] = ValueOf(rng.Float64())
		}
		sum += a(o) * b(o) / 300
	}
	return sum
}

// played returns the study of a population after so many answers of everybody.
func played(t testing.TB, space Space, people []*person, answers int, seed uint64) *Study {
	t.Helper()
	s := start(t, Config{Space: space, People: PerRater, Seed: seed, Answers: Answers{Forced: true}, Alternatives: []Alternative{}})
	for _, p := range people {
		p.says(t, s, answers, false)
	}
	return s
}

// each runs n parts, two at a time.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i := range n {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			do(i)
		})
	}
	all.Wait()
}

// TestCampsRehearsal prints how often two camps are found where they are, and where they are not, for docs/people.md:
//
//	go test . -run CampsRehearsal -groups 24 -v -timeout 1h
func TestCampsRehearsal(t *testing.T) {
	n := *groups
	if n == 0 {
		t.Skip("an experiment; run with -groups 24")
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, p := range populations {
		for _, answers := range []int{25} {
			odds, right := make([]float64, n), make([]int, n)
			each(n, func(i int) {
				space, people := p.people(t, uint64(i), 0)
				g, err := played(t, space, people, answers, uint64(i)).Group(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				odds[i] = g.CampOdds
				second, _ := divide(g.Agreement)
				for k := range second {
					if second[k] == (k >= p.camps[0]) {
						right[i]++
					}
				}
				right[i] = max(right[i], len(second)-right[i])
			})
			found, placed := 0, 0
			for i := range n {
				if odds[i] >= campOdds {
					found++
					placed += right[i]
				}
			}
			fmt.Fprintf(w, "%s\t%d answers\tcamps said of %d of %d\t%d of %d placed right\todds %.1f\n", p.name, answers, found, n, placed, 12*found, odds)
			w.Flush()
		}
	}
}

// TestPickRehearsal prints what a group's pick misses of the mean utility of the honest, with some who click at random, for docs/people.md:
//
//	go test . -run PickRehearsal -groups 24 -v -timeout 1h
func TestPickRehearsal(t *testing.T) {
	n := *groups
	if n == 0 {
		t.Skip("an experiment; run with -groups 24")
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, p := range populations[1:2] {
		for _, clicking := range []int{0, 1, 3} {
			rules := []string{"before", "now"}
			miss := make([][2]float64, n)
			each(n, func(i int) {
				space, people := p.people(t, uint64(i), clicking)
				s := played(t, space, people, 20, uint64(i))
				g, err := s.Group(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				honest := people[:12-clicking]
				mean := func(o Option) (sum float64) {
					for _, p := range honest {
						sum += p.utility(o) / float64(len(honest))
					}
					return sum
				}
				top, average := math.Inf(-1), 0.0
				rng := rand.New(rand.NewPCG(uint64(i), 99))
				const looks = 4000
				for range looks {
					o := Option{}
					for _, p := range space.Parameters {
						o[p.Name] = ValueOf(rng.Float64())
					}
					top, average = math.Max(top, mean(o)), average+mean(o)/looks
				}
				part := func(o Option) float64 { return math.Max(0, (top-mean(o))/(top-average)) }
				miss[i] = [2]float64{part(plainPick(t, s)), part(g.Best)}
			})
			fmt.Fprintf(w, "%s\t%d clicking", p.name, clicking)
			for k, rule := range rules {
				var all []float64
				for i := range n {
					all = append(all, miss[i][k])
				}
				slices.Sort(all)
				fmt.Fprintf(w, "\t%s: mean %.3f median %.3f", rule, sum(all)/float64(n), all[n/2])
			}
			fmt.Fprintln(w)
			w.Flush()
		}
	}
}

// plainPick is the pick of the rule before: the plain mean of expected utilities, each standardised, at 256 options, everybody's favourite and
// what was shown.
func plainPick(t testing.TB, s *Study) Option {
	raters, err := s.Raters(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	code := s.state.code
	x := code.sample(256, s.cfg.Seed)
	n := len(x) / code.dim
	var beliefs []*Belief
	for _, r := range raters {
		b, err := s.Belief(context.Background(), r.Name)
		if err != nil {
			t.Fatal(err)
		}
		beliefs, x = append(beliefs, b), append(x, b.favour()...)
	}
	x = append(x, s.state.shown(nil)...)
	total := make([]float64, len(x)/code.dim)
	for _, b := range beliefs {
		u := make([]float64, len(total))
		b.law.Means(u, x, 1)
		mean, square := standardise(slices.Clone(u[:n]))
		for i := range total {
			total[i] += (u[i] - mean) / math.Sqrt(square)
		}
	}
	top := slices.Index(total, slices.Max(total))
	return code.option(x[top*code.dim : (top+1)*code.dim])
}

// TestGroupPick: no option of a grid has a higher score than the group's pick, by the formula.
func TestGroupPick(t *testing.T) {
	s := sloped(t, 12, map[string]float64{"ann": 1, "ben": 1, "cat": -1})
	g := group(t, s)
	var members []*member
	raters, err := s.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	all := 0.0
	for _, r := range raters {
		b, err := s.Belief(ctx, r.Name)
		if err != nil {
			t.Fatal(err)
		}
		m := &member{name: r.Name, belief: b, own: b, honest: 1 - careless(r.Odds)}
		s.drawTastes([]*member{m}, s.state.code, s.state.code.sample(groupPoints, s.cfg.Seed))
		members, all = append(members, m), all+m.honest
	}
	score := func(o Option) (sum float64) {
		for _, m := range members {
			mean, _, err := m.belief.Utility(o)
			if err != nil {
				t.Fatal(err)
			}
			sum += m.honest / all * (mean*m.belief.law.Noise() - m.centre) / m.spread
		}
		return sum
	}
	if got := score(g.Best); math.Abs(got-g.Score) > 1e-9 {
		t.Errorf("the score is %g, by hand %g", g.Score, got)
	}
	for i := range 400 {
		o := Option{"x": ValueOf(float64(i%20) / 19), "y": ValueOf(float64(i/20) / 19)}
		if v := score(o); v > g.Score+1e-6 {
			t.Errorf("%v has score %g, the pick %v has %g", o, v, g.Best, g.Score)
		}
	}
}
