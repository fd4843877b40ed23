package bench

import (
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/problem"
)

func TestSetupName(t *testing.T) {
	for want, s := range map[string]Setup{
		"default":                   {},
		"paper":                     {Modelling: Modelling{Model: "paper"}},
		"default initial=4d":        {Modelling: Modelling{Model: "default", Initial: "4d"}, Link: "probit"},
		"default sigma=0":           {Sigma: sigma(0)},
		"paper lapse=0.05":          {Modelling: Modelling{Model: "paper"}, Lapse: 0.05},
		"default link=logistic":     {Link: "logistic"},
		"paper look-ahead=0.25":     {Modelling: Modelling{Model: "paper", LookAhead: 0.25}},
		"default sigma=0.1 lapse=1": {Sigma: sigma(0.1), Lapse: 1},
		"default belief=averaged":   {Modelling: Modelling{Belief: "averaged"}},
		"default at-once=10":        {AtOnce: 10},
		"default answers=tie":       {Answers: "tie"},
		"default answers=clearly":   {Answers: "clearly", Clearly: "median"},
		"default answers=both clearly=seen grade=lognormal(1,2)": {Answers: "both", Clearly: "seen", Grade: "lognormal(1,2)"},
		"paper starts=2": {Modelling: Modelling{Model: "paper", Belief: "likeliest", Starts: 2}},
		"default trend=gamma(2,0.15) margin=-1 design=pairs":                                                             {Modelling: Modelling{Trend: "gamma(2,0.15)", Margin: -1}, Design: "pairs"},
		"default initial=12 inference=laplace lengthscale=gamma(3,6) outputscale=lognormal(2.3,2) look-ahead=2 starts=8": {Modelling: Modelling{Initial: "12", Inference: "laplace", Lengthscale: "gamma(3,6)", Outputscale: "lognormal(2.3,2)", LookAhead: 2, Starts: 8}},
	} {
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if got := s.Name(); got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}

func TestSetupErrors(t *testing.T) {
	for want, s := range map[string]Setup{
		`model "papr"`:     {Modelling: Modelling{Model: "papr"}},
		`initial "four"`:   {Modelling: Modelling{Initial: "four"}},
		`initial "0"`:      {Modelling: Modelling{Initial: "0"}},
		`initial "-2d"`:    {Modelling: Modelling{Initial: "-2d"}},
		`"newton"`:         {Modelling: Modelling{Inference: "newton"}},
		`gamma(3)`:         {Modelling: Modelling{Lengthscale: "gamma(3)"}},
		`normal`:           {Modelling: Modelling{Outputscale: "normal(0,1)"}},
		`LookAhead = -1`:   {Modelling: Modelling{LookAhead: -1}},
		`starts -1`:        {Modelling: Modelling{Starts: -1}},
		`at once -1`:       {AtOnce: -1},
		`at once 1001`:     {AtOnce: 1001},
		`sigma -1`:         {Sigma: sigma(-1)},
		`sigma NaN`:        {Sigma: sigma(math.NaN())},
		`sigma +Inf`:       {Sigma: sigma(math.Inf(1))},
		`link "cauchy"`:    {Link: "cauchy"},
		`Rater.Lapse = 2`:  {Lapse: 2},
		`Rater.Lapse = -1`: {Lapse: -1},
		`answers "graded"`: {Answers: "graded"},
		`clearly "often"`:  {Answers: "both", Clearly: "often"},
		`clearly "seen"`:   {Answers: "tie", Clearly: "seen"},
		`want none`:        {Grade: "flat"},
		`gamma(1)`:         {Answers: "clearly", Grade: "gamma(1)"},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error with %s", s, err, want)
		}
	}
}

func TestSetupPairs(t *testing.T) {
	for _, c := range []struct {
		s    Setup
		d, n int
	}{
		{Setup{Modelling: Modelling{Model: "paper"}}, 2, 8}, {Setup{Modelling: Modelling{Model: "paper"}}, 7, 28}, {Setup{Modelling: Modelling{Model: "paper", Initial: "12"}}, 7, 12},
		{Setup{}, 2, 2}, {Setup{}, 6, 2}, {Setup{Modelling: Modelling{Initial: "4d"}}, 6, 24},
	} {
		if n, err := c.s.pairs(c.d); err != nil || n != c.n {
			t.Errorf("%s in %d dimensions: %d pairs, %v, want %d", c.s.Name(), c.d, n, err, c.n)
		}
	}
}

