package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
)

type exportCommand struct {
	studyFlags
	Format     string `help:"jsonl: the log, for \"prefer import\"; csv: a row per answer; json: the log as one value; people, group, agreement: tables of results; results: the three as JSON; chosen, battles: what beat what as JSON Lines, or with -csv as a table." enum:"jsonl,csv,json,people,group,agreement,results,chosen,chosen-csv,battles,battles-csv" default:"jsonl" placeholder:"FORMAT"`
	Unanswered bool   `help:"In the table, a row for every question nobody answered, too."`
	Out        string `help:"File to write; the standard output if there is none, or if it is -." placeholder:"FILE" completion:"file"`
	forceFlag
}

// exported is the log as one value.
type exported struct {
	Format  string         `json:"format"`
	Version int            `json:"version"`
	Study   string         `json:"study"`
	Head    chain.Sum      `json:"head"` // of the log as JSON Lines
	Events  []prefer.Event `json:"events"`
}

func (c exportCommand) Run(ctx context.Context, s streams) error {
	if c.Out == "-" {
		c.Out = ""
	}
	if c.Out != "" {
		if err := c.check("--out", c.Out); err != nil {
			return err
		}
	}
	pairs, isPairs := pairTables[c.Format]
	if s.json && c.Out == "" && !isPairs {
		c.Format = map[bool]string{true: "results", false: "json"}[c.tables()]
	}
	return c.with(ctx, func(k studyStore) error {
		events, err := k.Events(ctx, k.name)
		if err != nil {
			return err
		}
		write := func(w io.Writer) error { return c.write(w, k.name, events) }
		var left exchange.LeftOut
		if isPairs {
			write = func(w io.Writer) (err error) {
				left, err = writePairs(w, pairs, events, s.json && c.Out == "")
				return err
			}
		}
		if c.tables() {
			found, err := c.results(ctx, s, k)
			if err != nil {
				return err
			}
			write = func(w io.Writer) error { return c.writeResults(w, found) }
		}
		if c.Out == "" {
			err = write(s.out)
		} else {
			err = c.forceFlag.write("--out", c.Out, write)
		}
		if err != nil {
			return err
		}
		if left != (exchange.LeftOut{}) && (c.Out == "" || !s.json) {
			fmt.Fprintln(s.err, "note:", left)
		}
		if c.Out == "" {
			return nil
		}
		head, err := exchange.Head(events)
		if err != nil {
			return err
		}
		return s.talk(struct {
			Study  string    `json:"study"`
			File   string    `json:"file"`
			Events int       `json:"events"`
			Head   chain.Sum `json:"head"`
			Left   string    `json:"left_out,omitempty"` // in words
		}{k.name, c.Out, len(events), head, left.String()}, "%s: %s of study %q\n", c.Out, say.Count(len(events), "event"), k.name)
	})
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
	return left, writeJSON(w, rows)
}

// tables reports whether results are wanted, and not the log.
func (c exportCommand) tables() bool {
	switch c.Format {
	case "people", "group", "agreement", "results":
		return true
	}
	return false
}

// results looks at everybody.
func (c exportCommand) results(ctx context.Context, s streams, k studyStore) (out exchange.Results, err error) {
	p := newProgress(s.err, "results", time.Now)
	defer p.end()
	err = inRoom(ctx, s, k.Store, func(room *live.Studies) error {
		return room.With(ctx, k.name, func(open *live.Study) (err error) {
			out, err = exchange.NewResults(ctx, open.Study, exchange.ResultsOptions{Name: k.name, Caught: open.Caught, Progress: func(done, people int) {
				p.show(float64(done)/float64(people), fmt.Sprintf("%d of %s", done, say.Count(people, "person")))
			}})
			return err
		})
	})
	return out, err
}

func (c exportCommand) writeResults(w io.Writer, found exchange.Results) error {
	switch c.Format {
	case "people":
		return found.People.Write(w)
	case "group":
		return found.Group.Write(w)
	case "agreement":
		return found.Agreement.Write(w)
	}
	return writeJSON(w, found)
}

func (c exportCommand) write(w io.Writer, name string, events []prefer.Event) error {
	switch c.Format {
	case "csv":
		return exchange.Table{Unanswered: c.Unanswered}.Write(w, name, events)
	case "json":
		head, err := exchange.Head(events)
		if err != nil {
			return err
		}
		return writeJSON(w, exported{"prefer.log", 1, name, head, events})
	}
	return exchange.WriteLog(w, name, events)
}
