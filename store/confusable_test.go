package store

import "testing"

// TestSkeleton: names that look the same have one skeleton, and names that people tell apart have two.
func TestSkeleton(t *testing.T) {
	same := map[string][]string{
		"anna":     {"anna", " anna ", "Anna", "ANNA", "\u0430nna", "\u0410nn\u0430", "\u03b1nna", "ａｎｎａ", "an\u200bna", "\u00a0anna", "anna\u202e"},
		"bob":      {"ВОВ", "BOB", "воb"},
		"ann lee":  {"Ann  Lee", "ann\tlee", "ann\u00a0lee"},
		"rené":     {"rene\u0301", "RENÉ"},
		"alëna":    {"alёna"},
		"вася":     {"Вася", "ВАСЯ"},
		"νικος":    {"Νικος", "ΝΙΚΟΣ"},
		"scope":    {"ѕсоре"},
		"ivan":     {"iνan"},
		"fina":     {"ﬁna"},
		"guest-aB": {"guest-Ab"},
	}
	for name, others := range same {
		for _, other := range others {
			if Skeleton(name) != Skeleton(other) {
				t.Errorf("%q is %q, and %q is %q", name, Skeleton(name), other, Skeleton(other))
			}
		}
	}
	for _, pair := range [][2]string{{"anna", "hanna"}, {"anna", "anna-2"}, {"p1", "p2"}, {"ann lee", "annlee"}, {"rene", "rené"}, {"Вася", "Вера"}} {
		if Skeleton(pair[0]) == Skeleton(pair[1]) {
			t.Errorf("%q and %q are one: %q", pair[0], pair[1], Skeleton(pair[0]))
		}
	}
}
