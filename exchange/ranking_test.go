package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func TestReadRanking(t *testing.T) {
	want := meta(prefer.Meta{"ranking": space.ValueOf("a > b = c > d")},
		duel("a", "b", "ann", prefer.First), duel("a", "c", "ann", prefer.First), duel("a", "d", "ann", prefer.First),
		duel("b", "c", "ann", prefer.Tie), duel("b", "d", "ann", prefer.First), duel("c", "d", "ann", prefer.First))
	for name, text := range map[string]string{
		"text":    `{"ranking":"a > b=c >d","rater":"ann"}`,
		"list":    `{"ranking":["a",["b","c"],"d"],"judge":"ann"}`,
		"table":   "ranking,rater\na > b = c > d,ann\n",
		"columns": "rank1,rank2,rank3,rank4,rater\na,b = c,d,,ann\n",
		"fields":  `{"rank1":"a","rank2":"b=c","rank3":"d","rank4":null,"rater":"ann"}`,
	} {
		im, err := Pairs{}.Read(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want, im.Duels, sameValue); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if len(im.Notes) != 1 || !strings.Contains(im.Notes[0], "not independent") {
			t.Errorf("%s: notes %q", name, im.Notes)
		}
	}
}

func TestReadRankingErrors(t *testing.T) {
	var many []string
	for i := range maxRanked + 1 {
		many = append(many, fmt.Sprint(i))
	}
	for text, words := range map[string][]string{
		`{"ranking":"a"}`:                               {"line 1", "ranking of 1"},
		`{"ranking":[]}`:                                {"line 1", "ranking of 0"},
		`{"ranking":["a",[]]}`:                          {"line 1", "place 2", "empty"},
		`{"ranking":"a > > b"}`:                         {"line 1", "place 2", "empty"},
		`{"ranking":"a > b > a"}`:                       {"line 1", `"a"`, "twice"},
		`{"ranking":["a",["b","a"]]}`:                   {"line 1", `"a"`, "twice"},
		`{"ranking":["a",{"x":1}]}`:                     {"line 1", "place 2", "not an id"},
		`{"ranking":{"a":1,"b":2}}`:                     {"line 1", `"ranking"`, "want a list"},
		`{"ranking":"a > b","rank1":"a"}`:               {"line 1", `"ranking" as well as "rank1"`},
		"rank1,rank2,rank3\na,,c\n":                     {"line 2", `"rank2"`, "empty"},
		"rank1,rank2\n,b\n":                             {"line 2", `"rank1"`, "empty"},
		"ranking,winner\na > b,a\n":                     {"line 1", "winner as well as ranking"},
		`{"ranking":"` + strings.Join(many, ">") + `"}`: {"line 1", "101", "5050 pairs"},
	} {
		_, err := Pairs{}.Read(strings.NewReader(text))
		wantError(t, text, err, words...)
	}
}

// FuzzReadRanking: whatever a row says, n options make n(n−1)/2 pairs, each of two different ones, and the same as a list.
func FuzzReadRanking(f *testing.F) {
	for _, s := range []string{`{"ranking":"a > b = c"}`, `{"ranking":["a",["b",3]]}`, `{"rank1":"a","rank2":"b=c"}`, `{"ranking":">"}`, `{"rank1":"=","rank2":null}`, `{"rank0":1,"rank01":2,"rank99999":"a"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, row []byte) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(row, &fields) != nil {
			return
		}
		in := pairRow{fields: fields, used: map[string]bool{}}
		r := in.ranking()
		if in.err != nil {
			return
		}
		n := 0
		for _, place := range r {
			n += len(place)
		}
		duels := r.duels()
		if len(duels) != n*(n-1)/2 {
			t.Fatalf("%v made %d pairs", r, len(duels))
		}
		for _, d := range duels {
			if d.First.Item() == d.Second.Item() || d.First.Item() == "" || d.Second.Item() == "" {
				t.Fatalf("%v made %v", r, d)
			}
		}
		list, err := json.Marshal(map[string]any{"ranking": [][]string(r)})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.ContainsRune(row, '\ufffd') && json.Unmarshal(list, &fields) == nil {
			in := pairRow{fields: map[string]json.RawMessage{"ranking": fields["ranking"]}, used: map[string]bool{}}
			again := in.ranking()
			if in.err != nil || again.String() != r.String() {
				t.Fatalf("%s read as %v, %v; want %v", list, again, in.err, r)
			}
		}
	})
}
