package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/merge"
)

// Merge takes logs of people who were asked elsewhere into a study, all or none. What it has already is passed over, so merging again changes
// nothing. Who was forgotten stays out.
func (s *Studies) Merge(ctx context.Context, study string, logs ...merge.Log) (out merge.Merged, err error) {
	err = s.With(ctx, study, func(r *Study) (err error) {
		if out, err = merge.Into(ctx, r.Study.Events(0), logs...); err != nil {
			return err
		}
		for _, p := range out.Parts {
			if mark, _, err := s.Tokens.Forgotten(ctx, study, p.Rater); err != nil {
				return err
			} else if mark != "" {
				return refuse(Forgotten, "%s: what rater %q said was erased on request, and the name stays out of the study until a link is made for it", p.Log, p.Rater)
			}
		}
		return s.adopt(ctx, r, out)
	})
	return out, err
}

// adopt keeps what was merged, and tells who watches.
func (s *Studies) adopt(ctx context.Context, r *Study, m merge.Merged) error {
	if len(m.Events) == 0 {
		return nil
	}
	lasting, stop := lasting(ctx)
	defer stop()
	if err := r.Study.Host().Adopt(lasting, m.Events); err != nil {
		return err
	}
	s.changes.tell(r.Name, r.Seq(), "answered")
	for _, p := range m.Parts {
		if p.New > 0 {
			s.afterAnswer(r, p.Rater)
		}
	}
	return nil
}

// uploaded is what errors call a log that came by an upload token.
const uploaded = "the log"

// Upload merges the log of one person that came by an upload token, whose id becomes the origin of what is new. The name must
// be free, as a guest's must, or the log continue what the study has of that person. It changes and reveals nothing that
// others said. One log is merged at a time, because each is compared with the whole study.
func (s *Studies) Upload(ctx context.Context, study, origin string, events []prefer.Event) (part merge.Part, err error) {
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
		m, err := merge.Into(ctx, r.Study.Events(0), merge.Log{Name: uploaded, Events: events})
		if other, ok := errors.AsType[*merge.ConfigError](err); ok {
			return refuse(OtherConfig, "the log is of another configuration than the study, by %s: it belongs to another study, or to an older file of this one", other.Fields())
		}
		if errors.Is(err, merge.ErrDiffers) {
			return refuse(RaterDiffers, "the study has other answers under this name: who begins again takes another name")
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
		return s.adopt(ctx, r, m)
	})
	return part, err
}

// personal refuses what is not the log of one person who has a name.
func personal(m merge.Merged) error {
	switch {
	case m.Owners > 0:
		return invalid("", nil, "the log has %d changes of the study, which only its owner makes", m.Owners)
	case len(m.Parts) == 0:
		return invalid("", nil, "the log is nobody's: nothing was asked in it")
	case len(m.Parts) > 1:
		return invalid("", nil, "the log is that of %d raters, want one", len(m.Parts))
	}
	if err := token.CheckGuest(m.Parts[0].Rater); err != nil {
		return fmt.Errorf("live: the log: %w", err)
	}
	return nil
}
