package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// Modelling is how a study learns and asks. The zero value is prefer's defaults, but for Belief. Model "paper" is the sparse variational GP of §4 with at most
// 200 inducing points chosen by greedy variance reduction, Gamma priors, σ = 1 in model and look-ahead, 4d initial pairs. Tags make flags of the fields.
type Modelling struct {
	Model        string  `help:"default, or paper for the paper to the letter." enum:"default,paper" default:"default"`
	Initial      string  `help:"Initial pairs, as in 12 or, per dimension, 4d. Defaults to the model's." placeholder:"N"`
	Inference    string  `help:"ep, variational, laplace or sparse, in place of the model's." placeholder:"NAME"`
	Lengthscale  string  `help:"Prior of the lengthscales, as in gamma(3,6)." placeholder:"PRIOR"`
	Outputscale  string  `help:"Prior of the outputscale, as in gamma(2,0.15) or lognormal(2.3,2)." placeholder:"PRIOR"`
	Trend        string  `help:"Prior of the trend's variance, as in gamma(2,0.15), or none." placeholder:"PRIOR"`
	Alternatives string  `help:"none for the model alone, in place of the study's own alternatives to it." placeholder:"none"`
	Belief       string  `help:"Whose best option is measured: likeliest, x̂ of the model that asks, or averaged, what a study would tell." enum:",likeliest,averaged" default:"" placeholder:"KIND"`
	LookAhead    float64 `help:"Noise σ of the look-ahead, in place of the model's." placeholder:"SIGMA"`
	Margin       float64 `help:"Part of the range at both ends that early questions keep clear of, in place of the model's; negative for none." placeholder:"PART"`
	Starts       int     `help:"Local searches per question, in place of the default." placeholder:"N"`
}

// Setup is the choices of a sweep, those of the simulated rater included. The rater says "can't tell" below half the noise. With AtOnce a question is chosen
// with AtOnce − 1 answers fewer than in turn.
type Setup struct {
	Modelling
	AtOnce  int      `help:"Number of questions open at a time, that is, of parallel raters." placeholder:"N"`
	Sigma   *float64 `help:"Noise of the rater on a difference, in place of the calibrated one." placeholder:"S"`
	Design  string   `kong:"-"` // names the design file, if there is one, so that rows on other data have another name
	Link    string   `help:"Law of the rater's noise." enum:"probit,logistic" default:"probit"`
	Lapse   float64  `help:"Probability that the rater answers without looking." placeholder:"P"`
	Answers string   `help:"Answers that are offered and given: forced, tie, clearly or both." enum:"forced,tie,clearly,both" default:"forced" placeholder:"KIND"`
	Clearly string   `help:"When the rater says clearly: beyond the median difference of random pairs, the median of those seen so far, never, always, at random." enum:",median,seen,never,always,random" default:"" placeholder:"WHEN"`
	Grade   string   `help:"Prior of where clearly begins, as in lognormal(1.1,1.5)." placeholder:"PRIOR"`
}

// answerKinds are the answers of a setup by name: ties, grades.
var answerKinds = map[string]prefer.Answers{
	"": {Forced: true}, "forced": {Forced: true}, "tie": {}, "clearly": {Forced: true, Grades: 1}, "both": {Grades: 1},
}

// Name spells out what differs from the model's own choices, in a fixed order. Rows carry it.
func (s Setup) Name() string {
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	sigma := ""
	if s.Sigma != nil {
		sigma = strconv.FormatFloat(*s.Sigma, 'g', -1, 64)
	}
	name := cmp.Or(s.Model, "default")
	for _, c := range [][3]string{ // name, value, what it is by default
		{"initial", s.Initial}, {"inference", s.Inference}, {"lengthscale", s.Lengthscale}, {"outputscale", s.Outputscale}, {"trend", s.Trend},
		{"alternatives", s.Alternatives}, {"belief", s.Belief, "likeliest"}, {"look-ahead", number(s.LookAhead)}, {"margin", number(s.Margin)},
		{"starts", number(float64(s.Starts))}, {"at-once", number(float64(s.AtOnce))}, {"sigma", sigma}, {"design", s.Design},
		{"link", s.Link, "probit"}, {"lapse", number(s.Lapse)}, {"answers", s.Answers, "forced"}, {"clearly", s.Clearly, problem.ClearBeyond.String()},
		{"grade", s.Grade},
	} {
		if c[1] != "" && c[1] != c[2] {
			name += " " + c[0] + "=" + c[1]
		}
	}
	return name
}

