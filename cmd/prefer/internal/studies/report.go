package studies

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/arena"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/report"
)

type Report struct {
	cli.StudyFlags
	raterFlag
	Out   string `help:"Page to write; - for standard output." default:"report.html" placeholder:"FILE"`
	Title string `help:"Title of the page. Defaults to the study's name." placeholder:"TEXT"`
	Media string `help:"Folder with the files of the items. Default: next to the SQLite file." placeholder:"FOLDER"`
	cli.ForceFlag
}

func (c Report) Run(ctx context.Context, s cli.Streams) error {
	if c.Out != "-" {
		if err := c.Check("--out", c.Out); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	o := report.Options{Title: c.Title, Rater: c.Rater, Version: cli.ThisBuild().Name()}
	p := cli.NewProgress(s.Err, "report", time.Now)
	o.Progress = p.Count("steps")
	err := c.WithStore(ctx, func(k cli.StudyStore) error {
		o.Title = cmp.Or(o.Title, k.Name)
		o.Media = func(name string) ([]byte, error) { return c.picture(k.Name, name) }
		return cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error {
			return room.With(ctx, k.Name, func(open *live.Study) (err error) {
				text.Reset()
				o.Procedure, o.Budget = open.MethodsText(), open.Budget()
				if o.Checks, err = live.CheckedIn(k.Store)(ctx, k.Name, open.Study); err != nil {
					return err
				}
				if o.Draw, err = page.DrawnIn(k.Store)(ctx, k.Name, open.Study); err != nil {
					return err
				}
				return report.Write(ctx, &text, open.Study, o)
			})
		})
	})
	p.End()
	switch {
	case errcode.Of(err) == "shared":
		return cli.WrapFlagError(fmt.Errorf("--rater %q: the raters of this study share one taste, and the report is about that; leave --rater out", c.Rater), "--rater", c.Rater)
	case err != nil:
		return err
	case c.Out == "-":
		_, err := s.Out.Write(text.Bytes())
		return err
	}
	if err := c.WriteBytes("--out", c.Out, text.Bytes()); err != nil {
		return err
	}
	return s.Line(map[string]string{"file": c.Out}, c.Out)
}

// picture reads the file of an item: from --media, or beside the study's file as its server does, or relative to that file or this folder.
func (c Report) picture(study, name string) ([]byte, error) {
	if c.Media != "" {
		files := media.Files{Uploads: c.Media, Folders: map[string]string{study: c.Media}}
		return files.Read(study, name)
	}
	data, err := os.ReadFile(name)
	if c.Store != "" {
		return data, err
	}
	if data, err := cli.FilesBeside(c.Path, study).Read(study, name); err == nil {
		return data, nil
	}
	if err != nil && !filepath.IsAbs(name) {
		return os.ReadFile(filepath.Join(filepath.Dir(c.Path), name))
	}
	return data, err
}

type Table struct {
	cli.StudyFlags
	Rater  string  `help:"Only answers of this rater." placeholder:"NAME"`
	Anchor string  `help:"Name and rating of an item on the Elo scale, as in gpt-4=1000; intervals are then of differences to it. Without it the mean is 1000." placeholder:"NAME=ELO"`
	Prior  float64 `help:"Standard deviation (Elo points) of a normal prior on ratings, so that undefeated items get one. 0 for none." placeholder:"ELO"`
	Format string  `help:"text: ratings and wins for people; ratings-csv, wins-csv: one of them as a table." enum:"text,ratings-csv,wins-csv" default:"text" placeholder:"FORMAT"`
}

func (c Table) Run(ctx context.Context, s cli.Streams) error {
	o := arena.Options{Anchor: c.Anchor, Prior: c.Prior}
	if !(c.Prior >= 0) || math.IsInf(c.Prior, 0) {
		return cli.FlagError("--prior", c.Prior, "want a number of Elo points, 0 for none")
	}
	if i := strings.LastIndex(c.Anchor, "="); i >= 0 {
		at, err := strconv.ParseFloat(c.Anchor[i+1:], 64)
		if err != nil || i == 0 || math.IsNaN(at) || math.IsInf(at, 0) || at == 0 {
			return cli.FlagError("--anchor", c.Anchor, "want a name and a rating that is not 0, as in gpt-4=1000")
		}
		o.Anchor, o.At = c.Anchor[:i], at
	}
	return c.WithStore(ctx, func(k cli.StudyStore) error {
		study, err := k.Store.Study(ctx, k.Name)
		if err != nil {
			return err
		}
		battles, err := arena.Battles(study, c.Rater)
		if err != nil {
			return err
		}
		table, err := arena.Rate(battles, o)
		if err != nil {
			return err
		}
		if !s.JSON {
			for _, note := range table.Notes {
				fmt.Fprintln(s.Err, "note:", note)
			}
		}
		return s.Result(table, func(w io.Writer) error {
			switch c.Format {
			case "ratings-csv":
				return ratingRecords(table).Write(w)
			case "wins-csv":
				return winRecords(table.Wins).Write(w)
			}
			return writeTable(w, table)
		})
	})
}

func ratingRecords(t arena.Table) exchange.Records {
	out := exchange.Records{Columns: []string{"name", "rating", "sd", "low", "high", "rank_low", "rank_high", "won", "lost", "tied", "why"}}
	for _, r := range t.Ratings {
		row := []any{r.Name, nil, nil, nil, nil, nil, nil, r.Won, r.Lost, r.Tied, r.Why}
		if r.Rating != nil {
			copy(row[1:], []any{*r.Rating, r.SD, r.Low, r.High, r.RankLow, r.RankHigh})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// winRecords are the wins, a row for every two that met, both ways round.
func winRecords(w arena.Wins) exchange.Records {
	out := exchange.Records{Columns: []string{"name", "against", "won", "lost", "tied", "share"}}
	for i, name := range w.Names {
		for j, against := range w.Names {
			if share, met := w.Share(i, j); met {
				out.Rows = append(out.Rows, []any{name, against, w.Won[i][j], w.Won[j][i], w.Tied[i][j], share})
			}
		}
	}
	return out
}

// writeTable writes ratings and, of not too many names, shares of wins.
func writeTable(w io.Writer, t arena.Table) error {
	return cards{w: w}.print("ratings", t, template.FuncMap{
		"elo": func(r arena.Rating) string { return fmt.Sprintf("%.0f\t%.0f to %.0f", *r.Rating, r.Low, r.High) },
		"share": func(row, column string) string {
			if share, met := t.Wins.Share(slices.Index(t.Wins.Names, row), slices.Index(t.Wins.Names, column)); met {
				return fmt.Sprintf("%.0f", 100*share)
			}
			return "·"
		},
	})
}
