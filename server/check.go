package server

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

// check returns the request for a hidden check if the rater's next question is to be one. When it comes, and
// which question it repeats, is up to a coin of the study's seed: nobody can tell, and a restart changes nothing.
func (b *book) check(c Checks, rater string) (prefer.Request, bool) {
	r := prefer.Request{Rater: rater}
	total := 0
	past := map[prefer.QuestionID]bool{}
	var last *entry
	for _, q := range b.said[rater] {
		if q.observed {
			continue
		}
		total++
		last = q
		past[q.question.RepeatOf] = true
	}
	if last != nil && (last.question.Catch || last.question.RepeatOf != "") {
		return r, false // never two in a row
	}
	every := c.CatchEvery
	if every == 0 {
		every = defaultCatch
	}
	if n := len(c.Catch); n > 0 && total%every == every-1 {
		i := int(b.coin("catch", rater, total) % uint64(n))
		pair := prefer.Duel{First: c.Catch[i].Better, Second: c.Catch[i].Worse}
		if b.coin("catch order", rater, total)&1 == 1 {
			pair.First, pair.Second = pair.Second, pair.First
		}
		r.Catch = &pair
		return r, true
	}
	if total < firstRepeat || float64(b.coin("repeat", rater, total)>>11)/(1<<53) >= c.RepeatRate {
		return r, false
	}
	var may []*entry
	for i, q := range b.said[rater] {
		old := i < len(b.said[rater])-repeatAge
		if old && !q.observed && !q.question.Catch && q.question.RepeatOf == "" && !past[q.question.ID] && q.told.Choice != prefer.Skip {
			may = append(may, q)
		}
	}
	if len(may) == 0 {
		return r, false
	}
	r.Repeat = may[b.coin("which", rater, total)%uint64(len(may))].question.ID
	return r, true
}

// catches counts how often a rater answered catch questions right.
func (b *book) catches(c Checks, rater string) (right, of int) {
	for _, q := range b.said[rater] {
		if !q.question.Catch || q.told.Choice == prefer.Skip {
			continue
		}
		of++
		won := q.question.First
		if q.told.Choice != prefer.First {
			won = q.question.Second
		}
		if (q.told.Choice == prefer.First || q.told.Choice == prefer.Second) &&
			slices.ContainsFunc(c.Catch, func(k Catch) bool { return maps.Equal(k.Better, won) }) {
			right++
		}
	}
	return right, of
}
