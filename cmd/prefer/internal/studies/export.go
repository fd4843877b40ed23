package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/say"
)

type Export struct {
	cli.StudyFlags
	Format     string `help:"jsonl (log, for \"prefer import\"), csv (row per answer), json (log as one value), people, group, agreement (tables of results), results (all three as JSON), chosen, battles (comparisons as JSON Lines; with -csv as a table)." enum:"jsonl,csv,json,people,group,agreement,results,chosen,chosen-csv,battles,battles-csv" default:"jsonl" placeholder:"FORMAT"`
	Unanswered bool   `help:"Include a row for every unanswered question."`
	Out        string `help:"File to write. Default, or -: standard output." placeholder:"FILE" completion:"file"`
	cli.ForceFlag
}

func (c Export) Run(ctx context.Context, s cli.Streams) error {
	if c.Out == "-" {
		c.Out = ""
	}
	if c.Out != "" {
		if err := c.Check("--out", c.Out); err != nil {
			return err
		}
	}
	one := s.JSON && c.Out == "" // a program wants one value
	_, isPairs := pairTables[c.Format]
	isTable := slices.Contains([]string{"people", "group", "agreement", "results"}, c.Format)
	if one && !isPairs {
		c.Format = map[bool]string{true: "results", false: "json"}[isTable]
	}
	return c.WithStore(ctx, func(k cli.StudyStore) error {
		events, err := k.Events(ctx, k.Name)
		if err != nil {
			return err
		}
		var found exchange.Results
		if isTable {
			if found, err = results(ctx, s, k); err != nil {
				return err
			}
		}
		var left exchange.LeftOut
		write := func(w io.Writer) (err error) {
			left, err = c.write(w, k.Name, events, found, one)
			return err
		}
		if c.Out == "" {
			err = write(s.Out)
		} else {
			err = c.ForceFlag.Write("--out", c.Out, write)
		}
		if err != nil {
			return err
		}
		if left != (exchange.LeftOut{}) && (c.Out == "" || !s.JSON) {
			fmt.Fprintln(s.Err, "note:", left)
		}
		if c.Out == "" {
			return nil
		}
		head, err := logfile.Head(events)
		if err != nil {
			return err
		}
		return s.Notify(struct {
			Study  string           `json:"study"`
			File   string           `json:"file"`
			Events int              `json:"events"`
			Head   logfile.Checksum `json:"head"`
			Left   string           `json:"left_out,omitempty"` // in words
		}{k.Name, c.Out, len(events), head, left.String()}, "%s: %s of study %q\n", c.Out, say.Count(len(events), "event"), k.Name)
	})
}

// write writes the events or what was found in the format; one says that a program wants a single value.
func (c Export) write(w io.Writer, study string, events []prefer.Event, found exchange.Results, one bool) (left exchange.LeftOut, err error) {
	switch c.Format {
	case "jsonl":
		return left, logfile.Write(w, study, events)
	case "csv":
		return left, exchange.Table{Unanswered: c.Unanswered}.Write(w, study, events)
	case "json":
		head, err := logfile.Head(events)
		if err != nil {
			return left, err
		}
		return left, cli.WriteJSON(w, struct {
			Format  string           `json:"format"`
			Version int              `json:"version"`
			Study   string           `json:"study"`
			Head    logfile.Checksum `json:"head"` // of the log as JSON Lines
			Events  []prefer.Event   `json:"events"`
		}{"prefer.log", 1, study, head, events})
	case "results":
		return left, cli.WriteJSON(w, found)
	case "people", "group", "agreement":
		return left, map[string]exchange.Records{"people": found.People, "group": found.Group, "agreement": found.Agreement}[c.Format].Write(w)
	}
	return writePairs(w, pairTables[c.Format], events, one)
}

// pairTables are the formats of what beat what.
var pairTables = map[string]exchange.PairTable{"chosen": {}, "chosen-csv": {CSV: true}, "battles": {Battles: true}, "battles-csv": {Battles: true, CSV: true}}

// writePairs writes such a table; its lines as one value for programs that asked for one.
func writePairs(w io.Writer, t exchange.PairTable, events []prefer.Event, one bool) (exchange.LeftOut, error) {
	if !one {
		return t.Write(w, events)
	}
	t.CSV = false
	var lines bytes.Buffer
	left, err := t.Write(&lines, events)
	if err != nil {
		return left, err
	}
	rows := []json.RawMessage{}
	for line := range bytes.Lines(lines.Bytes()) {
		rows = append(rows, line)
	}
	return left, cli.WriteJSON(w, rows)
}

func results(ctx context.Context, s cli.Streams, k cli.StudyStore) (out exchange.Results, err error) {
	p := cli.NewProgress(s.Err, "results", time.Now)
	defer p.End()
	show := func(done, people int) {
		p.Show(float64(done)/float64(people), fmt.Sprintf("%d of %s", done, say.Count(people, "person")))
	}
	err = cli.RunLive(ctx, s, k.Store, func(room *live.Studies) (err error) {
		out, err = live.In(ctx, room, k.Name, func(r *live.Study) (exchange.Results, error) {
			return exchange.NewResults(ctx, r.Study, exchange.ResultsOptions{Name: k.Name, Caught: r.Caught, Progress: show})
		})
		return err
	})
	return out, err
}
