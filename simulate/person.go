package simulate

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// person is a simulated person at one level of noise. Utilities are in units of their noise.
type person struct {
	utility func(space.Option) float64
	rater   *problem.Rater // how they answer, with what they remember
	seed    uint64

	scene          // the first, which is all there is without contexts
	scenes []scene // one for each setting of the contexts
}

// scene is what a person likes under one setting of the contexts, or of all options.
type scene struct {
	fixed       space.Option
	best        space.Option
	values      []float64 // at the options of the landscape
	top, bottom float64
	tolerance   float64 // how much better an option may be than a good pick
}

// in returns the person under one setting of the contexts.
func (p person) in(i int) person {
	p.scene = p.scenes[i]
	return p
}

// invite draws a person. At every level of noise rater i has the same taste, and the same luck in answer k.
func invite(c Config, l []*landscape, rater int, n Noise) (person, error) {
	seed := splitmix.At(c.Seed, uint64(rater))
	rng := rand.New(rand.NewPCG(seed, 0x7a57e))
	model := c.Study.Model
	if c.Truth != nil { // then only how they answer is drawn, and the priors of the rest do not matter
		model.Lengthscale, model.Outputscale, model.Trend, model.Noise = gp.Gamma(3, 6), gp.Gamma(2, 0.15), gp.None(), 1
	}
	from, err := newSource(model, l[0], rng)
	if err != nil {
		return person{}, err
	}
	t := truth{from.next(), from.cuts}
	if c.Truth != nil {
		t.utility = c.Truth(rater)
	}
	return newPerson(c, l, t, model.Noise, n, seed)
}

// newPerson makes a person of a utility at a level of noise. noise is that of the model it was drawn from.
func newPerson(c Config, l []*landscape, t truth, noise float64, n Noise, seed uint64) (person, error) {
	p := person{rater: &problem.Rater{Sigma: 1, Delta: t.cuts[0], Grades: t.cuts[1:]}, seed: seed}
	sigma := 0.0 // a context shifts all options alike, so the noise is the mean of those under each
	for _, part := range l {
		values, best, top, err := part.survey(t.utility)
		if err != nil {
			return person{}, err
		}
		here, err := n.sigma(values, noise)
		if err != nil {
			return person{}, err
		}
		sigma += here / float64(len(l))
		p.scenes = append(p.scenes, scene{fixed: part.fixed, best: best, values: values, top: top})
	}
	p.utility = func(o space.Option) float64 { return t.utility(o) / sigma }
	for i := range p.scenes {
		s := &p.scenes[i]
		for k := range s.values {
			s.values[k] /= sigma
		}
		s.top, s.bottom = s.top/sigma, slices.Min(s.values)
		s.tolerance = p.in(i).allowed(c.Study)
	}
	if c.Decisive {
		p.rater.Delta = 0
	}
	if c.Clearly != "" && c.Study.Answers.Grades > 0 {
		when, err := problem.ParseClearly(c.Clearly)
		if err != nil {
			return person{}, err
		}
		cut := 0.0
		for _, s := range p.scenes {
			cut += problem.MedianOf(s.values) / float64(len(l))
		}
		p.rater.Grading, p.rater.Grades = problem.Grading{Clearly: when, Cut: cut}, nil
	}
	p.scene = p.scenes[0]
	return p, nil
}

// allowed returns how much better than a good pick an option may be: the study's tolerance in their utility, which is in units of their noise.
func (p person) allowed(study prefer.Config) float64 {
	t := study.Tolerance
	if t.IsZero() {
		t = prefer.DefaultTolerance()
	}
	mean, step := mean(p.values), 0.0
	for _, q := range study.Space.Parameters {
		for _, by := range []float64{t.Steps[q.Name], -t.Steps[q.Name]} {
			if by == 0 {
				continue
			}
			o := maps.Clone(p.best)
			o[q.Name] = space.ValueOf(min(max(o[q.Name].Float()+by, q.Low), q.High))
			if v := p.utility(o); !math.IsNaN(v) { // a step between whole numbers, or over a constraint, leads nowhere
				step = math.Max(step, p.top-v)
			}
		}
	}
	return max(t.Noise, t.Share*(p.top-mean), step)
}

// answer is what they say to question number k.
func (p person) answer(q prefer.Question, k int) prefer.Answer {
	reply, strength := p.rater.Compare(p.utility(q.First), p.utility(q.Second), problem.At(p.seed, uint64(k)))
	return prefer.Answer{Choice: prefer.Choice(reply), Strength: strength}
}

