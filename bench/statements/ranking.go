package statements

import "slices"

// ranked is how many places of a list are judged.
const ranked = 10

// judgeOrder: a list in order says of each two of its first places that the upper one is better.
func judgeOrder(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	var out []Statement
	list := m.belief.Ranking(ranked)
	for i, a := range list {
		for _, b := range list[i+1:] {
			out = append(out, Statement{Said: 1, Held: truth(m.worth(a.Option) > m.worth(b.Option))})
		}
	}
	return out
}

// judgeRunnerUp: number 2 of a list misses the true second, or what is left above it, by no more than the tolerance.
func judgeRunnerUp(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	list := m.belief.Ranking(2)
	worth := make([]float64, len(m.Items))
	for i := range worth {
		worth[i] = m.Utility([]float64{float64(i)})
	}
	slices.Sort(worth)
	return []Statement{{Said: 1, Held: truth(worth[len(worth)-2]-m.worth(list[1].Option) <= m.tolerance())}}
}
