package simulate

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/problem"
)

// person is a simulated person at one level of noise. Utilities are in units of her noise.
type person struct {
	utility     func(prefer.Option) float64
	best        prefer.Option
	values      []float64 // at the options of the landscape
	top, bottom float64
	jnd         float64 // how much better an option may be than a good pick
	cuts        gp.Cuts
	seed        uint64
}

// invite draws a person. At every level of noise rater i has the same taste, and the same luck in answer k.
func invite(c Config, l *landscape, rater int, n Noise) (person, error) {
	seed := splitmix.At(c.Seed, uint64(rater))
	rng := rand.New(rand.NewPCG(seed, 0x7a57e))
	model := c.Study.Model
	if c.Truth != nil { // then only how she answers is drawn, and the priors of the rest do not matter
		model.Lengthscale, model.Outputscale, model.Trend, model.Noise = gp.Gamma(3, 6), gp.Gamma(2, 0.15), gp.None(), 1
	}
	t, err := draw(model, l, rng)
	if err != nil {
		return person{}, err
	}
	if c.Truth != nil {
		t.utility = c.Truth(rater)
	}
	values, best, top, err := l.survey(t.utility)
	if err != nil {
		return person{}, err
	}
	sigma, err := n.sigma(values, model.Noise)
	if err != nil {
		return person{}, err
	}
	for i := range values {
		values[i] /= sigma
	}
	p := person{
		best: best, values: values,
		utility: func(o prefer.Option) float64 { return t.utility(o) / sigma },
		top:     top / sigma, bottom: slices.Min(values), cuts: t.cuts, seed: seed,
	}
	p.jnd = p.allowed(c.Study.Tolerance)
	return p, nil
}

// allowed returns how much better than a good pick an option may be: the study's tolerance in her utility, which is in
// units of her noise.
func (p person) allowed(t prefer.Tolerance) float64 {
	if t.IsZero() {
		t = prefer.DefaultTolerance()
	}
	mean, step := 0.0, 0.0
	for _, v := range p.values {
		mean += v / float64(len(p.values))
	}
	for name, amount := range t.Steps {
		for _, by := range []float64{amount, -amount} {
			o := maps.Clone(p.best)
			o[name] = prefer.ValueOf(o.Float(name) + by)
			step = math.Max(step, p.top-p.utility(o))
		}
	}
	return max(t.Noise, t.Share*(p.top-mean), step)
}

// answer is what she says to question number k.
func (p person) answer(q prefer.Question, k int) prefer.Answer {
	n := len(p.cuts)
	var edges []float64 // from strong "second" to strong "first"
	for i := n - 1; i >= 0; i-- {
		if p.cuts[i] > 0 {
			edges = append(edges, -p.cuts[i])
		}
	}
	edges = append(edges, p.cuts...)
	outcome := problem.Rater{Sigma: 1}.Outcome(p.utility(q.First), p.utility(q.Second), edges, problem.At(p.seed, uint64(k)))
	switch {
	case outcome < n:
		return prefer.Answer{Choice: prefer.Second, Strength: n - 1 - outcome}
	case outcome == n && len(edges) == 2*n: // the interval between −δ and δ
		return prefer.Answer{Choice: prefer.Tie}
	}
	return prefer.Answer{Choice: prefer.First, Strength: outcome - (len(edges) + 1 - n)}
}

// Pick is a study's pick after some answers, held against the truth.
type Pick struct {
	Questions int     `json:"questions"` // answers it rests on
	Loss      float64 `json:"loss"`      // utility missed, in units of the noise
	Share     float64 `json:"share"`     // … and as a part of the range from worst to best
	Good      bool    `json:"good"`      // nothing is better by more than the study's tolerance, or her just-noticeable difference
}

func (p person) judge(questions int, o prefer.Option) Pick {
	loss := math.Max(0, p.top-p.utility(o)) // a climb may end short of what the study found
	out := Pick{Questions: questions, Loss: loss, Good: loss <= p.jnd}
	if p.top > p.bottom {
		out.Share = loss / (p.top - p.bottom)
	}
	return out
}

// One is what became of one simulated person.
type One struct {
	Rater   int                `json:"rater"`
	Verdict prefer.VerdictKind `json:"verdict"` // KeepGoing if there was none
	JND     float64            `json:"jnd"`     // the study's tolerance, or just-noticeable difference, in units of the noise
	Pick    Pick               `json:"pick"`    // at the end
	Budgets []Pick             `json:"budgets"` // had she been asked Budgets[i] questions at most
}

// Done reports whether the study came to a verdict.
func (o One) Done() bool { return o.Verdict.Done() }

// everybody is called this: each has a study of her own.
const everybody = "simulated"

// run plays her study. While the pick is far from sure only every second answer is looked at.
func (p person) run(ctx context.Context, cfg prefer.Config, limit int, told func()) (One, error) {
	cfg.Seed = splitmix.At(cfg.Seed, p.seed)
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return One{}, err
	}
	cfg = s.Config()
	out := One{Verdict: prefer.KeepGoing, JND: p.jnd}
	calm := context.WithoutCancel(ctx) // a search cut short would be another study
	next := max(2, cfg.Initial)        // answers after which a verdict is thinkable
	for n := 1; n <= limit && !out.Done(); n++ {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		q, err := s.Ask(calm, everybody)
		if err != nil {
			return out, err
		}
		if _, err := s.Tell(calm, q.ID, p.answer(q, n)); err != nil {
			return out, err
		}
		told()
		if n == next {
			if next, out.Verdict, err = look(calm, s, n, cfg.Confidence); err != nil {
				return out, err
			}
		}
		last := out.Done() || n == limit
		if !last && !isBudget(n) {
			continue
		}
		belief, err := s.Belief(calm, everybody)
		if err != nil {
			return out, err
		}
		pick := p.judge(n, belief.Best())
		if isBudget(n) {
			out.Budgets = append(out.Budgets, pick)
		}
		if last {
			out.Pick = pick
			for i := len(out.Budgets); i < len(Budgets) && Budgets[i] <= limit; i++ {
				out.Budgets = append(out.Budgets, pick)
			}
		}
	}
	return out, nil
}

// look asks for a verdict after n answers, and says after how many to look again.
func look(ctx context.Context, s *prefer.Study, n int, confidence float64) (int, prefer.VerdictKind, error) {
	best, err := s.Best(ctx, everybody)
	if err != nil || best.Confidence < confidence {
		return n + 2, prefer.KeepGoing, err
	}
	v, err := s.Verdict(ctx, everybody)
	return n + 1, v.Kind, err
}
