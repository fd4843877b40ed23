package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/mcp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/page"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

type Worker struct {
	Queue string `help:"Queue database: postgres://…" placeholder:"URL" required:""`
	Store string `help:"Store of the studies for reports: a SQLite file or postgres://…. Default: the queue's database." placeholder:"FILE|URL"`
	Media string `help:"Folder of the server's uploads, for pictures in reports. Default: next to the SQLite file." placeholder:"FOLDER"`
	Jobs  int    `help:"Jobs in parallel. Defaults to the number of processors." least:"0" placeholder:"N"`
	Drain bool   `help:"Exit when no job is waiting or running."`

	LogFormat string `help:"Log format on standard error: text or json." enum:"text,json" default:"text"`
}

func (c Worker) Run(ctx context.Context, s cli.Streams) (err error) {
	if err := c.checkStore(); err != nil {
		return err
	}
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	if c.Store == "" {
		if c.Store, err = storeIn(ctx, c.Queue); err != nil {
			return err
		}
	}
	report := func(text string) { fmt.Fprintln(s.Err, text) }
	if c.LogFormat == "json" {
		log := logFlags{LogFormat: c.LogFormat}.logger(s.Err)
		report = func(text string) { log.Info(text) }
	}
	b := cli.ThisBuild()
	studies := job.Studies{Version: b.Name()}
	if c.Media != "" {
		studies.Media = (&media.Files{Uploads: c.Media}).Read
	}
	if c.Store != "" {
		var st *sqlstore.Store
		if st, err = sqlstore.Open(ctx, c.Store, sqlstore.Options{}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
		studies.Store, studies.Checks, studies.Draw = st, live.CheckedIn(st), page.DrawnIn(st)
	}
	kinds := studies.Kinds()
	if c.Store == "" {
		delete(kinds, job.Report) // they wait for a worker that can
	}
	report("working for " + q.String())
	b.Processors = 0 // how many does not change a bit
	w := &queue.Worker{Queue: q, Kinds: kinds, Jobs: c.Jobs, Drain: c.Drain, Build: strings.TrimSuffix(b.String(), ", 0 processors"), Say: report}
	done, err := w.Run(ctx)
	report(fmt.Sprintf("%s done, %d failed, %d returned to the queue", say.Count(done.Done, "job"), done.Failed, done.Returned))
	if err != nil {
		return err
	}
	return s.Notify(done, "")
}

// checkStore reports a store file that is not there, so that a typing mistake creates no new one, and fills in the folder of its uploads.
func (c *Worker) checkStore() error {
	if c.Store == "" || strings.Contains(c.Store, "://") {
		return nil
	}
	if _, err := os.Stat(c.Store); errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("--store: there is no %s, want a SQLite file of studies or postgres://…", c.Store)
	}
	full, err := filepath.Abs(c.Store) // absolute: never taken for a file: URL
	if err != nil {
		return err
	}
	c.Store, c.Media = full, cmp.Or(c.Media, cli.FilesBeside(full, "").Uploads)
	return nil
}

// storeIn returns the address of a queue's database if it holds studies, too.
func storeIn(ctx context.Context, address string) (string, error) {
	c, err := pgx.Connect(ctx, address)
	if err != nil {
		return "", err
	}
	defer c.Close(context.WithoutCancel(ctx))
	var there bool
	if err := c.QueryRow(ctx, "SELECT to_regclass('prefer_studies') IS NOT NULL").Scan(&there); err != nil || !there {
		return "", err
	}
	return address, nil
}

type MCP struct {
	cli.StudyFlags
}

// Run answers agents on the standard input and output. Talk goes to the standard error: the protocol owns the other.
func (c MCP) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		return mcp.Server{Room: room, Study: name, Version: cli.ThisBuild().Version}.Run(ctx, s.In, s.Out)
	})
}
