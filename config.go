package prefer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// Config describes a study. Only Space has no default.
type Config struct {
	// Space is what to search.
	Space space.Space `json:"space"`

	// Prompt is the sentence above a question. Defaults to "Which do you prefer?".
	Prompt string `json:"prompt,omitempty"`

	// Answers is the scale on offer. Defaults to first, second and "can't tell".
	Answers Answers `json:"answers"`

	// Method chooses questions: "kg" (the default), or another of acquisition.Methods. With a Chooser it is any name for
	// it in the log. Defaults then to "own".
	Method string `json:"method,omitempty"`

	// Seed fixes every random choice of the study.
	Seed uint64 `json:"seed,omitempty"`

	// Initial is the number of quasi-random pairs asked before the model chooses. Defaults to 2; negative for none. While there is no answer but ties the model has
	// nothing to go by, and quasi-random pairs go on.
	Initial int `json:"initial,omitempty"`

	// Separation is how far apart the two options of a question must be, as a part of the range, in
	// the parameter where they differ most. Defaults to 0.02; negative for no rule.
	Separation float64 `json:"separation,omitempty"`

	// Repeats allows a pair that was asked before to be asked again.
	Repeats bool `json:"repeats,omitempty"`

	// Confidence says how little more answers may promise at the end: ten of them less than a point of a hundred options at the default of 0.9, half a point at 0.95.
	Confidence float64 `json:"confidence,omitempty"`

	// People says whose utility is learned: Shared (the default) or PerRater.
	People People `json:"people,omitempty"`

	// Tolerance is by how much another option must be better to be noticed (Best.Confidence). Defaults to DefaultTolerance. A larger one can make a study shorter.
	Tolerance Tolerance `json:"tolerance,omitzero"`

	// Budget is the number of answers a person will give, skips not counted: the verdict on one who has given them is an
	// ending. Defaults to 0: no end but the verdict's own.
	Budget int `json:"budget,omitempty"`

	// Shortlist is how many of the best items of a list the study looks for: 3 for a top 3. It then ends when it is sure of the set, in any order. Defaults to 0:
	// it looks for one favourite, as a study of parameters does.
	Shortlist int `json:"shortlist,omitempty"`

	// Modelling has what researchers set: priors, inference, and how a question is searched.
	Modelling

	// Journal keeps the events. Nil keeps them in memory only.
	Journal Journal `json:"-"`

	// Now tells the time for the log. Defaults to time.Now. No decision depends on it.
	Now func() time.Time `json:"-"`

	// Chooser, if not nil, chooses the questions after the quasi-random ones, in place of a method of package acquisition. It must be a function of its task,
	// or the study cannot be replayed. The rules on what may be asked hold for it: where Task.Accept refuses its pair a quasi-random one is asked. A panic,
	// an error or a pair that is none of the space is an error of that Ask, and nothing else. Open needs it again.
	Chooser acquisition.Method `json:"-"`
}

// Modelling has the priors and the inference of a study, and how its questions are searched. In JSON its fields are those of Config.
type Modelling struct {
	// Model is the prior and the inference that questions are chosen by. Its Answers are set from the field above. Its
	// Outputscale defaults to Gamma(2, 0.6), and its Trend, what each parameter is worth whatever the others are, to
	// Gamma(1.5, 0.1); for items without features to Gamma(2, 0.15) and none. What a study reports is up to BeliefModels, whose first also chooses questions after 330 answers.
	Model gp.Model `json:"model"`

	// Alternatives are further priors that the knowledge gradient chooses questions by: each has its share by how well it
	// forecast the answers, at its likeliest hyper-parameters. Other methods go by Model alone. Their Answers and Noise are
	// the study's. Defaults to those of people and of plain tastes; empty and not nil for none.
	Alternatives []Alternative `json:"alternatives,omitempty"`

	// Look-ahead noise σ of the knowledge gradient. Defaults to the model's.
	LookAhead float64 `json:"look_ahead,omitempty"`

	// Margin is the part of the range at both ends of every parameter that the method's first questions,
	// until three per parameter are no longer open, keep clear of unless only near-repeats remain; the best option and the quasi-random pairs are free of it.
	// Defaults to what leaves the inner half of the space by volume, and for a Chooser to none; negative for none.
	Margin float64 `json:"margin,omitempty"`

	// Search is the effort of one search for a question. Defaults to what the dimension needs.
	Search acquisition.Search `json:"search"`

	// Kinship is the prior of ρ/(1 − ρ), ρ being the correlation of two people's utilities, of people with utilities of their own: what
	// others have answered then teaches about a person as far as people are found to be alike. It belongs to what a study tells; questions are
	// chosen by the likeliest ρ. Defaults to a prior of people; gp.None(), which logs of old mean, lets a person's answers speak for that person alone.
	Kinship gp.Prior `json:"kinship,omitzero"`

	// Earlier are answers that people of an earlier study gave (exchange.Earlier): everybody begins with what those have in common, as
	// doubtful as it is, and as far as Kinship finds them alike. At most 90. They have no raters' names, and nobody's budget counts them.
	Earlier []Duel `json:"earlier,omitempty"`

	// BothBad says what an answer of that name means: "level", the default of a new study, both options are below the level from which on
	// the rater would take one; or "tie", which old logs mean.
	BothBad string `json:"both_bad,omitempty"`

	// Belief says how a study comes to what it tells, whatever chooses its questions: "averaged" over
	// what the answers leave of the hyper-parameters, the default of a new one, or at their "likeliest" values, which old logs mean.
	Belief string `json:"belief,omitempty"`

	// BeliefModels are the priors and inferences that what a study with an averaged belief tells is averaged over. Their Answers
	// and Noise are the study's. Defaults to defaultBeliefModels.
	BeliefModels []gp.Model `json:"tells,omitempty"`

	// Mixture is read from old logs and written as it was; what it asked for is not done.
	Mixture int `json:"mixture,omitempty"`
}

