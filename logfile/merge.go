package logfile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Why logs cannot be one. Errors that wrap these name the logs.
var (
	ErrConfig  = errors.New("another configuration")
	ErrDiffers = errors.New("two different logs of one name")
)

// Merged is what logs add to a study.
type Merged struct {
	// Events follow those of the study; the whole log, where there was none.
	Events []prefer.Event
	// Parts say whose answers came from where: for every log in the order given, every rater in it by name.
	Parts []Part
	// Answers are how many of the Events are answers, those taken back included.
	Answers int
	// Owners are how many of them are the owner's, who changes the study, and excludes or forgets raters.
	Owners int
}

// Part is what one log has of one rater.
type Part struct {
	Log     string `json:"log"`
	Rater   string `json:"rater"`
	Answers int    `json:"answers" doc:"How many answers of theirs it has, those taken back among them."`
	New     int    `json:"new" doc:"Number of new ones."`
}

// Merge returns what logs add to a study with these events, nil for a study to be made of them. A single log is then taken as it is.
func Merge(ctx context.Context, study []prefer.Event, logs ...Log) (out Merged, err error) {
	if len(logs) == 0 {
		return out, errors.New("logfile: no logs to merge")
	}
	base := Log{"the study", study}
	if len(study) == 0 {
		base = logs[0]
	}
	all, err := splitAll(ctx, base, logs)
	if err != nil {
		return out, err
	}
	m := merger{longest: map[author]*splitLog{}, had: map[author]int{}, ids: map[place]string{}, seqs: map[place]int{}, used: map[string]bool{}}
	if len(study) > 0 {
		own, err := split(base, func(who author) bool {
			return slices.ContainsFunc(all, func(s *splitLog) bool { return s.of[who] != nil })
		})
		if err != nil {
			return out, err
		}
		m.start(own)
	}
	for _, s := range all {
		out.Parts = append(out.Parts, m.parts(s)...)
	}
	if all, err = sorted(all); err != nil {
		return out, err
	}
	switch {
	case len(study) > 0:
		out.Events, err = m.interleave(all)
	case len(all) == 1:
		out.Events = all[0].Log.Events
	default:
		m.last = 1
		out.Events, err = m.interleave(all)
		out.Events = slices.Insert(out.Events, 0, earliest(logs))
	}
	if err != nil {
		return out, err
	}
	out.Answers = xslices.Count(out.Events, func(e prefer.Event) bool { return e.Answered != nil || e.Observed != nil })
	out.Owners = m.owners()
	if _, err := prefer.Open(ctx, slices.Concat(study, out.Events), prefer.OpenOptions{}); err != nil {
		return out, fmt.Errorf("together the logs make no study: %w", err)
	}
	return out, nil
}

// splitAll splits logs that each open as a study of the configuration of base.
func splitAll(ctx context.Context, base Log, logs []Log) (all []*splitLog, err error) {
	for _, l := range logs {
		if err := sameConfig(base, l); err != nil {
			return nil, err
		}
		if _, err := prefer.Open(ctx, l.Events, prefer.OpenOptions{}); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		s, err := split(l, func(author) bool { return true })
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// sameConfig refuses a log that is not of the configuration of another.
func sameConfig(base, l Log) error {
	for _, x := range []Log{base, l} {
		if len(x.Events) == 0 || x.Events[0].Created == nil {
			return fmt.Errorf("%s: a log begins with \"created\": %w", x.Name, prefer.ErrEvents)
		}
	}
	a, b := l.Events[0].Created.Config, base.Events[0].Created.Config
	hashA, errA := a.Hash()
	hashB, errB := b.Hash()
	if err := errors.Join(errA, errB); err != nil || hashA == hashB {
		return err
	}
	differ, err := Differences(a, b)
	if err != nil {
		return err
	}
	return &ConfigError{l.Name, base.Name, differ}
}

// earliest returns the first event of the log that was begun first.
func earliest(logs []Log) prefer.Event {
	return slices.MinFunc(logs, func(a, b Log) int {
		x, y := a.Events[0], b.Events[0]
		return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Created.Kernels, y.Created.Kernels), cmp.Compare(x.Time.String(), y.Time.String()))
	}).Events[0]
}

// sorted returns different logs in an order that does not depend on the one given.
func sorted(all []*splitLog) (_ []*splitLog, err error) {
	heads := map[*splitLog]Checksum{}
	for _, s := range all {
		if heads[s], err = Head(s.Log.Events); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *splitLog) int {
		x, y := heads[a], heads[b]
		return bytes.Compare(x[:], y[:])
	})
	return slices.CompactFunc(all, func(a, b *splitLog) bool { return heads[a] == heads[b] }), nil
}

// merger is a log that is being made.
type merger struct {
	longest map[author]*splitLog // which log has most of each raterLog
	had     map[author]int       // the steps of each that the study has
	last    int                  // the number of the last event

	ids         map[place]string // of questions and answers
	seqs        map[place]int    // of events
	used        map[string]bool  // ids of the study that was there
	asked, said int              // questions and answers so far
}

