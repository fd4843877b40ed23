package studies

import (
	"slices"
	"testing"
)

func TestGuessFormat(t *testing.T) {
	for head, want := range map[string]string{
		"\ufeff" + `{"format":"prefer.log","version":1,"study":"x"}` + "\n{}": "log",
		`{"winner": {"id": 1, "format": 2}, "loser": {"id": 2}}`:              "pairs",
		`{"loser": {"text": "x"}, "winner": "a"}`:                             "pairs",
		`{"text": "winner", "id": "a"}`:                                       "items",
		`{"media": "a.png", "features": {"winner": 1`:                         "items", // cut short
		"[[1, 2], [3, 4]]":                                           "pairs",
		"winner,loser\na,b\n":                                        "pairs",
		"id,winner,loser\n1,a,b\n":                                   "pairs",
		"id,chosen,rejected\n1,a,b\n":                                "pairs",
		"text,rank1,rank2\nx,a,b\n":                                  "pairs",
		`{"id": 7, "text": "x", "ranking": ["a", "b"]}`:              "pairs",
		`{"id": 7, "prompt": "x", "completion": "y", "label": true}`: "pairs",
		"a,b\nc,d\n":                                                 "pairs",
		"\"id\",hue\na,1\n":                                          "items",
		"media,hue\r\na.png,1\r\n":                                   "items",
		"":                                                           "pairs",
	} {
		if got := guessFormat([]byte(head)); got != want {
			t.Errorf("%q looks like %s, want %s", head, got, want)
		}
	}
}

func FuzzGuessFormat(f *testing.F) {
	for _, head := range []string{"", "{", `{"a":{"format":1}}`, "[", "id,x"} {
		f.Add([]byte(head))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		if got := guessFormat(head); !slices.Contains([]string{"log", "pairs", "items"}, got) {
			t.Errorf("%q looks like %q", head, got)
		}
	})
}
