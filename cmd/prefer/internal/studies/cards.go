package studies

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

var english say.Words

type cards struct {
	w          io.Writer
	parameters []string // in the order of the space
	items      map[string]space.Item
	terminal.Style
}

func newCards(w io.Writer, study *prefer.Study) cards {
	return cards{w: w, Style: terminal.NewStyle(os.Getenv, terminal.Is(w)),
		parameters: xslices.Map(study.Config().Space.Parameters, func(p space.Parameter) string { return p.Name }),
		items:      xslices.ToMap(study.Items(true), func(it space.Item) (string, space.Item) { return it.ID, it })}
}

// short writes a value with the digits a person reads; whole numbers in full.
func short(v space.Value) string {
	switch x := v.Float(); {
	case math.IsNaN(x) || math.Abs(x) >= 1e15:
		return v.String()
	case x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	default:
		return strconv.FormatFloat(x, 'g', max(4, len(strconv.Itoa(int(math.Abs(x))))+1), 64)
	}
}

func (c cards) heading(text string) { fmt.Fprintln(c.w, c.Bold(text)) }

// option writes one setting to a line, or an item with what there is to know about it.
func (c cards) option(o space.Option) {
	t := cli.NewTable(c.w)
	add := func(name, value string) {
		fmt.Fprintf(t, "  %s\t%s\n", cli.Printable(name), strings.NewReplacer("\t", " ", "\n", "\n\t").Replace(cli.Printable(value)))
	}
	it, listed := c.items[o.Item()]
	if listed {
		add("item", it.ID)
	}
	if it.Text != "" {
		add("text", it.Text)
	}
	if it.Media != "" && it.Media != it.ID {
		add("media", it.Media)
	}
	if listed || len(c.items) == 0 {
		for _, name := range c.parameters {
			add(name, short(o[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(it.Features)) {
		add(name, short(it.Features[name]))
	}
	t.Flush() //nolint:errcheck // as of the headings: a stream that is gone shows in what is written last
}

func (c cards) line(o space.Option) string {
	var parts []string
	if id := o.Item(); id != "" && len(c.items) > 0 {
		parts = append(parts, id)
	}
	parts = append(parts, xslices.Map(c.parameters, func(name string) string { return name + " " + short(o[name]) })...)
	return cli.Printable(strings.Join(parts, ", "))
}
