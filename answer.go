package prefer

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Answer is a rater's answer to a question.
type Answer struct {
	Choice Choice `json:"choice"`

	// Strength grades a preference: 0 is plain, 1 "clearly", and so on up to the study's Grades.
	Strength int `json:"strength,omitempty"`

	// Key, if not empty, makes telling idempotent: the same answer told again under its key is the first one over again. Every
	// rater has their own keys; one that stands for another of their answers is refused ("key").
	Key string `json:"key,omitempty"`

	// Rater is who answered. Defaults to the rater the question was put to; nobody else can answer it.
	Rater string `json:"rater,omitempty"`

	// Swapped records that the second option was shown in the first place.
	Swapped bool `json:"swapped,omitempty"`

	// ResponseTime is how long the rater looked; 0 if unknown.
	ResponseTime time.Duration `json:"response_ns,omitempty"`

	// Refused counts the answers to the question that were refused as too quick before this one, for those who keep such records.
	Refused int `json:"refused,omitempty"`

	// Session names the sitting the answer belongs to, for those who keep such records.
	Session string `json:"session,omitempty"`

	// Check marks an answer given to check the rater: it is kept, and not learned from.
	Check bool `json:"check,omitempty"`

	// Note and Meta are what goes with the answer: a reason in words, and by name what a program knows of it. They are kept and
	// shown, never learned from, and make it no other answer under its Key: the first stay.
	Note string `json:"note,omitempty"`
	Meta Meta   `json:"meta,omitempty"`

	// RandomSides records that it was drawn at random which option of the question was shown first, as Swapped says: the study then learns the rater's
	// position bias from it. Answers of old logs lack it, and observed duels have no sides.
	RandomSides bool `json:"random_sides,omitempty"`
}

// counts is the rule of Entry.Counts: undone and blind say what the study knows of the answer.
func (a *Answer) counts(undone, blind bool) bool {
	k, _ := a.Choice.info()
	return k.Teaches && !a.Check && !undone && !blind
}

// Answers describes which answers a study offers. The zero value offers first, second and "can't tell", both bad and skip.
type Answers struct {
	// Forced leaves out "can't tell": exactly two outcomes, as in the paper.
	Forced bool `json:"forced,omitempty"`
	// Grades is the number of strengths beyond a plain preference. Defaults to 0.
	Grades int `json:"grades,omitempty"`
}

func (a Answers) model() gp.Answers { return gp.Answers{Ties: !a.Forced, Grades: a.Grades} }

// Validate refuses an answer that the study does not offer, or whose note or meta is beyond the limits.
func (a Answers) Validate(ans Answer) error {
	k, ok := ans.Choice.info()
	switch {
	case !ok:
		return coding.RefuseField("answer", "choice", ans.Choice, "answer has choice %q, want %s", ans.Choice, listChoices(func(ChoiceInfo) bool { return true }))
	case k.Tied && a.Forced:
		return coding.RefuseField("answer", "choice", ans.Choice, "answer has choice %q, but this study offers no ties", ans.Choice)
	case k.Side == 0 && ans.Strength != 0:
		return coding.RefuseField("answer", "strength", ans.Strength, "answer %q has strength %d, which only a preference can have", ans.Choice, ans.Strength)
	case ans.Strength > 0 && a.Grades == 0:
		return coding.RefuseField("answer", "strength", ans.Strength, "answer has strength %d, but this study has no grades, want 0", ans.Strength)
	case ans.Strength < 0 || ans.Strength > a.Grades:
		return coding.RefuseField("answer", "strength", ans.Strength, "answer has strength %d, want 0 to %d", ans.Strength, a.Grades)
	case ans.ResponseTime < 0:
		return coding.RefuseField("answer", "response_time", ans.ResponseTime, "answer has response time %v, want at least 0", ans.ResponseTime)
	}
	return errors.Join(checkText("note", ans.Note, maxNote, true), ans.Meta.validate())
}

// outcome returns what a preference or a tie is to the model.
func (ans Answer) outcome() gp.Outcome {
	k, _ := ans.Choice.info()
	return gp.Outcome(k.Side * (1 + ans.Strength))
}

// Limits of what an answer may carry beside its choice, in characters and names.
const (
	maxNote     = 10_000 // characters of Answer.Note
	maxMeta     = 32     // names in Answer.Meta
	maxMetaName = 64     // characters of a name in Answer.Meta
	maxMetaWord = 4_000  // characters of a word in Answer.Meta
)

// Meta is what a program keeps beside an answer, by name: a model, what it was given to compare on, how many tokens that took.
type Meta map[string]space.Value

// String writes it in one line, names in order: "model m1, tokens 512".
func (m Meta) String() string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" "+m[name].String())
	}
	return strings.Join(parts, ", ")
}

// validate refuses what is too long, or no text or number that a log could give back as it was.
func (m Meta) validate() error {
	if len(m) > maxMeta {
		return coding.RefuseField("answer", "meta", m, "answer has meta of %d names, want at most %d", len(m), maxMeta)
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := m[name]
		if name == "" {
			return coding.RefuseField("answer", "meta", m, "answer has meta %q without a name", v)
		}
		if err := checkText("meta name", name, maxMetaName, false); err != nil {
			return err
		}
		word, _ := v.Any().(string)
		if err := checkText(fmt.Sprintf("meta %q", name), word, maxMetaWord, true); err != nil {
			return err
		}
		if x, ok := v.Any().(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return coding.RefuseField("answer", "meta", m, "answer has meta %q of %v, want a finite number, a word, true or false", name, v)
		}
	}
	return nil
}

// checkText refuses a text of more than most characters, or with others than text has: line ends and tabs are its own where it may be long.
func checkText(what, text string, most int, long bool) error {
	shown := text
	if r := []rune(text); len(r) > 40 {
		shown = string(r[:40]) + "…"
	}
	strange := func(r rune) bool {
		return unicode.IsControl(r) && !(long && strings.ContainsRune("\t\n\r", r))
	}
	switch n := utf8.RuneCountInString(text); {
	case n > most:
		return coding.RefuseField("answer", what, shown, "answer has %s of %d characters, %q, want at most %d", what, n, shown, most)
	case !utf8.ValidString(text):
		return coding.RefuseField("answer", what, shown, "answer has %s %q, which is not valid UTF-8", what, shown)
	case strings.ContainsFunc(text, strange):
		return coding.RefuseField("answer", what, shown, "answer has %s %q, which has control characters", what, shown)
	}
	return nil
}
