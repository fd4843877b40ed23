package normal

// Mills returns h(x) = φ(x)/Φ(x), the factor of Lemma 3.1 and Lemma B.1: E[X | X > −x] = h(x), and (log Φ)' = h.
//
//	h(x) = 1/R(−x)              for x ≤ 0; tends to −x,
//	h(x) = φ(x)/(1 − Φ(−x))     for x > 0.
//
// The quotient as written loses digits below x ≈ −37.5 and is 0/0 from −38.6; 1/R is good for every float64. (The name: h is the inverse Mills ratio of −x.)
func Mills(x float64) float64 {
	if x > 0 {
		p := PDF(x)
		return p / (1 - p*ratio(x))
	}
	return 1 / ratio(-x)
}

// MillsPrime returns h'(x) = −h(x)(h(x)+x) = (log Φ)″. It lies in (−1, 0); −h' is the γ by which observing X > −x shrinks a unit variance (App. A).
//
// For x ≤ 0 the sum h + x is a difference that loses x² units in the last place; there −h' = 1 − Var[X | X > −x], and the variance, at most 0.37, has its own
// fit (tail.go). For x > 0 both terms of h + x are positive, and h' keeps its relative accuracy as it vanishes.
func MillsPrime(x float64) float64 {
	if x > 0 {
		h := Mills(x)
		if h == 0 {
			return 0 // the limit; h·x is 0·Inf at +Inf
		}
		return -h * (h + x)
	}
	return variance(-x) - 1
}
