package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/logfile"
)

// Merge takes logs of people who were asked elsewhere into a study, all or none. Merging again is a no-op. Forgotten raters stay out.
func (s *Studies) Merge(ctx context.Context, study string, logs ...logfile.Log) (logfile.Merged, error) {
	return In(ctx, s, study, func(r *Study) (logfile.Merged, error) {
		out, err := logfile.Merge(ctx, r.Study.Events(0), logs...)
		if err != nil {
			return out, err
		}
		for _, p := range out.Parts {
			if mark, _, err := s.Tokens.Forgotten(ctx, study, p.Rater); err != nil {
				return out, err
			} else if mark != "" {
				return out, refuse(Forgotten, "%s: the answers of rater %q were erased on request; create a link for the name to allow it again", p.Log, p.Rater)
			}
		}
		return out, r.adopt(ctx, out)
	})
}

// adopt keeps what was merged, and tells who watches.
func (r *Study) adopt(ctx context.Context, m logfile.Merged) error {
	if len(m.Events) == 0 {
		return nil
	}
	detachedCtx, stop := detached(ctx)
	defer stop()
	if err := r.host().Adopt(detachedCtx, m.Events); err != nil {
		return err
	}
	r.notify("answered")
	for _, p := range m.Parts {
		if p.New > 0 {
			r.afterAnswer(p.Rater)
		}
	}
	return nil
}

// Limits of uploaded logs.
const (
	uploaded    = "the log"      // what errors call a log that came by an upload token
	maxUploaded = 10_000         // how many answers the log of one upload may have, and a third of its events. A person gives some hundred.
	maxSkew     = 24 * time.Hour // how far the clock of another machine may be off
)

// Upload merges the log of one person with an upload token, whose id becomes the origin of what is new: of a free name, or one that it continues.
func (s *Studies) Upload(ctx context.Context, study, origin string, events []prefer.Event) (part logfile.Part, err error) {
	select {
	case s.merging <- struct{}{}:
		defer func() { <-s.merging }()
	case <-ctx.Done():
		return part, context.Cause(ctx)
	}
	err = s.With(ctx, study, func(r *Study) error {
		if err := r.mayChange(false); err != nil {
			return err
		}
		m, err := logfile.Merge(ctx, r.Study.Events(0), logfile.Log{Name: uploaded, Events: events})
		if other, ok := errors.AsType[*logfile.ConfigError](err); ok {
			return refuse(OtherConfig, "the log's configuration differs from the study's in %s: it belongs to another study or an older file", other.Fields())
		}
		if errors.Is(err, logfile.ErrDiffers) {
			return refuse(RaterDiffers, "the study has other answers under this name: choose another name")
		}
		if err != nil {
			return err
		}
		if err := personal(m); err != nil {
			return err
		}
		part = m.Parts[0]
		if !r.knows(part.Rater) {
			if err := s.Tokens.Vacant(ctx, study, part.Rater); err != nil {
				return err
			}
		}
		for i := range m.Events {
			m.Events[i].Origin = origin
		}
		return r.adopt(ctx, m)
	})
	return part, err
}

// personal refuses what is not the log of one person who has a name.
func personal(m logfile.Merged) error {
	switch {
	case m.Owners > 0:
		return invalid("", nil, "the log has %d changes of the study, which only its owner makes", m.Owners)
	case len(m.Parts) == 0:
		return invalid("", nil, "the log is empty: it has no question")
	case len(m.Parts) > 1:
		return invalid("", nil, "the log has %d raters, want one", len(m.Parts))
	}
	if err := token.CheckGuest(m.Parts[0].Rater); err != nil {
		return fmt.Errorf("live: the log: %w", err)
	}
	return nil
}

// LogCheck holds the events of a log that is uploaded, one after the other, to what a packed page of the study writes.
type LogCheck struct {
	// Beginning is the size in bytes of what the log of everybody begins with: how the study was made and changed.
	Beginning int64

	settings Settings
	from, to time.Time // when its events may have happened
	asked    map[prefer.QuestionID]prefer.Event
	events   int
	answers  int
}

