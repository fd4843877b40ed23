package external

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/problem"
)

// TestMain makes this binary the programs of the tests: EXTERNAL names how it behaves.
func TestMain(m *testing.M) {
	if name := os.Getenv("EXTERNAL"); name != "" {
		program(name)
		return
	}
	os.Exit(m.Run())
}

// program answers as a test wants it to. Its words are first line, then the answer to every line; "…" reads on.
func program(name string) {
	first, answer, _ := strings.Cut(name, "|")
	fmt.Println(first)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		switch answer {
		case "sum": // of the coordinates
			var q struct{ X [][]float64 }
			if err := json.Unmarshal(in.Bytes(), &q); err != nil {
				panic(err)
			}
			fmt.Printf(`{"f": [%v]}`+"\n", q.X[0][0]+q.X[0][1])
		case "ends":
			if n == 2 {
				os.Exit(3)
			}
			fmt.Println(`{"f": [1]}`)
		case "hangs":
			time.Sleep(time.Hour)
		case "best": // asks for the posterior, and takes the two best of three points
			var p struct{ Mean []float64 }
			points := `[[0.1, 0.1], [0.9, 0.9], [0.5, 0.5]]`
			fmt.Printf(`{"at": %s}`+"\n", points)
			in.Scan()
			if err := json.Unmarshal(in.Bytes(), &p); err != nil {
				panic(err)
			}
			order := []int{0, 1, 2}
			slices.SortFunc(order, func(i, j int) int {
				if p.Mean[i] > p.Mean[j] {
					return -1
				}
				return 1
			})
			at := []string{"[0.1, 0.1]", "[0.9, 0.9]", "[0.5, 0.5]"}
			fmt.Printf(`{"a": %s, "b": %s, "value": 0.5}`+"\n", at[order[0]], at[order[1]])
		default:
			fmt.Println(answer)
		}
	}
}

// command is this binary with a behaviour.
func command(t *testing.T, name string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Line: fmt.Sprintf("EXTERNAL='%s' exec '%s'", name, self), Timeout: 20 * time.Second}
}

const square = `{"name": "square", "dim": 2, "upper": [2, 2], "lower": [-2, -2], "optimum": 4}`

func TestProblem(t *testing.T) {
	p, end, err := Problem(command(t, square+"|sum"))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if p.Name != "square" || p.Optimum != 4 || p.Gap([]float64{1, 0.5}) != 2 {
		t.Errorf("%+v, with the gap %g, want 2", p, p.Gap([]float64{1, 0.5}))
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 50 {
				if got, want := p.Utility([]float64{float64(i), float64(k)}), float64(i+k); got != want {
					t.Errorf("utility %g, want %g", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// TestProblemFails: whatever a program does wrong is an error that names it and the line.
func TestProblemFails(t *testing.T) {
	for name, want := range map[string]string{
		"rubbish|x":                        "line 1: \"rubbish\" is not what is expected",
		`{"name": "Big Name", "dim": 2}|x`: "line 1: the name is \"Big Name\"",
		`{"name": "none"}|x`:               "line 1: problem: \"none\" has dimension 0",
		`{"name": "flat", "dim": 1, "lower": [1], "upper": [1]}|x`: "line 1: problem: \"flat\" has bounds[0] = [1, 1]",
		square + "|rubbish":                 "line 2: \"rubbish\" is not what is expected",
		square + `|{"f": [NaN]}`:            "line 2: \"{\\\"f\\\": [NaN]}\" is not what is expected",
		square + `|{"f": [1, 2]}`:           "line 2: 2 utilities for 1 point",
		square + `|{"g": 1}`:                "line 2: 0 utilities for 1 point",
		square + `|{"error": "out of ink"}`: "line 2: it says: out of ink",
		square + "|ends":                    "line 2: no answer: exit status 3",
		square + "|hangs":                   "line 2: no answer within 300ms",
	} {
		c := command(t, name)
		if strings.HasSuffix(name, "hangs") {
			c.Timeout = 300 * time.Millisecond
		}
		p, end, err := Problem(c)
		if err == nil {
			err = problem.Catch(func() error {
				for range 3 {
					p.Utility([]float64{0, 0})
				}
				return nil
			})
			end()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "external: \"EXTERNAL=") {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, _, err := Problem(Command{Line: "exit 7"}); err == nil || !strings.Contains(err.Error(), "line 1: no answer: exit status 7") {
		t.Errorf("a command that is none: %v", err)
	}
}

// task is one of a study in which more is better.
func task(t *testing.T) acquisition.Task {
	t.Helper()
	duels := &gp.Duels{Dim: 2}
	for _, x := range [][4]float64{{0.8, 0.7, 0.2, 0.1}, {0.9, 0.4, 0.3, 0.3}, {0.1, 0.1, 0.6, 0.6}} {
		o := gp.Outcome(1)
		if x[0] < x[2] {
			o = -1
		}
		if err := duels.Add(x[:2], x[2:], o); err != nil {
			t.Fatal(err)
		}
	}
	post, err := gp.Model{}.Fit(t.Context(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	return acquisition.Task{Posterior: post, Duels: duels, Seed: 1 << 60, Count: 3, Shown: duels.A}
}

func TestMethod(t *testing.T) {
	name, m, end, err := Method(command(t, `{"name": "mine"}|best`))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	task := task(t)
	for range 2 {
		c, err := m(t.Context(), task)
		if err != nil || name != "mine" || c.A[0] != 0.9 || c.B[0] != 0.5 || c.Value != 0.5 {
			t.Errorf("%s chose %+v, %v", name, c, err)
		}
	}
	q := newQuestion(task)
	if q.Dim != 2 || q.Seed != 1<<60 || q.Count != 3 || q.Noise != task.Posterior.Noise() || len(q.Shown) != 3 || len(q.Duels) != 3 || q.Duels[2].Outcome != -1 || q.Upper[1] != 1 {
		t.Errorf("the method is told %+v", q)
	}
	task.Domain = &acquisition.Domain{}
	if _, err := m(t.Context(), task); err == nil || !strings.Contains(err.Error(), "real numbers alone") {
		t.Errorf("on another domain: %v", err)
	}
}

func TestMethodFails(t *testing.T) {
	for answer, want := range map[string]string{
		`{"a": [0.5, 0.5], "b": [0.5, 1.5]}`: "line 2: b[1] = 1.5, want 0 to 1",
		`{"a": [0.5], "b": [0.5, 0.5]}`:      "line 2: a has 1 coordinates, want 2",
		`{"a": [0.5, NaN], "b": [0.5, 0.5]}`: "is not what is expected",
		`{}`:                                 `line 2: want {"a": […], "b": […]}`,
		`{"at": []}`:                         `line 2: "at" has 0 points, want 1 to 2000`,
		`{"at": [[0.5, 2]]}`:                 "line 2: at[0][1] = 2, want 0 to 1",
		`{"error": "no idea"}`:               "line 2: it says: no idea",
		"hangs":                              "line 2: no answer within 300ms",
	} {
		c := command(t, `{"name": "mine"}|`+answer)
		if answer == "hangs" {
			c.Timeout = 300 * time.Millisecond
		}
		_, m, end, err := Method(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = m(t.Context(), task(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
		end()
	}
}
