package prefer

import "slices"

// Forget returns the log with everything a rater said or was asked replaced by Forgotten, and how many
// events that were. What others were asked and answered stays. The result is a valid log of the same
// length; events are not changed, only exchanged, and her name among those who are not asked about something is left out.
func Forget(events []Event, rater string) ([]Event, int) {
	out := make([]Event, len(events))
	questions, answers := map[QuestionID]bool{}, map[AnswerID]bool{}
	removed := 0
	for i, e := range events {
		gone, was := false, Forgotten{Was: e.Kind}
		switch {
		case e.Asked != nil && e.Asked.Rater == rater:
			gone, was.Design, was.Blind = true, e.Asked.Method == "design", e.Asked.Blind != nil || e.Asked.Method == "practice"
			questions[e.Asked.ID] = true
		case e.Answered != nil && questions[e.Answered.Question]:
			gone = true
			answers[e.Answered.ID] = true
		case e.Observed != nil && e.Observed.Duel.Rater == rater:
			gone = true
			answers[e.Observed.ID] = true
		case e.Undone != nil && answers[e.Undone.Answer], e.Enqueued != nil && e.Enqueued.Rater == rater, e.Taken != nil && e.Taken.Rater == rater,
			e.Excluded != nil && e.Excluded.Rater == rater:
			gone = true
		}
		out[i] = e
		if e.Enqueued != nil && slices.Contains(e.Enqueued.Except, rater) { // her name, in what others are to be asked
			rest := *e.Enqueued
			rest.Except = slices.DeleteFunc(slices.Clone(rest.Except), func(name string) bool { return name == rater })
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
