package people

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/problem"
)

// Plan says which studies are played.
type Plan struct {
	// Numbers is how many populations of each kind, space and size there are. Defaults to 10.
	Numbers int
	// Seed draws tastes, moods and studies.
	Seed uint64
	// Populations are some of Populations(). Defaults to all.
	Populations []string
	// Spaces are numbers of continuous parameters, or, as in 4m, of mixed ones. Defaults to 2, 4, 6 and 4m.
	Spaces []string
	// Family is one of problem.TasteFamilies, smooth, rugged or conjoint. Defaults to any.
	Family string
	// People are sizes. Defaults to 3, 6, 12 and 24.
	People []int
	// Careless are numbers of people who answer without looking, among those of a size; left out where they would be more
	// than a quarter. Defaults to 0.
	Careless []int
	// Arms are what is compared. Defaults to Arms().
	Arms []Arm
	// Method chooses the questions. Defaults to kg.
	Method string
	// Marks are the numbers of answers of each person after which is looked, increasing. Defaults to 5, 10, 15 and 20.
	Marks []int
	// Study is what else is set in the studies, before an arm sets what it is; Space, Seed and Method are theirs. It needs a Label.
	Study prefer.Config
	// Label, if not empty, is added to the names of the arms in the file.
	Label string
	// Jobs is the number of populations at a time. Defaults to the processors; no result depends on it.
	Jobs int
}

// WithDefaults fills in what the zero value stands for.
func (p Plan) WithDefaults() Plan {
	if p.Numbers == 0 {
		p.Numbers = 10
	}
	if len(p.Populations) == 0 {
		p.Populations = Populations()
	}
	if len(p.Spaces) == 0 {
		p.Spaces = []string{"2", "4", "6", "4m"}
	}
	if len(p.People) == 0 {
		p.People = []int{3, 6, 12, 24}
	}
	if len(p.Careless) == 0 {
		p.Careless = []int{0}
	}
	if len(p.Arms) == 0 {
		p.Arms = Arms()
	}
	if p.Label != "" {
		p.Arms = slices.Clone(p.Arms)
		for i := range p.Arms {
			p.Arms[i].Name += " " + p.Label
		}
		p.Label = ""
	}
	if p.Method == "" {
		p.Method = "kg"
	}
	if len(p.Marks) == 0 {
		p.Marks = []int{5, 10, 15, 20}
	}
	if p.Jobs == 0 {
		p.Jobs = runtime.GOMAXPROCS(0)
	}
	return p
}

// Validate reports the first field that makes no sense.
func (p Plan) Validate() error {
	p = p.WithDefaults()
	switch {
	case p.Numbers < 0:
		return fmt.Errorf("people: Plan.Numbers = %d, want at least 1", p.Numbers)
	case p.Jobs < 0:
		return fmt.Errorf("people: Plan.Jobs = %d, want at least 1", p.Jobs)
	case !slices.Contains(acquisition.Methods(), p.Method):
		return fmt.Errorf("people: Plan.Method = %q, want one of %s", p.Method, strings.Join(acquisition.Methods(), ", "))
	case slices.Min(p.People) < 2:
		return fmt.Errorf("people: Plan.People = %v, want 2 and more", p.People)
	case slices.Min(p.Careless) < 0 || 4*slices.Min(p.Careless) > slices.Max(p.People):
		return fmt.Errorf("people: Plan.Careless = %v of %v people, want 0 to a quarter", p.Careless, p.People)
	}
	for i, m := range p.Marks {
		if m < 1 || i > 0 && m <= p.Marks[i-1] {
			return fmt.Errorf("people: Plan.Marks = %v, want increasing numbers of answers", p.Marks)
		}
	}
	for _, name := range p.Populations {
		if known := Populations(); !slices.Contains(known, name) {
			return fmt.Errorf("people: Plan.Populations has %q, want some of %s", name, strings.Join(known, ", "))
		}
	}
	for _, s := range p.Spaces {
		o, err := options(s, p.Family)
		if err != nil {
			return err
		}
		if _, err := problem.NewTaste(p.Seed, 0, o); err != nil {
			return err
		}
	}
	return nil
}

// cells lists the populations, all of a number before the next.
func (p Plan) cells() []cell {
	var out []cell
	for number := range p.Numbers {
		for _, space := range p.Spaces {
			for _, n := range p.People {
				for _, k := range p.Careless {
					if 4*k > n {
						continue
					}
					for _, name := range p.Populations {
						out = append(out, cell{name, space, n, k, number, p.Seed, p.Family})
					}
				}
			}
		}
	}
	return out
}
