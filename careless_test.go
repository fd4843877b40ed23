package prefer

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

var carelessPeople = flag.Int("careless", 0, "simulated people per row of the table of careless raters in docs/results/people.md; 0: a few of them, and no table")

// manner is how a simulated rater answers.
type manner struct {
	name   string
	honest bool
	noise  float64 // relative to an ordinary rater's
	random float64 // share of answers by a coin
	left   float64 // share of those that are on the left
	hurry  float64 // median response time relative to that of others
}

var manners = []manner{
	{"careful", true, 0.5, 0, 0, 1.2},
	{"ordinary", true, 1, 0, 0, 1},
	{"hasty, honest", true, 2, 0, 0, 0.6},
	{"presses left", false, 1, 0.95, 1, 0.3},
	{"clicks at random", false, 1, 1, 0.5, 0.3},
	{"half of the time", false, 1, 0.5, 0.5, 0.6},
}

// box is the space of a taste.
func box(t *problem.Taste) space.Space {
	var p []space.Parameter
	for j := range t.Parts {
		p = append(p, space.Float(fmt.Sprint("x", j), 0, 1))
	}
	return space.Box(p...)
}

// at returns an option's coordinates.
func at(o space.Option, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = o.Float(fmt.Sprint("x", j))
	}
	return x
}

// person is a simulated rater with a utility.
type person struct {
	manner
	name    string
	utility func(space.Option) float64
	sigma   float64 // of an ordinary rater
	space   space.Space
	rng     *rand.Rand
	best    space.Option // of what they have seen, by their own word
	past    []Duel
}

// duel returns their next answer: while there are few to options at random, then to the best so far against one at random or, every
// other time, near it, as questions of a method become hard. The one before the last but one again if repeat is set.
func (p *person) duel(repeat bool) Duel {
	d := len(p.space.Parameters)
	draw := func() space.Option {
		o := space.Option{}
		for j := range d {
			o[fmt.Sprint("x", j)] = space.ValueOf(p.rng.Float64())
		}
		return o
	}
	first, second := draw(), draw()
	if len(p.past) >= 4 {
		first = p.best
		if len(p.past)%2 == 0 {
			for j := range d {
				name := fmt.Sprint("x", j)
				second[name] = space.ValueOf(math.Max(0, math.Min(1, p.best.Float(name)+0.2*p.rng.NormFloat64())))
			}
		}
	}
	if repeat {
		was := p.past[len(p.past)-3]
		first, second = was.Second, was.First
	}
	a := Answer{Choice: Second, Swapped: p.rng.IntN(2) == 1}
	if p.utility(first)-p.utility(second)+p.noise*p.sigma*p.rng.NormFloat64() > 0 {
		a.Choice = First
	}
	if p.rng.Float64() < p.random {
		a.Choice = Second
		if (p.rng.Float64() < p.left) != a.Swapped {
			a.Choice = First
		}
	}
	out := Duel{First: first, Second: second, Answer: a, Rater: p.name}
	p.best = first
	if a.Choice == Second {
		p.best = second
	}
	p.past = append(p.past, out)
	return out
}

