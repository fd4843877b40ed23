package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

const longestBackoff = 30 * time.Second

// put has a question judged, and keeps what comes of it: an answer, or a skip with the reason. A run that is stopped leaves it open.
func (r *run) put(ctx context.Context, j Judge, asked live.Question) {
	defer func() {
		r.mu.Lock()
		delete(r.judges[j.Name].open, asked.Asked.ID)
		r.mu.Unlock()
	}()
	start := time.Now()
	answer, ok := r.answer(ctx, j, asked)
	if rest := r.minimum - time.Since(start); !ok || rest > 0 && sleep(r.calls, rest) != nil { // the study refuses what comes sooner
		return
	}
	answer.ResponseTime = time.Since(start)
	var told live.Told
	err := r.patient(r.calls, func() (err error) {
		told, err = r.Studies.Tell(context.WithoutCancel(ctx), r.Study, live.Tell{Question: asked.Asked.ID, Rater: j.Name, Owner: true, Answer: answer})
		return err
	})
	var refused *live.Error
	gone := errcode.Of(err) == "no_question" || errcode.Of(err) == "key" || errors.As(err, &refused) && refused.Code == live.NoQuestion
	if err != nil && !gone { // gone: answered by another process, or an item has left, and there is nothing to keep
		r.stop(err)
		return
	}
	r.mu.Lock()
	if err == nil {
		r.done++
		r.judges[j.Name].done++
		r.spent += answer.Meta[metaCost].Float()
	}
	p := Progress{Done: r.done, Budget: r.Budget, Cost: r.spent}
	for _, c := range r.judges {
		p.Failures += c.failures
	}
	if r.last != nil {
		p.Last, p.LastError = r.last.Reason, r.last.Err
	}
	if r.Progress != nil {
		r.Progress(p)
	}
	r.mu.Unlock()
	if err == nil && !r.Beyond {
		r.lookSoon(told.Status.Answers)
	}
}

// answer calls the judge until it answers or the retries are used up; ok is false if the question is to stay open.
func (r *run) answer(ctx context.Context, j Judge, asked live.Question) (a prefer.Answer, ok bool) {
	q := r.question(j, asked)
	cost, wait := 0.0, r.Backoff
	var last *Failure
	for q.Attempt = 1; q.Attempt <= 1+r.Retries; q.Attempt++ {
		if q.Attempt > 1 {
			if r.Sleep(ctx, wait) != nil {
				return a, false
			}
			wait = min(2*wait, longestBackoff)
		}
		r.mu.Lock()
		over := r.err != nil
		r.mu.Unlock()
		if over {
			return a, false
		}
		reply, err := r.call(j, q)
		if err == nil {
			err = reply.validate(r.answers)
		}
		spent := r.Cost
		if reply.Cost != nil && *reply.Cost >= 0 && !math.IsInf(*reply.Cost, 0) {
			spent = *reply.Cost
		}
		cost += spent
		if err == nil {
			r.count(j, nil)
			a = prefer.Answer{Choice: reply.Choice, Strength: reply.Strength, Note: reply.Note, Meta: prefer.Meta{}}
			maps.Copy(a.Meta, reply.Meta)
			return r.keep(a, cost, q), true
		}
		if errors.Is(err, ErrMissing) {
			r.stop(err)
			return a, false
		}
		last = failed(err)
		if r.calls.Err() != nil || !r.count(j, last) { // stopped before the judge was done, or given up
			return a, false
		}
	}
	q.Attempt--
	a = prefer.Answer{Choice: prefer.Skip, Note: note(q.Attempt, last), Meta: prefer.Meta{metaFailed: space.ValueOf(string(last.Reason))}}
	return r.keep(a, cost, q), true
}

func (r *run) keep(a prefer.Answer, cost float64, q Question) prefer.Answer {
	if cost > 0 {
		a.Meta[metaCost] = space.ValueOf(cost)
	}
	if q.Attempt > 1 {
		a.Meta[metaAttempts] = space.ValueOf(q.Attempt)
	}
	a.Key = "judged " + string(q.ID)
	return a
}

func note(attempts int, f *Failure) string {
	tries := fmt.Sprintf("no answer in %d tries", attempts)
	if attempts == 1 {
		tries = "no answer"
	}
	text := []rune(strings.Map(func(c rune) rune {
		if c < ' ' {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(f.Error(), "\uFFFD")))
	return fmt.Sprintf("%s, the last: %s: %s", tries, f.Reason, string(text[:min(len(text), 1000)]))
}

// call calls the judge, within the time. A judge that panics has failed.
func (r *run) call(j Judge, q Question) (reply Reply, err error) {
	ctx, stop := context.WithTimeoutCause(r.calls, r.Timeout, fail(Timeout, "nothing came within %v", r.Timeout))
	defer stop()
	defer func() {
		if p := recover(); p != nil {
			reply, err = Reply{}, fail(Error, "panic: %v", p)
		}
	}()
	return j.Call(ctx, q)
}

// count counts a call, and reports whether the judge may be called again.
func (r *run) count(j Judge, f *Failure) bool {
	r.mu.Lock()
	c := r.judges[j.Name]
	c.calls++
	c.inARow++
	if f == nil {
		c.inARow = 0
	} else {
		c.failures++
		r.last = f
	}
	n := c.inARow
	r.mu.Unlock()
	if n < r.GiveUp {
		return true
	}
	r.stop(fmt.Errorf("judge %q failed %d times in a row, the last: %s: %w; the questions stay open: run the same again to continue", j.Name, n, f.Reason, f))
	return false
}

func (r *run) question(j Judge, asked live.Question) Question {
	first, second := asked.Asked.First, asked.Asked.Second
	if asked.Swapped {
		first, second = second, first
	}
	offered := xslices.Filter(prefer.Choices(), func(k prefer.ChoiceInfo) bool { return !k.Tied || !r.answers.Forced })
	return Question{Study: r.Study, ID: asked.Asked.ID, Judge: j.Name, Prompt: asked.Prompt,
		First: option(first, r.items, r.Media), Second: option(second, r.items, r.Media),
		Choices: xslices.Map(offered, func(k prefer.ChoiceInfo) prefer.Choice { return k.Choice }), Grades: r.answers.Grades}
}
