package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// queueTables are those of River (https://riverqueue.com) without which no experiment is taken from a queue.
var queueTables = []string{"river_migration", "river_job", "river_queue", "river_leader"}

// queueFinding says whether a queue of experiments has been set up in a database.
func queueFinding(ctx context.Context, address string) finding {
	f := finding{Check: "queue", Level: trouble, Advice: "start the database, and see that address, role and password are right"}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	db, err := sql.Open("pgx", address)
	if err != nil {
		f.Found = err.Error() // pgx leaves the password out
		return f
	}
	defer db.Close()
	var missing []string
	for _, table := range queueTables {
		var there bool
		if err := db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", table).Scan(&there); err != nil {
			f.Found = err.Error()
			return f
		}
		if !there {
			missing = append(missing, table)
		}
	}
	if len(missing) > 0 {
		f.Found = "its tables are not there: " + strings.Join(missing, ", ")
		f.Advice = "the first process that works on the queue makes them; see that the address is the queue's"
		return f
	}
	var version, jobs int
	if err := db.QueryRowContext(ctx, "SELECT (SELECT coalesce(max(version), 0) FROM river_migration), (SELECT count(*) FROM river_job)").Scan(&version, &jobs); err != nil {
		f.Found, f.Advice = err.Error(), "let this role read the tables of the queue"
		return f
	}
	return finding{Check: "queue", Level: fine, Found: fmt.Sprintf("tables of River, version %d, %s", version, count(jobs, "job"))}
}
