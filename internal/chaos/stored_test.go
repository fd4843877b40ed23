package chaos

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// stored is a study as the tables have it, read past prefer.
type stored struct {
	name   string
	last   int // the number of its last event, as its row says
	events []event
}

// event is as much of one as is held against ledgers.
type event struct {
	row  int // its number, as the column says
	Seq  int
	Time time.Time

	Asked *struct {
		ID, Rater     string
		First, Second map[string]float64
	}
	Answered *struct {
		ID, Question string
		Answer       said
	}
	Observed *struct {
		ID   string
		Duel struct {
			First, Second map[string]float64
			Rater         string
			Answer        said
		}
	}
	Undone *struct{ Answer string }
}

type said struct {
	Choice, Key string
	Swapped     bool
}

// connect opens a database by its driver alone.
func connect(address string) (*sql.DB, error) {
	driver := "sqlite"
	if strings.HasPrefix(address, "postgres:") {
		driver = "pgx"
	}
	return sql.Open(driver, address)
}

// read returns what the tables have.
func read(ctx context.Context, address string) (studies []stored, err error) {
	db, err := connect(address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT s.id, s.name, s.last, COALESCE(e.seq, 0), COALESCE(e.body, '') FROM prefer_studies s LEFT JOIN prefer_events e ON e.study = s.id ORDER BY s.id, e.seq")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	before := 0
	for rows.Next() {
		var id int
		var one stored
		var e event
		var body string
		if err := rows.Scan(&id, &one.name, &one.last, &e.row, &body); err != nil {
			return nil, err
		}
		if id != before {
			studies, before = append(studies, one), id
		}
		if e.row == 0 {
			continue // a study without events
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			return nil, fmt.Errorf("%s: event %d: %w", one.name, e.row, err)
		}
		s := &studies[len(studies)-1]
		s.events = append(s.events, e)
	}
	return studies, rows.Err()
}
