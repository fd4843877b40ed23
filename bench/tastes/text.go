package tastes

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/prefer-bo/prefer/bench/compare"
)

// Write writes the table as Markdown: for every rater the means of both measures, and where there are two or more variants the
// differences to the baseline, those whose interval does not have 0 in it in bold.
func (t Table) Write(w io.Writer) error {
	var b bytes.Buffer
	last := Row{}
	for _, some := range []bool{false, true} { // differences after the means
		for _, r := range t.Rows {
			if (r.Versus != "") != some {
				continue
			}
			if r.Measure != last.Measure || r.Rater != last.Rater || r.Versus != last.Versus {
				t.head(&b, r)
			}
			last = r
			fmt.Fprintf(&b, "| %s | %d | %s |", r.Group, r.Tastes, r.Series)
			for _, v := range r.Values {
				fmt.Fprintf(&b, " %s |", cell(v, some))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("\nProcessor seconds per answer: ")
	for i, s := range t.Series {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %.4f", s, t.Seconds[i])
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// head writes what the rows from r on are about.
func (t Table) head(b *bytes.Buffer, r Row) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "**%s%s, rater %s**", strings.ToUpper(r.Measure[:1]), r.Measure[1:], r.Rater)
	if r.Versus != "" {
		fmt.Fprintf(b, ": difference to %s on the same tastes; negative is better", r.Versus)
	}
	b.WriteString("\n\n| tastes | n | variant |")
	for _, m := range t.Marks {
		fmt.Fprintf(b, " %d answers |", m)
	}
	b.WriteString("\n|:--|--:|:--|" + strings.Repeat(":--|", len(t.Marks)) + "\n")
}

// cell writes a mean or a difference.
func cell(v *compare.Interval, difference bool) string {
	switch {
	case v == nil:
		return "–"
	case !difference:
		return fmt.Sprintf("%.3f [%.3f, %.3f]", v.Value, v.Lower, v.Upper)
	case v.Lower > 0 || v.Upper < 0:
		return fmt.Sprintf("**%+.3f** [%+.3f, %+.3f]", v.Value, v.Lower, v.Upper)
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", v.Value, v.Lower, v.Upper)
}
