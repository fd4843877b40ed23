package gp

// maxGrade bounds the gap between grades in the search for hyper-parameters. A person whose noise is a thousandth of her taste says "clearly" at hundreds of
// σ, and the outputscale reaches √1e5 ≈ 316: at 30σ, which δ never comes near, the bound would decide what she meant.
const maxGrade = 1e4

// DefaultGrade returns the prior of the gap between two grades for people: a median of 3σ, 95 % between 0.16σ and 57σ.
// The just-noticeable difference is a fraction of the noise by its nature. "Clearly" is not: people say it of what is
// large beside other differences, so that in units of the noise it depends on how strong the taste is: chosen beside an outputscale of
// Gamma(2, 0.15), and to be chosen again with another (docs/experiments.md, "Answers as people give them").
func DefaultGrade() Prior { return LogNormal(1.1, 1.5) }

// gaps lists the free gaps between cuts: δ where ties are offered, then one for each grade. Without a prior of their own the grades
// have that of δ and its bounds, to the bit what they had before there was one.
func (m Model) gaps() []variable {
	var all []variable
	if m.Answers.Ties {
		all = append(all, variable{m.Cut, minGap, maxGap})
	}
	grade := variable{m.Grade, minGap, maxGrade}
	if m.Grade.Family == Default {
		grade = variable{m.Cut, minGap, maxGap}
	}
	for range m.Answers.Grades {
		all = append(all, grade)
	}
	return all
}
