package acquisition

import "slices"

// topmost keeps the first of what is added, in an order, at most so many.
type topmost[T any] struct {
	most  int
	order func(a, b T) int
	kept  []T
	heap  bool // kept has the last of them on top: more were added
}

func (t *topmost[T]) add(x T) {
	if len(t.kept) < t.most {
		t.kept = append(t.kept, x)
		return
	}
	if !t.heap {
		slices.SortFunc(t.kept, func(a, b T) int { return t.order(b, a) }) // sorted from the last on it is a heap
		t.heap = true
	}
	kept, at := t.kept, 0
	if t.most == 0 || t.order(x, kept[0]) >= 0 {
		return
	}
	for child := 1; child < len(kept); child = 2*at + 1 {
		if child+1 < len(kept) && t.order(kept[child], kept[child+1]) < 0 {
			child++
		}
		if t.order(x, kept[child]) >= 0 {
			break
		}
		kept[at], at = kept[child], child
	}
	kept[at] = x
}

func (t *topmost[T]) sorted() []T {
	slices.SortFunc(t.kept, t.order)
	return t.kept
}

// topRows returns the numbers of the n highest scores, best first, ties by number; NaN is passed over. O(N log n).
func topRows(score []float64, n int) []int {
	top := topmost[int]{most: n, kept: make([]int, 0, n), order: func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return a - b
	}}
	for i, v := range score {
		if v == v {
			top.add(i)
		}
	}
	return top.sorted()
}
