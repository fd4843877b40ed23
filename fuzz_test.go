package prefer

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// FuzzEvents: whatever a log says, Open does not panic; and a log that opens is the study: its events,
// replayed directly or through JSON, give the same one.
func FuzzEvents(f *testing.F) {
	s := start(f, Config{Space: coffee(), Answers: Answers{Grades: 1}})
	f.Add(lines(f, s.Events(0)))
	for k := range 7 {
		step(f, s, k)
	}
	all := lines(f, s.Events(0))
	f.Add(all)
	f.Add(all[:len(all)/2])
	f.Add(bytes.Replace(all, []byte(`"answered"`), []byte(`"undone"`), 1))
	f.Add(bytes.ReplaceAll(all, []byte(`"both_bad"`), []byte(`"first"`)))
	f.Add(bytes.ReplaceAll(all, []byte(`"answer":{`), []byte(`"answer":{"note":"less\nbitter","meta":{"model":"m1","tokens":512,"cached":true},`)))
	f.Add(bytes.ReplaceAll(all, []byte(`"answer":{`), []byte(`"answer":{"meta":{"":null,"a":[1e999]},`)))
	f.Add([]byte(`{"seq":1,"kind":"created","created":{"config":{"space":{"params":[{"name":"x","low":0,"high":1}]}}}}
{"seq":2,"kind":"asked","asked":{"id":"q","first":{"x":0},"second":{"x":1},"incumbent":{"x":0.5},"method":"design"}}
{"seq":3,"kind":"answered","answered":{"id":"a","question":"q","answer":{"choice":"both_bad","key":"k"}}}
{"seq":4,"kind":"undone","undone":{"answer":"a"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := readLines(data)
		if err != nil {
			return
		}
		s, err := Open(ctx, events, OpenOptions{})
		if err != nil {
			return
		}
		fromJSON, err := readLines(lines(t, s.Events(0)))
		if err != nil {
			t.Fatal(err)
		}
		for name, events := range map[string][]Event{"events": s.Events(0), "JSON": fromJSON} {
			r, err := Open(ctx, events, OpenOptions{})
			if err != nil {
				t.Fatalf("from %s: %v", name, err)
			}
			a, b := s.view(""), r.view("")
			if !a.Evidence.TeachesSame(b.Evidence) || !reflect.DeepEqual(a.shown, b.shown) || a.design != b.design || a.count != b.count ||
				len(a.skipped) != len(b.skipped) || !reflect.DeepEqual(s.openIDs(), r.openIDs()) {
				t.Errorf("from %s: another study", name)
			}
		}
		// Every answer that stands can be taken back; then there are no duels.
		for _, told := range s.state.answers {
			if !told.undone {
				undo(t, s, told.id)
			}
		}
		if n := s.view("").Duels.Len(); n != 0 {
			t.Errorf("%d duels are left when all answers are undone", n)
		}
		if s.state.questions[s.state.nextQuestion()] != nil || s.state.byAnswer[s.state.nextAnswer()] != nil {
			t.Error("the next ids are taken")
		}
	})
}

// FuzzSpace: a space that is valid maps its ends and its middle there and back, and survives JSON.
func FuzzSpace(f *testing.F) {
	for _, p := range ranges {
		data, err := json.Marshal(space.Box(p, space.Float("other", 0, 1)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"params":[{"name":"x","low":-1e308,"high":1e308},{"name":"x"}]}`))
	f.Add([]byte(`{"items":[{"id":"a"},{"id":"b","text":"B"}],"params":[{"name":"x","low":0,"high":1},{"name":"c","type":"bool","context":true}],"constraints":["item == \"a\" || x > 0.5"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s space.Space
		if json.Unmarshal(data, &s) != nil || (Config{Space: s}).Validate() != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back space.Space
		if err := json.Unmarshal(again, &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Fatalf("read back as %v (%v), want %v", back, err, s)
		}
		if c, err := coding.New(s); err != nil || c.Dim != len(s.Parameters) {
			return // choices and circles have several coordinates, and are TestEveryLevel's and TestCircularCoding's
		}
		for _, at := range []float64{0, 0.25, 0.5, 0.75, 1} {
			u := make([]float64, coding.Dimension(s))
			for j := range u {
				u[j] = at
			}
			v, err := unitOf(s, optionOf(s, u))
			if err != nil {
				t.Fatal(err)
			}
			for j, p := range s.Parameters {
				if !(v[j] >= 0 && v[j] <= 1) || (at == 0 || at == 1) && v[j] != at {
					t.Errorf("%+v: %g → %v → %g", p, at, optionOf(s, u)[p.Name], v[j])
				}
			}
		}
	})
}

// FuzzConfig: a config that is valid is valid with its defaults, which are the same however often they
// are filled in and written down.
func FuzzConfig(f *testing.F) {
	for _, c := range []Config{
		{Space: coffee()},
		{Space: sampled(3), Seed: 2},
		Config{Space: unitSquare(), Answers: Answers{Forced: true, Grades: 2}, Method: "eubo", Seed: 1 << 63}.withDefaults(),
		{Space: unitSquare(), Initial: -1, Separation: -1, Modelling: Modelling{Model: gp.Model{Inference: gp.Sparse, Cut: gp.Gamma(2, 3)}}},
	} {
		data, err := json.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var c Config
		if json.Unmarshal(data, &c) != nil || c.Validate() != nil {
			return
		}
		full := c.withDefaults()
		if err := full.Validate(); err != nil {
			t.Fatalf("with defaults: %v", err)
		}
		first, err := json.Marshal(full)
		if err != nil {
			t.Fatal(err)
		}
		var back Config
		if err := json.Unmarshal(first, &back); err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(back.withDefaults())
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("defaults of defaults (%v)\n%s, want\n%s", err, second, first)
		}
	})
}
