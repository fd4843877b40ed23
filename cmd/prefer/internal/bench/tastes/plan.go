// Package tastes is the benchmark for choosing defaults: it simulates studies with many plausible tastes and measures how good
// picks are after a few answers.
//
// A variant is a [bench.Setup] and a method. Each plays the tastes of [problem.NewTaste] through the public API with the same first
// questions, as long as it does not change them, and with raters who are in the same mood at the same answer; so two variants are
// compared taste by taste. After 5, 10, 15, 20, 30 and 40 answers a [Study] notes by how much its pick misses the best option:
//
//	share missed   (max f − f(x̂)) / (max f − mean f)   0 for the best option, 1 for one drawn blindly
//	chance         Φ((max f − f(x̂)) / σ)               that one answer between the two goes to the best; σ of an ordinary rater, ½ for none
//
// Both are free of shift and scale. The first counts what is left to gain; the second does not ask for more than a person could
// notice. A [Table] has their means over tastes, which a few runs with a gap of nothing cannot rule as they do a geometric mean
// of ratios, with 95 % bootstrap intervals of the tastes, and the same of the differences between two variants.
package tastes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Plan says which studies are played. Its tags make flags of the fields.
type Plan struct {
	Tastes   int      `help:"Number of tastes, of each family and number of parts that is named." default:"200" least:"1"`
	Seed     uint64   `help:"Random seed."`
	Shape    string   `help:"What they are about: any, box (continuous parameters), mixed, list (60 items with features), plain (without)." enum:"any,box,mixed,list,plain" default:"any"`
	Families []string `help:"Families of tastes: smooth, rugged, conjoint, or one by name. Defaults to all of them." name:"family" placeholder:"NAME,…"`
	Dims     []int    `help:"Numbers of parameters or features, 1 to 8. Defaults to any." placeholder:"N,…"`
	Raters   []string `help:"Kind of rater: ${taste_raters}." default:"ordinary" placeholder:"NAME,…"`
	Methods  []string `help:"Methods: ${methods}." default:"kg" placeholder:"NAME,…"`
	Marks    []int    `help:"Evaluate the pick after these numbers of answers." name:"answers" default:"5,10,15,20,30,40" placeholder:"N,…"`
	bench.Modelling
	Ties  bool          `help:"Offer \"can't tell\" to everybody, not only to raters who say it."`
	Label string        `help:"Name of this variant in the file. Default: the flags that differ from their defaults." placeholder:"TEXT"`
	Jobs  int           `help:"Tastes in parallel; the result does not depend on it. Defaults to the number of processors." least:"0" placeholder:"N"`
	Study prefer.Config `kong:"-"` // what else is set in the studies; Space, Seed and Method are theirs. It needs a Label
}

// WithDefaults fills in what the zero value stands for.
func (p Plan) WithDefaults() Plan {
	p.Jobs = cmp.Or(p.Jobs, runtime.GOMAXPROCS(0))
	p.Families, p.Dims = xslices.Or(p.Families, ""), xslices.Or(p.Dims, 0)
	if p.Label == "" {
		if p.Label = p.setup().Name(); p.Ties {
			p.Label += " ties"
		}
	}
	return p
}

func (p Plan) setup() bench.Setup { return bench.Setup{Modelling: p.Modelling} }

// Check reports the first field that makes no sense.
func (p Plan) Check() error {
	p = p.WithDefaults()
	if err := cmp.Or(trial.CheckMarks("tastes: Plan.Marks", p.Marks), trial.CheckNames("tastes: Plan.Raters", p.Raters, problem.TasteRaters()),
		trial.CheckNames("tastes: Plan.Methods", p.Methods, acquisition.Methods())); err != nil {
		return err
	}
	for _, f := range p.families() {
		if _, err := problem.NewTaste(p.Seed, 0, f); err != nil {
			return err
		}
	}
	return p.setup().Validate()
}

// families returns which tastes are wanted, one entry for each family and number of parts.
func (p Plan) families() (out []problem.TasteOptions) {
	shape := problem.AnyShape
	for !strings.HasPrefix(shape.String(), p.Shape) {
		shape++
	}
	for _, f := range p.Families {
		for _, d := range p.Dims {
			out = append(out, problem.TasteOptions{Family: f, Shape: shape, Dim: d})
		}
	}
	return out
}

// taste names one taste: its number among those of a seed and of some options.
type taste struct {
	Seed   uint64 `json:"seed"`
	Of     string `json:"of"` // the options
	Number int    `json:"taste"`
}

// options spells out which tastes are wanted.
func options(o problem.TasteOptions) string {
	dim := "any dims"
	if o.Dim > 0 {
		dim = fmt.Sprint(o.Dim)
	}
	return fmt.Sprintf("%v, %s, %s", o.Shape, cmp.Or(o.Family, "any family"), dim)
}

// Uses of a taste's seed.
const (
	seedStudy = iota
	seedMood
)

// seed returns a seed of the taste's own, k for different uses. It does not depend on the rater or the method.
func (t taste) seed(k uint64) uint64 { return trial.Seed(t.Seed, t.Number, t.Of, k) }

// tastes calls each for every taste, number by number, with the options of its family: a run that was cut short has whole ones of every family.
func (p Plan) tastes(each func(t taste, o problem.TasteOptions)) {
	for i := range p.Tastes {
		for _, o := range p.families() {
			each(taste{p.Seed, options(o), i}, o)
		}
	}
}

