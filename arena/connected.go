package arena

import "slices"

// reach marks everybody that a chain of scores leads to from i, i among them: who scored against somebody leads to that one, or the other way round.
func (s score) reach(i int, down bool) []bool {
	seen := make([]bool, len(s.names))
	seen[i] = true
	for todo := []int{i}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for j := range s.names {
			edge := s.won[k][j] > 0
			if !down {
				edge = s.won[j][k] > 0
			}
			if edge && !seen[j] {
				seen[j] = true
				todo = append(todo, j)
			}
		}
	}
	return seen
}

// core is the largest set in which everybody is led to from everybody by chains of scores, the first of several: there, and only there, likelihood has a maximum (Ford 1957).
func (s score) core() []int {
	var best []int
	done := make([]bool, len(s.names))
	for i := range s.names {
		if done[i] {
			continue
		}
		down, up := s.reach(i, true), s.reach(i, false)
		var set []int
		for j := range s.names {
			if down[j] && up[j] {
				set, done[j] = append(set, j), true
			}
		}
		if len(set) > len(best) {
			best = set
		}
	}
	return best
}

// groups are sets that no battle connects.
func (s score) groups() (out [][]int) {
	done := make([]bool, len(s.names))
	for i := range s.names {
		if done[i] {
			continue
		}
		set := []int{i}
		done[i] = true
		for k := 0; k < len(set); k++ {
			for j := range s.names {
				if !done[j] && s.won[set[k]][j]+s.won[j][set[k]] > 0 {
					done[j] = true
					set = append(set, j)
				}
			}
		}
		slices.Sort(set)
		out = append(out, set)
	}
	return out
}
