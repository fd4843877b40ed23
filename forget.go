package prefer

import "slices"

// Forget returns the log with everything that these raters said or were asked replaced by Forgotten, and how many
// events that were. What others were asked and answered stays. The result is a valid log of the same
// length; events are not changed, only exchanged, and their names among those who are not asked about something are left out.
func Forget(events []Event, raters ...string) ([]Event, int) {
	goes := map[string]bool{}
	for _, rater := range raters {
		goes[rater] = true
	}
	out := make([]Event, len(events))
	questions, answers := map[QuestionID]bool{}, map[AnswerID]bool{}
	removed := 0
	for i, e := range events {
		gone, was := false, Forgotten{Was: e.Kind}
		switch {
		case e.Asked != nil && goes[e.Asked.Rater]:
			gone, was.Design, was.Blind = true, e.Asked.Method == "design", e.Asked.Blind != nil || e.Asked.Method == "practice"
			questions[e.Asked.ID] = true
		case e.Answered != nil && questions[e.Answered.Question]:
			gone = true
			answers[e.Answered.ID] = true
		case e.Observed != nil && goes[e.Observed.Duel.Rater]:
			gone = true
			answers[e.Observed.ID] = true
		case e.Undone != nil && answers[e.Undone.Answer], e.Enqueued != nil && goes[e.Enqueued.Rater], e.Taken != nil && goes[e.Taken.Rater],
			e.Excluded != nil && goes[e.Excluded.Rater]:
			gone = true
		}
		out[i] = e
		named := func(name string) bool { return goes[name] }
		if e.Enqueued != nil && slices.ContainsFunc(e.Enqueued.Except, named) { // in what others are to be asked
			rest := *e.Enqueued
			rest.Except = slices.DeleteFunc(slices.Clone(rest.Except), named)
			out[i].Enqueued = &rest
			if !gone {
				removed++
			}
		}
		if gone {
			out[i] = Event{Seq: e.Seq, Time: events[0].Time, Kind: "forgotten", Forgotten: &was}
			removed++
		}
	}
	return out, removed
}
