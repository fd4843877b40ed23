package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// Ask is an ask with its conditions. The zero value asks an unnamed rater the question that the study chooses.
type Ask struct {
	// Rater is who will answer.
	Rater string

	// Owner says that the owner of the study asks: even while it is paused, with reasons, and with conditions. Raters may give contexts and Blind only.
	Owner bool

	// Fixed are values that both options must have, contexts among them; Hold is one of the two options; HoldBest holds the best so far.
	Fixed    space.Option
	Hold     space.Option
	HoldBest bool

	// Blind asks a blind duel of the study's pick, in addition to the rater's other questions. It is not learned from.
	Blind bool

	// Within is how long the search may take. Defaults to Config.Budget.
	Within time.Duration

	// Repeats is the share of this rater's questions that repeat an earlier one, in place of the study's; 0 for the study's.
	Repeats float64

	another bool // one more than the rater has open
}

// AskBody is an ask as the REST API and the page of a packed file send it.
type AskBody struct {
	Rater    string       `json:"rater,omitempty" maxLength:"200" doc:"The rater who will answer."`
	Fixed    space.Option `json:"fixed,omitempty" doc:"Values that both options have: of every context and, owner only, of other parameters."`
	Hold     space.Option `json:"hold,omitempty" doc:"One of the two options. Owner only."`
	HoldBest bool         `json:"hold_best,omitempty" doc:"One of the two options is the best so far. Owner only."`
	Blind    bool         `json:"blind,omitempty" doc:"A blind duel of the study's pick against a rival, which is not learned from."`
	Count    int          `json:"count,omitempty" minimum:"0" maximum:"32" doc:"Number of questions to hold open at once. More than one: owner only."`
	Budget   int          `json:"budget_ms,omitempty" minimum:"0" maximum:"60000" doc:"Time limit of the search. Owner only."`
	Repeats  float64      `json:"repeats,omitempty" minimum:"0" maximum:"0.5" doc:"Share of this rater's questions that repeat an earlier one, instead of the study's repeat_rate; for judges. Owner only."`
	K        int          `json:"k,omitempty" doc:"Options of a question: 2."`
}

// Read returns the ask of a rater, or of the owner for one.
func (b AskBody) Read(rater string, owner bool) (Ask, error) {
	a := Ask{Rater: rater, Owner: owner, Fixed: b.Fixed, Hold: b.Hold, HoldBest: b.HoldBest, Blind: b.Blind, Within: time.Duration(b.Budget) * time.Millisecond, Repeats: b.Repeats}
	if b.K != 0 && b.K != 2 {
		return a, invalid("k", b.K, "k = %d, want 2: questions are always pairs", b.K)
	}
	return a, nil
}

func (a Ask) validate() error {
	if a.HoldBest && a.Hold != nil {
		return invalid("hold_best", true, "hold and hold_best exclude each other")
	}
	if !(a.Repeats >= 0 && a.Repeats <= 0.5) {
		return invalid("repeats", a.Repeats, "repeats = %g, want 0 to 0.5", a.Repeats)
	}
	return CheckRater(a.Rater)
}

// conditions reports whether an ask has conditions other than contexts.
func (a Ask) conditions(s space.Space) bool {
	return a.Hold != nil || a.HoldBest || len(a.Fixed) > len(s.Context(a.Fixed))
}

// mayAsk refuses a rater the conditions of the owner: the best option so far, held, would tell the result. So would a blind duel, but at the rater's end.
func (r *Study) mayAsk(a Ask, count int) error {
	if a.Blind && a.conditions(r.Config.Space) {
		return invalid("blind", true, "a blind duel allows contexts only: omit hold, hold_best and other fixed values")
	}
	if err := r.MayLook(a.Owner); a.Blind && err != nil {
		return err
	}
	if a.Owner {
		return nil
	}
	for _, c := range []struct {
		given bool
		field string
		value any
	}{{a.HoldBest, "hold_best", true}, {a.Hold != nil, "hold", a.Hold}, {count > 1, "count", count}, {a.Within != 0, "budget_ms", a.Within.Milliseconds()}, {a.Repeats != 0, "repeats", a.Repeats}} {
		if c.given {
			return &Error{Code: OwnerOnly, Field: c.field, Value: c.value, Detail: "only the owner of the study says how questions are chosen: leave out " + c.field}
		}
	}
	for name := range a.Fixed {
		if !slices.ContainsFunc(r.Config.Space.Contexts(), func(p space.Parameter) bool { return p.Name == name }) {
			return &Error{Code: OwnerOnly, Field: "fixed", Value: name, Detail: fmt.Sprintf(
				"only the owner of the study fixes %.80q: a rater gives contexts alone, and of these it is none", name)}
		}
	}
	return nil
}

// Ask returns the rater's open question, or asks one.
func (s *Studies) Ask(ctx context.Context, name string, a Ask) (Question, error) {
	return asking(ctx, s, name, a, 1, func(r *Study) (Question, error) { return r.question(ctx, a, nil) })
}

// AskSeveral holds so many questions open for a rater at once, and returns them, the oldest first.
func (s *Studies) AskSeveral(ctx context.Context, name string, a Ask, count int) ([]Question, error) {
	return asking(ctx, s, name, a, count, func(r *Study) (qs []Question, err error) {
		for _, q := range r.Study.OpenQuestions(a.Rater) {
			if maps.Equal(q.Fixed, a.Fixed) && (q.Blind != nil) == a.Blind && len(qs) < count {
				qs = append(qs, r.pose(q, a.Owner))
			}
		}
		for len(qs) < count {
			if err := ctx.Err(); err != nil { // the caller has left: what was asked so far is open, and found again
				return qs, context.Cause(ctx)
			}
			each := a
			each.another = len(qs) > 0
			q, err := r.question(ctx, each, nil)
			if err != nil {
				return qs, err
			}
			qs = append(qs, q)
		}
		return qs, nil
	})
}

// asking runs do for an ask that makes sense, and counts how long that takes.
func asking[T any](ctx context.Context, s *Studies, name string, a Ask, count int, do func(*Study) (T, error)) (out T, err error) {
	start := time.Now()
	if err := a.validate(); err != nil {
		return out, err
	}
	return In(ctx, s, name, func(r *Study) (out T, err error) {
		if err = r.mayAsk(a, count); err == nil {
			out, err = do(r)
		}
		if err == nil {
			s.Counters.Asks.Since(start)
		}
		return out, err
	})
}

// ReadFixed reads what is fixed: noise=quiet,hour=7, or a JSON object, which also takes features of items and words with commas. Several texts add up.
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
			return nil, invalid("fixed", text, "fixed is %.80q, which is not a JSON object of values: %s", text, err)
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
	return r.Config.Space.Parse(values, true)
}
