package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
)

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
	in, err := newLines(r)
	if err != nil {
		return Import{}, err
	}
	if head, _ := in.r.Peek(len(sqliteMagic)); string(head) == sqliteMagic {
		return Import{}, errors.New("exchange: this is an SQLite database; if it is Optuna's, " +
			"write the study to a journal with optuna.copy_study, as docs/formats.md shows")
	}
	var j journal
	for in.next() {
		if err := j.apply(in.text); err != nil {
			return Import{}, fmt.Errorf("exchange: line %d: %w", in.n, err)
		}
	}
	if err := in.end(); err != nil {
		return Import{}, err
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

// numbered returns element i of a list, or nil if it has none.
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
		return explain(err)
	case e.Op == nil:
		return fmt.Errorf("%s is no line of an Optuna journal: it has no \"op_code\"", excerpt(string(line)))
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
