package gp

import (
	"fmt"
	"math"
)

// Outcome is an answer on the symmetric scale of a question (a, b): 0 is "can't tell", +1 "a wins",
// −1 "b wins"; with graded answers ±2, ±3 … are stronger preferences.
type Outcome int8

// Interval is the set of noisy differences g = f(a) − f(b) + ε that an answer stands for, in the units of f. Lo may be −Inf and Hi +Inf.
type Interval struct{ Lo, Hi float64 }

// Answers describes which outcomes a study offers. The zero value is the paper's: two outcomes.
type Answers struct {
	Ties   bool `json:"ties"`   // offer "can't tell"
	Grades int  `json:"grades"` // grades beyond the plain preference: 1 adds "clearly", 2 adds "by far", …
}

// Cuts are the magnitudes at which the line of the noisy difference is cut, in units of σ and increasing. Cuts[0] is the just-noticeable difference δ (0 when
// ties are not offered); further cuts separate the grades. Outcome +g, g ≥ 1, is the interval (Cuts[g−1], Cuts[g]), the last one open to infinity; −g is its
// mirror image; 0 is (−δ, δ). Together they partition the line.
type Cuts []float64

// Levels returns the number of cuts of the scheme, the largest |Outcome|.
func (a Answers) Levels() int { return 1 + a.Grades }

// Outcomes lists the outcomes of the scheme in increasing order.
func (a Answers) Outcomes() []Outcome {
	var all []Outcome
	for o := -a.Levels(); o <= a.Levels(); o++ {
		if o != 0 || a.Ties {
			all = append(all, Outcome(o))
		}
	}
	return all
}

// Has reports whether o is one of the scheme's outcomes.
func (a Answers) Has(o Outcome) bool {
	if o == 0 {
		return a.Ties
	}
	return int(o) <= a.Levels() && int(o) >= -a.Levels()
}

// free returns how many cuts are learned: all of them with ties, all but the fixed 0 otherwise.
func (a Answers) free() int {
	if a.Ties {
		return a.Levels()
	}
	return a.Grades
}

func (a Answers) validate() error {
	if a.Grades < 0 || a.Grades > 100 {
		return fmt.Errorf("gp: Answers.Grades = %d, want 0 to 100", a.Grades)
	}
	return nil
}

// cuts builds the cuts from the free gaps: c_1 = g_1, c_{i+1} = c_i + g_{i+1}.
func (a Answers) cuts(gaps []float64) Cuts {
	c := make(Cuts, 0, a.Levels())
	at := 0.0
	if !a.Ties {
		c = append(c, 0)
	}
	for _, g := range gaps {
		at += g
		c = append(c, at)
	}
	return c
}

// gaps inverts cuts.
func (a Answers) gaps(c Cuts) []float64 {
	at := 0.0
	if !a.Ties {
		c = c[1:]
	}
	g := make([]float64, len(c))
	for i := range c {
		g[i] = c[i] - at
		at = c[i]
	}
	return g
}

// validate checks that the cuts fit the scheme.
func (c Cuts) validate(a Answers) error {
	if len(c) != a.Levels() {
		return fmt.Errorf("gp: %d cuts for a scale with %d levels", len(c), a.Levels())
	}
	for i, v := range c {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("gp: cut[%d] = %g is not finite", i, v)
		case i == 0 && !a.Ties && v != 0:
			return fmt.Errorf("gp: cut[0] = %g, want 0 where ties are not offered", v)
		case i == 0 && a.Ties && v <= 0:
			return fmt.Errorf("gp: cut[0] = %g, want > 0 where ties are offered", v)
		case i > 0 && v <= c[i-1]:
			return fmt.Errorf("gp: cut[%d] = %g does not exceed cut[%d] = %g", i, v, i-1, c[i-1])
		}
	}
	return nil
}

// Interval returns the set of noisy differences that o stands for under noise σ.
func (c Cuts) Interval(o Outcome, sigma float64) Interval {
	g := int(o)
	switch {
	case g == 0:
		return Interval{-c[0] * sigma, c[0] * sigma}
	case g < 0:
		m := c.Interval(-o, sigma)
		return Interval{-m.Hi, -m.Lo}
	case g == len(c):
		return Interval{c[g-1] * sigma, math.Inf(1)}
	default:
		return Interval{c[g-1] * sigma, c[g] * sigma}
	}
}

// cutGradient adds to dgap the derivatives of a function of the interval of o, given its partials in the two ends, with respect to the free gaps.
func (a Answers) cutGradient(dgap []float64, o Outcome, dlo, dhi, sigma float64) {
	end := func(level int, d float64) { // the end at +Cuts[level]
		if !a.Ties {
			level--
		}
		for i := 0; i <= level; i++ {
			dgap[i] += d * sigma
		}
	}
	g := int(o)
	switch {
	case g == 0:
		end(0, dhi)
		end(0, -dlo)
	case g > 0:
		end(g-1, dlo)
		if g < a.Levels() {
			end(g, dhi)
		}
	default:
		end(-g-1, -dhi)
		if -g < a.Levels() {
			end(-g, -dlo)
		}
	}
}

// maxGrade bounds the gap between grades in the search for hyper-parameters. A person whose noise is a thousandth of their taste says "clearly" at hundreds of
// σ, and the outputscale reaches √1e5 ≈ 316: at 30σ, which δ never comes near, the bound would decide what they meant.
const maxGrade = 1e4

// DefaultGrade returns the prior of the gap between two grades for people: a median of 3σ, 95 % between 0.16σ and 57σ.
// The just-noticeable difference is a fraction of the noise by its nature. "Clearly" is not: people say it of what is
// large beside other differences, so that in units of the noise it depends on how strong the taste is: chosen beside an outputscale of
// Gamma(2, 0.15), and to be chosen again with another (docs/dev/experiments.md, "Answers as people give them").
func DefaultGrade() Prior { return LogNormal(1.1, 1.5) }

// gaps lists the free gaps between cuts: δ where ties are offered, then one for each grade. Without a prior of their own the grades
// have that of δ and its bounds, to the bit what they had before there was one.
func (m Model) gaps() []variable {
	var all []variable
	if m.Answers.Ties {
		all = append(all, variable{prior: m.Cut, lo: minGap, hi: maxGap})
	}
	grade := variable{prior: m.Grade, lo: minGap, hi: maxGrade}
	if m.Grade.Family == Default {
		grade = variable{prior: m.Cut, lo: minGap, hi: maxGap}
	}
	for range m.Answers.Grades {
		all = append(all, grade)
	}
	return all
}