// mostAtOnce bounds AtOnce: no study has so many people before it at a time.
const mostAtOnce = 1000

func (s Setup) paper() bool { return s.Model == "paper" }

// Validate reports a choice that makes no sense.
func (s Setup) Validate() error {
	if s.Model != "" && s.Model != "default" && !s.paper() {
		return fmt.Errorf("bench: model %q, want default or paper", s.Model)
	}
	offered, ok := answerKinds[s.Answers]
	if !ok {
		return fmt.Errorf("bench: answers %q, want forced, tie, clearly or both", s.Answers)
	}
	if offered.Grades == 0 && s.Clearly+s.Grade != "" {
		return fmt.Errorf("bench: clearly %q, grade %q, want none: answers are clearly or both where it can be said", s.Clearly, s.Grade)
	}
	if s.AtOnce < 0 || s.AtOnce > mostAtOnce {
		return fmt.Errorf("bench: at once %d, want 0 to %d", s.AtOnce, mostAtOnce)
	}
	if _, err := s.pairs(2); err != nil {
		return err
	}
	p := problem.Quadratic(2)
	cfg, err := s.Config(p, "kg", NewDesign(2, 0, 0))
	if err != nil {
		return err
	}
	if err := cfg.Validate(); err != nil {
		return err
	}
	r, err := s.rater(p, 0, nil, 0)
	if err != nil {
		return err
	}
	return r.Validate()
}

// pairs returns the number of initial pairs in d dimensions.
func (s Setup) pairs(d int) (int, error) {
	text := s.Initial
	if text == "" && s.paper() {
		text = "4d"
	} else if text == "" {
		st, err := prefer.New(context.Background(), prefer.Config{Space: unitSpace(d)})
		if err != nil {
			return 0, err
		}
		return st.Config().Initial, nil
	}
	digits, perDim := strings.CutSuffix(text, "d")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > 10_000 {
		return 0, fmt.Errorf("bench: initial %q, want a number of pairs or, per dimension, a number and d as in 4d", s.Initial)
	}
	if perDim {
		n *= d
	}
	return n, nil
}

// questionStream keeps a study's own choices, the Sobol pairs of "random" among them, apart from the
// initial pairs, which are another scramble of the same sequence.
const questionStream = 1 << 63

// Config returns the study of a cell: a box of the problem's dimension in unit coordinates, two
// outcomes unless it has more, and no rules that spare a person's patience, since the paper has none.
func (s Setup) Config(p problem.Problem, method string, d Design) (prefer.Config, error) {
	cfg := prefer.Config{
		Space: unitSpace(p.Dim), Answers: answerKinds[s.Answers], Method: method, Seed: d.Seed | questionStream,
		Separation: -1, Repeats: true,
	}
	cfg.Search.Workers = 1 // cells are what runs side by side
	if err := s.Choose(&cfg); err != nil {
		return cfg, err
	}
	if cfg.Initial = -1; cfg.Model.Inference == gp.Sparse { // the pairs are the design's
		cfg.Model.SparseOptions.Candidates = d.Inducing
	}
	return cfg, nil
}

