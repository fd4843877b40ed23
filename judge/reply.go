package judge

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// MaxReply is how many bytes a judge may say.
const MaxReply = 1 << 20

// words are the bare words of a reply, beside the names of the choices.
var words = map[string]prefer.Choice{"a": prefer.First, "A": prefer.First, "1": prefer.First, "b": prefer.Second, "B": prefer.Second, "2": prefer.Second}

// Read reads what a judge said, and nothing that has to be guessed: but for white space round it, the text is either one JSON object with the
// fields of Reply and no others, or one word: first, second, tie, both_bad, skip, or A, B, 1, 2 for the first two. Anything more, as
// a sentence with the word in it, is rubbish.
func Read(text string) (Reply, error) {
	var r Reply
	trimmed := strings.TrimSpace(text)
	switch {
	case len(text) > MaxReply:
		return r, fail(TooLong, "%d bytes were said, want at most %d", len(text), MaxReply)
	case !utf8.ValidString(text):
		return r, fail(Rubbish, "%s is not valid UTF-8", excerpt(trimmed))
	case trimmed == "":
		return r, fail(Nothing, "nothing was said, want a choice")
	case strings.HasPrefix(trimmed, "{"):
		if err := strictjson.Decode([]byte(trimmed), &r); err != nil {
			return Reply{}, fail(Rubbish, "%s is no answer: %w", excerpt(trimmed), err)
		}
		return r, nil
	}
	if choice, ok := words[trimmed]; ok {
		r.Choice = choice
		return r, nil
	}
	for _, k := range prefer.Choices() {
		if trimmed == string(k.Choice) {
			r.Choice = k.Choice
			return r, nil
		}
	}
	return r, fail(Rubbish, "%s is no answer, want first, second, tie, both_bad, skip, A, B, 1, 2 or {\"choice\": …}, and nothing else", excerpt(trimmed))
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
	if space.CodeOf(err) == "answer" {
		return fail(Rubbish, "%s", strings.TrimPrefix(err.Error(), "prefer: "))
	}
	return err
}

// excerpt is the beginning of a text, quoted.
func excerpt(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", text)
}
