package exchange

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// coffee is what the fixtures hold, as Optuna itself reports it (testdata/README.md).
func coffee() Import {
	cup := func(milk, temp, sugar, shots, grind, size float64, bean string, foam bool) space.Option {
		return space.Option{"milk": space.ValueOf(milk), "temp": space.ValueOf(temp), "sugar": space.ValueOf(sugar), "shots": space.ValueOf(shots),
			"grind": space.ValueOf(grind), "size": space.ValueOf(size), "bean": space.ValueOf(bean), "foam": space.ValueOf(foam)}
	}
	trials := []space.Option{
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
	sugar := space.Parameter{Name: "sugar", Type: "ordinal"}
	for k := range 9 {
		sugar.Choices = append(sugar.Choices, space.ValueOf(0.25*float64(k)))
	}
	im.Space = space.Box(space.Float("milk", 0, 0.5), space.LogFloat("temp", 1, 100), sugar,
		space.Parameter{Name: "shots", Type: "int", Low: 1, High: 4},
		space.Parameter{Name: "grind", Type: "int", Low: 1, High: 64, Log: true},
		space.Parameter{Name: "size", Type: "int", Low: 2, High: 10, Step: 2},
		space.Parameter{Name: "bean", Type: "categorical", Choices: []space.Value{space.ValueOf("kenya"), space.ValueOf("brasil")}},
		space.Parameter{Name: "foam", Type: "bool"})
	return im
}

func TestReadOptuna(t *testing.T) {
	text := fixture(t, "optuna.log")
	for _, study := range []string{"", "coffee"} {
		im, err := ReadOptuna(strings.NewReader(text), study)
		if d := cmp.Diff(coffee(), im, sameValue); err != nil || d != "" {
			t.Errorf("study %q: %v\n%s", study, err, d)
		}
	}
	_, err := ReadOptuna(strings.NewReader(text), "other")
	wantError(t, "other", err, `"other"`, "no preferences")
	_, err = ReadOptuna(strings.NewReader(text), "tea")
	wantError(t, "tea", err, `"tea"`, `"coffee", "other"`)
}

// TestReadOptunaCopied: what optuna.copy_study made of the same study in an SQLite database says the same. It copies
// trials and lists of preferences in an order of its own.
func TestReadOptunaCopied(t *testing.T) {
	im, err := ReadOptuna(strings.NewReader(fixture(t, "copied.log")), "")
	if err != nil {
		t.Fatal(err)
	}
	byText := cmpopts.SortSlices(func(a, b prefer.Duel) bool {
		return a.First.String()+a.Second.String() < b.First.String()+b.Second.String()
	})
	byName := cmpopts.SortSlices(func(a, b space.Parameter) bool { return a.Name < b.Name })
	if d := cmp.Diff(coffee(), im, sameValue, byText, byName); d != "" {
		t.Error(d)
	}
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
