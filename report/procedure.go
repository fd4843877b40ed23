package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// procedure counts what a methods section says of how questions were asked: sides, repeats, checks, practice, skips, exclusions.
type procedure struct {
	shown, exchanged int // answers to questions; of which the second option was shown on the left
	repeats, catches int // answers to hidden repeats, and to questions whose answer is known
	blind, practice  int // duels of the pick; questions to practise on
	undone, skipped  int
	refused          int      // too quick
	forgotten        int      // answers that were erased
	changes          int      // of the description
	out              []string // raters who are left out, with the reasons
	left, agreed     prefer.Share
	conditions       map[string]map[string]int // answers by parameter that was given, and its value
}

func newProcedure(s *prefer.Study, raters []prefer.Rater) procedure {
	c := procedure{conditions: map[string]map[string]int{}}
	for _, e := range s.Events(0) {
		if e.Forgotten != nil && (e.Forgotten.Was == "answered" || e.Forgotten.Was == "observed") {
			c.forgotten++
		}
		if e.Changed != nil {
			c.changes++
		}
	}
	for _, e := range s.History() {
		c.refused += e.Answer.Refused
		switch {
		case e.Undone:
			c.undone++
			continue
		case e.Blind:
			c.blind++
			continue
		case e.Method == practice:
			c.practice++
			continue
		case e.Observed:
			continue
		case e.Answer.Choice == prefer.Skip:
			c.skipped++
			continue
		}
		c.shown++
		if e.Answer.Swapped {
			c.exchanged++
		}
		q, _ := s.Question(e.Question)
		switch { // no question is both
		case q.RepeatOf != "":
			c.repeats++
		case q.Catch:
			c.catches++
		}
		for name, v := range q.Fixed {
			if c.conditions[name] == nil {
				c.conditions[name] = map[string]int{}
			}
			c.conditions[name][v.String()]++
		}
	}
	for _, r := range raters {
		if r.Out {
			who := named(r.Name)
			if r.OutWhy != "" {
				who += " (" + r.OutWhy + ")"
			}
			c.out = append(c.out, who)
		}
		c.left.Count, c.left.Of = c.left.Count+r.Left.Count, c.left.Of+r.Left.Of
		c.agreed.Count, c.agreed.Of = c.agreed.Count+r.Agreed.Count, c.agreed.Of+r.Agreed.Of
	}
	return c
}

// listedValues is how many values of a condition are told with their counts.
const listedValues = 8

// text tells it. how is what the settings of the study wanted, in words; the study does not know it.
func (c procedure) text(how string, parameters []space.Parameter) string {
	var said []string
	add := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	if how != "" {
		said = append(said, how)
	}
	add("Of %s to questions, %d had their sides swapped; %s.", say.Count(c.shown, "answer"), c.exchanged,
		fmt.Sprintf("the left option was chosen in %d of %s", c.left.Count, say.Count(c.left.Of, "preference")))
	switch {
	case c.repeats == 0:
		add("There were no hidden repeats.")
	case c.agreed.Of == 0:
		add("%s to hidden repeats.", were(c.repeats, "answer"))
	default:
		add("%s to hidden repeats; %d of %d agreed with the answer before.", were(c.repeats, "answer"), c.agreed.Count, c.agreed.Of)
	}
	if c.catches == 0 {
		add("There were no catch questions.")
	} else {
		add("%s to catch questions, whose answer is known, and teaches nothing.", were(c.catches, "answer"))
	}
	if c.practice > 0 {
		add("%s not learned from.", were(c.practice, "answer", " to practice questions"))
	}
	if c.blind > 0 {
		add("%s not learned from.", were(c.blind, "blind duel", " of the pick against rivals"))
	}
	for _, p := range parameters {
		values := c.conditions[p.Name]
		total := 0
		var parts []string
		for _, v := range slices.Sorted(maps.Keys(values)) {
			total += values[v]
			parts = append(parts, fmt.Sprintf("%s %d", v, values[v]))
		}
		switch {
		case total == 0:
		case len(parts) > listedValues:
			add("In %d of these answers %s was given, at %d values.", total, p.Name, len(parts))
		default:
			add("In %d of these answers %s was given (%s).", total, p.Name, strings.Join(parts, ", "))
		}
	}
	add("Undone: %s; skipped: %s; refused as too quick: %s. None of these counts.", say.Count(c.undone, "answer"), say.Count(c.skipped, "question"), say.Count(c.refused, "answer"))
	if len(c.out) == 0 {
		add("No rater was excluded.")
	} else {
		add("Excluded from what was learned about all: %s.", strings.Join(c.out, "; "))
	}
	if c.changes > 0 {
		add("The description of the study was changed %s while it ran.", say.Count(c.changes, "time"))
	}
	if c.forgotten > 0 {
		add("%s erased, of people who wanted to be forgotten.", were(c.forgotten, "answer"))
	}
	return strings.Join(said, " ")
}

// were writes "1 answer was", "2 answers were", with what stands between.
func were(n int, noun string, between ...string) string {
	verb := " were"
	if n == 1 {
		verb = " was"
	}
	return say.Count(n, noun) + strings.Join(between, "") + verb
}
