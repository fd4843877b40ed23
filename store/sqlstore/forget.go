package sqlstore

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/store"
)

// Forget replaces everything that raters said or were asked in a study, drops the snapshot, and then has the database overwrite what is left of the old rows.
// It returns how many events were replaced, and notes about them removed: their links among them. Marks that do not tell a name keep it out (store.Marks).
// Studies that are open elsewhere get prefer.ErrConflict at their next step.
//
// Running it again is harmless and repeats the overwriting, for when that could not be finished: another
// process was reading at the time. docs/dev/store.md says what it cannot reach.
func (s *Store) Forget(ctx context.Context, name string, raters ...string) (removed int, err error) {
	if err := store.CheckName(name); err != nil {
		return 0, err
	}
	err = s.write(ctx, func(c *session, doubt bool) {
		if !doubt {
			removed = 0
		}
		// An UPDATE that changes nothing yet: from here on the study's row is held.
		l := s.readLog(c, "UPDATE prefer_studies SET last = last WHERE name = $1 RETURNING id, edition, created, last, head", name)
		if c.err != nil {
			return
		}
		c.exec("DELETE FROM prefer_notes WHERE study = $1 AND substr(name, 1, length($2)) = $2", l.id, store.Derived)
		n := 0
		for _, rater := range raters {
			n += int(c.exec("DELETE FROM prefer_notes WHERE study = $1 AND rater = $2 AND rater <> ''", l.id, rater)) // those of nobody are the study's
		}
		events, err := s.events(name, l) // what is damaged must not be given a chain that fits
		if err != nil {
			c.fail(err)
			return
		}
		after, replaced := prefer.Forget(events, raters...)
		if n += replaced; n == 0 {
			return // nothing to do, or done by the attempt before, which has set removed
		}
		for _, rater := range raters {
			c.keepOut(l.id, rater)
		}
		if _, err := prefer.Open(c.ctx, after, prefer.OpenOptions{}); err != nil {
			c.fail(s.unreadable(name, err))
		}
		removed = n
		l.rewrite(c, events, after)
	})
	if err != nil {
		return 0, err
	}
	if err := s.patiently(ctx, func() error { return s.engine.scrub(ctx, s.db) }); err != nil {
		return removed, fmt.Errorf("store: raters %q are forgotten in study %q, but traces are left in the database; forget again: %w", raters, name, err)
	}
	return removed, nil
}

// rewrite makes a study another edition: from the first event that has changed, events and their checksums are rewritten.
// No checksum is left that was made of what is gone.
func (l log) rewrite(c *session, before, after []prefer.Event) {
	first := slices.IndexFunc(after, func(e prefer.Event) bool { return e.Kind != before[e.Seq-1].Kind })
	if first < 0 { // there were only notes about the rater
		first = len(after)
	}
	var chain chain.Sum
	if first > 0 {
		chain = l.rows[first-1].chain
	}
	var rows []row
	for i := first; i < len(after); i++ {
		r := index(after[i])
		if r.body = string(l.rows[i].body); after[i].Kind != before[i].Kind {
			var err error
			r, err = encode(after[i])
			c.fail(err)
		}
		chain = chain.Next([]byte(r.body))
		r.chain = chain
		rows = append(rows, r)
	}
	c.exec("DELETE FROM prefer_snapshots WHERE study = $1", l.id)
	c.exec("DELETE FROM prefer_ahead WHERE study = $1", l.id)
	c.exec("DELETE FROM prefer_events WHERE study = $1 AND seq > $2", l.id, first)
	c.insert(l.id, rows)
	c.exec("UPDATE prefer_studies SET edition = edition + 1, head = $1 WHERE id = $2", chain[:], l.id)
}

