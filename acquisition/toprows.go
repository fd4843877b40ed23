package acquisition

import (
	"cmp"
	"slices"
)

// topRows returns the numbers of the n highest scores, best first, ties by number. O(N log n).
func topRows(score []float64, n int) []int {
	worse := func(a, b int) bool { // a comes after b
		return score[a] < score[b] || score[a] == score[b] && a > b
	}
	heap := make([]int, 0, n) // the worst kept first
	down := func() {
		for i := 0; ; {
			c := 2*i + 1
			if c >= len(heap) {
				return
			}
			if c+1 < len(heap) && worse(heap[c+1], heap[c]) {
				c++
			}
			if !worse(heap[c], heap[i]) {
				return
			}
			heap[i], heap[c] = heap[c], heap[i]
			i = c
		}
	}
	for i, v := range score {
		switch {
		case v != v || n == 0:
		case len(heap) < n:
			heap = append(heap, i)
			for j := len(heap) - 1; j > 0 && worse(heap[j], heap[(j-1)/2]); j = (j - 1) / 2 {
				heap[j], heap[(j-1)/2] = heap[(j-1)/2], heap[j]
			}
		case worse(heap[0], i):
			heap[0] = i
			down()
		}
	}
	slices.SortFunc(heap, func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), a-b) })
	return heap
}
