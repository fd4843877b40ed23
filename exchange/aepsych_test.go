package exchange

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

func TestReadAEPsych(t *testing.T) {
	at := func(gain float64, mode string) space.Option {
		return space.Option{"gain": space.ValueOf(gain), "mode": space.ValueOf(mode)}
	}
	want := Import{
		Name: "haptics",
		Space: space.Box(space.Float("gain", 0.25, 0.75),
			space.Parameter{Name: "mode", Type: "categorical", Choices: []space.Value{space.ValueOf("soft"), space.ValueOf("hard")}}),
		Duels: []prefer.Duel{
			{First: at(0.25, "soft"), Second: at(0.75, "hard"), Rater: "p01", Answer: prefer.Answer{Choice: prefer.Second}},
			{First: at(0.5, "soft"), Second: at(0.75, "soft"), Rater: "p01", Answer: prefer.Answer{Choice: prefer.First}},
		},
		Notes: []string{"the file gives no ranges: those of the parameters are the values it holds"},
	}
	text := fixture(t, "aepsych.csv")
	for name, in := range map[string]string{
		"as written": text,
		"mark, CRLF": "\xef\xbb\xbf" + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\r\n"),
	} {
		im, err := ReadAEPsych(strings.NewReader(in), "")
		if d := cmp.Diff(want, im, sameValue); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
	im, err := ReadAEPsych(strings.NewReader("x_stimuli1,liked,outcome,x_stimuli0\n1,1,7,2\n"), "liked")
	if err != nil || im.Duels[0].First.Float("x") != 2 || im.Duels[0].Answer.Choice != prefer.Second || im.Notes[0] != "not read: outcome" {
		t.Errorf("another outcome: %+v, %v", im, err)
	}
}

func TestReadAEPsychErrors(t *testing.T) {
	for text, words := range map[string][]string{
		"":                                     {"empty"},
		"x_stimuli0,x_stimuli1\n1,2\n":         {"line 1", `"outcome"`},
		"x,outcome\n1,0\n":                     {"line 1", "one stimulus"},
		"x_stimuli0,outcome\n1,0\n":            {"line 1", `"x_stimuli0"`, `"x_stimuli1"`},
		"x_stimuli1,outcome\n1,0\n":            {"line 1", `"x_stimuli1"`, `"x_stimuli0"`},
		"_stimuli0,_stimuli1,outcome\n1,2,0\n": {"line 1", "no parameter"},
		"x_stimuli0,x_stimuli1,x_stimuli2,outcome\n1,2,3,0\n":               {"line 1", `"x_stimuli2"`, "pairs"},
		"x_stimuli0,x_stimuli1,outcome\n":                                   {"no trials"},
		"x_stimuli0,x_stimuli1,outcome\n1,2,0.0\n1,2,0.5\n":                 {"line 3", `"outcome"`, `"0.5"`},
		"x_stimuli0,x_stimuli1,outcome\n1,2,\n":                             {"line 2", `"outcome"`},
		"x_stimuli0,x_stimuli1,outcome\n1,,1\n":                             {"line 2", `"x_stimuli1"`, "empty"},
		"x_stimuli0,x_stimuli1,outcome\n1,2\n":                              {"line 2", "2 columns"},
		"experiment_name,x_stimuli0,x_stimuli1,outcome\na,1,2,0\nb,1,2,0\n": {"line 3", `"b"`, `"a"`},
		"x_stimuli0,x_stimuli1,outcome,outcome\n1,2,0,0\n":                  {"line 1", "columns 3 and 4"},
		strings.Repeat("a,", maxColumns) + "outcome\n":                      {"line 1", "4097 columns", "4096"},
	} {
		im, err := ReadAEPsych(strings.NewReader(text), "")
		wantError(t, strictjson.Excerpt(text), err, words...)
		if im.Duels != nil {
			t.Errorf("%s: %d duels beside the error", text, len(im.Duels))
		}
	}
}

// FuzzReadAEPsych: no panic; what reads fits the space it suggests, and reads the same again as JSON Lines.
func FuzzReadAEPsych(f *testing.F) {
	f.Add([]byte(fixture(f, "aepsych.csv")))
	f.Add([]byte("x_stimuli0,x_stimuli1,outcome\nTrue,false,0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := ReadAEPsych(bytes.NewReader(data), "")
		if err != nil {
			return
		}
		fits(t, im)
		once := pairLines(t, im.Duels)
		back, err := Pairs{}.Read(bytes.NewReader(once))
		if err != nil {
			if len(im.Space.Parameters) == 1 && im.Space.Parameters[0].Name == "item" {
				return // words of a parameter called item are ids to ReadPairs
			}
			t.Fatalf("%v\n%s", err, once)
		}
		if again := pairLines(t, back.Duels); !bytes.Equal(again, once) {
			t.Fatalf("read back as\n%s\nwant\n%s", again, once)
		}
	})
}
