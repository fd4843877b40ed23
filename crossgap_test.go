package prefer

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/space"
)

// How TestCrossGap is made larger: go test . -run CrossGap -v -crossed 12 -prompts 12,40 -crossanswers 30,60,120
var (
	crossedTastes  = flag.Int("crossed", 1, "tastes of TestCrossGap for each kind")
	crossedPrompts = flag.String("prompts", "6", "prompts of TestCrossGap")
	crossedAnswers = flag.String("crossanswers", "12", "answers of TestCrossGap after which the pick is looked at")
	crossedSpaces  = flag.String("crossspaces", "crossed", "how TestCrossGap lays out the space: crossed, categories, grid (a list of 25 settings of each prompt)")
	crossedSearch  = flag.Bool("crosssearch", false, "the search of a study in place of a little one")
)

// promptTaste is a hidden taste for prompts at a temperature and a top_p: the level of each prompt, and how much the settings cost away from
// the best ones, which are the same for all prompts or, with the other kind, each prompt's own.
type promptTaste struct {
	level  []float64
	centre [][2]float64
	weight [2]float64
}

func newPromptTaste(n int, own bool, rng *rand.Rand) promptTaste {
	t := promptTaste{weight: [2]float64{6 + 6*rng.Float64(), 3 + 3*rng.Float64()}}
	common := [2]float64{0.15 + 0.7*rng.Float64(), 0.15 + 0.7*rng.Float64()}
	for range n {
		t.level = append(t.level, rng.NormFloat64())
		c := common
		if own {
			c = [2]float64{min(max(c[0]+0.3*rng.NormFloat64(), 0), 1), min(max(c[1]+0.3*rng.NormFloat64(), 0), 1)}
		}
		t.centre = append(t.centre, c)
	}
	return t
}

func (p promptTaste) at(i int, temperature, top float64) float64 {
	a, b := temperature-p.centre[i][0], top-p.centre[i][1]
	return p.level[i] - p.weight[0]*a*a - p.weight[1]*b*b
}

// promptSpace returns a space of n prompts at two settings in one of several layouts, and how an option of it is read.
func promptSpace(kind string, n int) (space.Space, func(space.Option) (prompt int, temperature, top float64)) {
	number := func(o space.Option, name string) int {
		var i int
		_, _ = fmt.Sscanf(o[name].String(), "p%d", &i)
		return i
	}
	settings := []space.Parameter{space.Float("temperature", 0, 1), space.Float("top_p", 0, 1)}
	var items []space.Item
	var words []string
	for i := range n {
		id := fmt.Sprintf("p%d", i)
		items, words = append(items, space.Item{ID: id}), append(words, id)
	}
	read := func(name string) func(o space.Option) (int, float64, float64) {
		return func(o space.Option) (int, float64, float64) {
			return number(o, name), o.Float("temperature"), o.Float("top_p")
		}
	}
	switch kind {
	case "crossed":
		return space.Space{Items: items, Parameters: settings}, read("item")
	case "categories":
		return space.Box(append([]space.Parameter{space.Categorical("prompt", words...)}, settings...)...), read("prompt")
	}
	var grid []space.Item
	for i := range n {
		for a := range 5 {
			for b := range 5 {
				grid = append(grid, space.Item{ID: fmt.Sprintf("p%d %d %d", i, a, b),
					Features: space.Option{"prompt": space.ValueOf(words[i]), "temperature": space.ValueOf(float64(a) / 4), "top_p": space.ValueOf(float64(b) / 4)}})
			}
		}
	}
	return space.Space{Items: grid}, func(o space.Option) (i int, temperature, top float64) {
		var a, b int
		_, _ = fmt.Sscanf(o.Item(), "p%d %d %d", &i, &a, &b)
		return i, float64(a) / 4, float64(b) / 4
	}
}

