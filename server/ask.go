package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
)

type askInput struct {
	Study string   `path:"study"`
	Body  *askBody `required:"false"`
}

// askBody is an ask with its conditions.
type askBody struct {
	Rater    string        `json:"rater,omitempty" maxLength:"200" doc:"Who will answer."`
	Fixed    prefer.Option `json:"fixed,omitempty" doc:"Values that both options must have."`
	Hold     prefer.Option `json:"hold,omitempty" doc:"One of the two options."`
	HoldBest bool          `json:"hold_best,omitempty" doc:"One of the two options is the best so far."`
	Count    int           `json:"count,omitempty" minimum:"0" maximum:"32" doc:"How many questions to hold open at once."`
	Budget   int           `json:"budget_ms,omitempty" minimum:"0" maximum:"60000" doc:"How long the search may take."`
	K        int           `json:"k,omitempty" doc:"Options of a question: 2."`
}

// asked is the reply: one question, or several.
type asked struct {
	*Question
	Questions []Question `json:"questions,omitempty"`
}

// Schema is that of a question; several are {"questions": […]}.
func (asked) Schema(r huma.Registry) *huma.Schema {
	one := r.Schema(reflect.TypeFor[Question](), true, "Question")
	many := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"questions": {Type: huma.TypeArray, Items: one}},
		Required: []string{"questions"}, AdditionalProperties: false}
	return &huma.Schema{OneOf: []*huma.Schema{one, many}}
}

type askOutput struct{ Body asked }

func (s *Server) registerAsk() {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/ask", "ask", "The question a rater should answer next", forRater), s.ask)
}

func (s *Server) ask(ctx context.Context, in *askInput) (*askOutput, error) {
	start := time.Now()
	var b askBody
	if in.Body != nil {
		b = *in.Body
	}
	rater, err := s.speaker(ctx, b.Rater, "body.rater")
	if err != nil {
		return nil, err
	}
	switch {
	case b.K != 0 && b.K != 2:
		return nil, invalid("body.k", b.K, fmt.Sprintf("k = %d, but questions are pairs: leave it out, or say 2", b.K))
	case b.HoldBest && b.Hold != nil:
		return nil, invalid("body.hold_best", true, "hold and hold_best exclude each other")
	}
	b.Rater = rater
	out := &askOutput{}
	err = s.with(ctx, in.Study, func(r *running) error {
		if b.Count <= 1 {
			q, err := s.question(ctx, r, b)
			out.Body = asked{Question: &q}
			return err
		}
		if r.cfg.People == prefer.PerRater {
			return invalid("body.count", b.Count, "count > 1 gives every question a rater of its own, which a study per rater cannot learn from: ask for one at a time")
		}
		qs := make([]Question, 0, b.Count)
		for i := 1; i <= b.Count; i++ {
			each := b
			each.Rater = rater + derived + strconv.Itoa(i)
			q, err := s.question(ctx, r, each)
			if err != nil {
				return err
			}
			qs = append(qs, q)
		}
		out.Body = asked{Questions: qs}
		return nil
	})
	if err != nil {
		return nil, s.explain(ctx, err, blame(err))
	}
	s.metrics.asks.observe(time.Since(start))
	return out, nil
}

// speaker checks a rater's name and that the request may speak for her.
func (s *Server) speaker(ctx context.Context, rater, location string) (string, error) {
	if strings.ContainsFunc(rater, unicode.IsControl) {
		return "", invalid(location, rater, "a rater's name has no control characters")
	}
	if strings.Contains(rater, derived) {
		return "", invalid(location, rater, fmt.Sprintf("a rater's name has no %q: it marks one of several questions of the same rater", derived))
	}
	name, ok := asker(ctx).mayBe(rater)
	if !ok {
		return "", refuse(http.StatusForbidden, "other_rater", fmt.Sprintf("this token belongs to another rater than %q", rater))
	}
	return name, nil
}