// says tells a study their next answers.
func (p *person) says(t testing.TB, s *Study, count int, repeats bool) {
	t.Helper()
	for range count {
		if _, err := s.Observe(t.Context(), p.duel(repeats && len(p.past)%5 == 4)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCarelessRule holds how often the rule names honest people and finds who presses one side, among a few; with -careless 60 it prints the
// table of docs/results/people.md:
//
//	go test . -run CarelessRule -careless 60 -v -timeout 2h
func TestCarelessRule(t *testing.T) {
	n, again := *carelessPeople, []bool{false, true}
	if n == 0 {
		n, again = 2, []bool{true}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "people\trepeats\tmanner\t15\t25\t40\ttimed 15\t25\t40\t")
	honest, of := 0, 0
	for _, people := range []People{PerRater, Shared} {
		for _, repeats := range again {
			for _, m := range manners {
				odds := make([][6]float64, n)
				each(n, func(i int) { odds[i] = rehearse(t, people, repeats, m, uint64(i)) })
				var named [6]int
				for k := range named {
					for i := range n {
						if (crowd.Suspicion{Choices: odds[i][k]}).Careless() {
							named[k]++
						}
					}
				}
				if m.random == 0 {
					honest, of = honest+named[0]+named[1]+named[2], of+3*n
				}
				if m.random == 1 && m.left == 1 && named[2] < n {
					t.Errorf("%s: of %d who press one side %d are found after 40 answers", people, n, named[2])
				}
				fmt.Fprintf(w, "%s\t%t\t%s\t", people, repeats, m.name)
				for _, k := range named {
					fmt.Fprintf(w, "%d\t", k)
				}
				fmt.Fprintln(w)
			}
		}
	}
	if testing.Verbose() {
		w.Flush()
	}
	if float64(honest) > math.Max(1, 0.02*float64(of)) {
		t.Errorf("of honest people %d in %d are called careless", honest, of)
	}
}

// rehearse plays one study with a rater of a manner, and returns their odds after 15, 25 and 40 answers, then the same with response times. In
// a shared study four ordinary others answer as much.
func rehearse(t testing.TB, people People, repeats bool, m manner, seed uint64) (odds [6]float64) {
	taste, err := problem.NewTaste(77, int(seed), problem.TasteOptions{Shape: problem.Box, Dim: 1 + int(seed)%4})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, Config{Space: box(taste), People: people, Seed: seed, Answers: Answers{Forced: true}, Modelling: Modelling{Alternatives: []Alternative{}}})
	one := func(name string, m manner, stream uint64) *person {
		return &person{manner: m, name: name, utility: func(o space.Option) float64 { return taste.Utility(at(o, len(taste.Parts))) }, sigma: taste.Sigma,
			space: s.Config().Space, rng: rand.New(rand.NewPCG(seed, stream))}
	}
	all := []*person{one("rater", m, 0)}
	for o := range 4 {
		if people == Shared {
			all = append(all, one(fmt.Sprint("other", o), manners[1], uint64(o)+1))
		}
	}
	hurry := m.hurry * math.Exp(0.35*rand.New(rand.NewPCG(seed, 99)).NormFloat64())
	for k, mark := range []int{15, 25, 40} {
		for _, p := range all {
			p.says(t, s, mark-len(p.past), repeats)
		}
		tally := s.tallies(nil)["rater"]
		if err := s.suspect(t.Context(), tally, 0); err != nil {
			t.Fatal(err)
		}
		quick := crowd.Suspect(crowd.RaterRecord{Caught: crowd.CarelessAnswers, Response: time.Duration(4e9 * hurry), Usual: 4 * time.Second}, 0).Quick
		odds[k], odds[3+k] = tally.Odds, tally.Odds+quick
	}
	return odds
}

// TestCarelessNamed: a rater who presses one key is named with what they did, in both kinds of studies, counts for little, and does not decide;
// a rater with another taste than the others is not, nor one with few answers.
func TestCarelessNamed(t *testing.T) {
	for _, people := range []People{PerRater, Shared} {
		s := start(t, Config{Space: space.Box(space.Float("x0", 0, 1)), Answers: Answers{Forced: true}, People: people, Seed: 2, Modelling: Modelling{Alternatives: []Alternative{}}})
		for i, name := range []string{"ann", "ben", "contrary", "left", "new"} {
			p := &person{manner: manners[1], name: name, sigma: 0.1, space: s.Config().Space, rng: rand.New(rand.NewPCG(3, uint64(i)))}
			p.utility = func(o space.Option) float64 { return o.Float("x0") }
			count := 20
			switch name {
			case "contrary":
				p.utility = func(o space.Option) float64 { return -o.Float("x0") }
			case "left":
				p.manner = manners[3]
			case "new":
				p.manner, count = manners[3], 5
			}
			p.says(t, s, count, false)
		}
		raters, err := s.Raters(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range raters {
			if r.Careless != (r.Name == "left") || r.Careless != strings.Contains(r.Why, "on the left") {
				t.Errorf("%s: %s is careless %t, odds %.1f: %s", people, r.Name, r.Careless, r.Odds, r.Why)
			}
		}
		if people == Shared {
			continue
		}
		g := group(t, s)
		if !slices.Equal(g.Careless, []string{"left"}) || g.Weights[3] > 0.05 || !strings.Contains(g.Sentence, "left hardly counts") || !strings.Contains(g.Sentence, "is left out of the agreement") {
			t.Errorf("weights %.2f: %s", g.Weights, g.Sentence)
		}
		if raters[3].Name != g.Raters[3] || !strings.HasPrefix(g.Sentence, fmt.Sprint(len(g.Raters)-1, " raters ")) {
			t.Errorf("%s of %q", g.Sentence, g.Raters)
		}
		for i := range g.Raters {
			for j := range i {
				if unknown := i == 3 || j == 3; unknown != (g.Low[i][j] == -1 && g.High[i][j] == 1 && g.Agreement[i][j] == 0) || g.Agreement[i][j] != g.Agreement[j][i] {
					t.Errorf("%s and %s agree by %.2f, from %.2f to %.2f", g.Raters[i], g.Raters[j], g.Agreement[i][j], g.Low[i][j], g.High[i][j])
				}
			}
		}
	}
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

// TestCarelessCatch: catch questions weigh as what they are: three wrong ones of six are of somebody who does not look, and Why says so, six right ones
// of somebody who does. Without the right answer in the log the same answers are not enough.
func TestCarelessCatch(t *testing.T) {
	better, worse := space.Option{"x": space.ValueOf(0.5), "y": space.ValueOf(0.5)}, space.Option{"x": space.ValueOf(0.0), "y": space.ValueOf(1.0)}
	answer := func(people People, wrong int, known bool) Rater {
		s := start(t, Config{Space: unitSquare(), Seed: 1, People: people, Modelling: Modelling{Search: little}})
		rng := rand.New(rand.NewPCG(4, 1))
		draw := func() space.Option {
			return space.Option{"x": space.ValueOf(rng.Float64()), "y": space.ValueOf(rng.Float64())}
		}
		for i := range 12 {
			if _, err := s.Observe(t.Context(), Duel{First: draw(), Second: draw(), Answer: Answer{Choice: []Choice{First, Second}[rng.IntN(2)], Swapped: i%2 == 1}, Rater: "ann"}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 6 {
			pair := Duel{First: better, Second: worse}
			if i%2 == 1 {
				pair = Duel{First: worse, Second: better}
			}
			right := []Choice{First, Second}[i%2]
			if known {
				pair.Answer.Choice = right
			}
			q, err := s.Ask(t.Context(), Request{Rater: "ann", Catch: &pair})
			if err != nil {
				t.Fatal(err)
			}
			a := Answer{Choice: right, Check: true, Swapped: i%4 > 1}
			if i < wrong {
				a.Choice = []Choice{Second, First}[i%2]
			}
			if _, err := s.Tell(t.Context(), q.ID, a); err != nil {
				t.Fatal(err)
			}
		}
		raters, err := reopen(t, s.Events(0)).Raters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return raters[0]
	}
	for _, people := range []People{Shared, PerRater} {
		none, some := answer(people, 0, true), answer(people, 3, true)
		if !some.Careless || some.Why != "answered 3 of 6 catch questions wrong" {
			t.Errorf("%s: 3 of 6 wrong: %+v", people, some)
		}
		if none.Careless || math.Abs(some.Odds-none.Odds-3*math.Log(0.97/0.03)) > 1 {
			t.Errorf("%s: all right: %+v, and of 3 wrong %+v", people, none, some)
		}
		if old := answer(people, 3, false); old.Careless {
			t.Errorf("%s: without the right answers: %+v", people, old)
		}
	}
}
