package exchange

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
)

// coffee is what the fixtures hold, as Optuna itself reports it (testdata/README.md).
func coffee() Import {
	cup := func(milk, temp, sugar, shots, grind, size float64, bean string, foam bool) prefer.Option {
		return prefer.Option{"milk": prefer.ValueOf(milk), "temp": prefer.ValueOf(temp), "sugar": prefer.ValueOf(sugar), "shots": prefer.ValueOf(shots),
			"grind": prefer.ValueOf(grind), "size": prefer.ValueOf(size), "bean": prefer.ValueOf(bean), "foam": prefer.ValueOf(foam)}
	}
	trials := []prefer.Option{
		cup(0.208511002351287, 27.58347554916674, 0.0, 2, 1, 2, "brasil", false),
		cup(0.2095972572016474, 23.46599645859087, 0.25, 4, 1, 8, "brasil", false),
		cup(0.40037228433776834, 86.40187187029892, 0.5, 3, 35, 10, "kenya", false),
		cup(0.04917341691652505, 6.953688788898672, 2.0, 3, 14, 4, "brasil", false),
		cup(0.49443054445324736, 31.35676915341994, 0.5, 4, 1, 6, "kenya", true),
	}
	im := Import{Name: "coffee", Notes: []string{"lid cannot vary: it was left out", "1 trials were skipped, which says nothing of preference"}}
	for _, w := range [][2]int{{0, 1}, {2, 0}, {2, 3}, {0, 4}, {2, 4}} {
		im.Duels = append(im.Duels, prefer.Duel{First: trials[w[0]], Second: trials[w[1]], Answer: prefer.Answer{Choice: prefer.First}})
	}
	sugar := prefer.Parameter{Name: "sugar", Type: "ordinal"}
	for k := range 9 {
		sugar.Choices = append(sugar.Choices, prefer.ValueOf(0.25*float64(k)))
	}
	im.Space = prefer.Box(prefer.Float("milk", 0, 0.5), prefer.LogFloat("temp", 1, 100), sugar,
		prefer.Parameter{Name: "shots", Type: "int", Low: 1, High: 4},
		prefer.Parameter{Name: "grind", Type: "int", Low: 1, High: 64, Log: true},
		prefer.Parameter{Name: "size", Type: "int", Low: 2, High: 10, Step: 2},
		prefer.Parameter{Name: "bean", Type: "categorical", Choices: []prefer.Value{prefer.ValueOf("kenya"), prefer.ValueOf("brasil")}},
		prefer.Parameter{Name: "foam", Type: "bool"})
	return im
}

func TestReadOptunaFile(t *testing.T) {
	for _, file := range []string{"optuna.log", "optuna.db"} {
		for _, study := range []string{"", "coffee"} {
			im, err := ReadOptunaFile(filepath.Join("testdata", file), study)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if d := cmp.Diff(coffee(), im, sameValue); d != "" {
				t.Errorf("%s, study %q:\n%s", file, study, d)
			}
		}
		_, err := ReadOptunaFile(filepath.Join("testdata", file), "other")
		wantError(t, file+", other", err, `"other"`, "no preferences")
		_, err = ReadOptunaFile(filepath.Join("testdata", file), "tea")
		wantError(t, file+", tea", err, `"tea"`, `"coffee", "other"`)
	}
	_, err := ReadOptunaFile(filepath.Join(t.TempDir(), "none"), "")
	wantError(t, "no file", err, "no such file")
}

// TestReadOptunaSQLiteUntouched: reading leaves the database and its folder as they were.
func TestReadOptunaSQLiteUntouched(t *testing.T) {
	data, err := os.ReadFile("testdata/optuna.db")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a ?#%20.db")
	if err := os.WriteFile(path, data, 0o444); err != nil {
		t.Fatal(err)
	}
	im, err := ReadOptunaFile(path, "")
	if err != nil || len(im.Duels) != 5 {
		t.Fatalf("%d duels, %v", len(im.Duels), err)
	}
	after, err := os.ReadFile(path)
	files, _ := os.ReadDir(dir)
	if err != nil || !slices.Equal(after, data) || len(files) != 1 {
		t.Errorf("reading changed the database or left files: %v, %v", files, err)
	}
}

func TestReadOptunaSQLiteErrors(t *testing.T) {
	for name, c := range map[string]struct {
		statement string
		words     []string
	}{
		"no table":  {"DROP TABLE trial_params", []string{"trial_params"}},
		"view":      {"DROP TABLE trials; CREATE VIEW trials AS SELECT 1 AS trial_id, 1 AS study_id, 1 AS number", []string{`"trials"`}},
		"no column": {"ALTER TABLE trial_params DROP COLUMN distribution_json", []string{"distribution_json"}},
		"null":      {"UPDATE trial_params SET param_value = NULL WHERE trial_id = 2 AND param_name = 'milk'", []string{"trial_params", "NULL"}},
		"off":       {"UPDATE trial_params SET param_value = 7 WHERE trial_id = 2 AND param_name = 'bean'", []string{"trial 1", `"bean"`, "7", "2 choices"}},
		"pairs":     {"UPDATE study_system_attributes SET value_json = '[[0, 9]]' WHERE value_json = '[[0, 1]]'", []string{"preference:values", "[0 9]"}},
		"missing":   {"DELETE FROM trial_params WHERE trial_id = 3 AND param_name = 'milk'", []string{"trial 2", `"milk"`}},
	} {
		data, err := os.ReadFile("testdata/optuna.db")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "optuna.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(c.statement); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = ReadOptunaFile(path, "")
		wantError(t, name, err, c.words...)
	}
	path := filepath.Join(t.TempDir(), "broken.db")
	if err := os.WriteFile(path, []byte(sqliteMagic+"nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := ReadOptunaFile(path, "")
	wantError(t, "broken", err, "Optuna database")
}

// TestChooseOptuna: several preferential studies are named.
func TestChooseOptuna(t *testing.T) {
	two := `{"op_code":0,"study_name":"a"}
{"op_code":0,"study_name":"b"}
{"op_code":3,"study_id":0,"system_attr":{"preference:is_preferential":true}}
{"op_code":3,"study_id":1,"system_attr":{"preference:is_preferential":true}}`
	_, err := ReadOptuna(strings.NewReader(two), "")
	wantError(t, "two", err, `"a", "b"`, "name one")
	_, err = ReadOptuna(strings.NewReader(two), "a")
	wantError(t, "no trials", err, `"a"`, "no trial")
	_, err = ReadOptuna(strings.NewReader(""), "")
	wantError(t, "empty", err, "none of the Optuna studies")
}
