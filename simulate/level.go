package simulate

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Budgets are the numbers of questions at which picks are held against the truth, too.
var Budgets = []int{10, 20, 30, 40}

func isBudget(n int) bool { return slices.Contains(Budgets, n) }

// Level is what came of the people at one level of noise.
type Level struct {
	Noise        Noise            `json:"noise"`
	MaxQuestions int              `json:"max_questions"`
	Confidence   float64          `json:"confidence"`
	Tolerance    prefer.Tolerance `json:"tolerance,omitzero"`
	Summary
	Contexts []ContextLevel `json:"contexts,omitempty"` // the same under each setting of the contexts
	People   []One          `json:"people"`
}

// ContextLevel is what came of the people under one setting of the contexts; questions are those under it.
type ContextLevel struct {
	Fixed space.Option `json:"fixed"`
	Summary
}

// Summary is a level in numbers.
type Summary struct {
	Finished int          `json:"finished"` // people
	Verdicts prefer.Share `json:"verdicts"` // who came to a verdict: an ending of a study that knows
	Endings  []Ending     `json:"endings"`  // of all, most frequent first

	// Questions until the verdict: those who never came to one count as more than any number.
	Questions []Quantile `json:"questions"`

	Good  prefer.Share `json:"good"`  // picks within Near of the person's best, at the end of each study
	Right prefer.Share `json:"right"` // the verdicts that say what is true of the rank of the pick

	// Loss and Range are the medians of Pick.Loss and Pick.Share at the end.
	Loss  float64 `json:"median_loss"`
	Range float64 `json:"median_range_share"`

	Budgets []Budget `json:"budgets"`
}

// Ending is how often studies ended in one way; KeepGoing are those that did not.
type Ending struct {
	Kind prefer.VerdictKind `json:"kind"`
	prefer.Share
}

// Quantile is the number of questions that a share of people need at most.
type Quantile struct {
	Share     float64 `json:"share"`
	Questions int     `json:"questions"` // 0 if fewer than that share came to a verdict
}

// Budget is what people's picks are worth after that many questions, or at the verdict if that came before.
type Budget struct {
	Questions int          `json:"questions"`
	Good      prefer.Share `json:"good"`
	Loss      float64      `json:"median_loss"`
}

// quantiles reported.
var quantiles = []float64{0.1, 0.25, 0.5, 0.75, 0.9}

func (l *Level) summarise() {
	s := Summary{Finished: len(l.People)}
	var needed []int
	ended := map[prefer.VerdictKind]int{}
	for _, p := range l.People {
		ended[p.Verdict]++
		if p.Sure() {
			needed = append(needed, p.Pick.Questions)
		}
	}
	slices.Sort(needed)
	picks := xslices.Map(l.People, func(p One) Pick { return p.Pick })
	s.Endings = xslices.Map(slices.Sorted(maps.Keys(ended)), func(kind prefer.VerdictKind) Ending { return Ending{kind, share(ended[kind], s.Finished)} })
	slices.SortStableFunc(s.Endings, func(a, b Ending) int { return cmp.Compare(b.Count, a.Count) })
	s.Verdicts, s.Range = share(len(needed), s.Finished), median(xslices.Map(picks, func(p Pick) float64 { return p.Share }))
	s.Good, s.Loss = worth(picks)
	s.Right = share(xslices.Count(l.People, One.Right), len(needed))
	l.Summary = s
	if s.Finished == 0 {
		return
	}
	l.Questions = xslices.Map(quantiles, func(q float64) Quantile { return Quantile{q, needs(needed, s.Finished, q)} })
	for i, n := range Budgets {
		if n > l.MaxQuestions {
			break
		}
		b := Budget{Questions: n}
		b.Good, b.Loss = worth(xslices.Map(l.People, func(p One) Pick { return p.Budgets[i] }))
		l.Budgets = append(l.Budgets, b)
	}
	for i, u := range l.People[0].Contexts {
		here := Level{MaxQuestions: l.MaxQuestions / len(l.People[0].Contexts), People: xslices.Map(l.People, func(p One) One { return p.Contexts[i].one() })}
		here.summarise()
		l.Contexts = append(l.Contexts, ContextLevel{u.Fixed, here.Summary})
	}
}

// worth returns how many picks are good, and the median of what they miss.
func worth(picks []Pick) (good prefer.Share, loss float64) {
	n := xslices.Count(picks, func(p Pick) bool { return p.Good })
	return share(n, len(picks)), median(xslices.Map(picks, func(p Pick) float64 { return p.Loss }))
}

// needs returns the smallest number of questions with which at least the share q of n people had a verdict, given the
// increasing numbers of those who had one; 0 if there is none.
func needs(needed []int, n int, q float64) int {
	k := int(math.Ceil(q*float64(n) - 1e-9)) // 0.1·30 is not above 3
	if k > len(needed) {
		return 0
	}
	return needed[max(k, 1)-1]
}

// median of nobody is 0.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

//go:embed sentences.tmpl
var sentences string

var sentenceTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"count": say.Count, "percent": func(share float64) float64 { return 100 * share },
	"part": func(s prefer.Share) float64 { return 100 * float64(s.Count) / float64(s.Of) },
}).Parse(sentences))

// sentence writes what a template of sentences.tmpl says of a result.
func sentence(name string, of any) string {
	var b strings.Builder
	if err := sentenceTemplates.ExecuteTemplate(&b, name, of); err != nil {
		panic("simulate: " + err.Error()) // the templates are part of the program
	}
	return b.String()
}

// pacedLevel is a level of people who take so long for an answer.
type pacedLevel struct {
	Level
	Pace time.Duration
}

// At returns the questions that a share of the people need; Without is how many had no verdict.
func (l pacedLevel) At(share float64) int {
	return l.Questions[slices.IndexFunc(l.Questions, func(k Quantile) bool { return k.Share == share })].Questions
}

func (l pacedLevel) Without() int { return l.Finished - l.Verdicts.Count }

// Minutes writes how long so many questions take.
func (l pacedLevel) Minutes(questions int) string {
	m := (time.Duration(questions) * l.Pace).Minutes()
	text := fmt.Sprintf("%.2g", m)
	if m >= 9.95 {
		text = fmt.Sprintf("%.0f", m)
	}
	if text == "1" {
		return "1 minute"
	}
	return text + " minutes"
}

// Sentence is for a protocol: how many questions, how many minutes at that pace, and how good the picks were.
func (l Level) Sentence(perAnswer time.Duration) string {
	return sentence("level", pacedLevel{l, perAnswer})
}

// Near says how near its best a good pick is.
func (l Level) Near() string {
	if l.Tolerance.IsZero() || l.Tolerance.String() == prefer.DefaultTolerance().String() {
		return "what one would notice"
	}
	return say.In("en").Tolerance(l.Tolerance)
}

// Caveat belongs beside every number of a simulation.
const Caveat = "Simulated people are drawn from the prior of the model that asks: their taste is as smooth as that takes taste for, they call " +
	"nothing bad, and they never lose patience. For tastes with many narrow peaks a verdict is wrong far more often (docs/results/statements.md). " +
	"Take the numbers for a plan, and the answers of a few real people for the truth."

func share(count, of int) prefer.Share {
	low, high := normal.Wilson(count, of)
	return prefer.Share{Count: count, Of: of, Low: low, High: high}
}
