package prefer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/normal"
)

// The words of statements beside the verdict, and the phrases that all of them are made of.

// String says how forecasts fared, nothing where there are few.
func (f Foretold) String() string {
	switch {
	case f.Of < foretoldFew:
		return ""
	case f.Score < -boldness:
		return f.lang.T("foretold.fewer", "n", f.Right, "of", f.Of)
	case f.Score > boldness:
		return f.lang.T("foretold.more", "n", f.Right, "of", f.Of)
	}
	return f.lang.T("foretold.expected", "n", f.Right, "of", f.Of)
}

// foretoldFew is the number of forecasts from which on it means something how they fared.
const foretoldFew = 5

// boldness is how many standard deviations off forecasts must be before anybody is told.
const boldness = 2.5

// Progress says on a quiet line under a question how far it is: towards the budget if there is one.
func (v Verdict) Progress() string {
	so, more := count(v.Given, "answer"), ""
	switch v.Left.High {
	case 0:
	case v.Left.Low:
		more = fmt.Sprintf(", about %d more", v.Left.High)
	default:
		more = fmt.Sprintf(", about %d to %d more", v.Left.Low, v.Left.High)
	}
	switch {
	case v.Kind.Done():
		return so + ": " + strings.ToLower(v.Headline()[:1]) + v.Headline()[1:]
	case v.Budget > 0:
		so, more = fmt.Sprintf("%d of %s", v.Given, count(v.Budget, "answer")), ""
	case v.Late:
		more += "; it takes longer than most"
	}
	switch sure := v.Best.Confidence; {
	case sure < 0.05:
		return so + ": looking around" + more
	case sure < 0.5:
		return fmt.Sprintf("%s: a first idea, %s sure%s", so, percent(language.English(), sure), more)
	default:
		return fmt.Sprintf("%s: getting clearer, %s sure%s", so, percent(language.English(), sure), more)
	}
}

// Assumes says what the probabilities of a verdict are of, and what they lean on.
func (v Verdict) Assumes() string {
	return "“Sure” is a probability: that nothing is noticeably better than the pick, where no other statement stands beside it. It assumes that " +
		"taste changes gradually from option to option. On landscapes of many narrow peaks, which a few dozen answers cannot tell from " +
		"smooth ones, it is wrong more often than it says. It is a statement about these answers by these people, not about everybody."
}

// Words says what a tolerance is, as the object of a sentence.
func (t Tolerance) Words() string {
	var parts []string
	if t.Noise != 0 {
		parts = append(parts, fmt.Sprintf("a difference that is recognised %d times in a hundred", whole(normal.CDF(t.Noise))))
	}
	if t.Share != 0 {
		parts = append(parts, fmt.Sprintf("%.3g %% of what the best option gains over one at random", 100*t.Share))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Steps)) {
		parts = append(parts, fmt.Sprintf("what %v of %s make at the best option", t.Steps[name], name))
	}
	switch len(parts) {
	case 0, 1:
		return strings.Join(parts, "")
	case 2:
		return "the larger of " + language.English().List(parts)
	}
	return "the largest of " + language.English().List(parts)
}

// Words say in a language where an item of a list may stand: "place 1 to 4, shown 7 times".
func (r Ranked) Words(tag string) string {
	in, _ := language.Of(tag)
	place, shown := in.T("rank.places", "low", r.Low, "high", r.High), in.T("rank.shown", "n", r.Shown)
	if r.Low == r.High {
		place = in.T("rank.place", "place", r.Low)
	}
	if r.Shown == 0 {
		shown = in.T("rank.never")
	}
	return in.T("rank.words", "place", place, "shown", shown)
}

// In returns the importance with its sentence in a language, by its BCP 47 tag; English where there are no words in it.
func (i Importance) In(tag string) Importance {
	in, _ := language.Of(tag)
	i.Sentence = i.words(in)
	return i
}

// words says what is known of one parameter.
func (i Importance) words(in language.Language) string {
	switch i.Kind {
	case Hardly:
		return in.T("learned.hardly", "name", i.Parameter)
	case Lower:
		return in.T("learned.lower", "name", i.Parameter)
	case Higher:
		return in.T("learned.higher", "name", i.Parameter)
	case Around:
		return in.T("learned.around", "name", i.Parameter, "value", fmt.Sprintf("%.3g", i.At.Float()))
	case Chosen:
		return in.T("learned.chosen", "name", i.Parameter, "value", i.At.String())
	case With:
		return in.T("learned.with", "name", i.Parameter)
	case Without:
		return in.T("learned.without", "name", i.Parameter)
	}
	return in.T("learned.unknown", "names", i.Parameter)
}

// In returns the check with its sentence in a language, by its BCP 47 tag; English where there are no words in it.
func (c BlindCheck) In(tag string) BlindCheck {
	in, _ := language.Of(tag)
	c.Sentence = c.words(in)
	return c
}