// keepOut leaves marks that somebody of this name was forgotten. The study's salt is made with its first mark.
func (c *session) keepOut(study int64, rater string) {
	if rater == "" { // nobody
		return
	}
	var salt string
	c.find([]any{&salt}, "SELECT body FROM prefer_notes WHERE study = $1 AND name = $2", study, store.Forgotten)
	const keep = "INSERT INTO prefer_notes (study, name, rater, body) VALUES ($1, $2, '', $3) ON CONFLICT (study, name) DO NOTHING"
	if salt == "" {
		salt = rand.Text()
		c.exec(keep, study, store.Forgotten, salt)
	}
	for _, mark := range store.Marks(salt, rater) {
		c.exec(keep, study, mark, "")
	}
}

// tables are those of a store, in an order in which rows can be put in: each refers to the first alone.
var tables = []string{"prefer_studies", "prefer_events", "prefer_snapshots", "prefer_notes", "prefer_ahead"}

// scrub writes the tables to new files that hold the rows of this moment and nothing else, and lets go of the old files.
//
// VACUUM (FULL) would not do: it also copies the dead rows that some snapshot may still see, one of another session, of a replication slot, or its own, which
// is as old as the oldest transaction on the whole server. Here all tables are emptied by TRUNCATE, which begins new files, and filled again by COPY (FREEZE),
// whose rows every snapshot sees. All of them are locked meanwhile. So a transaction that has read any of them before is waited for, and one that comes later
// finds in all of them the same moment, however old its snapshot.
//
// The server's own log, its archives and standbys are out of reach.
func (p postgres) scrub(ctx context.Context, db *sql.DB) error {
	waiting, stop := context.WithTimeout(ctx, p.patience)
	conn, err := db.Conn(waiting)
	stop()
	if err != nil {
		return err
	}
	defer conn.Close()
	c := &session{ctx, conn, nil}
	before := c.files()
	work := &session{patient(ctx), conn, c.err}
	if p.writeAnew(work); work.err != nil {
		_, back := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // which silence ends
		return p.holders(c, errors.Join(work.err, back))
	}
	after := c.files()
	for file, table := range before {
		if after[file] != "" {
			return fmt.Errorf("store: %s: %w: %s has the file %s it had before", p.name, store.ErrUnavailable, table, file)
		}
	}
	sampled := c.texts(`SELECT tablename || '.' || attname FROM pg_stats JOIN pg_attribute USING (attname)
		WHERE attrelid = format('%I.%I', schemaname, tablename)::regclass AND attrelid = ANY ($1::text[]::regclass[]) AND atttypid IN ('text'::regtype, 'bytea'::regtype)`, tables)
	if len(sampled) > 0 {
		return fmt.Errorf("store: %s: the server keeps examples of %s for its planner (pg_stats), and a view uses the column: drop the view first", p.name, strings.Join(sampled, ", "))
	}
	return c.err
}

// writeAnew does what scrub says, in one transaction: whatever goes wrong, the tables are as they were.
func (p postgres) writeAnew(c *session) {
	// A process that waits for such a lock makes all others wait behind it: so not for long, but again and again. It is longer than
	// the second after which an autovacuum gives way.
	c.exec(fmt.Sprintf("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = %s; LOCK TABLE %s IN ACCESS EXCLUSIVE MODE",
		milliseconds(p.patience/6), strings.Join(tables, ", ")))
	c.unsampled()
	for _, table := range tables {
		c.exec(fmt.Sprintf("CREATE TEMPORARY TABLE left_%[1]s ON COMMIT DROP AS SELECT * FROM %[1]s", table))
	}
	// Checked once in the end and not row by row, references to studies take half the time.
	var drop, add string // statements
	c.find([]any{&drop, &add}, `SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname), '; '), ''),
			coalesce(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)), '; '), '')
		FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::text[]::regclass[])`, tables)
	// From here on the server waits for nothing but us: a minute for each piece, lest one of us who is frozen locks everybody out.
	c.exec(fmt.Sprintf("SET LOCAL statement_timeout = %s; %s; TRUNCATE %s", milliseconds(maxTransaction), drop, strings.Join(tables, ", ")))
	for _, table := range tables {
		c.fill(table)
	}
	c.exec("SET LOCAL statement_timeout = 0; " + add + "; COMMIT")
}

