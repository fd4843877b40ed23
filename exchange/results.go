package exchange

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
)

// Results are what a study has found out, as tables for R and pandas. docs/reference/formats.md has the codebook.
type Results struct {
	Study string `json:"study"`

	// Config and Log name what the tables were made from: prefer.Config.Hash, logfile.Hash.
	Config string `json:"config_sha256"`
	Log    string `json:"log_sha256"`

	People    Records `json:"people"`    // a row per rater and context: their pick, how sure that is, how reliable they are
	Group     Records `json:"group"`     // a row per context: the pick of all together
	Agreement Records `json:"agreement"` // a row per two raters and context, where everybody has a utility of their own
}

// ResultsOptions say what the tables have beside the log. The zero value works.
type ResultsOptions struct {
	// Name is that of the study.
	Name string

	// Caught, if not nil, counts how many catch questions a rater answered right, of how many; the log does not know.
	Caught func(rater string) (right, of int)

	// Progress, if not nil, is told how many of how many people are done.
	Progress func(done, people int)
}

// NewResults looks at everybody. Looking changes nothing about the study.
func NewResults(ctx context.Context, s *prefer.Study, o ResultsOptions) (out Results, err error) {
	f := finder{Study: s, ResultsOptions: o, config: s.Config()}
	if f.options, err = newOptionColumns(f.config.Space, s.Items(true)); err != nil {
		return out, err
	}
	out.Study = o.Name
	var lost error
	out.Config, err = s.Events(0)[0].Created.Config.Hash()
	out.Log, lost = logfile.Hash(s.Events(0))
	if err := errors.Join(err, lost); err != nil {
		return out, fail(err)
	}
	var people []personRow
	var groups []groupRow
	var pairs []agreementRow
	all := []space.Option{nil} // of a study without contexts
	if f.contexts = xslices.Map(f.config.Space.Contexts(), func(p space.Parameter) string { return p.Name }); f.contexts != nil {
		all = s.Contexts()
	}
	for _, at := range all {
		g, row, err := f.together(ctx, at)
		if err != nil {
			return out, err
		}
		groups = append(groups, row...)
		for i, a := range g.Raters {
			for k := i + 1; k < len(g.Raters); k++ {
				if slices.Contains(g.Careless, a) || slices.Contains(g.Careless, g.Raters[k]) {
					continue
				}
				pairs = append(pairs, agreementRow{at, a, g.Raters[k], g.Agreement[i][k], g.Low[i][k], g.High[i][k]})
			}
		}
		each, err := f.people(ctx, at, g)
		if err != nil {
			return out, err
		}
		people = append(people, each...)
	}
	out.People, out.Group, out.Agreement = newRecords(people, f.person), newRecords(groups, f.group), newRecords(pairs, f.pair)
	return out, nil
}

type finder struct {
	*prefer.Study
	ResultsOptions
	config   prefer.Config
	options  optionColumns
	contexts []string // names, which key the rows
}

// keys are the cells that say where a row was looked at.
func (f finder) keys(r *record, at space.Option) {
	for _, name := range f.contexts {
		r.add("context."+name, true, at[name])
	}
}

// pick are the cells of an option; empty for nil.
func (f finder) pick(r *record, o space.Option) {
	for i, v := range f.options.values(o) {
		r.add("pick."+f.options.names[i], v != nil, v)
	}
}

type personRow struct {
	at              space.Option
	rater           prefer.Rater
	verdict         prefer.Verdict
	inGroup         bool
	loss, weight    float64
	right, of       int // catch questions
	undone, refused int
}

func (f finder) people(ctx context.Context, at space.Option, g prefer.Group) ([]personRow, error) {
	raters, err := f.Raters(ctx)
	if err != nil {
		return nil, err
	}
	undone, refused := map[string]int{}, map[string]int{}
	for _, e := range f.History() {
		refused[e.Rater] += e.Answer.Refused
		if e.Undone {
			undone[e.Rater]++
		}
	}
	var out []personRow
	for n, r := range raters {
		row := personRow{at: at, rater: r, undone: undone[r.Name], refused: refused[r.Name]}
		if row.verdict, err = f.Study.Verdict(ctx, prefer.Look{Rater: r.Name, Fixed: at}); err != nil {
			return nil, err
		}
		if i := slices.Index(g.Raters, r.Name); i >= 0 {
			row.inGroup, row.loss, row.weight = true, g.Loss[i], g.Weights[i]
		}
		if f.Caught != nil {
			row.right, row.of = f.Caught(r.Name)
		}
		out = append(out, row)
		if f.Progress != nil {
			f.Progress(n+1, len(raters))
		}
	}
	return out, nil
}

