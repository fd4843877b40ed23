package experiments

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
)

type benchReport struct {
	Files    []string `arg:"" optional:"" help:"Results files, of prefer or of another program that writes the same rows." type:"existingfile"`
	Queue    string   `help:"Database with the rows of \"bench run --queue\", as many as there are by now: postgres://…" placeholder:"URL"`
	Rows     string   `help:"With --queue: also write its rows to this results file." placeholder:"FILE"`
	Out      string   `help:"Folder to write." default:"report" placeholder:"DIR"`
	Ours     string   `help:"What the others are compared with, as in default/kg." placeholder:"SETUP/METHOD"`
	Baseline string   `help:"Whose best it is measured against, as in paper/kg,paper/eubo. Defaults to those of setup botorch." placeholder:"SETUP/METHOD,…"`
	Title    string   `help:"Title of the report." placeholder:"TEXT"`
	cli.ForceFlag
}

func (c benchReport) Run(ctx context.Context, s cli.Streams) error {
	switch {
	case len(c.Files) == 0 && c.Queue == "":
		return cli.Usagef("nothing to report, want results files or --queue, as in \"prefer bench report results.jsonl\"")
	case c.Rows != "" && c.Queue == "":
		return cli.Usagef("--rows goes with --queue, whose rows it writes")
	}
	o := compare.Options{Title: c.Title, Force: c.Force}
	switch ours, err := parseSeries(c.Ours); {
	case err != nil:
		return cli.WrapFlagError(fmt.Errorf("--ours: %w", err), "--ours", c.Ours)
	case len(ours) > 1:
		return cli.WrapFlagError(fmt.Errorf("--ours %q names %d series, want one", c.Ours, len(ours)), "--ours", c.Ours)
	case len(ours) == 1:
		o.Ours = ours[0]
	}
	var err error
	if o.Baseline, err = parseSeries(c.Baseline); err != nil {
		return cli.WrapFlagError(fmt.Errorf("--baseline: %w", err), "--baseline", c.Baseline)
	}
	table, err := compare.Load(c.Files...)
	if err != nil {
		return err
	}
	if c.Queue != "" {
		if err := addQueue(ctx, table, c.Queue, c.Rows, c.ForceFlag); err != nil {
			return err
		}
	}
	if err := compare.Write(c.Out, table, o); err != nil {
		return cli.WrapFileError("--out", c.Out, err)
	}
	page, measures, shares := filepath.Join(c.Out, "report.html"), compare.Measures(table, o), []missed{}
	for _, m := range compare.MissedShares(table, o) {
		shares = append(shares, missed{names(m.Series)[0], m.Position.String(), len(m.Groups), m.Mean})
	}
	return s.Result(struct {
		File     string     `json:"file"`
		Measures []measured `json:"measures"`
		Missed   []missed   `json:"missed"`
	}{page, newMeasured(measures), shares}, func(w io.Writer) error {
		return cli.WriteTemplate(cli.NewTable(w), reportText, template.FuncMap{"series": func(s compare.Series) string { return names(s)[0] }},
			map[string]any{"File": page, "Measures": measures, "Missed": shares})
	})
}

// reportText is the short version of a report: Markdown tables.
//
//go:embed benchreport.tmpl
var reportText string

// missed is the mean share of the possible improvement that a series misses, over settings.
type missed struct {
	Series   string           `json:"series"`
	At       string           `json:"at"`
	Settings int              `json:"settings"`
	Share    compare.Interval `json:"share"`
}

// measured is the geometric mean over settings of the ratio of median gaps, ours over the smallest of the baseline.
type measured struct {
	Ours     string   `json:"ours"`
	Baseline []string `json:"baseline"`
	At       string   `json:"at"`
	Settings int      `json:"settings"`
	Ratio    *float64 `json:"ratio"` // null where there is nothing to compare
	Low      *float64 `json:"low"`   // of a 95 % interval
	High     *float64 `json:"high"`
	Above    int      `json:"above"` // settings whose interval lies wholly above 1
}

func newMeasured(measures []compare.Measure) []measured {
	number := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return append([]measured{}, xslices.Map(measures, func(m compare.Measure) measured {
		return measured{Ours: names(m.Ours)[0], Baseline: names(m.Baseline...), At: fmt.Sprint(m.Position), Settings: len(m.Groups), Above: len(m.Above),
			Ratio: number(m.Mean.Value), Low: number(m.Mean.Lower), High: number(m.Mean.Upper)}
	})...)
}

// names writes series as --ours and --baseline take them.
func names(all ...compare.Series) (out []string) {
	return xslices.Map(all, func(s compare.Series) string { return s.Setup + "/" + s.Method })
}

// parseSeries reads lists of "setup/method". Setups have commas inside parentheses, as in outputscale=gamma(2,0.15), and methods have no slash.
func parseSeries(text string) ([]compare.Series, error) {
	depth := 0
	parts := strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth == 0
	})
	var out []compare.Series
	for _, part := range parts {
		i := strings.LastIndexByte(part, '/')
		if i < 1 || i == len(part)-1 {
			return nil, fmt.Errorf("%q is not of the form setup/method", part)
		}
		out = append(out, compare.Series{Setup: strings.TrimSpace(part[:i]), Method: strings.TrimSpace(part[i+1:])})
	}
	return out, nil
}
