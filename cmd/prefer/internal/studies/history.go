package studies

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
)

type History struct{ cli.StudyFlags }

func (c History) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLiveStudy(ctx, s, func(r *live.Study) error {
		entries := append([]prefer.Entry{}, r.Study.History()...) // of none an empty list, not null
		return s.Result(entries, func(w io.Writer) error { return writeHistory(w, newCards(w, r.Study), entries) })
	})
}

func writeHistory(w io.Writer, c cards, entries []prefer.Entry) error {
	t := cli.NewTable(w)
	noted := slices.ContainsFunc(entries, func(e prefer.Entry) bool { return noteLine(e.Answer) != "" })
	fmt.Fprintln(t, "answer\tquestion\trater\ttime\tchoice\tfirst\tsecond\t"+column(noted, "note"))
	for _, e := range entries {
		question, choice := string(e.Question), string(e.Answer.Choice)
		if e.Observed {
			question = "–"
		}
		if e.Answer.Strength > 0 {
			choice += fmt.Sprintf(" +%d", e.Answer.Strength)
		}
		switch {
		case e.Blind:
			choice += " (blind)"
		case e.Method == "practice":
			choice += " (practice)"
		case e.Answer.Check:
			choice += " (check)"
		}
		if e.Out {
			choice += " (left out)"
		}
		if e.Undone {
			choice += " (undone)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, question, cmp.Or(cli.Printable(e.Rater), "–"), e.Time.UTC().Format("2006-01-02 15:04:05"),
			choice, c.line(e.First), c.line(e.Second), column(noted, noteLine(e.Answer)))
	}
	return t.Flush()
}

// column is a column that a table has only if it is wanted.
func column(wanted bool, text string) string {
	if !wanted {
		return ""
	}
	return cmp.Or(text, "–") + "\t"
}

// noteLine writes the note and the named values of an answer in one line, each cut after 60 letters.
func noteLine(a prefer.Answer) string {
	const most = 60
	var parts []string
	for _, text := range []string{a.Note, a.Meta.String()} {
		line := []rune(strings.Join(strings.Fields(cli.Printable(text)), " "))
		if len(line) > most {
			line = append(line[:most-1], '…')
		}
		if len(line) > 0 {
			parts = append(parts, string(line))
		}
	}
	return strings.Join(parts, " · ")
}

type Raters struct{ cli.StudyFlags }

func (c Raters) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLiveStudy(ctx, s, func(r *live.Study) error {
		all, err := r.Study.Raters(ctx)
		if err != nil {
			return err
		}
		raters := []raterChecked{}
		for _, each := range all {
			raters = append(raters, raterChecked{each, r.Checked(each)})
		}
		return s.Result(raters, func(w io.Writer) error { return writeRaters(w, raters, r.Study.History()) })
	})
}

// raterChecked is a rater with how it went with the checks among their questions.
type raterChecked struct {
	prefer.Rater
	live.Checked
}

func writeRaters(w io.Writer, raters []raterChecked, entries []prefer.Entry) error {
	type saying struct {
		rater  string
		choice prefer.Choice
	}
	said := map[saying]int{}
	for _, e := range entries {
		if !e.Undone {
			said[saying{e.Rater, e.Answer.Choice}]++
		}
	}
	aside := slices.DeleteFunc(slices.Clone(prefer.Choices()), func(k prefer.ChoiceInfo) bool { return k.Side != 0 }) // neither option
	t := cli.NewTable(w)
	fmt.Fprint(t, "rater\tanswers\t")
	for _, k := range aside {
		fmt.Fprint(t, k.Counted, "\t")
	}
	checked := slices.ContainsFunc(raters, func(r raterChecked) bool { return r.Checked.String() != "" })
	fmt.Fprintln(t, "noise\tleft\tremark\t"+column(checked, "checks"))
	for _, r := range raters {
		noise := "–"
		if r.Noise > 0 {
			noise = fmt.Sprintf("%.2f", r.Noise)
		}
		fmt.Fprintf(t, "%s\t%d\t", cmp.Or(cli.Printable(r.Name), "–"), r.Counted)
		for _, k := range aside {
			fmt.Fprint(t, said[saying{r.Name, k.Choice}], "\t")
		}
		remark, _ := english.Rater(r.Rater)
		if r.Out {
			remark = strings.TrimSuffix("left out: "+cli.Printable(r.OutWhy), ": ")
		}
		fmt.Fprintf(t, "%s\t%d of %d\t%s\t%s\n", noise, r.Left.Count, r.Left.Of, remark, column(checked, r.Checked.String()))
	}
	return t.Flush()
}
