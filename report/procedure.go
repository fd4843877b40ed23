package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
)

// procedure counts what a methods section says of how questions were asked: sides, repeats, checks, practice, skips, exclusions.
type procedure struct {
	Shown, Exchanged int // answers to questions; of which the second option was shown on the left
	Repeats, Catches int // answers to hidden repeats, and to questions whose answer is known
	Blind, Practice  int // duels of the pick; questions to practise on
	Undone, Skipped  int
	Refused          int      // too quick
	Forgotten        int      // answers that were erased
	Changes          int      // of the description
	Out              []string // raters who are left out, with the reasons
	Left, Agreed     prefer.Share
	Conditions       []condition
}

// condition is a parameter that was given: in how many answers, and in how many at each value.
type condition struct {
	Name   string
	Total  int
	Values []string
}

func newProcedure(s *prefer.Study, raters []prefer.Rater) procedure {
	c, given := procedure{}, map[string]map[string]int{} // answers by parameter and value
	for _, e := range s.Events(0) {
		if e.Forgotten != nil && (e.Forgotten.Was == "answered" || e.Forgotten.Was == "observed") {
			c.Forgotten++
		}
		if e.Changed != nil {
			c.Changes++
		}
	}
	for _, e := range s.History() {
		c.Refused += e.Answer.Refused
		switch {
		case e.Undone:
			c.Undone++
			continue
		case e.Blind:
			c.Blind++
			continue
		case e.Method == practice:
			c.Practice++
			continue
		case e.Observed:
			continue
		case e.Answer.Choice == prefer.Skip:
			c.Skipped++
			continue
		}
		c.Shown++
		if e.Answer.Swapped {
			c.Exchanged++
		}
		q, _ := s.Question(e.Question)
		switch { // no question is both
		case q.RepeatOf != "":
			c.Repeats++
		case q.Catch:
			c.Catches++
		}
		for name, v := range q.Fixed {
			if given[name] == nil {
				given[name] = map[string]int{}
			}
			given[name][v.String()]++
		}
	}
	for _, r := range raters {
		if r.Out {
			who := named(r.Name)
			if r.OutWhy != "" {
				who += " (" + r.OutWhy + ")"
			}
			c.Out = append(c.Out, who)
		}
		c.Left.Count, c.Left.Of = c.Left.Count+r.Left.Count, c.Left.Of+r.Left.Of
		c.Agreed.Count, c.Agreed.Of = c.Agreed.Count+r.Agreed.Count, c.Agreed.Of+r.Agreed.Of
	}
	for _, p := range s.Config().Space.Parameters {
		if len(given[p.Name]) == 0 {
			continue
		}
		k := condition{Name: p.Name}
		for _, v := range slices.Sorted(maps.Keys(given[p.Name])) {
			k.Total += given[p.Name][v]
			k.Values = append(k.Values, fmt.Sprintf("%s %d", v, given[p.Name][v]))
		}
		c.Conditions = append(c.Conditions, k)
	}
	return c
}
