package xslices

import (
	"slices"
	"strconv"
	"testing"
)

func TestSlices(t *testing.T) {
	list := []int{3, 1, 2, 1}
	odd := func(v int) bool { return v%2 == 1 }
	if got := Map(list, strconv.Itoa); !slices.Equal(got, []string{"3", "1", "2", "1"}) {
		t.Errorf("Map: %q", got)
	}
	if got := Times(3, func(i int) int { return i * i }); !slices.Equal(got, []int{0, 1, 4}) {
		t.Errorf("Times: %v", got)
	}
	if got := Filter(list, odd); !slices.Equal(got, []int{3, 1, 1}) || Count(list, odd) != 3 {
		t.Errorf("Filter: %v, Count: %d", got, Count(list, odd))
	}
	if got := ToMap(list, func(v int) (bool, int) { return odd(v), v }); len(got) != 2 || got[true] != 1 || got[false] != 2 {
		t.Errorf("ToMap: %v", got)
	}
	if !slices.Equal(Or(list, 7), list) || !slices.Equal(Or(nil, 7, 8), []int{7, 8}) {
		t.Error("Or does not stand for an empty list alone")
	}
	if Map([]int{}, odd) != nil || Times(0, odd) != nil || Filter([]int{}, odd) != nil {
		t.Error("no elements do not make nil")
	}
}
