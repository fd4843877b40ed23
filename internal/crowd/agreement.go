package crowd

import "slices"

// disagreeing is the share of draws that makes a rater one who disagrees.
const disagreeing = 0.95

// Interval is the mean of a quantity and the interval that has it with probability 0.95.
type Interval struct{ Mean, Low, High float64 }

// Agreement is how far raters agree: correlations of their utilities over the points.
type Agreement struct {
	Mean, Low, High [][]float64 // of each two, as Interval; 0, −1 and 1 of careless raters
	Together        Interval    // the mean over all pairs
	Disagrees       []bool      // by rater: almost surely wants the contrary of what the others want on average
}

// Agree compares the members. Careless ones have no part in Together and Disagrees.
func Agree(members []*Member) Agreement {
	m, count := len(members), len(members[0].draws)
	out := Agreement{Mean: square(m), Low: square(m), High: square(m), Together: Interval{Low: -1, High: 1}, Disagrees: make([]bool, m)}
	some := attentive(members)
	pairs := len(some) * (len(some) - 1) / 2
	mean, one := make([]float64, count), make([]float64, count)
	for r := range m {
		out.Mean[r][r], out.Low[r][r], out.High[r][r] = 1, 1, 1
		for q := range r {
			a := Interval{Low: -1, High: 1}
			if !members[r].Careless && !members[q].Careless {
				for k := range one {
					one[k] = correlation(members[r].draws[k], members[q].draws[k])
					mean[k] += one[k] / float64(pairs)
				}
				a = newInterval(one)
			}
			out.Mean[r][q], out.Low[r][q], out.High[r][q] = a.Mean, a.Low, a.High
			out.Mean[q][r], out.Low[q][r], out.High[q][r] = a.Mean, a.Low, a.High
		}
	}
	if len(some) < 2 {
		return out
	}
	out.Together = newInterval(mean)
	against := make([]int, m)
	for k := range count {
		all := make([]float64, len(members[some[0]].draws[k]))
		for _, r := range some {
			for i, v := range members[r].draws[k] {
				all[i] += members[r].Honest * v
			}
		}
		for _, r := range some {
			// Σ_{j≠r} h_j ⟨z_r, z_j⟩ = ⟨z_r, all⟩ − h_r ⟨z_r, z_r⟩
			if own := members[r].draws[k]; correlation(own, all)-members[r].Honest*correlation(own, own) < 0 {
				against[r]++
			}
		}
	}
	for r, n := range against {
		out.Disagrees[r] = float64(n) >= disagreeing*float64(count)
	}
	return out
}

// attentive returns the numbers of the members who are not careless.
func attentive(members []*Member) (out []int) {
	for i, m := range members {
		if !m.Careless {
			out = append(out, i)
		}
	}
	return out
}

// correlation returns that of two standardised utilities.
func correlation(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum / float64(len(a))
}

// newInterval summarises draws. It sorts them.
func newInterval(draws []float64) (a Interval) {
	slices.Sort(draws)
	for _, v := range draws {
		a.Mean += v / float64(len(draws))
	}
	tail := len(draws) / 40
	a.Low, a.High = draws[tail], draws[len(draws)-1-tail]
	return a
}

func square(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}
