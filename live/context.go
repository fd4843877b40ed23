package live

import (
	"context"
	"maps"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/exact"
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
		if err := exact.Decode([]byte(text), &o); err != nil {
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

// Standings says where the study stands under each of its contexts, for a rater or for all as VerdictFor has it; no Value is worked out.
func (r *Study) Standings(ctx context.Context, rater string) ([]prefer.Standing, error) {
	all, err := r.Study.Standings(ctx, r.Utility(rater))
	r.look(func(x *index) {
		for i, each := range all {
			all[i].Verdict = r.tells(x, each.Verdict, rater, each.Fixed.String())
		}
	})
	return all, err
}
