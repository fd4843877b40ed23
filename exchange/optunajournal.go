package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// The operations of an Optuna journal that matter here. All to lastOp are known; what is not listed changes
// nothing we read.
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
	j := &journal{byID: map[int]*optunaStudy{}}
	for in.next() {
		if err := j.apply(in.text); err != nil {
			return Import{}, fmt.Errorf("exchange: line %d: %w", in.n, err)
		}
	}
	if err := in.end(); err != nil {
		return Import{}, err
	}
	var studies []*optunaStudy
	for _, id := range slices.Sorted(maps.Keys(j.byID)) {
		studies = append(studies, j.byID[id])
	}
	s, err := chooseOptuna(studies, study)
	if err != nil {
		return Import{}, err
	}
	return s.imported()
}

// journal replays the operations. Numbers count up as Optuna counts them: studies by creation, trials over all
// studies. Operations on what is not there are those Optuna itself refused when another process was first.
type journal struct {
	byID    map[int]*optunaStudy
	created int
	trials  []*optunaTrial
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
	study := j.byID[e.Study]
	switch *e.Op {
	case opCreateStudy:
		for _, s := range j.byID {
			if s.name == e.StudyName {
				return nil
			}
		}
		j.byID[j.created] = newOptunaStudy(e.StudyName)
		j.created++
	case opDeleteStudy:
		delete(j.byID, e.Study)
	case opSetStudyAttr:
		for _, key := range slices.Sorted(maps.Keys(e.Attr)) {
			if study != nil {
				study.set(key, e.Attr[key])
			}
		}
	case opCreateTrial:
		if study != nil {
			j.createTrial(study, e)
		}
	case opSetTrialParam:
		if t := j.unfinished(e.Trial); t != nil {
			x := math.NaN()
			if e.Value != nil {
				x = *e.Value
			}
			t.set(e.Param, x, e.Distribution)
		}
	case opSetTrialState:
		if t := j.unfinished(e.Trial); t != nil {
			t.finished = e.finishes()
		}
	}
	return nil
}

func (j *journal) createTrial(study *optunaStudy, e journalEntry) {
	t := newOptunaTrial()
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		t.set(name, e.Params[name], e.Distributions[name])
	}
	t.finished = e.finishes()
	study.trials[len(study.trials)] = t
	j.trials = append(j.trials, t)
}

// unfinished returns a trial that can still change, or nil.
func (j *journal) unfinished(id int) *optunaTrial {
	if id < 0 || id >= len(j.trials) || j.trials[id].finished {
		return nil
	}
	return j.trials[id]
}

// finishes reports whether a trial of this state is complete, pruned or failed.
func (e journalEntry) finishes() bool { return e.State != trialRunning && e.State != trialWaiting }

// withoutNaN replaces NaN, Infinity and -Infinity outside of strings, which Python writes and JSON does not
// have, by null. They occur in results of trials, which we do not read.
func withoutNaN(line []byte) []byte {
	var out []byte
	inside, escaped := false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		if inside {
			inside, escaped = c != '"' || escaped, c == '\\' && !escaped
			out = append(out, c)
			continue
		}
		inside = c == '"'
		n := 0
		for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
			if bytes.HasPrefix(line[i:], []byte(word)) {
				n = len(word)
			}
		}
		if n == 0 {
			out = append(out, c)
			continue
		}
		out = append(out, "null"...)
		i += n - 1
	}
	return out
}
