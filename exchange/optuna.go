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
	"github.com/prefer-bo/prefer/internal/xslices"
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
	im.Duels = xslices.Map(won, func(w []int) prefer.Duel {
		return prefer.Duel{First: options[w[0]], Second: options[w[1]], Answer: prefer.Answer{Choice: prefer.First}}
	})
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
			"write the study to a journal with optuna.copy_study, as docs/reference/formats.md shows")
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
		return fmt.Errorf("%s is not a line of an Optuna journal: it has no \"op_code\"", strictjson.Excerpt(string(line)))
	case *e.Op < 0 || *e.Op > lastOp:
		return fmt.Errorf("field \"op_code\" is %d, want 0 to %d: the journal is of a later Optuna", *e.Op, lastOp)
	}
	study, trial := numbered(j.studies, e.Study), numbered(j.trials, e.Trial)
	switch op := *e.Op; {
	case op == opCreateStudy:
		if !slices.ContainsFunc(j.studies, func(s *optunaStudy) bool { return s != nil && s.name == e.StudyName }) {
			j.studies = append(j.studies, &optunaStudy{name: e.StudyName})
		}
	case study == nil && op <= opCreateTrial, (trial == nil || trial.finished) && op > opCreateTrial: // it was refused
	case op == opDeleteStudy:
		j.studies[e.Study] = nil
	case op == opSetStudyAttr:
		for _, key := range slices.Sorted(maps.Keys(e.Attr)) {
			study.attrs.set(key, e.Attr[key])
		}
	case op == opCreateTrial:
		t := &optunaTrial{finished: e.finishes()}
		for _, name := range slices.Sorted(maps.Keys(e.Params)) {
			t.params.set(name, optunaParam{e.Params[name], e.Distributions[name]})
		}
		study.trials, j.trials = append(study.trials, t), append(j.trials, t)
	case op == opSetTrialParam:
		x := math.NaN()
		if e.Value != nil {
			x = *e.Value
		}
		trial.params.set(e.Param, optunaParam{x, e.Distribution})
	case op == opSetTrialState:
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
