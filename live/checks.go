package live

import (
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Where in a rater's questions checks come.
const (
	firstRepeat  = 5  // questions before the first repeat
	repeatAge    = 3  // questions that lie between a question and its repeat at least
	defaultCatch = 10 // questions between two catch questions
)

// check returns the request for a hidden check if the rater's next question is to be one, else nil. When it comes, and
// which question it repeats, is up to a coin of the study's seed: nobody can tell, and a restart changes nothing.
func (x *index) check(study *prefer.Study, c Checks, rater string) *prefer.Request {
	r := &prefer.Request{Rater: rater}
	total := 0
	past := map[prefer.QuestionID]bool{} // checks, and questions that were repeated
	var last prefer.Question
	for _, e := range x.said[rater] {
		if e.Observed || e.Blind {
			continue
		}
		total++
		last, _ = study.Question(e.Question)
		past[last.RepeatOf] = true
		past[last.ID] = past[last.ID] || last.Catch || last.RepeatOf != ""
	}
	if last.Catch || last.RepeatOf != "" {
		return nil // never two in a row
	}
	every := c.CatchEvery
	if every == 0 {
		every = defaultCatch
	}
	if n := len(c.Catch); n > 0 && total%every == every-1 {
		i := int(x.coin("catch", rater, total) % uint64(n))
		pair := prefer.Duel{First: c.Catch[i].Better, Second: c.Catch[i].Worse}
		if x.coin("catch order", rater, total)&1 == 1 {
			pair.First, pair.Second = pair.Second, pair.First
		}
		r.Catch = &pair
		return r
	}
	if total < firstRepeat || float64(x.coin("repeat", rater, total)>>11)/(1<<53) >= c.RepeatRate {
		return nil
	}
	var may []prefer.QuestionID
	for i, e := range x.said[rater] {
		if i < len(x.said[rater])-repeatAge && !e.Observed && !e.Blind && !past[e.Question] && e.Answer.Choice != prefer.Skip {
			may = append(may, e.Question)
		}
	}
	if len(may) == 0 {
		return nil
	}
	r.Repeat = may[x.coin("which", rater, total)%uint64(len(may))]
	return r
}

// Caught counts how often a rater answered catch questions right.
func (r *Study) Caught(rater string) (right, of int) {
	r.look(func(x *index) {
		for _, e := range x.said[rater] {
			if q, _ := r.Study.Question(e.Question); !q.Catch || e.Answer.Choice == prefer.Skip {
				continue
			}
			of++
			won := map[prefer.Choice]prefer.Option{prefer.First: e.First, prefer.Second: e.Second}[e.Answer.Choice]
			if won != nil && slices.ContainsFunc(r.Settings.Checks.Catch, func(k Catch) bool { return maps.Equal(k.Better, won) }) {
				right++
			}
		}
	})
	return right, of
}