// Choose puts the choices the setup makes into a study of any space: the model, the belief, margin, look-ahead and search, and
// the number of initial pairs, a parameter or a feature being a dimension. The rater's are not among them.
func (s Setup) Choose(cfg *prefer.Config) (err error) {
	if s.paper() {
		cfg.Model = gp.Model{Inference: gp.Sparse, Noise: 1, Lengthscale: gp.Gamma(3, 6), Outputscale: gp.Gamma(2, 0.15), Trend: gp.None()}
		cfg.Margin, cfg.Alternatives = -1, []prefer.Alternative{}
	}
	cfg.Margin, cfg.LookAhead = cmp.Or(s.Margin, cfg.Margin), cmp.Or(s.LookAhead, cfg.LookAhead)
	cfg.Belief = cmp.Or(s.Belief, cfg.Belief, "likeliest")
	if s.Initial != "" || s.paper() {
		d := len(cfg.Space.Parameters)
		if len(cfg.Space.Items) > 0 {
			d = len(cfg.Space.Items[0].Features)
		}
		if cfg.Initial, err = s.pairs(d); err != nil {
			return err
		}
	}
	if s.Inference != "" {
		if cfg.Model.Inference, err = gp.ParseInference(s.Inference); err != nil {
			return err
		}
	}
	for _, prior := range []struct {
		text string
		into *gp.Prior
	}{{s.Lengthscale, &cfg.Model.Lengthscale}, {s.Outputscale, &cfg.Model.Outputscale}, {s.Trend, &cfg.Model.Trend}, {s.Grade, &cfg.Model.Grade}} {
		if prior.text != "" {
			if *prior.into, err = gp.ParsePrior(prior.text); err != nil {
				return err
			}
		}
	}
	switch s.Alternatives {
	case "":
	case "none":
		cfg.Alternatives = []prefer.Alternative{}
	default:
		return fmt.Errorf("bench: alternatives %q, want none, or nothing for the study's own", s.Alternatives)
	}
	if s.Starts < 0 {
		return fmt.Errorf("bench: starts %d, want at least 0", s.Starts)
	}
	cfg.Search.Starts = cmp.Or(s.Starts, cfg.Search.Starts)
	return nil
}

// unitSpace is the unit cube: its options are the model's own coordinates, bit for bit.
func unitSpace(d int) space.Space {
	return space.Box(xslices.Times(d, func(j int) space.Parameter { return space.Float(unitName(j), 0, 1) })...)
}

func unitName(j int) string { return "x" + strconv.Itoa(j+1) }

const tieNoise = 0.5 // the difference below which a rater cannot tell, in units of the rater's noise

// rater returns the simulated rater: at the setup's σ, else the design file's, else the one calibrated on so many points, 0 for the default.
func (s Setup) rater(p problem.Problem, noise float64, designs *Designs, points int) (r problem.Rater, err error) {
	r = problem.Rater{Problem: p, Lapse: s.Lapse}
	switch s.Link {
	case "", "probit":
	case "logistic":
		r.Link = problem.Logistic
	default:
		return r, fmt.Errorf("bench: link %q, want probit or logistic", s.Link)
	}
	if r.Sigma, err = s.sigma(p, noise, designs, problem.Calibration{Link: r.Link, Points: points}); err != nil {
		return r, err
	}
	offered := answerKinds[s.Answers]
	if !offered.Forced {
		r.Delta = tieNoise * r.Sigma
	}
	if offered.Grades == 0 {
		return r, nil
	}
	if r.Clearly, err = problem.ParseClearly(cmp.Or(s.Clearly, problem.ClearBeyond.String())); err == nil && r.Clearly == problem.ClearBeyond {
		r.Cut = problem.MedianDifference(p)
	}
	return r, err
}

func (s Setup) sigma(p problem.Problem, noise float64, designs *Designs, c problem.Calibration) (float64, error) {
	if s.Sigma != nil {
		if !(*s.Sigma >= 0) || math.IsInf(*s.Sigma, 1) {
			return 0, fmt.Errorf("bench: sigma %g, want a number of at least 0", *s.Sigma)
		}
		return *s.Sigma, nil
	}
	if designs != nil {
		if sigma, ok := designs.Sigma(p.Name, noise); ok {
			return sigma, nil
		}
	}
	if noise == 0 {
		return 0, nil
	}
	return problem.Calibrate(p, noise, c)
}
