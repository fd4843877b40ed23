package prefer

import "maps"

// keyed names an answer by the key that its rater told it under: every rater has keys of her own.
type keyed struct{ rater, key string }

// differs names the first thing in which an answer that was kept differs from one that is told under its key, to a question or, if that is empty, about a
// duel nobody asked for; empty if it is the same again. When it was sent, in which sitting, after how long and with which note and meta makes it no other. What was
// said is not repeated: a rater and the log may speak of different sides.
func (t *told) differs(again told, question QuestionID) string {
	was := t.question != nil
	switch {
	case was != (question != "") || was && t.question.ID != question:
		return "question"
	case !maps.Equal(t.duel.First, again.duel.First) || !maps.Equal(t.duel.Second, again.duel.Second):
		return "pair"
	case t.answer.Choice != again.answer.Choice:
		return "choice"
	case t.answer.Strength != again.answer.Strength:
		return "strength"
	case t.answer.Check != again.answer.Check:
		return "check"
	}
	return ""
}

// holder returns the answer that stands under the key of the answer in an event, nil if there is none.
func (s *state) holder(e Event) *told {
	switch {
	case e.Answered != nil && s.questions[e.Answered.Question] != nil:
		return s.byKey[keyed{s.questions[e.Answered.Question].Rater, e.Answered.Answer.Key}]
	case e.Observed != nil:
		return s.byKey[keyed{e.Observed.Duel.Rater, e.Observed.Duel.Answer.Key}]
	}
	return nil
}
