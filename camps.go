package prefer

import (
	"context"
	"math"
	"slices"
)

// Camp is one of two groups of raters with different tastes.
type Camp struct {
	Raters []string `json:"raters"`
	Best   Option   `json:"best"` // what suits this camp best
}

// Two camps are said to be there where the agreement of each two raters is explained by whether both are in the same camp:
//
//	R² = share of the variance of the agreements that the two means, within camps and between them, explain,
//
// for the division in two that has the largest, of at least campLeast each. One group with individual tastes, and strangers, have agreements of all
// sizes; R² is large only where there are two. And the difference of the two means must be plain in 95 % of the draws. The
// limits are those of a rehearsal with simulated people (docs/people.md).
const (
	campLeast   = 2
	campRaters  = 5    // fewer raters are individuals
	campShare   = 0.68 // R² from which on there are camps, …
	campApart   = 0.1  // … if the means differ by more than this
	campOutside = 0.05 // in all but this part of the draws
)

// camp looks for two camps.
func (g *Group) camp(ctx context.Context, s *Study, members []*member, code *coding, shown []float64) {
	second, share := divide(g.Agreement)
	if second != nil {
		g.apart = parted(members, second)
	}
	if share < campShare || g.apart < campApart {
		return
	}
	for _, side := range []bool{second[0], !second[0]} {
		var c Camp
		var some []*member
		for i, m := range members {
			if second[i] == side {
				c.Raters, some = append(c.Raters, m.name), append(some, m)
			}
		}
		c.Best, _ = s.together(ctx, some, code, shown)
		g.Camps = append(g.Camps, c)
	}
}

// divide returns the division of raters in two with the largest share of the agreement explained, and that share; 0 where there is
// none. From every rater as a seed, with those who agree with her more than average, members change sides one at a time while it helps.
func divide(agreement [][]float64) (second []bool, share float64) {
	m := len(agreement)
	if m < campRaters {
		return nil, 0
	}
	for seed := range m {
		at := make([]bool, m)
		mean := (sum(agreement[seed]) - 1) / float64(m-1)
		for i := range at {
			at[i] = i != seed && agreement[seed][i] < mean
		}
		best := explained(agreement, at)
		for moved := true; moved; {
			moved = false
			for i := range at {
				at[i] = !at[i]
				if e := explained(agreement, at); e > best+1e-12 {
					best, moved = e, true
				} else {
					at[i] = !at[i]
				}
			}
		}
		if best > share {
			second, share = slices.Clone(at), best
		}
	}
	return second, share
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// explained returns R² of a division: n_w n_b/(n_w + n_b) (w − b)² / Σ (a − ā)² over pairs, where w and b are the means of n_w pairs within
// and n_b between; 0 where it is not camps that agree more.
func explained(agreement [][]float64, second []bool) float64 {
	var n, total [2]float64 // between, within
	var square float64
	size := 0
	for i := range second {
		if second[i] {
			size++
		}
		for j := range i {
			k := 0
			if second[i] == second[j] {
				k = 1
			}
			n[k]++
			total[k] += agreement[i][j]
			square += agreement[i][j] * agreement[i][j]
		}
	}
	if size < campLeast || len(second)-size < campLeast {
		return 0
	}
	mean := (total[0] + total[1]) / (n[0] + n[1])
	by := total[1]/n[1] - total[0]/n[0]
	if all := square - (n[0]+n[1])*mean*mean; by > 0 && all > 0 {
		return n[0] * n[1] / (n[0] + n[1]) * by * by / all
	}
	return 0
}

// parted returns by how much agreement within camps is above that between them, in all but campOutside of the draws.
func parted(members []*member, second []bool) float64 {
	by := make([]float64, len(members[0].draws))
	for k := range by {
		var n, total [2]float64
		for i, a := range members {
			for j, b := range members[:i] {
				same := 0
				if second[i] == second[j] {
					same = 1
				}
				n[same]++
				total[same] += correlation(a.draws[k], b.draws[k])
			}
		}
		by[k] = total[1]/n[1] - total[0]/n[0]
	}
	slices.Sort(by)
	return by[int(math.Floor(campOutside*float64(len(by))))]
}
