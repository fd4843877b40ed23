package statements

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Write writes the table for people: how studies ended, every kind of statement in short, then as said and true by group and number of answers, then by
// how sure they sounded.
func (t Table) Write(w io.Writer) error {
	b := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(b, "endings\tspace\tfamily\trater\tstudies\tended\tmedian answers\tkinds")
	for _, e := range t.Endings {
		median := "–"
		if e.Median > 0 {
			median = strconv.Itoa(e.Median)
		}
		var kinds []string
		for _, k := range slices.Sorted(maps.Keys(e.Kinds)) {
			kinds = append(kinds, fmt.Sprintf("%s %d", k, e.Kinds[k]))
		}
		fmt.Fprintf(b, "\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", e.Space, e.Family, e.Rater, e.Studies, e.Ended, median, strings.Join(kinds, ", "))
	}
	fmt.Fprintln(b, "\noverall\tfamily\tstatements\tstudies\tmean said\ttrue\t95 %\tbits")
	for _, r := range t.Overall {
		fmt.Fprintf(b, "%s\t%s\t%d\t%d\t%.3f\t%.3f\t%.2f to %.2f", r.Kind, r.Family, r.Statements, r.Studies, r.Said, r.Held, r.Low, r.High)
		if r.Bits > 0 {
			fmt.Fprintf(b, "\t%.3f", r.Bits)
		}
		fmt.Fprintln(b)
	}
	t.writeRows(b)
	if len(t.Bins) > 0 {
		fmt.Fprintln(b, "\nby what was said\tfamily\tsaid\tstatements\tmean said\ttrue\t95 %")
	}
	for _, n := range t.Bins {
		fmt.Fprintf(b, "%s\t%s\t%.2f to %.2f\t%d\t%.3f\t%.3f\t%.2f to %.2f\n", n.Kind, n.Family, n.From, min(1, n.Below), n.Statements, n.Said, n.Held, n.Low, n.High)
	}
	return b.Flush()
}

// writeRows writes one line per kind and group, the numbers of answers side by side.
func (t Table) writeRows(b io.Writer) {
	type line struct {
		kind string
		Group
	}
	cells, marks, order := map[line]map[int]Row{}, map[string][]int{}, []line{}
	for _, r := range t.Rows {
		l := line{r.Kind, r.Group}
		if cells[l] == nil {
			cells[l] = map[int]Row{}
			order = append(order, l)
		}
		cells[l][r.Mark] = r
		if !slices.Contains(marks[r.Kind], r.Mark) {
			marks[r.Kind] = append(marks[r.Kind], r.Mark)
		}
	}
	slices.SortStableFunc(order, func(a, b line) int { return cmp.Compare(a.kind, b.kind) })
	last := ""
	for _, l := range order {
		slices.Sort(marks[l.kind])
		if l.kind != last {
			last = l.kind
			fmt.Fprintf(b, "\n%s\tspace\tfamily\trater", l.kind)
			for _, m := range marks[l.kind] {
				if title := fmt.Sprintf("at %d: said, true (statements)", m); m > 0 {
					fmt.Fprint(b, "\t", title)
				} else {
					fmt.Fprint(b, "\tsaid, true (statements)")
				}
			}
			fmt.Fprintln(b)
		}
		fmt.Fprintf(b, "\t%s\t%s\t%s", l.Space, l.Family, l.Rater)
		for _, m := range marks[l.kind] {
			r, ok := cells[l][m]
			switch {
			case !ok:
				fmt.Fprint(b, "\t–")
			case r.Bits > 0:
				fmt.Fprintf(b, "\t%.3f, %.3f (%d), %.3f bits", r.Said, r.Held, r.Statements, r.Bits)
			default:
				fmt.Fprintf(b, "\t%.3f, %.3f (%d)", r.Said, r.Held, r.Statements)
			}
		}
		fmt.Fprintln(b)
	}
}
