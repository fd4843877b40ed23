package exchange

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// sqliteMagic begins every SQLite database.
const sqliteMagic = "SQLite format 3\x00"

// readOptunaSQLite reads a study from an Optuna database. It is opened for reading only, and nothing in it is
// trusted: what we read must be tables, not views that compute.
func readOptunaSQLite(path, study string) (im Import, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Import{}, fmt.Errorf("exchange: %w", err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute),
		RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=busy_timeout(5000)"}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return Import{}, fmt.Errorf("exchange: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	s := &optunaDB{db: db, byID: map[int64]*optunaStudy{}, trials: map[int64]*optunaTrial{}}
	for _, read := range []func() error{s.tables, s.studies, s.attributes, s.readTrials, s.params} {
		if err := read(); err != nil {
			return Import{}, fmt.Errorf("exchange: Optuna database: %w", err)
		}
	}
	var studies []*optunaStudy
	for _, id := range slices.Sorted(maps.Keys(s.byID)) {
		studies = append(studies, s.byID[id])
	}
	chosen, err := chooseOptuna(studies, study)
	if err != nil {
		return Import{}, err
	}
	return chosen.imported()
}

// optunaDB is Optuna's schema version 12 (Optuna 3.2 and later), as far as we read it.
type optunaDB struct {
	db     *sql.DB
	byID   map[int64]*optunaStudy
	trials map[int64]*optunaTrial
}

// each runs a query and calls row for every row.
func (s *optunaDB) each(query string, row func(scan func(...any) error) error) error {
	rows, err := s.db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *optunaDB) tables() error {
	found := map[string]bool{}
	err := s.each("SELECT name, coalesce(sql, '') FROM sqlite_master WHERE type = 'table'", func(scan func(...any) error) error {
		var name, create string
		err := scan(&name, &create)
		found[name] = strings.HasPrefix(create, "CREATE TABLE")
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range []string{"studies", "study_system_attributes", "trials", "trial_params"} {
		if !found[name] {
			return fmt.Errorf("there is no table %q", name)
		}
	}
	return nil
}

func (s *optunaDB) studies() error {
	return s.each("SELECT study_id, study_name FROM studies ORDER BY study_id", func(scan func(...any) error) error {
		var id int64
		var name string
		err := scan(&id, &name)
		s.byID[id] = newOptunaStudy(name)
		return err
	})
}

// attributes reads those of preferences alone: others can be large.
func (s *optunaDB) attributes() error {
	return s.each(`SELECT study_id, key, value_json FROM study_system_attributes WHERE key LIKE 'preference:%'
		ORDER BY study_system_attribute_id`, func(scan func(...any) error) error {
		var id int64
		var key, value string
		if err := scan(&id, &key, &value); err != nil {
			return err
		}
		if len(value) > maxLine {
			return fmt.Errorf("attribute %q is longer than %d MB", key, maxLine>>20)
		}
		if study := s.byID[id]; study != nil {
			study.set(key, json.RawMessage(value))
		}
		return nil
	})
}

func (s *optunaDB) readTrials() error {
	return s.each("SELECT trial_id, study_id, number FROM trials ORDER BY trial_id", func(scan func(...any) error) error {
		var id, study int64
		var number int
		if err := scan(&id, &study, &number); err != nil {
			return err
		}
		s.trials[id] = newOptunaTrial()
		if in := s.byID[study]; in != nil {
			in.trials[number] = s.trials[id]
		}
		return nil
	})
}

func (s *optunaDB) params() error {
	return s.each(`SELECT trial_id, param_name, param_value, distribution_json FROM trial_params ORDER BY param_id`,
		func(scan func(...any) error) error {
			var id int64
			var name, text string
			var x float64
			if err := scan(&id, &name, &x, &text); err != nil {
				return fmt.Errorf("trial_params: %w", err)
			}
			if t := s.trials[id]; t != nil {
				t.set(name, x, text)
			}
			return nil
		})
}
