package statements

import "slices"

const (
	ranked     = 10  // places of a list that are judged
	placeShare = 0.9 // chance with which an item has one of the places it may have
)

// judgeOrder: an item of a ranking that is not tied with the next is better than it.
func judgeOrder(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	var out []Statement
	list := m.belief.Ranking(ranked)
	for i, r := range list[:len(list)-1] {
		if !r.Tied() {
			out = append(out, Statement{Said: r.Above, Held: truth(m.Worth(r.Option) > m.Worth(list[i+1].Option))})
		}
	}
	return out
}

// judgePlaces: the true place of an item is in the range of places it may have.
func judgePlaces(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	worth := m.worths()
	var out []Statement
	for _, r := range m.belief.Ranking(ranked) {
		better := 0
		for _, f := range worth {
			if f > m.Worth(r.Option) {
				better++
			}
		}
		out = append(out, Statement{Said: placeShare, Held: truth(r.Low <= better+1 && better+1 <= r.High)})
	}
	return out
}

// judgeRunnerUp: number 2 of a list misses the true second, or what is left above it, by no more than the tolerance.
func judgeRunnerUp(m moment) []Statement {
	if m.Items == nil {
		return nil
	}
	worth := m.worths()
	slices.Sort(worth)
	second := m.belief.Ranking(2)[1].Option
	return []Statement{{Said: 1, Held: truth(worth[len(worth)-2]-m.Worth(second) <= m.tolerance())}}
}

// worths returns the true utilities of the list.
func (m moment) worths() []float64 {
	out := make([]float64, len(m.Items))
	for i := range out {
		out[i] = m.Utility([]float64{float64(i)})
	}
	return out
}
