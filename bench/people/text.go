package people

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// column is one of the text: a measure after some answers, or several.
type column struct {
	head     string
	measures []string // side by side
	answers  []int
}

// columns of the text, for these marks.
func columns(marks []int) []column {
	last := marks[len(marks)-1:]
	early := append([]int{0, 2}, marks...)
	slices.Sort(early)
	early = slices.Compact(early)
	early = early[:min(len(early), 4)]
	return []column{
		{"own pick misses", []string{everybody.missed}, marks},
		{"outlier's", []string{outlier.missed}, marks},
		{"newcomer's", []string{newcomer.missed}, early},
		{"group's pick misses", []string{groupMissed}, last},
		{"confidence said, true", []string{everybody.said, everybody.held}, last},
		{"outlier's", []string{outlier.said, outlier.held}, last},
		{"newcomer's", []string{newcomer.said, newcomer.held}, early[:1]},
		{"90 % sure, but wrong", []string{everybody.wrong}, marks[max(0, len(marks)-2):]},
		{"outlier's", []string{outlier.wrong}, marks[max(0, len(marks)-2):]},
		{"agreement off by, mean", []string{agreementError, agreementBias}, last},
		{"in its interval", []string{agreementHeld}, last},
		{"named as different: rightly, wrongly", []string{differFound, differWrong}, last},
		{"as careless", []string{carelessFound, carelessWrong}, last},
		{"camps said: rightly, people in their own, wrongly", []string{campsFound, campsPlaced, campsWrong}, last},
		{"s", []string{cost}, []int{0}},
	}
}

// fewest is the number of studies from which on an interval says something: resamples of fewer are too much alike.
const fewest = 6

// Write writes the table as Markdown: a table per size with a row for each population and arm, then the differences to the
// baseline with their intervals, those of enough studies that do not have 0 in them in bold.
func (t Table) Write(w io.Writer) error {
	var b bytes.Buffer
	var sizes, groups []group
	for _, r := range t.Rows {
		if size := (group{"", r.People, r.Careless}); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
		if !slices.Contains(groups, r.group) {
			groups = append(groups, r.group)
		}
	}
	for _, size := range sizes {
		fmt.Fprintf(&b, "**%d people, %d of them careless**\n\n| population | arm | n | newcomer needs |", size.People, size.Careless)
		all := columns(t.Marks)
		for _, c := range all {
			fmt.Fprintf(&b, " %s |", c.title())
		}
		b.WriteString("\n|:--|:--|--:|--:|" + strings.Repeat(":--|", len(all)) + "\n")
		for _, g := range groups {
			if g.People != size.People || g.Careless != size.Careless {
				continue
			}
			for _, arm := range t.Arms {
				spent, ok := t.find(g, arm, "", cost, 0)
				if !ok {
					continue
				}
				fmt.Fprintf(&b, "| %s | %s | %d | %s |", g.Population, arm, spent.Studies, t.needs(g, arm))
				for _, c := range all {
					fmt.Fprintf(&b, " %s |", t.cell(g, arm, c))
				}
				b.WriteByte('\n')
			}
		}
		b.WriteByte('\n')
	}
	if c := t.Checks; c != nil {
		fmt.Fprintf(&b, "Checks among %d people × %d questions under two conditions by turns: %d catch questions of %d due, %d repeats of %d; %d people had fewer than were due to them.\n\n",
			c.People, c.Questions, c.Catch.Given, c.Catch.Due, c.Repeats.Given, c.Repeats.Due, c.Missed)
	}
	t.differences(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// title names a column with the numbers of answers in it.
func (c column) title() string {
	if len(c.answers) == 1 {
		return c.head
	}
	return c.head + " at " + strings.Trim(strings.ReplaceAll(fmt.Sprint(c.answers), " ", " / "), "[]")
}

// cell writes the values of a column.
func (t Table) cell(g group, arm string, c column) string {
	var out []string
	any := false
	for _, m := range c.measures {
		for _, a := range c.answers {
			r, ok := t.find(g, arm, "", m, a)
			if any = any || ok; ok {
				out = append(out, fmt.Sprintf("%.2f", r.Value))
			} else {
				out = append(out, "–")
			}
		}
	}
	if !any {
		return "–"
	}
	return strings.Join(out, " / ")
}

func (t Table) needs(g group, arm string) string {
	for _, n := range t.Needs {
		if n.group == g && n.Arm == arm {
			if n.Answers == nil {
				return fmt.Sprintf("> %d", t.Marks[len(t.Marks)-1])
			}
			return fmt.Sprintf("%.1f", *n.Answers)
		}
	}
	return "–"
}

// differences writes what other arms miss more or less than the baseline.
func (t Table) differences(b *bytes.Buffer) {
	for _, m := range []string{everybody.missed, outlier.missed, newcomer.missed, groupMissed} {
		first := true
		for _, r := range t.Rows {
			if r.Versus == "" || r.Measure != m {
				continue
			}
			if first {
				first = false
				fmt.Fprintf(b, "**%s: difference to %s on the same populations; negative is better**\n\n| population | people | careless | arm | answers | n | difference |\n|:--|--:|--:|:--|--:|--:|:--|\n", m, t.Baseline)
			}
			mark := ""
			if r.Studies >= fewest && (r.Lower > 0 || r.Upper < 0) {
				mark = "**"
			}
			fmt.Fprintf(b, "| %s | %d | %d | %s | %d | %d | %s%+.3f%s [%+.3f, %+.3f] |\n", r.Population, r.People, r.Careless, r.Arm, r.Answers, r.Studies, mark, r.Value, mark, r.Lower, r.Upper)
		}
		if !first {
			b.WriteByte('\n')
		}
	}
}
