package exchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// The system attributes in which Optuna Dashboard keeps a preferential study. Each list of preferences has a key of its own; one that was taken back is empty.
const (
	attrPreferential = "preference:is_preferential"
	attrValues       = "preference:values"
	attrSkip         = "preference:skip_trial:"
)

type optunaStudy struct {
	name   string
	attrs  ordered[json.RawMessage]
	trials []*optunaTrial // by number
}

type optunaTrial struct {
	params   ordered[optunaParam]
	finished bool
}

// optunaParam is a value as Optuna keeps it, and its distribution in JSON: those of other studies are none of our business.
type optunaParam struct {
	x    float64
	from string
}

// ordered is a map that knows in which order its keys were first set, as Python's does.
type ordered[V any] struct {
	keys []string
	of   map[string]V
}

func (o *ordered[V]) set(key string, v V) {
	if o.of == nil {
		o.of = map[string]V{}
	}
	if _, known := o.of[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.of[key] = v
}

// chooseOptuna returns the study called name, or the only preferential one.
func chooseOptuna(studies []*optunaStudy, name string) (*optunaStudy, error) {
	var all, preferential []string
	var found *optunaStudy
	for _, s := range studies {
		all = append(all, s.name)
		if string(s.attrs.of[attrPreferential]) == "true" {
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

func (s *optunaStudy) imported() (Import, error) {
	im := Import{Name: s.name}
	won, skipped, err := s.preferences()
	if err != nil {
		return Import{}, err
	}
	used := map[int]bool{}
	for _, w := range won {
		used[w[0]], used[w[1]] = true, true
	}
	for n, t := range s.trials {
		if len(won) == 0 && len(t.params.keys) > 0 {
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
	if skipped > 0 {
		im.Notes = append(im.Notes, fmt.Sprintf("%d trials were skipped, which says nothing of preference", skipped))
	}
	return im, nil
}

// preferences returns the pairs of trials (better, worse), and how many trials were skipped.
func (s *optunaStudy) preferences() (won [][]int, skipped int, err error) {
	for _, key := range s.attrs.keys {
		if strings.HasPrefix(key, attrSkip) {
			skipped++
		}
		if !strings.HasPrefix(key, attrValues) {
			continue
		}
		var pairs [][]int
		if err := json.Unmarshal(s.attrs.of[key], &pairs); err != nil {
			return nil, 0, fmt.Errorf("exchange: Optuna attribute %q is %s, want a list of pairs", key, strictjson.Excerpt(string(s.attrs.of[key])))
		}
		for _, p := range pairs {
			if len(p) != 2 || p[0] == p[1] || numbered(s.trials, p[0]) == nil || numbered(s.trials, p[1]) == nil {
				return nil, 0, fmt.Errorf("exchange: Optuna attribute %q has %v, want the numbers of two trials", key, p)
			}
		}
		won = append(won, pairs...)
	}
	return won, skipped, nil
}

// options returns the settings of the trials, and suggests the space they are from. A parameter that cannot vary is left out.
func (s *optunaStudy) options(im *Import, used []int) (map[int]space.Option, error) {
	var merged ordered[distribution]
	occur, options := map[string][]float64{}, map[int]space.Option{}
	for _, n := range used {
		options[n] = space.Option{}
		for _, name := range s.trials[n].params.keys {
			v := s.trials[n].params.of[name]
			d, err := readDistribution(v.from)
			if before, known := merged.of[name]; known && err == nil {
				d, err = before.merge(d)
			}
			if err != nil {
				return nil, fmt.Errorf("exchange: Optuna trial %d, parameter %q: %w", n, name, err)
			}
			merged.set(name, d)
			occur[name] = append(occur[name], v.x)
		}
	}
	for _, name := range merged.keys {
		d := merged.of[name]
		if d.Low == d.High && len(d.Choices) < 2 {
			im.Notes = append(im.Notes, fmt.Sprintf("%s cannot vary: it was left out", name))
			continue
		}
		p, note := d.parameter(name, occur[name])
		if note != "" {
			im.Notes = append(im.Notes, note)
		}
		for _, n := range used {
			v, ok := s.trials[n].params.of[name]
			if !ok {
				return nil, fmt.Errorf("exchange: Optuna trial %d has no %q; spaces that depend on the trial cannot be read", n, name)
			}
			if p.Type == "ordinal" {
				v.x = d.snap(v.x)
			}
			var err error
			if options[n][name], err = d.value(v.x); err != nil {
				return nil, fmt.Errorf("exchange: Optuna trial %d, parameter %q: %w", n, name, err)
			}
		}
		im.Space.Parameters = append(im.Space.Parameters, p)
	}
	if len(im.Space.Parameters) == 0 {
		return nil, fmt.Errorf("exchange: Optuna study %q has no trial with parameters that can vary", s.name)
	}
	return options, nil
}

// distribution is where Optuna draws a parameter from: a range with a step, 0 for none, or choices. Optuna's names of these are ours.
type distribution space.Parameter

var distributionTypes = map[string]string{
	"FloatDistribution": "float", "IntDistribution": "int", "CategoricalDistribution": "categorical",
}

func readDistribution(text string) (distribution, error) {
	var in struct {
		Name       string       `json:"name"`
		Attributes distribution `json:"attributes"`
	}
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return distribution{}, fmt.Errorf("distribution %s: %w", strictjson.Excerpt(text), strictjson.Explain(err))
	}
	d := in.Attributes
	d.Type = distributionTypes[in.Name]
	switch {
	case d.Type == "":
		return d, fmt.Errorf("distribution %s is none of Optuna's", strictjson.Excerpt(text))
	case d.Type == "categorical" && len(d.Choices) == 0:
		return d, errors.New("a categorical distribution has no choices")
	case !(d.Low <= d.High) || !(d.Step >= 0):
		return d, fmt.Errorf("distribution %s has no range", strictjson.Excerpt(text))
	case d.Type != "categorical":
		d.Choices = nil
	}
	return d, nil
}

// value returns what Optuna's stored number stands for: itself, or the number of a choice.
func (d distribution) value(x float64) (space.Value, error) {
	if d.Type != "categorical" {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return space.Value{}, fmt.Errorf("value %g is not finite", x)
		}
		return space.ValueOf(x), nil
	}
	if !(x >= 0 && x < float64(len(d.Choices))) || x != math.Floor(x) {
		return space.Value{}, fmt.Errorf("value %g names none of %d choices", x, len(d.Choices))
	}
	return d.Choices[int(x)], nil
}

// merge widens d to hold what e holds, as Optuna lets ranges change from trial to trial. Different steps are given up; another kind is an error.
func (d distribution) merge(e distribution) (distribution, error) {
	if d.Type != e.Type || d.Log != e.Log || len(d.Choices) != len(e.Choices) {
		return d, fmt.Errorf("it is a %s here and a %s there, or has other choices or another scale", d.Type, e.Type)
	}
	for i, c := range d.Choices {
		if c != e.Choices[i] {
			return d, fmt.Errorf("its choice %d is %v here and %v there", i+1, c, e.Choices[i])
		}
	}
	if d.Step != e.Step || d.Low != e.Low {
		d.Step = 0
	}
	d.Low, d.High = min(d.Low, e.Low), max(d.High, e.High)
	return d, nil
}

// maxSteps is how many steps of a real parameter make an ordinal one; beyond, it is as good as continuous.
const maxSteps = 64

// parameter suggests what d is in a Space. A real range with a step is an ordinal of its values, if they are
// few; all values that occur must be among them, up to rounding.
func (d distribution) parameter(name string, occur []float64) (p space.Parameter, note string) {
	p = space.Parameter(d)
	p.Name, p.Step = name, 0
	if d.Type == "categorical" {
		if len(d.Choices) == 2 && kindOf(d.Choices[0]) == "true/false" && kindOf(d.Choices[1]) == "true/false" {
			p.Type, p.Choices = "bool", nil
		}
		return p, ""
	}
	for _, x := range occur {
		if x < p.Low || x > p.High {
			note = fmt.Sprintf("%s is %g in a trial, outside of its range [%g, %g]: the range was widened", name, x, d.Low, d.High)
			p.Low, p.High, d.Step = min(p.Low, x), max(p.High, x), 0
		}
	}
	switch steps := (d.High - d.Low) / d.Step; {
	case d.Type == "int" && d.Step > 1:
		p.Step = d.Step
	case d.Type == "int" || d.Step == 0:
	case steps > maxSteps:
		note = fmt.Sprintf("%s has steps of %g in Optuna: it is continuous here", name, d.Step)
	default:
		for _, x := range occur {
			if d.snap(x) != x && math.Abs(d.snap(x)-x) > 1e-6*d.Step {
				return p, fmt.Sprintf("%s is %g in a trial, off its steps of %g: it is continuous here", name, x, d.Step)
			}
		}
		p.Type, p.Low, p.High, p.Log = "ordinal", 0, 0, false
		for k := 0.0; k <= math.Floor(steps+1e-6); k++ {
			p.Choices = append(p.Choices, space.ValueOf(d.Low+k*d.Step))
		}
	}
	return p, note
}

func (d distribution) snap(x float64) float64 { return d.Low + math.Round((x-d.Low)/d.Step)*d.Step }

// The operations of an Optuna journal that matter here. All to lastOp are known; what is not listed changes nothing we read.
const (
	opCreateStudy   = 0
	opDeleteStudy   = 1
	opSetStudyAttr  = 3
	opCreateTrial   = 4
	opSetTrialParam = 5
	opSetTrialState = 6
	lastOp          = 10
)

// The states of a trial that is not finished.
const (
	trialRunning = 0
	trialWaiting = 4
)

// journalEntry is one line of a journal. Fields we have no use for are not checked: the format is Optuna's.
type journalEntry struct {
	Op            *int                       `json:"op_code"`
	Study         int                        `json:"study_id"`
	StudyName     string                     `json:"study_name"`
	Attr          map[string]json.RawMessage `json:"system_attr"`
	Trial         int                        `json:"trial_id"`
	Param         string                     `json:"param_name"`
	Value         *float64                   `json:"param_value_internal"`
	Distribution  string                     `json:"distribution"`
	Distributions map[string]string          `json:"distributions"`
	Params        map[string]float64         `json:"params"`
	State         int                        `json:"state"`
}

// sqliteMagic begins every SQLite database, Optuna's other file.
const sqliteMagic = "SQLite format 3\x00"

// ReadOptuna reads a preferential study of Optuna Dashboard from an Optuna journal, a file of JSON Lines. study names it;
// "" stands for the only preferential one. Other storages become a journal with Optuna's own optuna.copy_study.
func ReadOptuna(r io.Reader, study string) (Import, error) {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(len(sqliteMagic)); string(head) == sqliteMagic {
		return Import{}, errors.New("exchange: this is an SQLite database; if it is Optuna's, " +
			"write the study to a journal with optuna.copy_study, as docs/formats.md shows")
	}
	var j journal
	if err := strictjson.EachLine(in, func(_ int, line []byte) error { return j.apply(line) }); err != nil {
		return Import{}, fail(err)
	}
	there := slices.DeleteFunc(j.studies, func(s *optunaStudy) bool { return s == nil })
	s, err := chooseOptuna(there, study)
	if err != nil {
		return Import{}, err
	}
	return s.imported()
}

// journal replays the operations. Numbers count up as Optuna counts them: studies by creation, trials over all
// studies. Operations on what is not there are those Optuna itself refused when another process was first.
type journal struct {
	studies []*optunaStudy // nil where one was deleted
	trials  []*optunaTrial
}

func numbered[T any](list []*T, i int) *T {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

func (j *journal) apply(line []byte) error {
	var e journalEntry
	err := json.Unmarshal(line, &e)
	if _, syntax := err.(*json.SyntaxError); syntax {
		err = json.Unmarshal(withoutNaN(line), &e)
	}
	switch {
	case err != nil:
		return strictjson.Explain(err)
	case e.Op == nil:
		return fmt.Errorf("%s is no line of an Optuna journal: it has no \"op_code\"", strictjson.Excerpt(string(line)))
	case *e.Op < 0 || *e.Op > lastOp:
		return fmt.Errorf("field \"op_code\" is %d, want 0 to %d: the journal is of a later Optuna", *e.Op, lastOp)
	}
	study, trial := numbered(j.studies, e.Study), numbered(j.trials, e.Trial)
	switch *e.Op {
	case opCreateStudy:
		if !slices.ContainsFunc(j.studies, func(s *optunaStudy) bool { return s != nil && s.name == e.StudyName }) {
			j.studies = append(j.studies, &optunaStudy{name: e.StudyName})
		}
		return nil
	case opDeleteStudy, opSetStudyAttr, opCreateTrial:
		if study == nil {
			return nil
		}
	case opSetTrialParam, opSetTrialState:
		if trial == nil || trial.finished {
			return nil
		}
	}
	switch *e.Op {
	case opDeleteStudy:
		j.studies[e.Study] = nil
	case opSetStudyAttr:
		for _, key := range slices.Sorted(maps.Keys(e.Attr)) {
			study.attrs.set(key, e.Attr[key])
		}
	case opCreateTrial:
		t := &optunaTrial{finished: e.finishes()}
		for _, name := range slices.Sorted(maps.Keys(e.Params)) {
			t.params.set(name, optunaParam{e.Params[name], e.Distributions[name]})
		}
		study.trials, j.trials = append(study.trials, t), append(j.trials, t)
	case opSetTrialParam:
		x := math.NaN()
		if e.Value != nil {
			x = *e.Value
		}
		trial.params.set(e.Param, optunaParam{x, e.Distribution})
	case opSetTrialState:
		trial.finished = e.finishes()
	}
	return nil
}

// finishes reports whether a trial of this state is complete, pruned or failed.
func (e journalEntry) finishes() bool { return e.State != trialRunning && e.State != trialWaiting }

// withoutNaN replaces NaN, Infinity and -Infinity outside of strings, which Python writes and JSON does not
// have, by null. They occur in results of trials, which we do not read.
func withoutNaN(line []byte) []byte {
	return stringOrNaN.ReplaceAllFunc(line, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}

var stringOrNaN = regexp.MustCompile(`"(\\.|[^"\\])*"|NaN|-?Infinity`)