// TestCrossGap measures how well prompts crossed with settings are searched, beside other ways to write the same space down: what the pick misses, and
// how often it has the right prompt.
func TestCrossGap(t *testing.T) {
	if testing.Short() {
		t.Skip("studies of a dozen questions; the full suite runs them")
	}
	var counts, looks []int
	for _, list := range []struct {
		text string
		into *[]int
	}{{*crossedPrompts, &counts}, {*crossedAnswers, &looks}} {
		for word := range strings.SplitSeq(list.text, ",") {
			var n int
			_, _ = fmt.Sscan(word, &n)
			*list.into = append(*list.into, n)
		}
	}
	for _, n := range counts {
		for _, own := range []bool{false, true} {
			for _, kind := range strings.Split(*crossedSpaces, ",") {
				gaps, right := make([][]float64, len(looks)), make([]int, len(looks))
				var spent time.Duration
				for seed := range uint64(*crossedTastes) {
					taste := newPromptTaste(n, own, rand.New(rand.NewPCG(seed, 0xc705)))
					best := slices.Index(taste.level, slices.Max(taste.level)) // at its centre a prompt has its level
					sp, read := promptSpace(kind, n)
					cfg := Config{Space: sp, Seed: seed, Answers: Answers{Forced: true}, Modelling: Modelling{Search: little}}
					if *crossedSearch {
						cfg.Search.Starts, cfg.Search.Candidates = 0, 0
					}
					s := start(t, cfg)
					rng := rand.New(rand.NewPCG(seed, 0xa45e))
					utility := func(o space.Option) float64 { return taste.at(read(o)) }
					for k := range looks[len(looks)-1] {
						began := time.Now()
						q := ask(t, s, "")
						spent += time.Since(began)
						c := First
						if utility(q.First)-utility(q.Second)+0.5*rng.NormFloat64() < 0 {
							c = Second
						}
						tell(t, s, q.ID, c)
						if at := slices.Index(looks, k+1); at >= 0 {
							b, err := s.Belief(t.Context(), Look{})
							if err != nil {
								t.Fatal(err)
							}
							pick := b.Best()
							gaps[at] = append(gaps[at], taste.level[best]-utility(pick))
							if i, _, _ := read(pick); i == best {
								right[at]++
							}
						}
					}
				}
				for at, answers := range looks {
					slices.Sort(gaps[at])
					sum := 0.0
					for _, g := range gaps[at] {
						sum += g
					}
					m := len(gaps[at])
					t.Logf("%d prompts, settings %s, %-10s after %3d answers: misses %.3f mean, %.3f median, %.3f worst, right prompt %d of %d, %d ms a question", n,
						map[bool]string{false: "common", true: "own"}[own], kind, answers, sum/float64(m), gaps[at][m/2], gaps[at][m-1], right[at], m, spent.Milliseconds()/int64(m*looks[len(looks)-1]))
					if most := slices.Max(gaps[at]); math.IsNaN(sum) || gaps[at][0] < 0 || most > 8 { // at random a pick misses 3, at worst 14
						t.Errorf("a pick misses between %g and %g", gaps[at][0], most)
					}
				}
			}
		}
	}
}

// BenchmarkAskCrossed: a question about items at two settings, after 40 answers.
func BenchmarkAskCrossed(b *testing.B) {
	for _, n := range []int{40, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			space, read := promptSpace("crossed", n)
			taste := newPromptTaste(n, false, rand.New(rand.NewPCG(1, 1)))
			s := start(b, Config{Space: space, Seed: 1, Answers: Answers{Forced: true}, Repeats: true})
			points := s.state.code.Points(80, 1)
			for i := range 40 {
				x, y := s.state.code.Option(points[6*i:6*i+3]), s.state.code.Option(points[6*i+3:6*i+6])
				c := First
				if taste.at(read(x)) < taste.at(read(y)) {
					c = Second
				}
				observe(b, s, x, y, c)
			}
			for b.Loop() {
				ask(b, s, "")
				tell(b, s, ask(b, s, "").ID, Skip)
			}
		})
	}
}
