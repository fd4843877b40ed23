package simulate

import (
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

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
	c, err := Config{Study: study, Noise: []Noise{n}, Seed: seed}.Complete()
	if err != nil {
		return nil, err
	}
	l, err := newLandscape(c.Study.Space)
	if err != nil {
		return nil, err
	}
	p, err := invite(c, l, 0, n)
	return &Person{person: p}, err
}

// Answer is what they say to their next question.
func (p *Person) Answer(q prefer.Question) prefer.Answer {
	p.answers++
	return p.person.answer(q, p.answers)
}

// Best is their favourite.
func (p *Person) Best() space.Option { return p.best }

// Loss is the utility that an option misses, in units of the noise of their answers.
func (p *Person) Loss(o space.Option) float64 {
	return p.judge(p.answers, prefer.Best{Option: o}).Loss
}

// Better counts the options that they like better than one, among all items of a list, or quasi-random options of a box.
func (p *Person) Better(o space.Option) (better, among int) { return p.rank(o) }
