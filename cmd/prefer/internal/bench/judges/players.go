package judges

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// player asks for pairs and names the best in the end.
type player interface {
	// next returns the pair to be shown.
	next(ctx context.Context) (a, b int, err error)
	// tell says whether a was taken, and whether b was shown first.
	tell(ctx context.Context, tookA, swapped bool) error
	// pick is what it would name as the best.
	pick(ctx context.Context) (best int, err error)
}

// Players are the methods compared. A number in a name says how often a comparison is repeated; the majority counts.
var Players = []string{ours, "round-robin", "elo", "double-thompson", "merge-sort", "merge-sort-3"}

func newPlayer(ctx context.Context, name string, items []space.Item, seed uint64) (player, error) {
	r, n := rand.New(rand.NewPCG(seed, 0x1d6e)), len(items)
	switch name {
	case ours:
		return newStudy(ctx, items, seed)
	case "round-robin":
		return newRobin(r, n), nil
	case "elo":
		return &elo{r: r, rating: make([]float64, n)}, nil
	case "double-thompson":
		return newThompson(r, n), nil
	case "merge-sort":
		return newSorting(r, n, 1), nil
	case "merge-sort-3":
		return newSorting(r, n, 3), nil
	}
	return nil, fmt.Errorf("judges: player %q, want one of %v", name, Players)
}

// most returns the place of the largest value, one of several by chance.
func most(r *rand.Rand, values []float64) int {
	best, ties := 0, 0
	for i, v := range values {
		switch {
		case i == 0 || v > values[best]:
			best, ties = i, 1
		case v == values[best]:
			if ties++; r.IntN(ties) == 0 {
				best = i
			}
		}
	}
	return best
}

// study is prefer with its defaults: a list of items, and a judge that must choose.
type study struct {
	*prefer.Study
	at       map[string]int
	question prefer.QuestionID
}

func newStudy(ctx context.Context, items []space.Item, seed uint64) (*study, error) {
	space := space.Space{Items: items, Own: len(items[0].Features) > 0}
	s, err := prefer.New(ctx, prefer.Config{Space: space, Seed: seed, Answers: prefer.Answers{Forced: true}})
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, it := range items {
		at[it.ID] = i
	}
	return &study{Study: s, at: at}, nil
}

func (s *study) next(ctx context.Context) (a, b int, err error) {
	q, err := s.Ask(ctx, prefer.Request{})
	s.question = q.ID
	return s.at[q.First.Item()], s.at[q.Second.Item()], err
}

func (s *study) tell(ctx context.Context, tookA, swapped bool) error {
	choice := prefer.Second
	if tookA {
		choice = prefer.First
	}
	_, err := s.Tell(ctx, s.question, prefer.Answer{Choice: choice, Swapped: swapped, RandomSides: true})
	return err
}

func (s *study) pick(ctx context.Context) (int, error) {
	best, err := s.Best(ctx, prefer.Look{})
	return s.at[best.Option.Item()], err
}

// done reports whether prefer would ask nothing more.
func (s *study) done(ctx context.Context) (bool, error) {
	v, err := s.Verdict(ctx, prefer.Look{})
	return v.Kind == prefer.Settled, err
}

// robin is a round-robin tournament by the circle method, repeated when all pairs have met. The best has won the largest share.
type robin struct {
	r          *rand.Rand
	circle     []int // in which neighbours across meet; −1 sits out
	at         int
	a, b       int
	wins, duel []float64
}

func newRobin(r *rand.Rand, n int) *robin {
	c := r.Perm(n)
	if n%2 == 1 {
		c = append(c, -1)
	}
	return &robin{r: r, circle: c, wins: make([]float64, n), duel: make([]float64, n)}
}

func (p *robin) next(context.Context) (int, int, error) {
	for {
		n := len(p.circle)
		if p.at == n/2 { // turn all but the first by one
			last := p.circle[n-1]
			copy(p.circle[2:], p.circle[1:n-1])
			p.circle[1], p.at = last, 0
		}
		p.a, p.b = p.circle[p.at], p.circle[n-1-p.at]
		if p.at++; p.a >= 0 && p.b >= 0 {
			return p.a, p.b, nil
		}
	}
}

func (p *robin) tell(_ context.Context, tookA, _ bool) error {
	p.duel[p.a]++
	p.duel[p.b]++
	p.wins[p.a] += trial.Share(tookA)
	p.wins[p.b] += trial.Share(!tookA)
	return nil
}

func (p *robin) pick(context.Context) (int, error) {
	share := xslices.Times(len(p.wins), func(i int) float64 { return (p.wins[i] + 0.5) / (p.duel[i] + 1) })
	return most(p.r, share), nil
}

// elo asks random pairs and rates them as chess players are: R ← R + K (won − expected), expected 1/(1 + 10^((R' − R)/400)), K = 32. The best has the highest
// rating.
type elo struct {
	r      *rand.Rand
	rating []float64
	a, b   int
}

func (p *elo) next(context.Context) (int, int, error) {
	n := len(p.rating)
	p.a, p.b = p.r.IntN(n), p.r.IntN(n-1)
	if p.b >= p.a {
		p.b++
	}
	return p.a, p.b, nil
}

func (p *elo) tell(_ context.Context, tookA, _ bool) error {
	const k = 32
	step := k * (trial.Share(tookA) - 1/(1+math.Pow(10, (p.rating[p.b]-p.rating[p.a])/400)))
	p.rating[p.a] += step
	p.rating[p.b] -= step
	return nil
}

func (p *elo) pick(context.Context) (int, error) { return most(p.r, p.rating), nil }

// alpha of the confidence bounds, as in Wu and Liu's experiments.
const alpha = 0.51