// CheckLog returns a check of a log that is uploaded to a study.
func (s *Studies) CheckLog(ctx context.Context, study string) (*LogCheck, error) {
	return In(ctx, s, study, func(r *Study) (*LogCheck, error) {
		events := r.Study.Events(0)
		c := &LogCheck{settings: r.Settings, from: events[0].Time.Add(-maxSkew), to: s.cfg.Now().Add(maxSkew), asked: map[prefer.QuestionID]prefer.Event{}}
		for _, e := range logfile.Beginning(events) {
			line, err := e.Line()
			if err != nil {
				return c, err
			}
			c.Beginning += int64(len(line)) + 1
		}
		return c, r.mayChange(false)
	})
}

// Event refuses an event that no packed page of the study writes, with an Error that names its line and its field.
func (c *LogCheck) Event(line int, e prefer.Event) error {
	refuse := func(field string, value any, format string, args ...any) error {
		return invalid(fmt.Sprintf("line[%d].%s", line, field), value, "line %d: field %q %s", line, field, fmt.Sprintf(format, args...))
	}
	switch {
	case e.Origin != "":
		return refuse("origin", e.Origin, "is set: only a server says where an event came from")
	case e.Created != nil, e.Joined != nil, e.Left != nil, e.Changed != nil: // the owner's, which the study has already
		return nil
	case e.Time.Before(c.from) || e.Time.After(c.to):
		return refuse("time", e.Time, "is %s, want from %s to %s: a day before the study was made, and a day from now", e.Time.Format(time.RFC3339), c.from.UTC().Format(time.RFC3339), c.to.UTC().Format(time.RFC3339))
	case e.Enqueued != nil, e.Excluded != nil, e.Forgotten != nil:
		return refuse("kind", e.Kind, "is %q, which only the owner of a study does: a log has asked, answered, undone and taken", e.Kind)
	case e.Observed != nil && !c.settings.OwnDuels:
		return refuse("kind", e.Kind, "is %q: raters of this study answer what they are asked, and it takes no duels of their own", e.Kind)
	case e.Taken != nil && !c.settings.ShowResult:
		return refuse("kind", e.Kind, "is %q: raters of this study see no result that they could take", e.Kind)
	}
	c.events++
	if e.Answered != nil || e.Observed != nil {
		c.answers++
	}
	if c.answers > maxUploaded || c.events > 3*maxUploaded {
		return refuse("seq", e.Seq, "is %d, with %d answers so far: a log that is uploaded has at most %d answers and %d events", e.Seq, c.answers, maxUploaded, 3*maxUploaded)
	}
	switch {
	case e.Asked != nil:
		c.asked[e.Asked.ID] = e
	case e.Observed != nil:
		return c.quick(line, "observed.duel", e.Observed.Duel.Answer, 0)
	case e.Answered != nil:
		q, a := c.asked[e.Answered.Question], e.Answered.Answer
		if q.Asked == nil {
			return refuse("answered.question", e.Answered.Question, "is %q, which was not asked before", e.Answered.Question)
		}
		if q.Asked.Catch && !a.Check {
			return refuse("answered.answer.check", a.Check, "is false: nothing is learned from the answer to a catch question")
		}
		return c.quick(line, "answered.answer", a, e.Time.Sub(q.Time))
	}
	return nil
}

// quick refuses an answer that a server would refuse as too quick, by its response time or the time since its question. A clock that was set back says nothing.
func (c *LogCheck) quick(line int, field string, a prefer.Answer, elapsed time.Duration) error {
	took, refused := c.settings.Checks.TooQuick(a, elapsed, elapsed > 0)
	if !refused {
		return nil
	}
	field += ".response_ns"
	return &Error{Code: TooQuick, Field: fmt.Sprintf("line[%d].%s", line, field), Value: a.ResponseTime.Milliseconds(), Detail: fmt.Sprintf(
		"line %d: field %q: the answer took %d ms, and nobody can have looked in less than %d", line, field, took.Milliseconds(), c.settings.Checks.MinRT)}
}
