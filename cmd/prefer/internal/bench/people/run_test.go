package people

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// short is a plan of all kinds of people that is played in some seconds.
func short() Plan {
	return Plan{Numbers: 1, Seed: 4, Populations: []string{"outlier"}, Spaces: []string{"1", "2m"}, Family: "linear", People: []int{4}, Careless: []int{0, 1}, Marks: []int{2, 3}, Method: "random"}
}

func run(t *testing.T, p Plan, path string) []Study {
	t.Helper()
	f, err := bench.OpenRows[looked, Study](path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := p.Run(context.Background(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// played returns all but the seconds, to the last bit.
func played(studies []Study) map[key]string {
	out := map[key]string{}
	for _, s := range studies {
		for _, v := range s.Values {
			if v.Measure != cost {
				out[s.key] += fmt.Sprintln(v)
			}
		}
	}
	return out
}

// TestRun: what is played depends neither on the jobs nor on a file that was cut off in the middle of a line, and nothing is
// played twice. Its counts are as checkCounts says.
func TestRun(t *testing.T) {
	p := short()
	p.Jobs = 1
	path := filepath.Join(t.TempDir(), "people.jsonl")
	studies := run(t, p, path)
	checkCounts(t, studies)
	one := played(studies)
	if len(one) != 2*2*3 {
		t.Fatalf("%d studies, want 12", len(one))
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:3], "")+lines[3][:20]), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Jobs = 3
	three := played(run(t, p, path))
	for k, s := range one {
		if three[k] != s {
			t.Errorf("%+v: %s, want %s", k, three[k], s)
		}
	}
	f, err := bench.OpenRows[looked, Study](path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	calls := 0
	if _, err := p.Run(context.Background(), f, func(played, of int) {
		if calls++; played != 12 || of != 12 {
			t.Errorf("%d of %d are there, want all", played, of)
		}
	}); err != nil || calls != 1 {
		t.Errorf("%d calls, %v: something is played again", calls, err)
	}
}

// checkCounts: of four people one is an outlier, and perhaps one careless; each is looked at once at every mark, the newcomer
// before their first answer too, and pairs of the honest are compared.
func checkCounts(t *testing.T, studies []Study) {
	t.Helper()
	for _, s := range studies {
		at := map[what]int{}
		for _, v := range s.Values {
			at[what{v.Measure, v.Answers}] = v.Of
		}
		honest := 4 - s.Careless
		want := map[what]int{{everybody.missed, 2}: honest - 1, {everybody.held, 3}: honest - 1, {outlier.missed, 3}: 1, {groupMissed, 3}: 1,
			{newcomer.missed, 0}: 1 - s.Careless, {newcomer.missed, 3}: 1 - s.Careless, {newcomer.missed, 1}: 0}
		for k, n := range want {
			if at[k] != n {
				t.Errorf("%s, %d careless: %d of %s after %d, want %d", s.Arm, s.Careless, at[k], k.Measure, k.Answers, n)
			}
		}
		pairs, people := at[what{agreementError, 3}], at[what{differFound, 3}]+at[what{differWrong, 3}]
		if held, found, wrong, camps := at[what{agreementHeld, 3}], at[what{carelessFound, 3}], at[what{carelessWrong, 3}], at[what{campsWrong, 3}]; s.Arm != "shared" &&
			(held != pairs || found != s.Careless || wrong != honest || camps != 1) {
			t.Errorf("%s, %d careless: %d intervals, %d careless, %d not, %d looks for camps", s.Arm, s.Careless, held, found, wrong, camps)
		}
		if s.Arm == "shared" && pairs+people > 0 || s.Arm != "shared" && (pairs != honest*(honest-1)/2 || people != honest) {
			t.Errorf("%s, %d careless: %d pairs and %d people compared", s.Arm, s.Careless, pairs, people)
		}
	}
}

func TestPlan(t *testing.T) {
	for want, set := range map[string]func(*Plan){
		"9": func(p *Plan) { p.Spaces = []string{"9"} }, "crowd": func(p *Plan) { p.Populations = []string{"crowd"} },
		"salty": func(p *Plan) { p.Family = "salty" }, "People": func(p *Plan) { p.People = []int{1} }, "Careless": func(p *Plan) { p.Careless = []int{-1} },
		"a quarter": func(p *Plan) { p.Careless, p.People = []int{2}, []int{3, 6} }, "Marks": func(p *Plan) { p.Marks = []int{5, 5} }, "guess": func(p *Plan) { p.Method = "guess" },
	} {
		p := short()
		set(&p)
		f, _ := bench.OpenRows[looked, Study]("")
		if _, err := p.Run(context.Background(), f, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want it to name %s", p, err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, _ := bench.OpenRows[looked, Study]("")
	if _, err := short().Run(ctx, f, nil); err == nil {
		t.Error("a plan that was called off is played")
	}
	if n := len((Plan{Numbers: 1, People: []int{3, 12}, Careless: []int{0, 1, 3}, Spaces: []string{"2"}}).withDefaults().cells()); n != 6*(1+3) {
		t.Errorf("%d cells, want 24: nobody of three is careless", n)
	}
}