// thompson is double Thompson sampling (Wu and Liu, "Double Thompson Sampling for Dueling Bandits", 2016, Algorithm 1): the first of a pair is the one that
// beats most others in a draw from the posterior of all win probabilities, among those that by their upper confidence bounds may beat most; the second the
// one that, in another draw, is likeliest to beat it, among those not known to be worse. Theirs may compare one with itself, which is how regret ends; here
// that call would teach nothing, so the second is always another prompt. The best beats most others in the mean of the posterior.
type thompson struct {
	r    *rand.Rand
	wins [][]float64 // B_ij: how often i beat j
	t    float64
	a, b int
}

func newThompson(r *rand.Rand, n int) *thompson {
	return &thompson{r: r, wins: xslices.Times(n, func(int) []float64 { return make([]float64, n) })}
}

// bound returns B_ij/(B_ij + B_ji) ± √(α log t / (B_ij + B_ji)); x/0 is 1.
func (p *thompson) bound(i, j int, side float64) float64 {
	n := p.wins[i][j] + p.wins[j][i]
	if n == 0 {
		return 1 + side
	}
	return p.wins[i][j]/n + side*math.Sqrt(alpha*math.Log(p.t)/n)
}

func (p *thompson) next(context.Context) (int, int, error) {
	p.t++
	n := len(p.wins)
	may, top := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			if i != j && p.bound(i, j, 1) > 0.5 {
				may[i]++
			}
		}
		top = max(top, may[i])
	}
	beats := make([]float64, n)
	for i := range n {
		for j := range i {
			if p.beta(i, j) > 0.5 {
				beats[i]++
			} else {
				beats[j]++
			}
		}
	}
	for i := range n {
		if may[i] < top {
			beats[i] = -1
		}
	}
	p.a = most(p.r, beats)
	draw := make([]float64, n)
	for i := range n {
		switch {
		case i == p.a:
			draw[i] = -2
		case p.bound(i, p.a, -1) > 0.5: // known to be better: not among those the paper draws from
			draw[i] = -1
		default:
			draw[i] = p.beta(i, p.a)
		}
	}
	p.b = most(p.r, draw)
	return p.a, p.b, nil
}

func (p *thompson) tell(_ context.Context, tookA, _ bool) error {
	p.wins[p.a][p.b] += trial.Share(tookA)
	p.wins[p.b][p.a] += trial.Share(!tookA)
	return nil
}

func (p *thompson) pick(context.Context) (int, error) {
	score := make([]float64, len(p.wins))
	for i := range p.wins {
		for j := range p.wins {
			if i == j {
				continue
			}
			mean := (p.wins[i][j] + 1) / (p.wins[i][j] + p.wins[j][i] + 2)
			switch {
			case mean > 0.5:
				score[i]++
			case mean == 0.5:
				score[i] += 0.5
			}
			score[i] += mean / float64(2*len(p.wins)) // of those that beat as many, the one that beats them more often
		}
	}
	return most(p.r, score), nil
}

// beta draws from Beta(B_ij + 1, B_ji + 1), whose parameters are whole: the a-th smallest of a + b − 1 even draws is the ratio of sums of exponential ones.
func (p *thompson) beta(i, j int) float64 {
	gamma := func(k int) (sum float64) {
		for range k {
			sum += p.r.ExpFloat64()
		}
		return sum
	}
	x, y := gamma(int(p.wins[i][j])+1), gamma(int(p.wins[j][i])+1)
	return x / (x + y)
}

// sorting sorts by merging, with the judge as comparator, and begins again in another order when it is done. The best has the best place in the mean of the
// sorts that are done or, before the first is, heads the longest run.
type sorting struct {
	r       *rand.Rand
	repeats int     // of one comparison, odd
	runs    [][]int // sorted, best first, yet to be merged: the first two are
	merged  []int   // of these two
	left    int     // repeats of the comparison that are left
	won     int     // by the first run's head, less those it lost
	place   []float64
	sorts   int
}

func newSorting(r *rand.Rand, n, repeats int) *sorting {
	p := &sorting{r: r, repeats: repeats, place: make([]float64, n)}
	p.begin()
	return p
}

// begin puts every prompt into a run of its own.
func (p *sorting) begin() {
	p.runs = xslices.Map(p.r.Perm(len(p.place)), func(i int) []int { return []int{i} })
	p.left = p.repeats
}

func (p *sorting) next(context.Context) (int, int, error) { return p.runs[0][0], p.runs[1][0], nil }

func (p *sorting) tell(_ context.Context, tookA, _ bool) error {
	if tookA {
		p.won++
	} else {
		p.won--
	}
	p.left--
	if p.left > 0 && p.won <= p.left && -p.won <= p.left { // the majority is open
		return nil
	}
	better := 0
	if p.won < 0 {
		better = 1
	}
	p.won, p.left = 0, p.repeats
	p.merged = append(p.merged, p.runs[better][0])
	p.runs[better] = p.runs[better][1:]
	if len(p.runs[0]) > 0 && len(p.runs[1]) > 0 {
		return nil
	}
	p.merged = append(append(p.merged, p.runs[0]...), p.runs[1]...)
	p.runs, p.merged = append(p.runs[2:], p.merged), nil
	if len(p.runs) == 1 {
		for at, i := range p.runs[0] {
			p.place[i] -= float64(at)
		}
		p.sorts++
		p.begin()
	}
	return nil
}

func (p *sorting) pick(context.Context) (int, error) {
	if p.sorts > 0 {
		return most(p.r, p.place), nil
	}
	longest := p.merged
	for _, run := range p.runs {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest[0], nil
}
