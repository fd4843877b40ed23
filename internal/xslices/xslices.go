// Package xslices has what package slices lacks: slices made of others.
package xslices

// Map returns what f makes of each element; nil if there are none.
func Map[T, U any](list []T, f func(T) U) []U {
	return Times(len(list), func(i int) U { return f(list[i]) })
}

// Times returns f(0) to f(n-1); nil if n is 0.
func Times[T any](n int, f func(i int) T) (out []T) {
	if n > 0 {
		out = make([]T, n)
	}
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// Filter returns the elements that are wanted; nil if there are none.
func Filter[T any](list []T, wanted func(T) bool) (out []T) {
	for _, v := range list {
		if wanted(v) {
			out = append(out, v)
		}
	}
	return out
}

// Count returns how many elements are wanted.
func Count[T any](list []T, wanted func(T) bool) (n int) {
	for _, v := range list {
		if wanted(v) {
			n++
		}
	}
	return n
}

// Or returns the list, or what stands for an empty one.
func Or[T any](list []T, other ...T) []T {
	if len(list) == 0 {
		return other
	}
	return list
}

// ToMap returns the map of what f makes of each element; of several with one key the last counts.
func ToMap[T any, K comparable, V any](list []T, f func(T) (K, V)) map[K]V {
	out := make(map[K]V, len(list))
	for _, v := range list {
		key, value := f(v)
		out[key] = value
	}
	return out
}
