// Package normal is one normal variable, seen from everywhere a preference model looks at it.
//
// An answer to a duel is an interval of a noisy difference, so everything above this package needs the same few numbers: the probability of an interval
// ([Interval], [LogInterval]; [CDF], [LogCDF] for a half line), the moments of a normal restricted to it ([Truncate]; [Mills], [MillsPrime] for a half line,
// the φ(τ)/Φ(τ) of Lemma 3.1). The law that a correlated variable then has, the extended skew normal of App. A with Lemma B.1, is in esn_test.go: prefer
// needs only its mean, and the tests check that against the whole law.
//
// # Contents
//
//	cdf                   φ, Φ, log Φ and φ/Φ
//	tail · narrow         the two devices of accuracy: polynomials for the tails, quadrature for narrow intervals
//	interval · truncated  probability of an interval and the interval of a share; moments of a normal restricted to an interval
//	quantile              Φ⁻¹
//
// # Accuracy
//
// Every function is accurate to 1e-13, relative, wherever the result is a normal float64, and most to 1e-15; where a
// quantity crosses zero the error is relative to the natural scale its comment names. The tails are no exception:
// Φ(−38), the variance beyond x = 10⁶ and the skewness of an interval of width 10⁻¹² are as good as those in the middle.
//
// Two devices carry this. On x ≥ 0 Mills' ratio R(x) = (1−Φ(x))/φ(x) and the moments of X | X > x are slowly varying
// once their power of x is divided out, so that one polynomial in t = (x−k)/(x+k) covers [0, ∞] (tail.go). And an
// interval too narrow for differences of such values is integrated by Gauss–Legendre, a sum of positive terms (narrow.go).
//
// # Conventions
//
// φ, Φ are the standard normal density and distribution function. NaN in gives NaN out; nothing panics except slices of
// different lengths. The last digit of a result may differ between architectures, whose compilers fuse multiplications
// and additions differently, and in [LogCDFMills] between the paths of package linalg.
package normal
