package prefer

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// Agreement is a correlation of utilities over the space, as expected; it lies between Low and High with probability 0.95.
type Agreement struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

const (
	tasteDraws  = 400
	disagreeing = 0.95 // share of draws that makes one who disagrees
)

// known is what is known of a rater's utility at the options a group is compared at.
type known struct {
	draws  [][]float64 // each less its mean over the options, divided by its spread there
	part   float64     // var_x E f / E var_x f: the part of it that is known, from 0 to 1
	centre float64     // E mean_x f with what others teach
	spread float64     // √E var_x f, likewise; 1 where it is 0
}

// drawTastes fills in what is known of the members' utilities at the options x, row by row. Drawn by herself she is drawn from her own answers
// alone: what others taught about her would make everybody agree with them.
func (s *Study) drawTastes(ctx context.Context, members []*member, code *coding.Coding, x []float64) error {
	mean := make([]float64, len(x)/code.Dim)
	for _, m := range members {
		var total float64
		total, m.draws = s.spread(m.name, m.own.utility, x)
		m.own.utility.Means(mean, x, 1)
		if _, square := standardise(mean); total > 0 {
			m.part = math.Min(1, square/total) // of what is known for sure the mean over draws may be a little less
		}
		total, _ = s.spread(m.name, m.belief.utility, x)
		m.belief.utility.Means(mean, x, 1)
		m.centre, _ = standardise(mean)
		if m.spread = math.Sqrt(total); total == 0 {
			m.spread = 1
		}
	}
	return s.drawTogether(ctx, members, code, x)
}

// spread returns E var_x f of a utility, and its draws, standardised: by her name, not by her place, for who else is there does not matter.
func (s *Study) spread(name string, u learn.Belief, x []float64) (total float64, draws [][]float64) {
	h := fnv.New64a()
	h.Write([]byte(name))
	rng := rand.New(rand.NewPCG(s.cfg.Seed, h.Sum64()))
	u.Draw(x, tasteDraws, rng, func(u []float64) {
		z := slices.Clone(u)
		_, square := standardise(z)
		total, draws = total+square, append(draws, z)
	})
	rng.Shuffle(len(draws), func(i, j int) { draws[i], draws[j] = draws[j], draws[i] }) // they come by setting of the hyper-parameters
	return total / float64(len(draws)), draws
}

var jointAnswers = 400 // that the tastes of a group are drawn together by, as many of each: more would take seconds; tests lower it

const (
	jointNumbers = 768 // utilities that are drawn together, of all members at fewer options the more they are, …
	jointLeast   = 24  // … but so many; of more people than that leaves each is drawn by herself
)

// drawTogether draws the members' utilities anew, together, where one model learns all of them: how alike people are is a part of what is
// known, and of doubt. Drawn by herself each would be a stranger as far as she is not known, and people who are alike would seem to differ.
func (s *Study) drawTogether(ctx context.Context, members []*member, code *coding.Coding, x []float64) error {
	var names []string
	for _, m := range members {
		names = append(names, m.name)
	}
	s.mu.Lock()
	ev := s.state.jointEvidence(names, jointAnswers)
	s.mu.Unlock()
	n := min(len(x)/code.Dim, jointNumbers/len(members))
	if !ev.PerRater || n < min(jointLeast, len(x)/code.Dim) {
		return nil
	}
	fit, err := s.beliefFits.Get(ctx, ev, code.Scales)
	if err != nil {
		return err
	}
	var all []float64
	var who []int
	for _, m := range members {
		all, m.draws = append(all, x[:n*code.Dim]...), nil
		for range n {
			who = append(who, slices.Index(fit.Raters, m.name))
		}
	}
	rng := rand.New(rand.NewPCG(s.cfg.Seed, 0xa9ee))
	fit.Belief.DrawPeople(all, who, tasteDraws, rng, func(u []float64) {
		for i, m := range members {
			z := slices.Clone(u[i*n : (i+1)*n])
			standardise(z)
			m.draws = append(m.draws, z)
		}
	})
	return nil
}

// standardise subtracts the mean of u and divides by the standard deviation, unless it is 0; it returns the mean and the variance.
func standardise(u []float64) (mean, square float64) {
	n := float64(len(u))
	for _, v := range u {
		mean += v / n
	}
	for _, v := range u {
		square += (v - mean) * (v - mean) / n
	}
	sd := math.Sqrt(square)
	for i := range u {
		if u[i] -= mean; sd > 0 {
			u[i] /= sd
		}
	}
	return mean, square
}

// correlation returns that of two standardised utilities.
func correlation(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum / float64(len(a))
}

// newAgreement sums draws of a correlation up. It sorts them.
func newAgreement(draws []float64) (a Agreement) {
	slices.Sort(draws)
	for _, v := range draws {
		a.Mean += v / float64(len(draws))
	}
	tail := len(draws) / 40
	a.Low, a.High = draws[tail], draws[len(draws)-1-tail]
	return a
}

// agree fills in how far each two members agree, and who does not with the others. Of somebody careless nothing is known: she agrees by anything
// from −1 to 1, and has no part in the rest.
func (g *Group) agree(members []*member) {
	m, count := len(members), len(members[0].draws)
	g.Agreement, g.Low, g.High, g.Together = square(m), square(m), square(m), Agreement{Low: -1, High: 1}
	some, names := attentive(members)
	pairs := len(some) * (len(some) - 1) / 2
	mean, one := make([]float64, count), make([]float64, count)
	for r := range m {
		g.Agreement[r][r], g.Low[r][r], g.High[r][r] = 1, 1, 1
		for q := range r {
			a := Agreement{Low: -1, High: 1}
			if !members[r].careless && !members[q].careless {
				for k := range one {
					one[k] = correlation(members[r].draws[k], members[q].draws[k])
					mean[k] += one[k] / float64(pairs)
				}
				a = newAgreement(one)
			}
			g.Agreement[r][q], g.Low[r][q], g.High[r][q] = a.Mean, a.Low, a.High
			g.Agreement[q][r], g.Low[q][r], g.High[q][r] = a.Mean, a.Low, a.High
		}
	}
	if len(some) < 2 {
		return
	}
	g.Together = newAgreement(mean)
	against := make([]int, len(some))
	for k := range count {
		all := make([]float64, len(some[0].draws[k]))
		for _, who := range some {
			for i, v := range who.draws[k] {
				all[i] += who.honest * v
			}
		}
		for r, who := range some {
			// Σ_{j≠r} h_j ⟨z_r, z_j⟩ = ⟨z_r, all⟩ − h_r ⟨z_r, z_r⟩
			if own := who.draws[k]; correlation(own, all)-who.honest*correlation(own, own) < 0 {
				against[r]++
			}
		}
	}
	for r, n := range against {
		if float64(n) >= disagreeing*float64(count) {
			g.Disagrees = append(g.Disagrees, names[r])
		}
	}
}

// attentive returns the members who are not careless, and their names.
func attentive(members []*member) (some []*member, names []string) {
	for _, m := range members {
		if !m.careless {
			some, names = append(some, m), append(names, m.name)
		}
	}
	return some, names
}

// square returns an n×n matrix.
func square(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}
