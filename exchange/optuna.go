package exchange

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
)

// The system attributes in which Optuna Dashboard keeps a preferential study. Each list of preferences has a
// key of its own; one that was taken back is empty.
const (
	attrPreferential = "preference:is_preferential"
	attrValues       = "preference:values"
	attrSkip         = "preference:skip_trial:"
)

// optunaStudy is a study as far as it matters here.
type optunaStudy struct {
	name   string
	keys   []string // of attributes, in the order they were first set
	attrs  map[string]json.RawMessage
	trials map[int]*optunaTrial // by number
}

type optunaTrial struct {
	names    []string // of parameters, in the order they were set
	values   map[string]float64
	from     map[string]string // distributions in JSON: those of other studies are none of our business
	finished bool
}

func newOptunaStudy(name string) *optunaStudy {
	return &optunaStudy{name: name, attrs: map[string]json.RawMessage{}, trials: map[int]*optunaTrial{}}
}

func newOptunaTrial() *optunaTrial {
	return &optunaTrial{values: map[string]float64{}, from: map[string]string{}}
}

func (s *optunaStudy) set(key string, value json.RawMessage) {
	if _, ok := s.attrs[key]; !ok {
		s.keys = append(s.keys, key)
	}
	s.attrs[key] = value
}

func (t *optunaTrial) set(name string, x float64, from string) {
	if _, ok := t.from[name]; !ok {
		t.names = append(t.names, name)
	}
	t.values[name], t.from[name] = x, from
}

// chooseOptuna returns the study called name, or the only preferential one.
func chooseOptuna(studies []*optunaStudy, name string) (*optunaStudy, error) {
	var all, preferential []string
	var found *optunaStudy
	for _, s := range studies {
		all = append(all, s.name)
		if string(s.attrs[attrPreferential]) == "true" {
			preferential = append(preferential, s.name)
			if name == "" || name == s.name {
				found = s
			}
		}
	}
	switch {
	case name == "" && len(preferential) > 1:
		return nil, fmt.Errorf("exchange: the file has several preferential studies, %s: name one", listed(preferential))
	case found != nil:
		return found, nil
	case slices.Contains(all, name):
		return nil, fmt.Errorf("exchange: Optuna study %q holds no preferences: it was not created by optuna_dashboard.preferential", name)
	case name != "":
		return nil, fmt.Errorf("exchange: there is no Optuna study %q among %s", name, listed(all))
	}
	return nil, fmt.Errorf("exchange: none of the Optuna studies %s holds preferences", listed(all))
}

// imported turns the study into duels and a space.
func (s *optunaStudy) imported() (Import, error) {
	im := Import{Name: s.name}
	won, err := s.preferences()
	if err != nil {
		return Import{}, err
	}
	used := map[int]bool{}
	for _, w := range won {
		used[w[0]], used[w[1]] = true, true
	}
	for n, t := range s.trials {
		if len(won) == 0 && len(t.names) > 0 {
			used[n] = true // nothing was compared yet, but the space can be told
		}
	}
	options, err := s.options(&im, slices.Sorted(maps.Keys(used)))
	if err != nil {
		return Import{}, err
	}
	for _, w := range won {
		im.Duels = append(im.Duels, prefer.Duel{First: options[w[0]], Second: options[w[1]], Answer: prefer.Answer{Choice: prefer.First}})
	}
	skipped := 0
	for _, k := range s.keys {
		if strings.HasPrefix(k, attrSkip) {
			skipped++
		}
	}
	if skipped > 0 {
		im.Notes = append(im.Notes, fmt.Sprintf("%d trials were skipped, which says nothing of preference", skipped))
	}
	return im, nil
}

// preferences returns the pairs of trials (better, worse).
func (s *optunaStudy) preferences() ([][2]int, error) {
	var won [][2]int
	for _, key := range s.keys {
		if !strings.HasPrefix(key, attrValues) {
			continue
		}
		var pairs [][]int
		if err := json.Unmarshal(s.attrs[key], &pairs); err != nil {
			return nil, fmt.Errorf("exchange: Optuna attribute %q is %s, want a list of pairs", key, excerpt(string(s.attrs[key])))
		}
		for _, p := range pairs {
			if len(p) != 2 || p[0] == p[1] || s.trials[p[0]] == nil || s.trials[p[1]] == nil {
				return nil, fmt.Errorf("exchange: Optuna attribute %q has %v, want the numbers of two trials", key, p)
			}
			won = append(won, [2]int{p[0], p[1]})
		}
	}
	return won, nil
}

// options returns the settings of the trials, and suggests the space they are from. A parameter that cannot
// vary is left out.
func (s *optunaStudy) options(im *Import, used []int) (map[int]prefer.Option, error) {
	var names []string
	merged, occur := map[string]distribution{}, map[string][]float64{}
	for _, n := range used {
		t := s.trials[n]
		for _, name := range t.names {
			d, err := readDistribution(t.from[name])
			if before, known := merged[name]; known && err == nil {
				d, err = before.merge(d)
			} else if !known {
				names = append(names, name)
			}
			if err != nil {
				return nil, fmt.Errorf("exchange: Optuna trial %d, parameter %q: %w", n, name, err)
			}
			merged[name] = d
			occur[name] = append(occur[name], t.values[name])
		}
	}
	options := map[int]prefer.Option{}
	for _, n := range used {
		options[n] = prefer.Option{}
	}
	for _, name := range names {
		d := merged[name]
		if d.low == d.high && len(d.choices) < 2 {
			im.Notes = append(im.Notes, fmt.Sprintf("%s cannot vary: it was left out", name))
			continue
		}
		p, note := d.parameter(name, occur[name])
		if note != "" {
			im.Notes = append(im.Notes, note)
		}
		for _, n := range used {
			x, ok := s.trials[n].values[name]
			if !ok {
				return nil, fmt.Errorf("exchange: Optuna trial %d has no %q; spaces that depend on the trial cannot be read", n, name)
			}
			if p.Type == "ordinal" {
				x = d.snap(x)
			}
			v, err := d.value(x)
			if err != nil {
				return nil, fmt.Errorf("exchange: Optuna trial %d, parameter %q: %w", n, name, err)
			}
			options[n][name] = v
		}
		im.Space.Parameters = append(im.Space.Parameters, p)
	}
	if len(im.Space.Parameters) == 0 {
		return nil, fmt.Errorf("exchange: Optuna study %q has no trial with parameters that can vary", s.name)
	}
	return options, nil
}
