// Package judge has programs answer a study's questions: eight at a time, each with a time limit, tried again when they fail, and never guessed for.
//
//	result, err := judge.Run(ctx, judge.Config{Studies: room, Study: "prompts", Judges: []judge.Judge{{Name: "small", Call: call}}, Parallel: 8, Budget: 200})
//
// Every judge is a rater, so that the study learns how noisy each is. Package live decides which pair is asked, which option is shown first and
// which questions are hidden repeats. The log has everything that matters: the same call of Run continues a run that was stopped or killed.
package judge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// Judge is a program that answers: its name, under which it is a rater in the log, and the function that is called for each question.
type Judge struct {
	Name string
	Call Call
}

// Call answers one question. It is called by several goroutines at a time, and ends when its context does.
type Call func(context.Context, Question) (Reply, error)

// Question is what a judge is asked. First is the option that is shown first, which may be the second in the log.
type Question struct {
	Study   string            `json:"study"`
	ID      prefer.QuestionID `json:"question_id"`
	Judge   string            `json:"judge"`
	Attempt int               `json:"attempt"` // 1, 2, …
	Prompt  string            `json:"prompt"`
	First   Option            `json:"first"`
	Second  Option            `json:"second"`
	Choices []prefer.Choice   `json:"choices"`          // that the study offers
	Grades  int               `json:"grades,omitempty"` // the highest strength
}

// Option is one of the two: an item of a list, with what it is known by, or a setting of parameters.
type Option struct {
	Item     string                 `json:"item,omitempty"`
	Text     string                 `json:"text,omitempty"`
	Media    string                 `json:"media,omitempty"` // the file, as far as it was found
	Features map[string]space.Value `json:"features,omitempty"`
	Params   space.Option           `json:"params,omitempty"`
}

// Reply is what a judge says. Cost is what the call took, in whatever unit the budget has.
type Reply struct {
	Choice   prefer.Choice `json:"choice"`
	Strength int           `json:"strength,omitempty"`
	Note     string        `json:"note,omitempty"`
	Meta     prefer.Meta   `json:"meta,omitempty"`
	Cost     *float64      `json:"cost,omitempty"` // nil if the judge does not say
}

// Reason is why a call failed.
type Reason string

// The reasons. Whatever else a Call returns is an Error.
const (
	Rubbish Reason = "rubbish" // it was said, and is no answer
	Nothing Reason = "nothing" // nothing was said
	TooLong Reason = "too_long"
	Exit    Reason = "exit"    // the program ended with an error
	Timeout Reason = "timeout" // nothing came in time
	Error   Reason = "error"
)

// Failure is a failed call, which may be tried again.
type Failure struct {
	Reason Reason
	Err    error
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

func fail(reason Reason, format string, args ...any) *Failure {
	return &Failure{reason, fmt.Errorf(format, args...)}
}

// ErrMissing is wrapped by errors about a judge that is no program: it would fail for ever, and ends a run at once.
var ErrMissing = errors.New("the judge cannot be run")

func failed(err error) *Failure {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Timeout, err}
	}
	return &Failure{Error, err}
}

// MaxReply is how many bytes a judge may say.
const MaxReply = 1 << 20

// words are the bare words of a reply, beside the names of the choices.
var words = map[string]prefer.Choice{"a": prefer.First, "A": prefer.First, "1": prefer.First, "b": prefer.Second, "B": prefer.Second, "2": prefer.Second}

// Read reads what a judge said, and nothing that has to be guessed: but for white space round it, the text is either one JSON object with the
// fields of Reply and no others, or one word: one of prefer.Choices, or A, B, 1, 2 for the first two. Anything more, as
// a sentence with the word in it, is rubbish.
func Read(text string) (Reply, error) {
	var r Reply
	trimmed := strings.TrimSpace(text)
	switch {
	case len(text) > MaxReply:
		return r, fail(TooLong, "%d bytes were said, want at most %d", len(text), MaxReply)
	case !utf8.ValidString(text):
		return r, fail(Rubbish, "%s is not valid UTF-8", strictjson.Excerpt(trimmed))
	case trimmed == "":
		return r, fail(Nothing, "nothing was said, want a choice")
	case strings.HasPrefix(trimmed, "{"):
		if err := strictjson.Decode([]byte(trimmed), &r); err != nil {
			return Reply{}, fail(Rubbish, "%s is no answer: %w", strictjson.Excerpt(trimmed), err)
		}
		return r, nil
	}
	if choice, ok := words[trimmed]; ok {
		r.Choice = choice
		return r, nil
	}
	names := ""
	for _, k := range prefer.Choices() {
		if trimmed == string(k.Choice) {
			r.Choice = k.Choice
			return r, nil
		}
		names += string(k.Choice) + ", "
	}
	return r, fail(Rubbish, "%s is no answer, want %sA, B, 1, 2 or {\"choice\": …}, and nothing else", strictjson.Excerpt(trimmed), names)
}

// The names in prefer.Answer.Meta under which a run keeps what it counts; a judge's own are others.
const (
	metaCost     = "cost"
	metaAttempts = "attempts"
	metaFailed   = "failed"
)

const maxMeta = 30 // an answer takes 32 names, and two are counted here

// validate refuses a reply that is no answer to a study which takes these, or has a cost that is none.
func (r Reply) validate(offered prefer.Answers) error {
	for _, name := range []string{metaCost, metaAttempts, metaFailed} {
		if v, ok := r.Meta[name]; ok {
			return fail(Rubbish, "meta %q is %v, and that name is kept for what is counted here; the cost of a call is \"cost\" beside the choice", name, v)
		}
	}
	if r.Cost != nil && !(*r.Cost >= 0 && !math.IsInf(*r.Cost, 0)) {
		return fail(Rubbish, "cost %v, want a number from 0 on", *r.Cost)
	}
	if len(r.Meta) > maxMeta {
		return fail(Rubbish, "meta has %d names, want at most %d", len(r.Meta), maxMeta)
	}
	err := offered.Validate(prefer.Answer{Choice: r.Choice, Strength: r.Strength, Note: r.Note, Meta: r.Meta})
	if errcode.Of(err) == "answer" {
		return fail(Rubbish, "%s", strings.TrimPrefix(err.Error(), "prefer: "))
	}
	return err
}
