package prefer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
)

// Where everybody has a utility of her own, one model learns all of them: f_r = g + h_r, g being what they have in common
// (package gp, kinship.go). What others said then teaches about her as far as people are found to be alike, ρ, and no further.

// DefaultKinship is the prior of ρ/(1 − ρ) in a new study: ρ is as likely above as below ½, and between 0.08 and 0.92 nine times in ten.
func DefaultKinship() gp.Prior { return gp.LogNormal(0, 1.5) }

// Size of what is learned from others; tests lower it.
var (
	crowdLimit = 240 // answers of the study's first that teach about everybody: more take time that somebody waits for
	kinRefit   = 10  // hyper-parameters are fitted at counts that grow by a tenth: each answer of anybody changes everybody's evidence
	kinAlways  = 30  // from here on
)

// kindred returns a model of one taste as one of several. Raters differ in taste there, and not in noise as well, which forecasts real
// people a little worse and costs a hyper-parameter each. Where hyper-parameters are the likeliest the prior is moved to where its
// density of ρ/(1 − ρ) is highest at its median: a maximum a posteriori is taken without the Jacobian of the log, and would begin with
// people who are strangers.
func (f *fits) kindred(m gp.Model) gp.Model {
	m.Kinship, m.RaterNoise = f.kinship, gp.None()
	if f.tells == nil && m.Kinship.Family == gp.LogNormalFamily {
		m.Kinship.A += m.Kinship.B * m.Kinship.B
	}
	return m
}

// mixes reports whether a study knows several tastes: its raters have one each, or there are those of an earlier study.
func (c Config) mixes() bool {
	return (c.People == PerRater || len(c.Earlier) > 0) && c.Kinship.Family != gp.Default && c.Kinship.Family != gp.NoneFamily && c.Model.Inference != gp.Sparse
}

func (c Config) checkKinship(code *coding.Coding) error {
	m := c.Model
	m.Inference, m.Scales, m.Kinship = gp.EP, code.Scales, c.Kinship
	if err := m.Validate(); err != nil {
		return fmt.Errorf("prefer: Config.Kinship: %w", err)
	}
	if c.Model.Kinship.Family != gp.Default {
		return fmt.Errorf("prefer: Config.Model.Kinship = %v, want none: Config.Kinship says it for all models", c.Model.Kinship)
	}
	return c.checkEarlier(code)
}

// team is the rater whose answers are everybody's, where all share one utility.
const team = "\x00team"

// together returns what teaches about a rater, or about all where only is nil, of the answers of several tastes; kin is false where
// there are none, or so many that inference is sparse.
func (s *state) together(only *string) evidence {
	ev := evidence{duels: &gp.Duels{Dim: s.code.Dim}, team: only == nil}
	if !s.cfg.mixes() {
		return ev
	}
	s.earlier(&ev)
	rater, use := team, func(t *told) bool { return s.heeds(t.rater, nil) }
	if only != nil {
		rater, use = *only, s.kindred(*only)
	}
	s.collect(&ev, use, func(r string) bool { return ev.team && s.heeds(r, nil) || slices.Contains(ev.raters, r) })
	ev.kin = ev.several(rater) && ev.duels.Len() <= denseLimit
	return ev
}

// kindred tells which answers teach about a rater: her own, and the first ones of the study, whoever gave them but those who were
// left out.
func (s *state) kindred(rater string) func(*told) bool {
	crowd := 0
	return func(t *told) bool {
		heard := s.heeds(t.rater, nil)
		if heard {
			crowd++
		}
		return t.rater == rater || heard && crowd <= crowdLimit
	}
}

// everybody returns what these raters have said, of more than so many answers the first of each; kin is false where they do not learn from
// each other, or where the answers stand for so many duels that inference would be sparse.
func (s *state) everybody(raters []string, answers int) evidence {
	ev := evidence{duels: &gp.Duels{Dim: s.code.Dim}}
	if s.cfg.People != PerRater || !s.cfg.mixes() || len(raters) < 2 {
		return ev
	}
	total, most, said := 0, answers, map[string]int{}
	for _, r := range raters {
		total += s.unmixed(&r).duels.Len()
	}
	if total > answers {
		most = max(1, answers/len(raters))
	}
	s.earlier(&ev)
	s.collect(&ev, func(t *told) bool {
		said[t.rater]++
		return said[t.rater] <= most && slices.Contains(raters, t.rater)
	}, func(string) bool { return false })
	ev.kin = ev.duels.Len() <= denseLimit
	return ev
}

