package gp

import (
	"math"
	"reflect"
	"slices"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// sparsePrefix is what sparse inference has computed of the first duels. While hyper-parameters and inducing points stay, further duels add rows to Φ and, at
// the same sites of the first, terms to the sums of sparseInducing.update: O(M²) each in place of O(nM²). A posterior keeps it for Model.Continue. It is
// never changed, and it is a function of the posterior's State and duels.
type sparsePrefix struct {
	hyper  Hyper
	z      []float64 // inducing points
	raters []int     // with a position bias, which have a column each
	sites  Sites
	l      []float64
	phi    []float64 // rows of the first duels
	resid  []float64
	sums   []float64 // ΦᵀΛΦ (lower triangle), then Φᵀν
}

// prefix returns what later duels continue from, nil if that would save nothing.
func (s *sparse) prefix(h Hyper) *sparsePrefix {
	a, ok := s.sparseAlgebra.(*sparseInducing)
	if !ok || s.n <= fewDuels {
		return nil
	}
	s.kept = true
	return &sparsePrefix{hyper: h.clone(), z: s.z, raters: s.raters(), sites: a.sites.clone(), l: s.l, phi: s.phi, resid: s.resid, sums: a.sums()}
}

func (s *sparse) raters() []int {
	return xslices.Map(s.sided, func(r sidedRater) int { return r.rater })
}

// continues reports whether p holds for the first duels of s at its inducing points and these hyper-parameters.
func (p *sparsePrefix) continues(s *sparse, h Hyper) bool {
	return p != nil && s.n >= len(p.resid) && slices.Equal(p.z, s.z) && slices.Equal(p.raters, s.raters()) && reflect.DeepEqual(p.hyper, h)
}

// size returns how many numbers the prefix holds.
func (p *sparsePrefix) size() int {
	if p == nil {
		return 0
	}
	return len(p.l) + len(p.phi) + len(p.resid) + len(p.sums) + 2*len(p.sites.Nu)
}

// rows returns the rows of Φ from lo to hi.
func (s *sparse) rows(lo, hi int) []float64 {
	switch n := s.knownDuels(); {
	case lo >= n:
		return s.phi[(lo-n)*s.m : (hi-n)*s.m]
	case hi > n:
		return append(slices.Clone(s.known.phi[lo*s.m:]), s.phi[:(hi-n)*s.m]...)
	}
	return s.known.phi[lo*s.m : hi*s.m]
}

// knownDuels returns the number of duels whose rows are known.
func (s *sparse) knownDuels() int {
	if s.known == nil {
		return 0
	}
	return len(s.known.resid)
}

// sums returns ΦᵀΛΦ and Φᵀν as the last update added them up.
func (a *sparseInducing) sums() []float64 {
	size := a.of.m*a.of.m + a.of.m
	out := slices.Clone(a.parts[0][:size])
	for _, sum := range a.parts[1:a.of.parts()] {
		linalg.Axpy(1, sum[:size], out)
	}
	return out
}

// addKnown writes the sums into la and qm if the sites of the known duels are those that their sums belong to, and reports whether it did.
func (a *sparseInducing) addKnown() bool {
	s, m, n := a.of, a.of.m, a.of.knownDuels()
	a.fromKnown = n > 0 && slices.Equal(a.sites.Lambda[:n], s.known.sites.Lambda) && slices.Equal(a.sites.Nu[:n], s.known.sites.Nu)
	if !a.fromKnown {
		return false
	}
	copy(a.la, s.known.sums)
	copy(a.qm, s.known.sums[m*m:])
	size := s.blockRows()
	for lo := n; lo < s.n; lo += size {
		hi := min(lo+size, s.n)
		a.addSums(s.scratch[0], lo, hi, a.la, a.qm)
	}
	return true
}

// addSums adds ΦᵀΛΦ and Φᵀν of some duels; t is scratch.
func (a *sparseInducing) addSums(t []float64, lo, hi int, la, qm []float64) {
	m, phi := a.of.m, a.of.rows(lo, hi)
	for i := range hi - lo {
		linalg.MulTo(t[i*m:(i+1)*m], math.Sqrt(a.sites.Lambda[lo+i]), phi[i*m:(i+1)*m], a.ones)
	}
	linalg.Syrk(true, m, hi-lo, 1, t, m, 1, la, m)
	linalg.GemvT(hi-lo, m, 1, phi, m, a.sites.Nu[lo:hi], 1, qm)
}