// Run plays the studies of the plan that are not in the file and returns all of the plan's tastes and raters that are in it then, whatever asked.
func (p Plan) Run(ctx context.Context, file *bench.RowFile[key, Study], done trial.Progress) ([]Study, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	var units []trial.Unit[key, Study]
	p.tastes(func(t taste, o problem.TasteOptions) {
		var keys []key
		for _, rater := range p.Raters {
			for _, method := range p.Methods {
				keys = append(keys, key{t, rater, p.Label, method})
			}
		}
		units = append(units, trial.Unit[key, Study]{Keys: keys, Begin: func() (func(context.Context, key) (Study, error), error) {
			of, err := problem.NewTaste(t.Seed, t.Number, o)
			return func(ctx context.Context, k key) (Study, error) { return p.play(ctx, of, k) }, err
		}})
	})
	err := trial.Run(ctx, p.Jobs, units, file, func(s Study) bool {
		return !slices.ContainsFunc(p.Marks, func(m int) bool {
			_, looked := s.gap(m)
			return !looked
		})
	}, done)
	return p.Select(file.All()), err
}

// Select returns the studies about the plan's tastes with its raters, whatever asked.
func (p Plan) Select(studies []Study) []Study {
	p = p.WithDefaults()
	wanted := map[taste]bool{}
	p.tastes(func(t taste, _ problem.TasteOptions) { wanted[t] = true })
	return xslices.Filter(studies, func(s Study) bool { return wanted[s.taste] && slices.Contains(p.Raters, s.Rater) })
}

// play plays a study up to the last mark. Everything but the seconds is a function of the taste, the rater and what asks.
func (p Plan) play(ctx context.Context, of *problem.Taste, k key) (out Study, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tastes: taste %d of %s, rater %s, %s/%s: %w", k.Number, k.Of, k.rater, k.setup, k.method, err)
		}
	}()
	runtime.LockOSThread() // processor time is read off the thread
	defer runtime.UnlockOSThread()
	cpu := bench.ThreadTime()
	out = Study{taste: k.taste, Shape: of.Shape.String(), Kind: of.Kind, Family: of.Family, Dim: len(of.Parts),
		Rater: k.rater, Setup: k.setup, Method: k.method, Range: of.Max - of.Mean, Sigma: of.Sigma}
	who := trial.Person{TasteSpace: trial.TasteSpace{Taste: of}, Mood: k.seed(seedMood)}
	if who.Rater, err = of.Rater(k.rater); err != nil {
		return out, err
	}
	cfg := p.Study
	cfg.Space, cfg.Seed, cfg.Method = who.Space(), k.seed(seedStudy), k.method
	cfg.Search.Workers = 1 // tastes are what runs side by side
	if who.Rater.Delta == 0 && !p.Ties {
		cfg.Answers.Forced = true
	}
	if err := p.setup().Choose(&cfg); err != nil {
		return out, err
	}
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return out, err
	}
	err = who.Play(ctx, s, slices.Max(p.Marks), func(answers int) (bool, error) {
		if !slices.Contains(p.Marks, answers) {
			return true, nil
		}
		belief, err := s.Belief(ctx, prefer.Look{})
		if err != nil {
			return false, err
		}
		out.Picks = append(out.Picks, Pick{answers, of.Max - who.Worth(belief.Best())})
		return true, nil
	})
	out.CPU = (bench.ThreadTime() - cpu).Seconds()
	return out, err
}

// Study is one study that was played, a line of a file: who answered, what asked, and how good its picks were.
type Study struct {
	taste
	Shape  string `json:"shape"`
	Kind   string `json:"kind"` // smooth, rugged or conjoint
	Family string `json:"family"`
	Dim    int    `json:"dim"` // parts

	Rater  string `json:"rater"`
	Setup  string `json:"setup"`
	Method string `json:"method"`

	Range float64 `json:"range"` // max f − mean f
	Sigma float64 `json:"sigma"` // the noise of an ordinary rater of this taste

	Picks []Pick  `json:"picks"`
	CPU   float64 `json:"cpu_s"` // processor seconds of all questions and picks; 0 where unknown
}

// Pick is what a study held for best after some answers.
type Pick struct {
	Answers int     `json:"answers"`
	Gap     float64 `json:"gap"` // max f − f(x̂)
}

// measure is one of the two: what a pick is judged by.
type measure struct {
	name string
	of   func(s Study, gap float64) float64
}

var measures = []measure{
	{"share missed", func(s Study, gap float64) float64 { // of the possible improvement; 0 where all options are alike
		if s.Range == 0 {
			return 0
		}
		return gap / s.Range
	}},
	{"chance that one answer goes to the best", func(s Study, gap float64) float64 { // of an ordinary rater, between the best option and the pick
		if s.Sigma == 0 {
			return 0.5
		}
		return normal.CDF(gap / s.Sigma)
	}},
}

// at returns the measure after so many answers, if it was looked at.
func (m measure) at(s Study, answers int) (float64, bool) {
	gap, looked := s.gap(answers)
	return m.of(s, gap), looked
}

// gap returns the gap after so many answers, if it was looked at.
func (s Study) gap(answers int) (float64, bool) {
	for _, p := range s.Picks {
		if p.Answers == answers {
			return p.Gap, true
		}
	}
	return 0, false
}

func (s Study) series() string { return s.Setup + "/" + s.Method }

type key struct {
	taste
	rater, setup, method string
}

func (s Study) Key() key { return key{s.taste, s.Rater, s.Setup, s.Method} }

func (s Study) Looks() int { return len(s.Picks) }

// Check returns what a study of a file lacks.
func (s Study) Check() error {
	if s.Method == "" || s.Rater == "" || len(s.Picks) == 0 {
		return errors.New("has no method, no rater or no picks")
	}
	return nil
}