// several reports whether there are answers of others than a rater.
func (ev evidence) several(rater string) bool {
	return slices.ContainsFunc(ev.raters, func(r string) bool { return r != rater })
}

// mine returns what the rater of a view has said herself.
func (v view) mine() evidence {
	if !v.kin {
		return v.evidence
	}
	out := evidence{duels: &gp.Duels{Dim: v.duels.Dim}}
	d := v.duels
	for i, o := range d.Outcome {
		if v.raters[d.Rater[i]] != v.rater {
			continue
		}
		a := d.A[i*d.Dim : (i+1)*d.Dim]
		if d.Level != nil && d.Level[i] {
			out.addLevel(a, o > 0, v.rater)
		} else {
			out.add(a, d.B[i*d.Dim:(i+1)*d.Dim], o, v.rater)
		}
	}
	return out
}

// fittedTo returns how many of the duels hyper-parameters are fitted to.
func (ev evidence) fittedTo() int {
	n := ev.duels.Len()
	if !ev.kin {
		return refitAt(n)
	}
	n = min(n, crowdLimit)
	if n <= kinAlways {
		return n
	}
	at := kinAlways
	for next := at + at/kinRefit; next <= n; next = at + at/kinRefit {
		at = next
	}
	return at
}

// about returns the fit for the utility a view is about. That of a person is made from the fit of all when it is wanted.
func (f *fits) about(ctx context.Context, v view) (*fit, error) {
	all, err := f.get(ctx, v.evidence, v.code.Scales)
	if err != nil || !v.kin {
		return all, err
	}
	r := slices.Index(all.raters, v.rater)
	return &fit{evidence: all.evidence, scales: all.scales, post: all.post.For(r), law: all.law.of(r), marginal: math.NaN(), picks: all.picks}, nil
}

// of returns the utility of one of several raters.
func (u utility) of(r int) utility {
	if x := u.mixture(); x != nil {
		return averaged(x.For(r))
	}
	return likeliest(u.parts[0].For(r))
}

// kinship returns what is known of ρ: its mean, and where it lies with probability 0.95, by a normal law of log ρ/(1 − ρ) with the mean and spread
// that the settings of the hyper-parameters have; nil where everybody's answers speak for her alone.
func (s *Study) kinship(ctx context.Context, v view) (*Agreement, error) {
	if !v.kin {
		return nil, nil
	}
	fit, err := s.tells.get(ctx, v.evidence, v.code.Scales)
	if err != nil || len(s.cfg.Tells) == 0 {
		return nil, err
	}
	var out Agreement
	var mean, square float64
	for k, p := range fit.law.parts {
		rho := p.Hyper().Kinship
		x, w := math.Log(rho/(1-rho)), fit.law.weights[k]
		out.Mean, mean, square = out.Mean+w*rho, mean+w*x, square+w*x*x
	}
	sd := math.Sqrt(math.Max(0, square-mean*mean))
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	out.Low, out.High = logistic(mean-1.96*sd), logistic(mean+1.96*sd)
	return &out, nil
}

// surprise returns how much likelier, in logs, the answers of a view are if they are chance than under the model; 0 where that cannot be
// told. Of several tastes her own answers alone are asked: what others said does not make hers less of a coin.
func (s *Study) surprise(ctx context.Context, v view) (float64, error) {
	if len(s.cfg.Tells) == 0 {
		return 0, nil
	}
	fit, err := s.tells.get(ctx, v.mine(), v.code.Scales)
	if err != nil {
		return 0, errors.Join(err, ended(ctx))
	}
	return fit.surprise(s.cfg.Tells), nil
}

func (f *fit) surprise(tells []gp.Model) float64 {
	if x := tells[0].Chance(f.duels) - f.marginal; !math.IsNaN(x) {
		return x
	}
	return 0
}
