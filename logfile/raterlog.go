package logfile

import (
	"crypto/sha256"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Log is a study's events under the name that errors call it by: that of its file.
type Log struct {
	Name   string
	Events []prefer.Event
}

// author is who took a step: a rater, who may have no name, or the owner, in one of two roles.
type author struct {
	role  role
	rater string
}

// role is what somebody does in a study.
type role int

const (
	raterRole     role = iota
	ownerExcludes      // the owner excludes raters and forgets them
	ownerChanges       // the owner changes the study: what others do comes before or after it
)

func (a author) String() string {
	switch {
	case a.role != raterRole:
		return "the owner of the study"
	case a.rater == "":
		return "the rater without a name"
	}
	return fmt.Sprintf("rater %q", a.rater)
}

// place is a step: the i-th of an author.
type place struct {
	author
	i int
}

// step is an event of a raterLog.
type step struct {
	event prefer.Event
	sum   [sha256.Size]byte // of all that is not a number: the same in another log is the same step
	after int               // how often the study was changed before it
}

// raterLog is what one author did, in order.
type raterLog []step

// splitLog is a log with one raterLog for each author, and where its questions, answers and events are in them.
type splitLog struct {
	Log
	of        map[author]raterLog
	questions map[prefer.QuestionID]place
	answers   map[prefer.AnswerID]place
	events    []place // without the first
}

// split splits a log. Its events are those of a study: prefer.Open takes them. Steps have sums only of those authors whom compared reports.
func split(l Log, compared func(author) bool) (*splitLog, error) {
	s := &splitLog{Log: l, of: map[author]raterLog{}, questions: map[prefer.QuestionID]place{}, answers: map[prefer.AnswerID]place{}}
	for _, e := range l.Events[1:] {
		who := s.author(e)
		at := place{who, len(s.of[who])}
		s.events = append(s.events, at)
		switch {
		case e.Asked != nil:
			s.questions[e.Asked.ID] = at
		case e.Answered != nil:
			s.answers[e.Answered.ID] = at
		case e.Observed != nil:
			s.answers[e.Observed.ID] = at
		}
		next := step{event: e, after: len(s.of[author{role: ownerChanges}])}
		if compared(who) {
			done := s.renumber(e, plain)
			done.Origin = "" // says how the step came to a study, and is no part of it
			line, err := done.Line()
			if err != nil {
				return nil, fmt.Errorf("logfile: %s: event %d: %w", l.Name, e.Seq, err)
			}
			next.sum = sha256.Sum256(line)
		}
		s.of[who] = append(s.of[who], next)
	}
	return s, nil
}

func (s *splitLog) author(e prefer.Event) author {
	switch {
	case e.Asked != nil:
		return author{rater: e.Asked.Rater}
	case e.Answered != nil:
		return s.questions[e.Answered.Question].author
	case e.Observed != nil:
		return author{rater: e.Observed.Duel.Rater}
	case e.Undone != nil:
		return s.answers[e.Undone.Answer].author
	case e.Enqueued != nil:
		return author{rater: e.Enqueued.Rater}
	case e.Taken != nil:
		return author{rater: e.Taken.Rater}
	case e.Excluded != nil, e.Forgotten != nil:
		return author{role: ownerExcludes}
	}
	return author{role: ownerChanges}
}

// numbering is what the steps of a log are called in another one: ids of questions and answers, ids of "taken", numbers of events, and that of the first event.
type numbering struct {
	id, taken func(place) string
	seq       func(place) int
	first     int
}

func (n numbering) question(p place) prefer.QuestionID { return prefer.QuestionID(n.id(p)) }
func (n numbering) answer(p place) prefer.AnswerID     { return prefer.AnswerID(n.id(p)) }

// renumber returns an event of the log with other numbers, and all else as it is.
func (s *splitLog) renumber(e prefer.Event, to numbering) prefer.Event {
	at := s.events[e.Seq-2]
	e.Seq = to.seq(at)
	switch {
	case e.Asked != nil:
		q := *e.Asked
		q.ID = to.question(at)
		if q.RepeatOf != "" {
			q.RepeatOf = to.question(s.questions[q.RepeatOf])
		}
		switch {
		case q.From == 1:
			q.From = to.first
		case q.From >= 2 && q.From-2 < len(s.events):
			q.From = to.seq(s.events[q.From-2])
		}
		e.Asked = &q
	case e.Answered != nil:
		e.Answered = new(*e.Answered)
		e.Answered.ID, e.Answered.Question = to.answer(at), to.question(s.questions[e.Answered.Question])
	case e.Observed != nil:
		e.Observed = new(*e.Observed)
		e.Observed.ID = to.answer(at)
	case e.Undone != nil:
		e.Undone = new(*e.Undone)
		e.Undone.Answer = to.answer(s.answers[e.Undone.Answer])
	case e.Taken != nil:
		e.Taken = new(*e.Taken)
		e.Taken.ID = to.taken(at)
	}
	return e
}

// plain calls a step the same in all logs, by its place. What a question in stock was chosen from is left out: it counts what others said.
var plain = numbering{id: func(p place) string { return fmt.Sprint(p.rater, " ", p.i) }, taken: func(place) string { return "" }, seq: func(place) int { return 0 }}

// countAnswers counts the answers among steps, those taken back included.
func countAnswers(steps []step) (n int) {
	return xslices.Count(steps, func(s step) bool { return s.event.Answered != nil || s.event.Observed != nil })
}
