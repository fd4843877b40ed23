package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
)

type exportCommand struct {
	studyFlags
	Format     string `help:"jsonl: the log, for \"prefer import\"; csv: a row per answer; json: the log as one value." enum:"jsonl,csv,json" default:"jsonl" placeholder:"jsonl|csv|json"`
	Unanswered bool   `help:"In the table, a row for every question nobody answered, too."`
	Out        string `help:"File to write; the standard output if there is none." placeholder:"FILE" completion:"file"`
}

// exported is the log as one value.
type exported struct {
	Format  string         `json:"format"`
	Version int            `json:"version"`
	Study   string         `json:"study"`
	Events  []prefer.Event `json:"events"`
}

func (c exportCommand) Run(ctx context.Context, s streams) error {
	if s.json && c.Out == "" {
		c.Format = "json"
	}
	return c.with(ctx, func(k studyStore) error {
		events, err := k.Events(ctx, k.name)
		if err != nil {
			return err
		}
		if c.Out == "" {
			return c.write(s.out, k.name, events)
		}
		if err := replaceFile(c.Out, func(w io.Writer) error { return c.write(w, k.name, events) }); err != nil {
			return err
		}
		return s.talk(struct {
			Study  string `json:"study"`
			File   string `json:"file"`
			Events int    `json:"events"`
		}{k.name, c.Out, len(events)}, "%s: %s of study %q\n", c.Out, count(len(events), "event"), k.name)
	})
}

func (c exportCommand) write(w io.Writer, name string, events []prefer.Event) error {
	switch c.Format {
	case "csv":
		return exchange.Table{Unanswered: c.Unanswered}.Write(w, name, events)
	case "json":
		return writeJSON(w, exported{"prefer.log", 1, name, events})
	}
	return exchange.WriteLog(w, name, events)
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = write(w)
	err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
