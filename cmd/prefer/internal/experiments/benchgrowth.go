package experiments

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

type benchGrowth struct {
	Answers []int         `help:"Numbers of answers at which to measure." default:"30,100,300,1000,3000,10000" placeholder:"N,…"`
	Dims    int           `help:"Number of parameters." default:"6" least:"1" placeholder:"N"`
	Repeats int           `help:"Further answers per measurement, of which the median is taken." default:"5" least:"1" placeholder:"N"`
	Seed    uint64        `help:"Random seed."`
	Think   time.Duration `help:"How long the rater thinks about each question; the server works ahead meanwhile." default:"0s"`
}

// growth is what a study takes after so many answers, in milliseconds of waiting, and in bytes that its server keeps.
type growth struct {
	Answers  int     `json:"answers"`
	Import   float64 `json:"import"`    // of all of them, by REST
	First    float64 `json:"first_ask"` // of a study that was opened
	Ask      float64 `json:"ask"`       // after one more answer, in process
	Slowest  float64 `json:"slowest"`   // of those
	Best     float64 `json:"best"`      // then
	Verdict  float64 `json:"verdict"`   // then
	TellNext float64 `json:"tell_next"` // by REST
	GetBest  float64 `json:"get_best"`  // by REST, then
	Memory   uint64  `json:"memory"`
}

func (c benchGrowth) Run(ctx context.Context, s cli.Streams) error {
	show := cli.NewProgress(s.Err, "growth", time.Now)
	defer show.End()
	rows := make([]growth, len(c.Answers))
	for i, n := range c.Answers {
		if n < 1 {
			return cli.FlagError("--answers", n, "want numbers from 1 on")
		}
		show.Count("counts")(i, len(c.Answers))
		var err error
		if rows[i], err = c.measure(ctx, n); err != nil {
			return err
		}
	}
	return s.Result(rows, func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "answers\timport\tfirst ask\task\tslowest\tbest\tverdict\ttell with next\tGET best\tMB\t")
		for _, r := range rows {
			fmt.Fprintf(t, "%d\t%.0f ms\t%.0f ms\t%.1f ms\t%.0f ms\t%.1f ms\t%.1f ms\t%.1f ms\t%.1f ms\t%d\t\n",
				r.Answers, r.Import, r.First, r.Ask, r.Slowest, r.Best, r.Verdict, r.TellNext, r.GetBest, r.Memory>>20)
		}
		return t.Flush()
	})
}

// growthPerson prefers what is near a place of their own, with noise.
type growthPerson struct {
	dims int
	rng  *rand.Rand
}

func (p growthPerson) option() space.Option {
	o := space.Option{}
	for j := range p.dims {
		o[fmt.Sprint("p", j)] = space.ValueOf(p.rng.Float64())
	}
	return o
}

func (p growthPerson) choose(first, second space.Option) prefer.Choice {
	d := 0.3 * p.rng.NormFloat64()
	for j := range p.dims {
		best, name := 0.3+0.05*float64(j), fmt.Sprint("p", j)
		a, b := first.Float(name)-best, second.Float(name)-best
		d += 3 * (b*b - a*a)
	}
	if d > 0 {
		return prefer.First
	}
	return prefer.Second
}

