package live

import (
	"context"
	"maps"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// Context returns the contexts a rater was last under, or, if she was under none, anybody; nil in a study without.
func (r *Study) Context(rater string) (at space.Option) {
	r.look(func(x *index) { at = x.context(rater) })
	return at
}

// context is Context under the lock.
func (x *index) context(rater string) space.Option {
	if at, has := x.under[rater]; has {
		return at
	}
	return x.under[""]
}

// ReadFixed reads what is fixed as an address has it: noise=quiet,hour=7, or a JSON object, which alone can name features of items
// and words with commas. Several texts add up; an empty one fixes nothing.
func (r *Study) ReadFixed(texts ...string) (space.Option, error) {
	var out space.Option
	for _, text := range texts {
		if text == "" {
			continue
		}
		o, err := r.readFixed(text)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = space.Option{}
		}
		maps.Copy(out, o)
	}
	return out, nil
}

func (r *Study) readFixed(text string) (o space.Option, err error) {
	if strings.HasPrefix(text, "{") {
		if err := strictjson.Decode([]byte(text), &o); err != nil {
			return nil, invalid("fixed", text, "fixed is %.80q, which is no JSON object of values: %s", text, err)
		}
		return o, nil
	}
	values := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || len(r.Config.Space.Items) > 0 && !r.Config.Space.Crossed() {
			return nil, invalid("fixed", text, "fixed is %.80q, want name=value, several with commas, or a JSON object, as of a list", text)
		}
		values[name] = strings.TrimSpace(value)
	}
	return r.Config.Space.ParseSome(values)
}

// Standing is the verdict under one setting of the contexts.
type Standing struct {
	Fixed   space.Option   `json:"fixed"`
	Verdict prefer.Verdict `json:"verdict"` // without its Value, which takes a search for the next question
}

// Standings returns the verdict under each setting of the contexts (prefer.Study.Contexts), for a rater or for all as VerdictFor has it.
func (r *Study) Standings(ctx context.Context, rater string) ([]Standing, error) {
	var out []Standing
	for _, fixed := range r.Study.Contexts() {
		v, err := r.Study.Verdict(ctx, prefer.Look{Rater: r.Utility(rater), Fixed: fixed})
		if err != nil {
			return nil, err
		}
		out = append(out, Standing{fixed, v})
	}
	r.look(func(x *index) {
		for i, each := range out {
			out[i].Verdict = r.tells(x, each.Verdict, rater, each.Fixed.String())
		}
	})
	return out, nil
}
