package studies

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
)

type History struct{ cli.StudyFlags }

func (c History) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLiveStudy(ctx, s, func(r *live.Study) error {
		entries := append([]prefer.Entry{}, r.Study.History()...) // of none an empty list, not null
		noted := slices.ContainsFunc(entries, func(e prefer.Entry) bool { return noteLine(e.Answer) != "" })
		return s.Result(entries, func(w io.Writer) error {
			return newCards(w, r.Study).print("history", map[string]any{"Noted": noted, "Entries": entries}, template.FuncMap{"choice": choiceLine, "note": noteLine})
		})
	})
}

// choiceLine writes a choice with what became of it.
func choiceLine(e prefer.Entry) string {
	choice := string(e.Answer.Choice)
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
	return choice
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
		raters := append([]raterChecked{}, xslices.Map(all, func(each prefer.Rater) raterChecked { return raterChecked{each, r.Checked(each)} })...)
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
	remark := func(r prefer.Rater) string {
		if r.Out {
			return strings.TrimSuffix("left out: "+cli.Printable(r.OutWhy), ": ")
		}
		text, _ := english.Rater(r)
		return text
	}
	return cards{w: w}.print("raters", map[string]any{
		"Aside":   slices.DeleteFunc(slices.Clone(prefer.Choices()), func(k prefer.ChoiceInfo) bool { return k.Side != 0 }), // neither option
		"Checked": slices.ContainsFunc(raters, func(r raterChecked) bool { return r.Checked.String() != "" }), "Raters": raters,
	}, template.FuncMap{"remark": remark, "said": func(rater string, c prefer.Choice) int { return said[saying{rater, c}] }})
}