// question returns the rater's open question, or asks one.
func (s *Server) question(ctx context.Context, r *running, b askBody) (Question, error) {
	if r.settings.Page.Paused && !asker(ctx).owner {
		return Question{}, refuse(http.StatusConflict, "paused", "the study is paused; come back later, your answers are kept")
	}
	plain := b.Hold == nil && !b.HoldBest && len(b.Fixed) == 0
	budget := s.cfg.Budget
	if b.Budget > 0 {
		budget = time.Duration(b.Budget) * time.Millisecond
	}
	// A client that leaves must not make the question a hasty one.
	patient, stop := context.WithTimeout(context.WithoutCancel(ctx), budget)
	defer stop()
	others := s.crowdOf(r, b.Rater, plain)
	q, stocked, err := s.askStocked(ctx, patient, r, b.Rater, others)
	if err != nil {
		return Question{}, err
	}
	var open, ready bool
	if !stocked {
		release, err := s.turn(ctx, patient, r, b.Rater, plain)
		if err != nil {
			return Question{}, err
		}
		defer release()
		if q, open, ready, err = s.search(ctx, patient, r, b, plain); err != nil {
			return Question{}, err
		}
	}
	var out Question
	var seq int
	var firstID string
	r.look(func(k *book) {
		out = s.pose(r, k.questions[q.ID], asker(ctx))
		firstID = k.questions[q.ID].optionIDs()[0]
		seq = k.seq
	})
	if !open {
		s.count(stocked, ready, q.Partial)
		s.bell.ring(r.name, seq, "asked")
	}
	s.afterQuestion(r, b.Rater)
	if out.Status.At != out.Status.Answers || out.Status.Left == [2]int{} { // not known yet, or a restart forgot it
		s.afterAnswer(r, b.Rater)
	}
	if asker(ctx).owner {
		out.Why = s.why(patient, r, q, out.ShownOrder[0] != firstID)
	}
	return out, nil
}

// search asks a question that is not from the stock. It reports whether it was open before, or chosen ahead.
func (s *Server) search(ctx, patient context.Context, r *running, b askBody, plain bool) (q prefer.Question, open, ready bool, err error) {
	request := prefer.Request{Rater: b.Rater, Fixed: b.Fixed, Hold: b.Hold}
	r.look(func(k *book) {
		if open = k.open[b.Rater] != nil; open || !plain {
			return
		}
		if check, due := k.check(r.settings.Checks, b.Rater); due {
			request = check
		}
		ready = r.study.Host().Ready(b.Rater) && request.Catch == nil && request.Repeat == ""
	})
	start := time.Now()
	if !open && !ready {
		belief, err := r.study.Belief(patient, r.utilityOf(b.Rater))
		if err != nil && patient.Err() == nil {
			return q, open, ready, err
		}
		timing(ctx).add("fit", time.Since(start))
		if b.HoldBest {
			if belief == nil {
				return q, open, ready, invalid("body.hold_best", true, "the best option was not known in time: allow a longer budget_ms")
			}
			request.Hold = belief.Best()
		}
	}
	start = time.Now()
	q, err = s.askInTurn(ctx, patient, r, request)
	timing(ctx).add("search", time.Since(start))
	return q, open, ready, err
}

func (s *Server) count(stocked, ready, partial bool) {
	switch {
	case stocked:
		s.metrics.stockHits.add(1)
	case ready:
		s.metrics.hits.add(1)
	default:
		s.metrics.misses.add(1)
	}
	if partial {
		s.metrics.partial.add(1)
	}
}

// why explains a question. The probability is left out if the belief behind it is not at hand in time.
func (s *Server) why(ctx context.Context, r *running, q prefer.Question, swapped bool) *Why {
	out := &Why{Method: q.Method, Value: q.Value}
	belief, err := r.study.Belief(ctx, r.utilityOf(q.Rater))
	if err != nil {
		return out
	}
	if p, err := belief.Prefers(q.First, q.Second); err == nil {
		if swapped {
			p = 1 - p
		}
		out.PFirst = &p
	}
	return out
}

// blame returns the field an error of a study is about, if it is about what was sent.
func blame(err error) string {
	if errors.Is(err, prefer.ErrOption) || errors.Is(err, prefer.ErrAnswer) {
		return "body"
	}
	return ""
}
