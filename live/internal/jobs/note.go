package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/store"
)

// Simulation is what came of a simulation of people who are not there.
type Simulation struct {
	Raters       int               `json:"raters" doc:"People at each level of noise."`
	MaxQuestions int               `json:"max_questions"`
	Confidence   float64           `json:"confidence" doc:"Of the study's verdicts."`
	Seed         uint64            `json:"seed"`
	Levels       []SimulationLevel `json:"levels" nullable:"false"`
	Caveat       string            `json:"caveat" doc:"Show it with every number."`
}

// SimulationLevel is what came of the people at one level of noise.
type SimulationLevel struct {
	Noise string `json:"noise"`
	simulate.Summary
	Near     string `json:"near" doc:"How close to a rater's best a good pick is."`
	Sentence string `json:"sentence" doc:"For a protocol: questions, minutes, and how good the picks were."`
}

// NewSimulation puts a result into words, for people who take so many seconds for an answer.
func NewSimulation(r simulate.Result, seconds float64) *Simulation {
	out := &Simulation{Raters: r.Raters, MaxQuestions: r.MaxQuestions, Confidence: r.Confidence, Seed: r.Seed, Caveat: simulate.Caveat}
	for _, l := range r.Levels {
		level := SimulationLevel{Noise: l.Noise.String(), Summary: l.Summary, Near: l.Near(), Sentence: l.Sentence(time.Duration(seconds * float64(time.Second)))}
		level.Questions, level.Budgets = append([]simulate.Quantile{}, level.Questions...), append([]simulate.Budget{}, level.Budgets...) // not nil where nobody has finished
		out.Levels = append(out.Levels, level)
	}
	return out
}

// Job is long work about a study that was asked for, and how far it is.
type Job struct {
	ID      string    `json:"job"`
	Kind    string    `json:"kind" enum:"simulation,report"`
	State   string    `json:"state" enum:"waiting,running,done,failed"`
	Parts   int       `json:"parts" doc:"Number of parts: for a simulation, raters at all levels of noise."`
	Done    int       `json:"done" doc:"Number of parts that are done."`
	Workers *int      `json:"workers,omitempty" doc:"Number of workers while it is unfinished; 0: it waits for one."`
	Created time.Time `json:"created"`
	Failure string    `json:"failure,omitempty" doc:"The error. Repeating the request tries again."`

	Result *Simulation `json:"result,omitempty" doc:"For a simulation: the result so far; in the list only when it is over."`

	Seq     int    `json:"seq,omitempty" doc:"For a report: the number of the last event it covers."`
	Answers int    `json:"answers,omitempty" doc:"For a report: the number of answers it covers."`
	Rater   string `json:"rater,omitempty" doc:"For a report: the rater it is about."`
	URL     string `json:"url,omitempty" doc:"Page of a report that is done."` // filled in by the server
}

// describe returns the state of a job. results are those of a simulation's parts so far.
func (n note) describe(p job.Progress, results [][]byte) (Job, error) {
	out := Job{ID: n.key, Kind: n.Kind, State: p.State(), Parts: n.Parts, Done: min(p.Done, n.Parts), Created: n.Created, Failure: n.Failure, Answers: n.Answers}
	switch {
	case n.Failure != "":
		out.State = "failed"
	case !n.Over:
		out.Workers, out.Failure = &p.Workers, p.Failure
	}
	switch n.Kind {
	case job.Simulation:
		result := n.Result
		if len(results) >= n.Parts {
			partial, err := job.Simulated(n.Job, results[:n.Parts])
			if err != nil {
				return out, err
			}
			result = &partial
		}
		if result != nil {
			out.Result = NewSimulation(*result, n.Seconds)
		}
	case job.Report:
		var about job.ReportRequest
		if err := json.Unmarshal(n.Body, &about); err != nil {
			return out, err
		}
		out.Seq, out.Rater = about.Seq, about.Rater
	}
	return out, nil
}

// note is a job as its study remembers it: enough to submit it again, and in the end the result, so that every process can answer.
type note struct {
	job.Job
	Created time.Time `json:"created"`

	// Of a simulation.
	Seconds float64          `json:"seconds,omitempty"` // a person takes for an answer
	Result  *simulate.Result `json:"result,omitempty"`  // when it is over, without the people

	// Of a report.
	Answers int `json:"answers,omitempty"` // it takes in

	Over    bool   `json:"over,omitempty"`
	Done    int    `json:"done,omitempty"` // parts, when it is over
	Failure string `json:"failure,omitempty"`

	key string
}

// Prefixes of the notes. A report and the note about it are made from answers: both are removed when anybody is forgotten.
const (
	jobsBegin    = "errand/" // as stores written so far have it
	reportsBegin = store.Derived + jobsBegin
)

func noteName(key string) string {
	if strings.HasPrefix(key, job.Report+"-") {
		return reportsBegin + key
	}
	return jobsBegin + key
}

func readNote(n store.Note) (note, error) {
	out := note{key: strings.TrimPrefix(strings.TrimPrefix(n.Name, store.Derived), jobsBegin)}
	err := json.Unmarshal([]byte(n.Body), &out)
	if err == nil {
		err = out.Validate()
	}
	if err != nil {
		return out, fmt.Errorf("live: study %q: the note %q cannot be read: %w: %w", n.Study, n.Name, err, store.ErrCorrupt)
	}
	return out, nil
}

// find returns what a study remembers of a job; ok is false if that is nothing.
func (j *Jobs) find(ctx context.Context, study, key string) (n note, ok bool, err error) {
	if store.CheckName(key) != nil { // no database must be asked for what no key is
		return n, false, nil
	}
	text, ok, err := j.cfg.Store.FindNote(ctx, study, noteName(key))
	if err != nil || !ok {
		return n, false, err
	}
	n, err = readNote(text)
	return n, err == nil, err
}

// notes returns the jobs of a study, the newest first.
func (j *Jobs) notes(ctx context.Context, study string) ([]note, error) {
	var all []note
	for _, begins := range []string{jobsBegin, reportsBegin} {
		texts, err := j.cfg.Store.Notes(ctx, study, begins)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			n, err := readNote(text)
			if err != nil {
				return nil, err
			}
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b note) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.key, b.key)) })
	return all, nil
}

func (j *Jobs) keepNote(ctx context.Context, study string, n note) error {
	return store.KeepJSON(ctx, j.cfg.Store.KeepNote, store.Note{Study: study, Name: noteName(n.key)}, n)
}

func (j *Jobs) hasPage(ctx context.Context, study string, n note) (bool, error) {
	_, has, err := j.cfg.Store.FindNote(ctx, study, job.ReportNote(n.Job))
	return has, err
}