// unsampled has the server keep no examples of what is in columns of text, as it does for its planner (pg_stats), and drop those it has: a change of type does
// that, also one to the same type. Tables that are made today have no such examples; nothing that is looked for is found by them.
func (c *session) unsampled() {
	const columns = `FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid WHERE attrelid = ANY ($1::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped AND typname IN ('text', 'bytea')`
	for _, change := range c.texts(`SELECT format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', attrelid::regclass, attname) `+columns+` AND coalesce(attstattarget, -1) <> 0
		UNION ALL SELECT format('DO $do$ BEGIN ALTER TABLE %s ALTER COLUMN %I TYPE %s; EXCEPTION WHEN feature_not_supported THEN NULL; END $do$', -- a view is in the way
			attrelid::regclass, attname, typname) `+columns+`
			AND EXISTS (SELECT FROM pg_stats s WHERE s.attname = a.attname AND format('%I.%I', schemaname, tablename)::regclass = attrelid)`, tables) {
		c.exec(change)
	}
}

// fill copies rows into an emptied table, some blocks at a time: the server copies from nobody but its client.
func (c *session) fill(table string) {
	var blocks, size int64
	c.find([]any{&blocks, &size}, "SELECT pg_relation_size($1::text::regclass) / current_setting('block_size')::int, pg_table_size($1::text::regclass)", "left_"+table)
	some := max(1, blocks*(8<<20)/max(size, 1)) // about 8 MB are under way at once
	for first := int64(0); first < blocks && c.err == nil; first += some {
		c.err = c.Raw(func(driver any) error {
			return fillBlocks(c.ctx, driver.(*stdlib.Conn).Conn().PgConn(), table, first, first+some)
		})
	}
}

func fillBlocks(ctx context.Context, c *pgconn.PgConn, table string, first, end int64) error {
	ctx, stop := context.WithTimeout(ctx, 2*maxTransaction) // the server gives up earlier, if it is there
	defer stop()
	var rows bytes.Buffer
	_, err := c.CopyTo(ctx, &rows, fmt.Sprintf("COPY (SELECT * FROM left_%s WHERE ctid >= '(%d,0)' AND ctid < '(%d,0)') TO STDOUT (FORMAT binary)", table, first, end))
	if err == nil {
		_, err = c.CopyFrom(ctx, &rows, "COPY "+table+" FROM STDIN (FORMAT binary, FREEZE)")
	}
	return err
}

// files returns the files of the tables, of their indexes and of what is kept beside them because it is long, and whose they are.
func (c *session) files() map[string]string {
	type file struct{ path, of string }
	all := collect(c, func(f *file) []any { return []any{&f.path, &f.of} }, `
		WITH own AS (SELECT oid, reltoastrelid FROM pg_class WHERE oid = ANY ($1::text[]::regclass[])),
		     kept AS (SELECT oid FROM own UNION SELECT reltoastrelid FROM own)
		SELECT pg_relation_filepath(oid), oid::regclass::text FROM (SELECT oid FROM kept UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT oid FROM kept)) AS f
		WHERE pg_relation_filepath(oid) IS NOT NULL`, tables)
	return xslices.ToMap(all, func(f file) (string, string) { return f.path, f.of })
}

// holders adds to an error of a lock that was not given who has it.
func (p postgres) holders(c *session, err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != "55P03" {
		return err
	}
	who := c.texts(`SELECT format('%s of %s (%s)', a.pid, a.usename, coalesce(nullif(a.application_name, ''), 'no name'))
		FROM pg_stat_activity a WHERE pid IN (SELECT pid FROM pg_locks WHERE granted AND relation = ANY ($1::text[]::regclass[])
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AND pid <> pg_backend_pid() ORDER BY pid LIMIT 5`, tables)
	if len(who) == 0 { // it is over by now
		return err
	}
	return fmt.Errorf("store: %s: %w: a transaction has its tables open, that of session %s: wait until it has ended, or end it (%w)", p.name, store.ErrUnavailable, strings.Join(who, ", "), err)
}