// words says what blind duels came to.
func (c BlindCheck) words(in language.Language) string {
	places := []any{"n", c.Won, "of", c.Of, "tied", c.Tied, "low", fmt.Sprintf("%.0f", 100*(1-c.High)), "high", fmt.Sprintf("%.0f", 100*(1-c.Low))}
	switch tied := c.Tied > 0; {
	case c.Kind == Unchecked:
		return in.T("blind.none")
	case c.Kind == Holds && tied:
		return in.T("blind.holds.tied", places...)
	case c.Kind == Holds:
		return in.T("blind.holds", places...)
	case c.Kind == Fails && tied:
		return in.T("blind.fails.tied", places...)
	case c.Kind == Fails:
		return in.T("blind.fails", places...)
	case tied:
		return in.T("blind.close.tied", places...)
	}
	return in.T("blind.close", places...)
}

// words writes a range of things: "3 to 7 answers", "1 answer".
func (r Range) words(thing string) string {
	if r.Low == r.High {
		return count(r.High, thing)
	}
	return fmt.Sprintf("%d to %s", r.Low, count(r.High, thing))
}

// percent writes a probability; 100 % is for what is certain.
func percent(in language.Language, p float64) string { return in.Percent(float64(whole(p))) }

// whole rounds to a percentage that is 0 or 100 only where it is certain.
func whole(p float64) int {
	n := int(math.Round(100 * p))
	if n == 100 && p < 1 {
		return 99
	}
	if n == 0 && p > 0 {
		return 1
	}
	return n
}

// count writes a number of things: "1 answer", "2 answers".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprint(n, " ", strings.TrimSuffix(thing, "s"), "s")
}

// words says who is a group, how far it agrees, and who stands out.
func (g Group) words() string {
	if len(g.Raters) == 1 {
		return fmt.Sprintf("only %s has answered", among(g.Raters))
	}
	n := len(g.Raters) - len(g.Careless)
	out := fmt.Sprintf("%d raters %s", n, g.Together.words())
	switch {
	case n < 2:
		out = fmt.Sprintf("of %d raters %d looked, as it seems", len(g.Raters), n)
	case len(g.Camps) > 0:
		out += fmt.Sprintf("; they are two camps: %s, and %s", among(g.Camps[0].Raters), among(g.Camps[1].Raters))
	case len(g.Disagrees) == n:
		out += ": each wants something else"
	case len(g.Disagrees) > 0:
		out += fmt.Sprintf("; %s %s the contrary of what the others want", among(g.Disagrees), verb(g.Disagrees, "wants", "want"))
	}
	if len(g.Careless) > 0 {
		out += fmt.Sprintf("; %s hardly %s, having answered without looking, as it seems, and %s left out of the agreement", among(g.Careless), verb(g.Careless, "counts", "count"), verb(g.Careless, "is", "are"))
	}
	return out
}

// among lists raters.
func among(names []string) string {
	names = slices.Clone(names)
	for i, name := range names {
		if name == "" {
			names[i] = "somebody without a name"
		}
	}
	return language.English().List(names)
}

func verb(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}

// words says how far raters agree, as a predicate.
func (a Agreement) words() string {
	switch {
	case a.Low > 0.5:
		return "agree"
	case a.Low > 0.1:
		return "agree in part"
	case a.High-a.Low > 0.5:
		return "have said too little to tell how far they agree"
	case a.High < 0:
		return "disagree"
	}
	return "hardly agree"
}

// Counts says how much a rater's answers count, against those of a usual one; nothing where it cannot be told.
func (r Rater) Counts() string {
	switch {
	case r.Out:
		return "left out"
	case r.Noise == 0:
		return ""
	}
	return counts(1 / (r.Noise * r.Noise))
}

// Reliability says how far a rater's answers can be relied on, in the words that every page, report and command uses, and warns of habits that are not taste.
func (r Rater) Reliability() (words string, warn bool) {
	switch counts := r.Counts(); {
	case r.Careless:
		return "looks careless: " + r.Why, true
	case r.FollowsOrder:
		return "follows the order in which options are shown", true
	case r.Clear >= manyClear && r.Clear == r.Left.Of:
		return "calls every preference clear", true
	case r.Answers < crowd.CarelessAnswers:
		return "too early to say how steady", false
	case counts != "" && !r.Out:
		return counts, false
	}
	return "nothing odd about the answers", false
}

// manyClear is the number of preferences from which on it is a habit to call them all clear.
const manyClear = 12

// counts says in words how much somebody counts, 1 being in full.
func counts(weight float64) string {
	for _, c := range []struct {
		least float64
		words string
	}{{1.5, "counts for more than most"}, {0.83, "counts in full"}, {0.58, "counts about two thirds as much"}, {0.42, "counts about half as much"}, {0.29, "counts about a third as much"},
		{0.2, "counts about a quarter as much"}, {0.08, "counts for little"}} {
		if weight >= c.least {
			return c.words
		}
	}
	return "hardly counts"
}