// TestPaperToTheLetter holds the model of "paper" to §4 and to the numbers of the paper's stack where it
// names none (docs/dev/paper.md, section 2), as the study will see it.
func TestPaperToTheLetter(t *testing.T) {
	design := NewDesign(6, 24, 5)
	cfg, err := Setup{Modelling: Modelling{Model: "paper"}}.Config(problem.Hartmann6(), "eubo", design)
	if err != nil {
		t.Fatal(err)
	}
	study, err := prefer.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg = study.Config()
	m := cfg.Model
	if m.Inference != gp.Sparse || m.Noise != 1 || cfg.LookAhead != 1 {
		t.Errorf("inference %v, noise %g and %g, want sparse, 1 and 1", m.Inference, m.Noise, cfg.LookAhead)
	}
	if m.Lengthscale != gp.Gamma(3, 6) || m.Outputscale != gp.Gamma(2, 0.15) {
		t.Errorf("priors %v and %v, want Gamma(3, 6) and Gamma(2, 0.15)", m.Lengthscale, m.Outputscale)
	}
	if o := m.SparseOptions; o.Inducing != 200 || o.Nodes != 20 || len(o.Candidates) != 100*6 {
		t.Errorf("%d inducing points, %d nodes, %d candidates, want 200, 20 and 100", o.Inducing, o.Nodes, len(o.Candidates)/6)
	}
	if cfg.Method != "eubo" || !cfg.Answers.Forced || cfg.Answers.Grades != 0 || cfg.Separation >= 0 || !cfg.Repeats || cfg.Margin >= 0 {
		t.Errorf("%+v: want eubo, two outcomes, any pair at any distance anywhere", cfg)
	}
	if cfg.Belief != "likeliest" || cfg.BeliefModels != nil {
		t.Errorf("the best option is that of %q, want of the model that asks (§4)", cfg.Belief)
	}
	if len(cfg.Space.Parameters) != 6 || cfg.Seed&questionStream == 0 {
		t.Errorf("%d dimensions, seed %d: want 6, and a stream of its own", len(cfg.Space.Parameters), cfg.Seed)
	}
}

func TestRaterOf(t *testing.T) {
	p := problem.Quadratic(2)
	file := &Designs{sigma: map[string]map[string]float64{"quadratic2": {"0.1": 0.25}}}
	for _, c := range []struct {
		name    string
		s       Setup
		noise   float64
		designs *Designs
		want    float64
		within  float64
	}{
		{"no noise", Setup{}, 0, nil, 0, 0},
		{"by hand", Setup{Sigma: sigma(0.5)}, 0.1, file, 0.5, 0},
		{"of the file", Setup{}, 0.1, file, 0.25, 0},
		// docs/dev/paper.md has the closed form for the Quadratic; calibration is on a sample.
		{"calibrated, the file is silent", Setup{}, 0.3, file, 3.72072e-3, 2e-5},
	} {
		r, err := c.s.rater(p, c.noise, c.designs, 0)
		if err != nil || math.Abs(r.Sigma-c.want) > c.within {
			t.Errorf("%s: σ = %g, %v, want %g", c.name, r.Sigma, err, c.want)
		}
	}
	for text, want := range map[string]problem.Rater{
		"forced":  {},
		"tie":     {Delta: 0.5},
		"clearly": {Grading: problem.Grading{Clearly: problem.ClearBeyond, Cut: problem.MedianDifference(p)}},
		"both":    {Delta: 0.5, Grading: problem.Grading{Clearly: problem.ClearBeyond, Cut: problem.MedianDifference(p)}},
	} {
		r, err := Setup{Answers: text, Sigma: sigma(1)}.rater(p, 0.1, nil, 0)
		if err != nil || r.Delta != want.Delta || r.Clearly != want.Clearly || r.Cut != want.Cut {
			t.Errorf("%s: %+v, %v, want %+v", text, r, err, want)
		}
	}
	r, err := Setup{Link: "logistic", Lapse: 0.1, Sigma: sigma(1)}.rater(p, 0.1, nil, 0)
	if err != nil || r.Link != problem.Logistic || r.Lapse != 0.1 {
		t.Errorf("%+v, %v: want logistic noise and a lapse of 0.1", r, err)
	}
}
