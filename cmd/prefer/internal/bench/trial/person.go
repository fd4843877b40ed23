package trial

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// TasteSpace is the space of a taste as a study knows it: it translates between the options of the one and the points of the other.
type TasteSpace struct {
	*problem.Taste
	Crossed bool // the first part is an item of a list, which is crossed with the others
}

func (t TasteSpace) partName(j int) string {
	if t.Crossed && j == 0 {
		return "item"
	}
	return fmt.Sprintf("p%d", j+1)
}

// Space returns what a study about the taste searches.
func (t TasteSpace) Space() (s space.Space) {
	if t.Items == nil {
		s.Parameters = xslices.Times(len(t.Parts), func(j int) space.Parameter { return parameter(t.partName(j), t.Parts[j]) })
		if t.Crossed {
			s.Items = xslices.Map(s.Parameters[0].Choices, func(id space.Value) space.Item { return space.Item{ID: id.String()} })
			s.Parameters = s.Parameters[1:]
		}
		return s
	}
	for i, row := range t.Items {
		it := space.Item{ID: strconv.Itoa(i)}
		if len(row) > 0 {
			it.Features = t.setting(row)
		}
		s.Items = append(s.Items, it)
	}
	return s
}

func parameter(name string, p problem.Part) space.Parameter {
	switch {
	case p.Kind == problem.Continuous:
		return space.Float(name, 0, 1)
	case p.Kind == problem.Ordered:
		return space.Int(name, 0, p.Levels-1)
	case p.Levels == 2:
		return space.Switch(name)
	}
	return space.Categorical(name, strings.Split("abcdefghijklmnopqrstuvwxyz"[:p.Levels], "")...)
}

// setting returns the values of the parts at x.
func (t TasteSpace) setting(x []float64) space.Option {
	o := space.Option{}
	for j, p := range t.Parts {
		switch v := x[j]; {
		case p.Kind != problem.Unordered:
			o[t.partName(j)] = space.ValueOf(v)
		case p.Levels == 2:
			o[t.partName(j)] = space.ValueOf(v == 1)
		default:
			o[t.partName(j)] = space.ValueOf(string(rune('a' + int(v))))
		}
	}
	return o
}

// Option returns the option at a point.
func (t TasteSpace) Option(x []float64) space.Option {
	if t.Items != nil {
		return space.ItemOption(strconv.Itoa(int(x[0])))
	}
	return t.setting(x)
}

// Point returns where an option lies.
func (t TasteSpace) Point(o space.Option) []float64 {
	if t.Items != nil {
		i, err := strconv.Atoi(o.Item())
		if err != nil {
			panic(fmt.Sprintf("trial: %v is not an item of the list", o))
		}
		return []float64{float64(i)}
	}
	return xslices.Times(len(t.Parts), func(j int) float64 { return t.Coordinate(j, o[t.partName(j)]) })
}

// Coordinate returns where a value of part j lies.
func (t TasteSpace) Coordinate(j int, v space.Value) float64 {
	switch p := t.Parts[j]; {
	case p.Kind != problem.Unordered:
		return v.Float()
	case p.Levels == 2:
		if v == space.ValueOf(true) {
			return 1
		}
		return 0
	default:
		return float64(v.String()[0] - 'a')
	}
}

// Worth returns the true utility of an option.
func (t TasteSpace) Worth(o space.Option) float64 { return t.Utility(t.Point(o)) }

// Person has a taste and answers by it.
type Person struct {
	TasteSpace
	Rater  problem.TasteRater
	Mood   uint64 // seed of the noise of the answers
	Graded bool   // the study offers "clearly"

	Name     string // in a study with others
	Careless int    // 0 for none, 1 for clicks at random, 2 for always the left side
	Outlier  bool   // wants the contrary of the others
	Camp     int
}

// Answer returns the person's answer of that number, about two options.
func (p *Person) Answer(first, second space.Option, number int) prefer.Answer {
	return p.Compare(p.Worth(first), p.Worth(second), number)
}

// Compare returns the person's answer of that number, about options of two utilities.
func (p *Person) Compare(f1, f2 float64, number int) prefer.Answer {
	reply, strength := p.Rater.Compare(f1, f2, p.Mood, uint64(number))
	if !p.Graded {
		strength = 0
	}
	return prefer.Answer{Choice: prefer.Choice(reply), Strength: strength}
}

// Respond is Compare with the side on which each was shown.
func (p *Person) Respond(f1, f2 float64, number int) prefer.Answer {
	a := p.Compare(f1, f2, number)
	if a.Swapped = problem.At(p.Mood+1, uint64(number)).Uniform < 0.5; p.Careless == 2 {
		if a.Choice = prefer.First; a.Swapped {
			a.Choice = prefer.Second
		}
	}
	return a
}

// Tolerance is by how much an option may miss the best and be good enough to the person.
func (p *Person) Tolerance() float64 { return p.Taste.Tolerance(p.Rater.Sigma) }

// patience bounds the questions of a person who skips: so many for every answer.
const patience = 3

// Play answers the questions of a study, up to so many answers, skips aside. After each answer it calls look, which reports whether to go on.
func (p *Person) Play(ctx context.Context, s *prefer.Study, limit int, look func(answers int) (more bool, err error)) error {
	for asked, answers := 0, 0; answers < limit && asked < patience*limit; asked++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		q, err := s.Ask(ctx, prefer.Request{})
		if err != nil {
			return err
		}
		a := p.Answer(q.First, q.Second, asked)
		if _, err := s.Tell(ctx, q.ID, a); err != nil {
			return err
		}
		if a.Choice == prefer.Skip {
			continue
		}
		answers++
		if more, err := look(answers); err != nil || !more {
			return err
		}
	}
	return nil
}
