package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sentence"
)

// A rater is called careless by one number, the log of how much likelier what she did is of somebody who does not look than of
// somebody who answers by taste (docs/people.md has how the rule fared with simulated people):
//
//	Odds = log p(sides | careless) − log p(choices | taste) − log p(catch | taste) + quick
//
// Careless: left with probability θ, whatever is shown, θ being ½ or anything, at even odds:
//
//	p = ½ 2^{−n} + ½ B(k + ½, n − k + ½)/B(½, ½)     for k of n preferences on the left.
//
// Taste is that of the model, or one in twenty times one that no model foresees, of which all that can be told is that she says the
// same again: a of r pairs that came twice, with a probability of Beta(4, 1), and else a coin,
//
//	p = 0.95 p(choices | model) + 0.05 · 2^{r − n} · 4 B(a + 4, r − a + 1).
//
// The model's is, in a study per rater, the evidence of her answers under the models of Config.Tells, and the probability of each check
// (a catch question of an older log, which does not have the right answer) given those. Whatever her taste, somebody who looks answers a catch question
// right with a probability of caughtRight, and somebody who does not with one half. In a shared study: given what the others have taught, or by a taste of her own, at odds
// of 4:1, with a noise of a half, once or twice the study's. Who has another taste than the others is so not called careless.
// Quick is how much likelier her median response time is, against that of the others, of somebody who does not look; it accuses
// nobody by itself. With few answers all terms are small.
const (
	carelessAnswers = 8    // preferences: fewer say nothing
	carelessPrior   = 0.25 // share of raters who are, before any answer
	carelessOdds    = 1.6  // from which on one is called so: five to one
	unforeseen      = 0.05 // probability of a taste that no model foresees
	caughtRight     = 0.97 // probability that one who looks answers a catch question right
	sameTaste       = 0.8  // probability that a rater of a shared study has the others' taste
	quickMost       = 1    // the most that quickness says
	ownLeverage     = 0.1  // share of the answers from which on what was learned from others is learned anew
	relearned       = 300  // answers up to which it is: of more, her own make little difference and it would take seconds
)

// raterNoises are the noises of those who answer by taste, relative to the study's.
var raterNoises = []float64{0.5, 1, 2}

// preference is an answer that takes a side.
type preference struct {
	a, b  []float64
	first bool // the first option was taken
	check bool // the model has not learned from it
}

// suspicion is what speaks for a rater's being careless, each a term of the odds.
type suspicion struct{ choices, catch, sides, quick float64 }

func (p suspicion) odds() float64 { return p.choices + p.catch + p.sides + p.quick }

// careless returns the probability that a rater with these odds is.
func careless(odds float64) float64 {
	return 1 / (1 + (1-carelessPrior)/carelessPrior*math.Exp(-odds))
}

// sideOdds returns the log of how much likelier k of n on the left are of one who does not look than of a fair coin.
func sideOdds(k, n int) float64 {
	any := lgamma(float64(k)+0.5) + lgamma(float64(n-k)+0.5) - lgamma(float64(n)+1) - math.Log(math.Pi) + float64(n)*math.Ln2
	return logSum(math.Log(0.5), math.Log(0.5)+any)
}

// catchOdds returns the log of how much likelier so many right answers to catch questions are of a coin than of one who looks.
func catchOdds(c Share) float64 {
	return float64(c.Of)*math.Log(0.5) - float64(c.Count)*math.Log(caughtRight) - float64(c.Of-c.Count)*math.Log(1-caughtRight)
}

// quickOdds returns the log of how much likelier a median response time is of one who does not look, where others take usual: with
// x = log(own/usual), N(0, ½²) of those who look, and of those who do not either that or N(−3/2, (3/5)²).
func quickOdds(own, usual time.Duration) float64 {
	if own <= 0 || usual <= 0 {
		return 0
	}
	x := math.Log(float64(own) / float64(usual))
	ratio := normal.LogPDF((x+1.5)/0.6) - math.Log(0.6) - normal.LogPDF(x/0.5) + math.Log(0.5)
	return math.Min(quickMost, logSum(math.Log(0.5), math.Log(0.5)+ratio))
}

