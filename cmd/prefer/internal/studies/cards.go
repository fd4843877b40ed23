package studies

import (
	"embed"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/template"

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

//go:embed *.tmpl
var texts embed.FS

// print writes the text for people that a template makes of data, with more functions than every template has. Tabs end the cells of tables.
func (c cards) print(name string, data any, more template.FuncMap) error {
	text, err := texts.ReadFile(name + ".tmpl")
	if err != nil {
		return err
	}
	funcs := template.FuncMap{"printable": cli.Printable, "join": strings.Join, "count": say.Count, "bold": c.Bold, "line": c.line, "card": c.card}
	maps.Copy(funcs, more)
	return cli.WriteTemplate(cli.NewTable(c.w), string(text), funcs, data)
}

// card writes each value of an option to a line, or an item with what there is to know about it.
func (c cards) card(o space.Option) (out string) {
	add := func(name, value string) {
		out += fmt.Sprintf("  %s\t%s\n", cli.Printable(name), strings.NewReplacer("\t", " ", "\n", "\n\t").Replace(cli.Printable(value)))
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
	return out
}

func (c cards) line(o space.Option) string {
	var parts []string
	if id := o.Item(); id != "" && len(c.items) > 0 {
		parts = append(parts, id)
	}
	parts = append(parts, xslices.Map(c.parameters, func(name string) string { return name + " " + short(o[name]) })...)
	return cli.Printable(strings.Join(parts, ", "))
}
