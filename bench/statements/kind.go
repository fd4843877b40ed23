package statements

// kinds are the kinds of statements: when each is made, and how it is judged. A judge returns Said and Held; name and answers are
// filled in, unless it names a kind of its own.
var kinds = []struct {
	name  string
	when  when
	judge func(m moment) []Statement
}{
	{"ending", atEnding, judgeEnding},
	{"as good as the pick", atEnding, judgeRival},
	{"confidence", atMark, judgeConfidence},
	{"better than n of 100", atMark, judgeRandom},
	{"among the best few", atMark, judgeTop},
	{"would take the pick", atMark, judgeTaken},
	{"would take hardly any", atMark, judgeDispleased},
	{"questions left", atMark, judgeLeft},
	{"importance", atMark, judgeImportance},
	{"order of a list", atMark, judgeOrder},
	{"places of a list", atMark, judgePlaces},
	{"runner-up", atMark, judgeRunnerUp},
	{"forecast", atMark, judgeForecast},
	{"forecast at the end", atEnd, judgeForecast},
	{"foretold as expected", atEnd, judgeForetold},
}

// when is the kind of moment at which a kind of statement is noted.
type when int

const (
	atMark   when = iota // at fixed numbers of answers, which do not depend on how the study goes
	atEnding             // when it first says that it is done
	atEnd                // after the last answer
)

func (w when) is(m moment) bool {
	return [...]bool{atMark: m.mark, atEnding: m.ending, atEnd: m.last}[w]
}

// judge returns the statements of a moment with the truth about them.
func judge(m moment) []Statement {
	var out []Statement
	for _, k := range kinds {
		if !k.when.is(m) {
			continue
		}
		for _, s := range k.judge(m) {
			if s.Answers = m.answers; s.Kind == "" {
				s.Kind = k.name
			}
			if k.when == atMark {
				s.Mark = m.answers
			}
			out = append(out, s)
		}
	}
	return out
}

// good reports whether an option of utility f is good enough: max f − f ≤ the tolerance of the person.
func (m moment) good(f float64) bool { return m.Max-f <= m.tolerance() }

// judgeConfidence: "nothing is noticeably better".
func judgeConfidence(m moment) []Statement {
	return []Statement{{Said: m.verdict.Best.Confidence, Held: truth(m.good(m.pick))}}
}

// judgeRandom: "better than n of 100 options". Held is the share of options that are truly worse.
func judgeRandom(m moment) []Statement {
	return []Statement{{Said: m.verdict.Best.Beats, Held: m.Share(m.pick)}}
}

// judgeTop: "one of the best 1 %", "one of the best three of the list".
func judgeTop(m moment) []Statement {
	return []Statement{{Said: m.verdict.Best.Top, Held: truth(m.top())}}
}

// leftShare is how often the true number should be in the range: "about half".
const leftShare = 0.5

// judgeLeft: "about n to m more questions". Of a study that never ended it is known only that they are more than were asked.
func judgeLeft(m moment) []Statement {
	l := m.verdict.Left
	if m.ended > 0 && m.ended <= m.answers || l[1] == 0 {
		return nil
	}
	if m.ended == 0 {
		if l[1] > m.limit-m.answers {
			return nil // nobody knows
		}
		return []Statement{{Said: leftShare, Held: 0}}
	}
	more := m.ended - m.answers
	return []Statement{{Said: leftShare, Held: truth(l[0] <= more && more <= l[1])}}
}