// measure imports n answers into a server, and measures there and on the study in process.
func (c benchGrowth) measure(ctx context.Context, n int) (g growth, err error) {
	folder, err := os.MkdirTemp("", "growth")
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	st, err := sqlstore.Open(ctx, filepath.Join(folder, "growth.db"), sqlstore.Options{})
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	parameters := xslices.Times(c.Dims, func(j int) space.Parameter { return space.Float(fmt.Sprint("p", j), 0, 1) })
	if _, err := st.Create(ctx, "growth", prefer.Config{Space: space.Box(parameters...), Seed: c.Seed}); err != nil {
		return g, err
	}
	srv, err := server.New(server.Config{Store: st})
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, srv.Close(context.WithoutCancel(ctx))) }()
	site := httptest.NewServer(srv.Handler())
	defer site.Close()
	call := func(method, path string, body []byte, reply any) float64 {
		began := time.Now()
		err = errors.Join(err, request(ctx, method, site.URL+"/v1/studies/growth/"+path, body, reply))
		return milliseconds(began)
	}
	g = growth{Answers: n}
	person := growthPerson{c.Dims, rand.New(rand.NewPCG(c.Seed, uint64(n)))}
	var pairs bytes.Buffer
	for range n {
		a, b := person.option(), person.option()
		if person.choose(a, b) == prefer.Second {
			a, b = b, a
		}
		if err := json.NewEncoder(&pairs).Encode(map[string]space.Option{"winner": a, "loser": b}); err != nil {
			return g, err
		}
	}
	g.Import = call("POST", "import?format=pairs", pairs.Bytes(), nil)
	if err != nil {
		return g, err
	}
	if err := c.inProcess(ctx, st, person, &g); err != nil {
		return g, err
	}
	return g, c.byREST(call, person, &g, &err)
}

// inProcess measures the library.
func (c benchGrowth) inProcess(ctx context.Context, st *sqlstore.Store, person growthPerson, g *growth) error {
	study, err := st.Study(ctx, "growth")
	if err != nil {
		return err
	}
	study, err = prefer.Open(ctx, study.Events(0), prefer.OpenOptions{}) // a copy, so that the server's has its own answers
	if err != nil {
		return err
	}
	var ask, best, verdict []float64
	for range c.Repeats + 1 {
		began := time.Now()
		q, err := study.Ask(ctx, prefer.Request{})
		if err != nil {
			return err
		}
		ask, began = append(ask, milliseconds(began)), time.Now()
		if _, err := study.Best(ctx, prefer.Look{}); err != nil {
			return err
		}
		best, began = append(best, milliseconds(began)), time.Now()
		if _, err := study.Verdict(ctx, prefer.Look{}); err != nil {
			return err
		}
		verdict = append(verdict, milliseconds(began))
		time.Sleep(c.Think)
		if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: person.choose(q.First, q.Second)}); err != nil {
			return err
		}
	}
	g.Slowest = slices.Max(ask[1:])
	g.First, g.Ask, g.Best, g.Verdict = ask[0], middle(ask[1:]), middle(best[1:]), middle(verdict[1:])
	return nil
}

// byREST measures the server, and what it keeps.
func (c benchGrowth) byREST(call func(method, path string, body []byte, reply any) float64, person growthPerson, g *growth, err *error) error {
	type question struct {
		ID      string `json:"question_id"`
		Options []struct {
			ID     string       `json:"option_id"`
			Params space.Option `json:"params"`
		} `json:"options"`
		Order []string `json:"shown_order"`
	}
	var q question
	call("POST", "ask", []byte("{}"), &q)
	var tell, best []float64
	for range c.Repeats {
		if *err != nil {
			return *err
		}
		a, b := q.Options[0], q.Options[1]
		if q.Order[0] != a.ID {
			a, b = b, a
		}
		time.Sleep(c.Think)
		var told struct{ Next question }
		took := call("POST", "tell?next=true", fmt.Appendf(nil, `{"question_id":%q,"choice":%q}`, q.ID, person.choose(a.Params, b.Params)), &told)
		if q = told.Next; q.ID == "" { // a study that is done brings none
			took += call("POST", "ask", []byte("{}"), &q)
		}
		tell = append(tell, took)
		best = append(best, call("GET", "best", nil, nil))
	}
	g.TellNext, g.GetBest = middle(tell), middle(best)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.Memory = m.HeapAlloc
	return *err
}

func request(ctx context.Context, method, url string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, url, reply.Status, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

func milliseconds(began time.Time) float64 { return float64(time.Since(began).Microseconds()) / 1000 }

func middle(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