// Pick is a study's pick after some answers, held against the truth.
type Pick struct {
	Questions int     `json:"questions"` // answers it rests on
	Loss      float64 `json:"loss"`      // utility missed, in units of the noise
	Share     float64 `json:"share"`     // … and as a part of the range from worst to best
	Good      bool    `json:"good"`      // nothing is better by more than the study's tolerance
	Top       bool    `json:"top"`       // it is among their best few, prefer.Best.TopShare of all options
	Ranked    bool    `json:"ranked"`    // it is better than as many options as was said, or at most five of a hundred fewer
}

// rank counts the options that they like better than one, among all that are looked at.
func (p person) rank(o space.Option) (better, among int) {
	worth := p.utility(o)
	return xslices.Count(p.values, func(v float64) bool { return v > worth }), len(p.values)
}

// rankSlack is how far below the share of options that a pick is said to be better than its true share may be, if that was right.
const rankSlack = 0.05

// judge holds a pick against the truth.
func (p person) judge(questions int, best prefer.Best) Pick {
	loss := math.Max(0, p.top-p.utility(best.Option)) // a climb may end short of what the study found
	out := Pick{Questions: questions, Loss: loss, Good: loss <= p.tolerance}
	better, among := p.rank(best.Option)
	out.Top = better == 0 || float64(better+1) <= best.TopShare*float64(among)+1e-9 // 0.05·60 is not below 3
	out.Ranked = float64(better) <= (1-best.Beats+rankSlack)*float64(among)
	if p.top > p.bottom {
		out.Share = loss / (p.top - p.bottom)
	}
	return out
}

// One is what became of one simulated person.
type One struct {
	Rater   int                `json:"rater"`
	Verdict prefer.VerdictKind `json:"verdict"` // KeepGoing if there was none
	JND     float64            `json:"jnd"`     // the study's tolerance in their utility, in units of the noise
	Pick    Pick               `json:"pick"`    // at the end
	Budgets []Pick             `json:"budgets"` // had they been asked Budgets[i] questions at most

	// Contexts are how it went under each setting of the contexts, by the answers given under it. The rest is then about all of them: the verdict on their study is that
	// it has ended under each, and a pick is as good as the worst.
	Contexts []Under `json:"contexts,omitempty"`
}

// Under is what became of a simulated person under one setting of the contexts.
type Under struct {
	Fixed   space.Option       `json:"fixed"`
	Verdict prefer.VerdictKind `json:"verdict"`
	JND     float64            `json:"jnd"`
	Pick    Pick               `json:"pick"`
	Budgets []Pick             `json:"budgets"`
}

// one is the same as of a person in a study without contexts.
func (u Under) one() One {
	return One{Verdict: u.Verdict, JND: u.JND, Pick: u.Pick, Budgets: u.Budgets}
}

// Sure reports whether the study came to a verdict by itself, before a budget or their patience ended it.
func (o One) Sure() bool { return o.Verdict.Sure() }

// Right reports whether what the verdict says of the pick's rank is true.
func (o One) Right() bool {
	if len(o.Contexts) > 0 {
		return o.Sure() && !slices.ContainsFunc(o.Contexts, func(u Under) bool { return !u.one().Right() })
	}
	return o.Verdict == prefer.Settled && o.Pick.Ranked
}

// Person is one simulated person who answers questions from outside, as in a demonstration.
type Person struct {
	person
	answers int
}

// Invite draws a person for a study, as Run does.
func Invite(study prefer.Config, n Noise, seed uint64) (*Person, error) {
	if given := study.Space.Contexts(); len(given) > 0 {
		return nil, fmt.Errorf("simulate: the study has the context %q, and an invited person has one favourite: want none", given[0].Name)
	}
	c, l, err := Config{Study: study, Noise: []Noise{n}, Seed: seed}.ready()
	if err != nil {
		return nil, err
	}
	p, err := invite(c, l, 0, n)
	return &Person{person: p}, err
}

func (p *Person) Answer(q prefer.Question) prefer.Answer {
	p.answers++
	return p.person.answer(q, p.answers)
}

func (p *Person) Best() space.Option { return p.best }

// Loss is the utility that an option misses, in units of the noise of their answers.
func (p *Person) Loss(o space.Option) float64 { return p.judge(p.answers, prefer.Best{Option: o}).Loss }

// Better counts the options that they like better than one, among all items of a list, or quasi-random options of a box.
func (p *Person) Better(o space.Option) (better, among int) { return p.rank(o) }