// start begins with the study that is there, whose numbers stay.
func (m *merger) start(s *splitLog) {
	for who, steps := range s.of {
		m.longest[who], m.had[who] = s, len(steps)
	}
	m.last = 1
	for i, e := range s.Log.Events[1:] {
		m.last, m.seqs[s.events[i]] = e.Seq, e.Seq
		m.count(e)
	}
	for id, at := range s.questions {
		m.ids[at], m.used[string(id)] = string(id), true
	}
	for id, at := range s.answers {
		m.ids[at], m.used[string(id)] = string(id), true
	}
}

// count counts an event as the study does when it gives numbers.
func (m *merger) count(e prefer.Event) {
	was := func(kind prefer.EventKind) bool {
		return e.Kind == kind || e.Forgotten != nil && e.Forgotten.Was == kind
	}
	switch {
	case was("asked"):
		m.asked++
	case was("answered"), was("observed"):
		m.said++
	}
}

func (m *merger) parts(s *splitLog) (out []Part) {
	for who, steps := range s.of {
		if who.role == raterRole {
			out = append(out, Part{s.Name, who.rater, countAnswers(steps), countAnswers(steps[min(m.had[who], len(steps)):])})
		}
	}
	slices.SortFunc(out, func(a, b Part) int { return cmp.Compare(a.Rater, b.Rater) })
	return out
}

// add takes every raterLog of a log that is longer than the one there is. Two of which neither begins with the other are refused.
func (m *merger) add(s *splitLog) error {
	for who, steps := range s.of {
		best := m.longest[who]
		if best == nil {
			m.longest[who] = s
			continue
		}
		there := best.of[who]
		for i := range min(len(there), len(steps)) {
			if e := steps[i].event; there[i].sum != steps[i].sum {
				return fmt.Errorf("%s and %s have %w, %s: they differ from what was %s at %s on, event %d of %s", best.Name, s.Name, ErrDiffers, who,
					e.Kind, e.Time.Format(time.RFC3339), e.Seq, s.Name)
			}
		}
		if len(steps) > len(there) {
			m.longest[who] = s
		}
	}
	return nil
}

// interleave adds logs, orders what is new of every raterLog by time, and numbers it.
func (m *merger) interleave(logs []*splitLog) ([]prefer.Event, error) {
	for _, s := range logs {
		if err := m.add(s); err != nil {
			return nil, err
		}
	}
	type newStep struct {
		place
		step
		from *splitLog
		time time.Time // never before that of the step before it
	}
	var all []newStep
	for who, s := range m.longest {
		var latest time.Time
		for i, st := range s.of[who] {
			if st.event.Time.After(latest) {
				latest = st.event.Time
			}
			if i >= m.had[who] {
				all = append(all, newStep{place{who, i}, st, s, latest})
			}
		}
	}
	change := func(s newStep) int { return map[role]int{ownerChanges: 1}[s.role] }
	slices.SortFunc(all, func(a, b newStep) int {
		return cmp.Or(cmp.Compare(a.after, b.after), cmp.Compare(change(a), change(b)), a.time.Compare(b.time),
			cmp.Compare(a.role, b.role), cmp.Compare(a.rater, b.rater), cmp.Compare(a.i, b.i))
	})
	for _, s := range all {
		m.last++
		m.seqs[s.place] = m.last
		m.count(s.event)
		switch {
		case s.event.Asked != nil:
			m.ids[s.place] = m.freeID("q", m.asked)
		case s.event.Answered != nil, s.event.Observed != nil:
			m.ids[s.place] = m.freeID("a", m.said)
		}
	}
	to := numbering{id: func(p place) string { return m.ids[p] }, taken: func(p place) string { return fmt.Sprint("t", m.seqs[p]) }, seq: func(p place) int { return m.seqs[p] }, first: 1}
	return xslices.Map(all, func(s newStep) prefer.Event { return s.from.renumber(s.event, to) }), nil
}

// owners counts the steps of the owner that the study did not have.
func (m *merger) owners() (n int) {
	for who, s := range m.longest {
		if who.role != raterRole {
			n += len(s.of[who]) - m.had[who]
		}
	}
	return n
}

// freeID returns the id of a number, or of the next that a log written elsewhere has not used.
func (m *merger) freeID(letter string, n int) string {
	for m.used[fmt.Sprint(letter, n)] {
		n++
	}
	id := fmt.Sprint(letter, n)
	m.used[id] = true
	return id
}

// Beginning returns how a running study was made and changed, without questions and answers: a log to take home, whose continuation goes back by Merge.
func Beginning(events []prefer.Event) []prefer.Event {
	var out []prefer.Event
	for _, e := range events {
		if e.Created != nil || e.Joined != nil || e.Left != nil || e.Changed != nil {
			e.Seq = len(out) + 1
			out = append(out, e)
		}
	}
	return out
}
