package service

import (
	"bytes"
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/studies"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestQueueFindings: no database, an empty one, tables of an older version, of this one and of a newer one.
func TestQueueFindings(t *testing.T) {
	ctx := context.Background()
	see := func(address string, l level, says string) []finding {
		t.Helper()
		all := queueFindings(ctx, address)
		wantFinding(t, all[0], l, says)
		return all
	}
	see("postgres://ann@127.0.0.1:1/coffee", trouble, "start the database")
	address := storetest.Database(t)
	for range 2 { // the first did not make them
		see(address, trouble, "its tables are not there")
	}
	q, err := queue.Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if all := see(address, fine, "those this program works with"); len(all) != 2 {
		t.Errorf("%d findings, want queue and workers", len(all))
	} else {
		wantFinding(t, all[1], fine, "0 alive, 0 jobs at a time; 0 cells waiting →")
	}
	if err := q.Runner().Submit(ctx, job.Job{Kind: "report", Body: []byte("{}"), Parts: 1}); err != nil {
		t.Fatal(err)
	}
	wantFinding(t, see(address, fine, "tables version")[1], warning, `0 cells waiting, 1 part of a report → no worker does what waits (report): start "prefer worker"`)
	own, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close(ctx)
	run := func(statement string) {
		t.Helper()
		if _, err := own.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	run("DELETE FROM prefer_queue.versions WHERE version_id > 1")
	see(address, warning, "tables version 1, of River")
	run("INSERT INTO prefer_queue.versions (version_id, is_applied) VALUES (99, true)")
	see(address, trouble, "have version 99")
}

// TestWorkersFinding: what waits is a warning only where nobody does it.
func TestWorkersFinding(t *testing.T) {
	workers := []queue.WorkerStatus{{Alive: true, Jobs: 2}, {Jobs: 8}}
	wantFinding(t, workersFinding(queue.Status{Waiting: 3, Workers: workers}), fine, "1 alive, 2 jobs at a time; 3 cells waiting")
	wantFinding(t, workersFinding(queue.Status{Waiting: 3, Workers: workers[1:]}), warning, "(cells)")
	wantFinding(t, workersFinding(queue.Status{Workers: workers, Jobs: []queue.JobStatus{{Kind: "simulation", Waiting: 4, Workers: 1}}}), fine, "4 parts of a simulation")
	wantFinding(t, workersFinding(queue.Status{Workers: workers, Jobs: []queue.JobStatus{{Kind: "report", Waiting: 1}, {Kind: "simulation", Done: 4}}}), warning, "(report)")
}

// TestDamagedFindings: a damaged study is named with its event, by the doctor and in the list, and the others are in order.
func TestDamagedFindings(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "store.db")
	st, err := sqlstore.Open(ctx, path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cut", "ill", "well"} {
		study, err := st.Create(ctx, name, prefer.Config{Space: space.Box(space.Float("x", 0, 1))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := study.Ask(ctx, prefer.Request{Rater: "ann"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, damage := range []string{"DELETE FROM prefer_events WHERE study = 1 AND seq = 2", `UPDATE prefer_events SET body = replace(body, '"first"', '"First"') WHERE study = 2 AND seq = 2`} {
		if _, err := db.ExecContext(ctx, damage); err != nil {
			t.Fatal(err)
		}
	}
	of := func(deep bool) map[string]finding {
		found := map[string]finding{}
		for _, f := range storeFindings(ctx, path, time.Now(), deep) {
			found[f.Check] = f
		}
		return found
	}
	for _, deep := range []bool{true, false} {
		found := of(deep)
		wantFinding(t, found[`study "cut"`], trouble, "event 2 is missing")
		wantFinding(t, found[`study "ill"`], trouble, "event 2 does not fit its checksum")
		wantFinding(t, found["integrity"], trouble, "2 of 3 studies cannot be read")
		if _, there := found[`study "well"`]; there != deep {
			t.Errorf("deep %v: %+v", deep, found)
		}
	}
	wantFinding(t, of(true)[`study "well"`], fine, "2 events, edition 0, head ")
	var out, said bytes.Buffer
	if err := (studies.List{Path: path}).Run(ctx, cli.Streams{Out: &out, Err: &said}); err != nil || strings.Count(out.String(), "→") != 1 || !strings.Contains(out.String(), "1 of its 2 events are there") || !strings.Contains(out.String(), "well") {
		t.Errorf("the list, %v:\n%s", err, &out)
	}
}