// What "both bad" means to the model (Config.BothBad).
const (
	// Both options are below the level from which on the rater would take one, a latent of theirs (docs/dev/math.md).
	badAtLevel = "level"
	// A tie (where ties are offered) and a lost duel of each option against the incumbent at the time of asking, unless it is one of the pair.
	badAsTie = "tie"
)

// How a study comes to what it says (Config.Belief).
const (
	// Averaged: by the model Config.BeliefModels, with hyper-parameters averaged over what the answers leave of them. What it
	// tells is true about as often as it says, from few answers on (docs/results/statements.md).
	beliefAveraged = "averaged"
	// Likeliest: by the model that chooses the questions, at the likeliest hyper-parameters, as if they were known. After
	// a few dozen answers that says 87 % where 60 to 77 are true.
	beliefLikeliest = "likeliest"
)

// Alternative is another prior that questions are chosen by, beside Config.Model: whether more is simply better or there are hills is for the answers to say.
type Alternative struct {
	Model gp.Model `json:"model"`
	// Odds are those of it against Config.Model before any answer.
	Odds float64 `json:"odds"`
	// Until is the number of answers after which it is left out. 0 for never.
	Until int `json:"until,omitempty"`
}

// order has the names of the fields in the order that logs and hashes are written in.
var order = strings.Fields("space prompt answers method seed initial model alternatives look_ahead mixture margin search separation repeats " +
	"confidence people kinship earlier tolerance budget shortlist both_bad belief tells")

// MarshalJSON writes the fields flat, in the order that checksums of logs depend on.
func (c Config) MarshalJSON() ([]byte, error) {
	type flat Config // has no methods
	return inOrder(flat(c), order)
}

// warnings says which settings of old logs a study has, and what is done in place of them.
func (c Config) warnings() (out []error) {
	if c.Mixture != 0 {
		out = append(out, fmt.Errorf("prefer: the study was to average over %d settings of the hyper-parameters (mixture), which is no longer done: it goes by the likeliest one", c.Mixture))
	}
	if c.Search.Nested {
		out = append(out, errors.New("prefer: the study was to climb once more with the inner maxima solved (search.nested), which is no longer done: it goes by the one-shot search"))
	}
	return out
}

// inOrder writes a struct as JSON with its fields in an order other than that of their declaration.
func inOrder(v any, order []string) ([]byte, error) {
	text, err := plainJSON(v) // whether HTML is escaped is for the caller's encoder to say
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, name := range order {
		if field, ok := fields[name]; ok {
			out = fmt.Appendf(out, "%q:%s,", name, field)
			delete(fields, name)
		}
	}
	if len(fields) > 0 {
		return nil, fmt.Errorf("prefer: the fields %v of Config have no place in its JSON", slices.Sorted(maps.Keys(fields)))
	}
	return append(bytes.TrimSuffix(out, []byte{','}), '}'), nil
}

// plainJSON writes a value as JSON with a line feed, and does not escape what only HTML minds.
func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return out.Bytes(), err
}