func (f finder) person(p personRow) (r record) {
	v, known := p.verdict, p.verdict.Answers > 0
	r.add("study", true, f.Name)
	r.add("rater", true, p.rater.Name)
	f.keys(&r, p.at)
	best := v.Best.Option
	if !known || !v.Kind.Picks() {
		best = nil
	}
	f.pick(&r, best)
	r.add("utility", known, v.Best.Mean)
	r.add("sd", known, v.Best.SD)
	r.add("confidence", known, v.Best.Confidence)
	r.add("beats", known, v.Best.Beats)
	r.add("top", known, v.Best.Top)
	r.add("verdict", known, string(v.Kind))
	r.add("answers", true, v.Answers)
	r.add("given", true, v.Given)
	r.add("group_loss", p.inGroup, p.loss)
	r.add("group_weight", p.inGroup, p.weight)
	r.add("left_out", true, p.rater.Out)
	r.add("careless", true, p.rater.Careless)
	r.add("careless_odds", p.rater.Odds != 0, p.rater.Odds)
	r.add("noise", p.rater.Noise > 0, p.rater.Noise)
	r.add("left", true, p.rater.Left.Count)
	r.add("left_of", true, p.rater.Left.Of)
	r.add("agreed", true, p.rater.Agreed.Count)
	r.add("agreed_of", true, p.rater.Agreed.Of)
	r.add("catch_right", f.Caught != nil, p.right)
	r.add("catch_of", f.Caught != nil, p.of)
	r.add("ties", true, p.rater.Ties)
	r.add("both_bad", true, p.rater.BothBad)
	r.add("skips", true, p.rater.Skips)
	r.add("undone", true, p.undone)
	r.add("refused", true, p.refused)
	r.add("rt_ms", p.rater.MedianResponse > 0, float64(p.rater.MedianResponse)/float64(time.Millisecond))
	return r
}

// groupRow is all raters together in a context: with a score in a study per rater, with a verdict in a shared one.
type groupRow struct {
	at      space.Option
	people  int
	pick    space.Option
	score   float64
	verdict prefer.Verdict
}

// together is what a study per rater says of all of them, and the row of either kind of study, if anything is known.
func (f finder) together(ctx context.Context, at space.Option) (prefer.Group, []groupRow, error) {
	if f.config.People == prefer.PerRater {
		g, err := f.Group(ctx, prefer.Look{Fixed: at})
		if err != nil || g.Best == nil {
			return g, nil, err
		}
		return g, []groupRow{{at: at, people: len(g.Raters), pick: g.Best, score: g.Score}}, nil
	}
	v, err := f.Study.Verdict(ctx, prefer.Look{Fixed: at})
	if err != nil || v.Answers == 0 {
		return prefer.Group{}, nil, err
	}
	raters, err := f.Raters(ctx)
	row := groupRow{at: at, verdict: v, people: xslices.Count(raters, func(r prefer.Rater) bool { return r.Answers > r.Skips && !r.Out })}
	if v.Kind.Picks() {
		row.pick = v.Best.Option
	}
	return prefer.Group{}, []groupRow{row}, err
}

func (f finder) group(g groupRow) (r record) {
	v, shared := g.verdict, f.config.People != prefer.PerRater
	r.add("study", true, f.Name)
	f.keys(&r, g.at)
	r.add("people", true, g.people)
	f.pick(&r, g.pick)
	r.add("score", !shared, g.score)
	r.add("utility", shared, v.Best.Mean)
	r.add("sd", shared, v.Best.SD)
	r.add("confidence", shared, v.Best.Confidence)
	r.add("verdict", shared, string(v.Kind))
	r.add("answers", shared, v.Answers)
	return r
}

type agreementRow struct {
	at                   space.Option
	a, b                 string
	agreement, low, high float64
}

func (f finder) pair(p agreementRow) (r record) {
	r.add("study", true, f.Name)
	r.add("rater_a", true, p.a)
	r.add("rater_b", true, p.b)
	f.keys(&r, p.at)
	r.add("agreement", true, p.agreement)
	r.add("low", true, p.low)
	r.add("high", true, p.high)
	return r
}
