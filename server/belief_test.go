package server

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// play answers questions by which option has more milk, and with first where none has any.
func (h *testServer) play(rater string, n int) {
	h.t.Helper()
	milk := func(o space.Option) float64 {
		if _, has := o["milk"]; !has {
			return 0
		}
		return o.Float("milk")
	}
	for range n {
		q := h.ask(rater)
		choice := "first"
		if milk(q.Options[0].Params) < milk(q.Options[1].Params) {
			choice = "second"
		}
		h.tell(q, choice)
	}
}

// TestBelief: what is served is what the study says.
func TestBelief(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 8)
	study, err := h.store.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	want, err := study.Belief(t.Context(), prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	var b belief
	h.want(200, "GET", "/v1/studies/coffee/belief?params=milk&points=5", "", &b)
	slice, err := want.Slice("milk", 5)
	if err != nil {
		t.Fatal(err)
	}
	if b.Answers != 8 || len(b.Slices) != 1 || len(b.Slices["milk"]) != 5 || b.Slices["milk"][3] != slice[3] || len(b.Importance) != 2 || b.Importance[0].Parameter != "milk" || len(b.Ranking) != 1 {
		t.Errorf("believed %+v", b)
	}
	var m live.UtilityMap
	h.want(200, "GET", "/v1/studies/coffee/map?x=milk&y=sugar&n=4", "", &m)
	if len(m.X) != 4 || len(m.Y) != 4 || len(m.Mean) != 4 || len(m.Mean[0]) != 4 || len(m.SD) != 4 {
		t.Fatalf("mapped %+v", m)
	}
	mean, sd, err := want.Utility(space.Option{"milk": m.X[3], "sugar": m.Y[1]})
	if err != nil || *m.Mean[1][3] != mean || *m.SD[1][3] != sd {
		t.Errorf("the map says %g ± %g, want %g ± %g (%v)", *m.Mean[1][3], *m.SD[1][3], mean, sd, err)
	}
	var p predicted
	h.want(200, "POST", "/v1/studies/coffee/predict", `{"options":[{"milk":1,"sugar":2},{"milk":0,"sugar":2}]}`, &p)
	if len(p.Utilities) != 2 || p.Utilities[0].Mean <= p.Utilities[1].Mean {
		t.Errorf("predicted %+v", p)
	}
	p = predicted{}
	h.want(200, "POST", "/v1/studies/coffee/predict", `{"pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}],[{"milk":0,"sugar":2},{"milk":1,"sugar":2}]]}`, &p)
	if len(p.PFirst) != 2 || p.PFirst[0] < 0.5 || math.Abs(p.PFirst[0]+p.PFirst[1]-1) > 1e-12 {
		t.Errorf("predicted %+v", p)
	}
	three := []space.Option{{"milk": space.ValueOf(1), "sugar": space.ValueOf(2)}, {"milk": space.ValueOf(0), "sugar": space.ValueOf(2)}, {"milk": space.ValueOf(0.5), "sugar": space.ValueOf(5)}}
	p = predicted{}
	h.want(200, "POST", "/v1/studies/coffee/predict", `{"options":[{"milk":1,"sugar":2},{"milk":0,"sugar":2},{"milk":0.5,"sugar":5}],"joint":true,"samples":3,"seed":9}`, &p)
	_, cov, err := want.Joint(three)
	if err != nil {
		t.Fatal(err)
	}
	draws, err := want.Samples(three, 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Concat(p.Covariance...), cov) || len(p.Covariance) != 3 || !slices.Equal(slices.Concat(p.Samples...), slices.Concat(draws...)) || len(p.Samples) != 3 {
		t.Errorf("together %v and %v, want %v and %v", p.Covariance, p.Samples, cov, draws)
	}
	var g gained
	h.want(200, "POST", "/v1/studies/coffee/gain", `{"pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}],[{"milk":1,"sugar":2},{"milk":0.5,"sugar":5}]]}`, &g)
	gains, err := study.Worth(t.Context(), prefer.Look{}, "kg", [][2]space.Option{{three[0], three[1]}, {three[0], three[2]}})
	if err != nil || g.Method != "kg" || !slices.Equal(g.Gains, gains) {
		t.Errorf("gains %+v, want %v (%v)", g, gains, err)
	}
	h.want(200, "POST", "/v1/studies/coffee/gain", `{"method":"eubo","pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}]]}`, &g)
	if g.Method != "eubo" || len(g.Gains) != 1 {
		t.Errorf("by eubo %+v", g)
	}
	var best prefer.Best
	h.want(200, "GET", "/v1/studies/coffee/best", "", &best)
	if got, want := best.Option.Float("milk"), want.Best().Float("milk"); got != want {
		t.Errorf("the best has %g milk, want %g", got, want)
	}
	var verdict prefer.Verdict
	h.want(200, "GET", "/v1/studies/coffee/verdict", "", &verdict)
	if verdict.Best.Option.Float("milk") != best.Option.Float("milk") || verdict.Sentence == "" {
		t.Errorf("the verdict is %+v", verdict)
	}
	if st := h.ask("ann").Status; st.At != 8 || *st.Confidence != verdict.Best.Confidence || st.Sentence != verdict.Sentence {
		t.Errorf("the status is %+v, the verdict %+v", st, verdict)
	}
	var raters struct{ Raters []Rater }
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters)
	if len(raters.Raters) != 1 || raters.Raters[0].Name != "ann" || raters.Raters[0].Answers != 8 || raters.Raters[0].Left.Of != 8 {
		t.Errorf("the raters are %+v", raters)
	}
	for _, c := range []struct{ kind, field, method, path, body string }{
		{"invalid", "query.params", "GET", "belief?params=tea", ""},
		{"invalid", "query.params", "GET", "belief?params=milk,sugar,milk", ""},
		{"invalid", "query.params", "GET", "belief?points=201&params=milk" + strings.Repeat(",milk", 1500), ""},
		{"invalid", "query.points", "GET", "belief?points=1", ""},
		{"invalid", "query.points", "GET", "belief?points=many", ""},
		{"invalid", "query.x", "GET", "map?y=milk", ""},
		{"invalid", "query.x", "GET", "map?x=tea&y=milk", ""},
		{"invalid", "query.y", "GET", "map?x=milk&y=milk", ""},
		{"invalid", "query.n", "GET", "map?x=milk&y=sugar&n=1000", ""},
		{"invalid", "body", "POST", "predict", `{}`},
		{"invalid", "body", "POST", "predict", `{"options":[{}],"pairs":[[{},{}]]}`},
		{"option", "body.options[1]", "POST", "predict", `{"options":[{"milk":1,"sugar":2},{"milk":1}]}`},
		{"invalid", "body.pairs[0]", "POST", "predict", `{"pairs":[[{"milk":1,"sugar":2}]]}`},
		{"option", "body.pairs[0]", "POST", "predict", `{"pairs":[[{"milk":1,"sugar":2},{"milk":9,"sugar":2}]]}`},
		{"invalid", "body.options", "POST", "predict", `{"pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}]],"joint":true}`},
		{"invalid", "body.options", "POST", "predict", `{"options":[{"milk":1,"sugar":2}` + strings.Repeat(`,{"milk":1,"sugar":2}`, 500) + `],"joint":true}`},
		{"invalid", "body.samples", "POST", "predict", `{"options":[{"milk":1,"sugar":2},{"milk":1,"sugar":2},{"milk":1,"sugar":2}],"samples":100000}`},
		{"invalid", "body.samples", "POST", "predict", `{"options":[{"milk":1,"sugar":2}],"samples":-1}`},
		{"invalid", "body.seed", "POST", "predict", `{"options":[{"milk":1,"sugar":2}],"seed":3}`},
		{"invalid", "body.pairs", "POST", "gain", `{"pairs":[]}`},
		{"invalid", "body.pairs[0]", "POST", "gain", `{"pairs":[[{"milk":1,"sugar":2}]]}`},
		{"option", "body.pairs[1]", "POST", "gain", `{"pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}],[{"milk":1,"sugar":2},{"milk":9,"sugar":2}]]}`},
		{"method", "body.method", "POST", "gain", `{"method":"random","pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}]]}`},
		{"method", "body.method", "POST", "gain", `{"method":"mine","pairs":[[{"milk":1,"sugar":2},{"milk":0,"sugar":2}]]}`},
		{"shared", "", "GET", "group", ""},
	} {
		h.refused(422, c.kind, c.field, c.method, "/v1/studies/coffee/"+c.path, c.body)
	}
}

// TestBeliefConstrained: where nothing is allowed the map has no value.
func TestBeliefConstrained(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed"`, `"constraints":["milk + sugar <= 3"],"seed"`, 1), nil)
	var m live.UtilityMap
	h.want(200, "GET", "/v1/studies/coffee/map?x=milk&y=sugar&n=3", "", &m)
	if m.Mean[0][0] == nil || m.Mean[2][2] != nil || m.SD[2][2] != nil {
		t.Errorf("mapped %v", m.Mean)
	}
}