// logSum returns log Σ e^{x_i}.
func logSum(x ...float64) float64 {
	top := slices.Max(x)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// suspect works out what speaks for a rater's being careless.
func (s *Study) suspect(ctx context.Context, y *tally, usual time.Duration) (p suspicion, err error) {
	if len(y.sided)+y.caught.Of < carelessAnswers {
		return p, nil
	}
	var model float64
	switch {
	case len(y.sided) == 0: // all were catch questions
	case s.people() == PerRater:
		model, err = s.alone(ctx, y)
	default:
		model, err = s.amongOthers(ctx, y)
	}
	p.choices = -logSum(math.Log(1-unforeseen)-model, math.Log(unforeseen)-selfOdds(y.sided))
	p.catch = catchOdds(y.caught)
	p.sides, p.quick = sideOdds(y.Left.Count, y.Left.Of), quickOdds(y.MedianResponse, usual)
	return p, err
}

// selfOdds returns the log of how much likelier preferences are of a coin than of somebody who only says the same again.
func selfOdds(answers []preference) float64 {
	pairs, same := 0, 0
	for i, p := range answers {
		for _, q := range answers[:i] {
			straight := coding.Gap(p.a, q.a) <= coding.SameOption && coding.Gap(p.b, q.b) <= coding.SameOption
			if !straight && (coding.Gap(p.a, q.b) > coding.SameOption || coding.Gap(p.b, q.a) > coding.SameOption) {
				continue
			}
			pairs++
			if (p.first == q.first) == straight {
				same++
			}
			break
		}
	}
	a, b := float64(same), float64(pairs-same)
	return (a+b)*math.Log(0.5) - math.Log(4) - lgamma(a+4) - lgamma(b+1) + lgamma(a+b+5)
}

func lgamma(x float64) float64 { v, _ := math.Lgamma(x); return v }

// alone returns the log of how much likelier a rater's choices are of a coin than by her own answers and the model; 0 where that
// cannot be told.
func (s *Study) alone(ctx context.Context, y *tally) (odds float64, err error) {
	s.mu.Lock()
	ev, code := s.state.unmixed(&y.Name), s.state.code
	s.mu.Unlock()
	if s.cfg.Belief != Averaged || undecided(ev.duels) {
		return 0, nil
	}
	fit, err := s.tells.get(ctx, ev, code.Scales)
	if err != nil {
		return 0, err
	}
	odds = fit.surprise(s.cfg.Tells)
	for _, c := range y.sided {
		if c.check {
			o := gp.Outcome(-1)
			if c.first {
				o = 1
			}
			odds += math.Log(0.5) - math.Log(fit.law.prob(c.a, c.b, o, -1, true))
		}
	}
	return odds, nil
}

// amongOthers is alone in a study that people share, given what the others have taught.
func (s *Study) amongOthers(ctx context.Context, y *tally) (odds float64, err error) {
	v := s.view("")
	s.mu.Lock()
	v.evidence = s.state.unmixed(nil)
	s.mu.Unlock()
	if v.duels.Len() > denseLimit || undecided(v.duels) {
		return 0, nil
	}
	fit, err := s.fits.get(ctx, v.evidence, v.code.Scales)
	if err != nil {
		return 0, err
	}
	post := fit.post
	if r := slices.Index(fit.raters, y.Name); r >= 0 {
		others, hyper := fit.lacking(r), post.Hyper()
		if undecided(others.duels) {
			return s.alone(ctx, y)
		}
		if float64(fit.duels.Len()-others.duels.Len()) >= ownLeverage*float64(fit.duels.Len()) && fit.duels.Len() <= relearned {
			if len(hyper.Raters) > 0 {
				hyper.Raters = slices.Delete(slices.Clone(hyper.Raters), r, r+1)
			}
			m := s.fits.model
			m.Scales = fit.scales
			if post, err = m.Condition(others.duels, hyper, nil); err != nil {
				return 0, err
			}
		}
	}
	n, d := len(y.sided), v.code.Dim
	x := make([]float64, 0, 2*n*d)
	for _, c := range y.sided {
		x = append(append(x, c.a...), c.b...)
	}
	m := gp.NewMoments(2 * n)
	post.Moments(m, x)
	kernel := post.Hyper().Kernel
	prior := make([]float64, 4*n*n)
	for i := range 2 * n {
		for j := range i + 1 {
			prior[i*2*n+j] = kernel.At(x[i*d:(i+1)*d], x[j*d:(j+1)*d])
			prior[j*2*n+i] = prior[i*2*n+j]
		}
	}
	var terms []float64
	for _, k := range raterNoises {
		share := math.Log(1 / float64(len(raterNoises)))
		terms = append(terms, share+math.Log(sameTaste)+foretell(y.sided, m.Mean, m.Cov, k*post.Noise()),
			share+math.Log(1-sameTaste)+foretell(y.sided, make([]float64, 2*n), prior, k*post.Noise()))
	}
	return float64(n)*math.Log(0.5) - logSum(terms...), nil
}

// foretell returns the log of the probability of preferences in the order given, with noise sigma, where the utilities of the options
// a_1, b_1, a_2, … have this mean and covariance. Each answer updates the law of the differences d by its first two moments (assumed density
// filtering, the first pass of EP; Minka 2001): for the sign s, v = Var d_i + σ², z = s E d_i/√v, λ = φ(z)/Φ(z),
//
//	log p += log Φ(z),   E d += s λ/√v · c,   Cov d −= λ(z + λ)/v · c cᵀ,   c = Cov(d, d_i).
func foretell(answers []preference, mean, cov []float64, sigma float64) (logp float64) {
	n := len(answers)
	m, c := make([]float64, n), make([]float64, n*n)
	at := func(i, j int) float64 { return cov[i*2*n+j] }
	for i := range n {
		m[i] = mean[2*i] - mean[2*i+1]
		for j := range n {
			c[i*n+j] = at(2*i, 2*j) - at(2*i, 2*j+1) - at(2*i+1, 2*j) + at(2*i+1, 2*j+1)
		}
	}
	row := make([]float64, n)
	for i, a := range answers {
		s := -1.0
		if a.first {
			s = 1
		}
		v := math.Max(0, c[i*n+i]) + sigma*sigma // rounding may leave −1e-16 of a pair that was asked before
		z := s * m[i] / math.Sqrt(v)
		lambda, shrink := normal.Mills(z), -normal.MillsPrime(z)
		logp += normal.LogCDF(z)
		copy(row, c[i*n:(i+1)*n])
		for j := range n {
			m[j] += s * lambda / math.Sqrt(v) * row[j]
			for k := range n {
				c[j*n+k] -= shrink / v * row[j] * row[k]
			}
		}
	}
	return logp
}

// lacking returns the evidence without rater number r.
func (ev evidence) lacking(r int) evidence {
	d := ev.duels
	out := evidence{duels: &gp.Duels{Dim: d.Dim}, raters: slices.Delete(slices.Clone(ev.raters), r, r+1)}
	for i, o := range d.Outcome {
		who := d.Rater[i]
		if who == r {
			continue
		}
		if who > r {
			who--
		}
		out.duels.A, out.duels.B = append(out.duels.A, d.A[i*d.Dim:(i+1)*d.Dim]...), append(out.duels.B, d.B[i*d.Dim:(i+1)*d.Dim]...)
		out.duels.Outcome, out.duels.Rater = append(out.duels.Outcome, o), append(out.duels.Rater, who)
		if d.Level != nil {
			out.duels.Level = append(out.duels.Level, d.Level[i])
		}
	}
	return out
}

// judge fills in what a suspicion comes to.
func (r *Rater) judge(p suspicion, caught Share, usual time.Duration) {
	r.Odds = p.odds()
	r.Careless = r.Odds >= carelessOdds
	if r.Careless {
		r.Why = p.words(*r, caught, usual)
	}
}

// words says what speaks most for a rater's being careless.
func (p suspicion) words(r Rater, caught Share, usual time.Duration) string {
	wrong := fmt.Sprintf("answered %d of %s wrong", caught.Of-caught.Count, sentence.Count(caught.Of, "catch question"))
	if p.catch > 0 && p.catch >= math.Max(math.Max(p.choices, p.sides), p.quick) {
		return wrong
	}
	if p.catch > 0 {
		p.catch = 0
		return p.words(r, Share{}, usual) + ", and " + wrong
	}
	side, of := "left", r.Left.Count
	if 2*of < r.Left.Of {
		side, of = "right", r.Left.Of-of
	}
	switch most := math.Max(math.Max(p.choices, p.sides), p.quick); {
	case most == p.sides:
		return fmt.Sprintf("took what was on the %s %d times out of %d", side, of, r.Left.Of)
	case most == p.choices && r.Agreed.Of > 2 && 4*r.Agreed.Count < 3*r.Agreed.Of:
		return fmt.Sprintf("said the same again %d times out of %d", r.Agreed.Count, r.Agreed.Of)
	case most == p.quick:
		return fmt.Sprintf("took %.1f s, where others take %.1f, and answered as if by chance", r.MedianResponse.Seconds(), usual.Seconds())
	}
	return "answered as if by chance"
}
