package prefer

// Forget returns the log with everything a rater said or was asked replaced by Forgotten, and how many
// events that were. What others were asked and answered stays. The result is a valid log of the same
// length; events are not changed, only exchanged.
func Forget(events []Event, rater string) ([]Event, int) {
	out := make([]Event, len(events))
	questions, answers := map[QuestionID]bool{}, map[AnswerID]bool{}
	removed := 0
	for i, e := range events {
		gone, design := false, false
		switch {
		case e.Asked != nil && e.Asked.Rater == rater:
			gone, design = true, e.Asked.Method == methodDesign
			questions[e.Asked.ID] = true
		case e.Answered != nil && questions[e.Answered.Question]:
			gone = true
			answers[e.Answered.ID] = true
		case e.Observed != nil && e.Observed.Duel.Rater == rater:
			gone = true
			answers[e.Observed.ID] = true
		case e.Undone != nil && answers[e.Undone.Answer], e.Enqueued != nil && e.Enqueued.Rater == rater:
			gone = true
		}
		out[i] = e
		if gone {
			out[i] = Event{Seq: e.Seq, Time: events[0].Time, Kind: KindForgotten, Forgotten: &Forgotten{Was: e.Kind, Design: design}}
			removed++
		}
	}
	return out, removed
}
