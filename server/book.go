package server

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
)

// book is an index of a study's log: what the server wants to know about questions and answers without
// reading everything. It is a fold over the events, as the study is, so a restart changes nothing.
type book struct {
	seed      uint64
	seq       int
	questions map[prefer.QuestionID]*entry
	answers   map[prefer.AnswerID]*entry
	open      map[string]*entry   // by rater
	asked     map[string]int      // by rater, repeats not counted
	said      map[string][]*entry // by rater, answered questions and observed duels that stand, in order
	items     map[string]prefer.Item
	media     map[string]bool // of items
	standing  int             // answers not undone
	answered  *entry          // what the last event answered; nil if that was something else
}

// entry is a question, with its answer if there is one, or an observed duel.
type entry struct {
	question prefer.Question
	observed bool
	seq      int
	time     time.Time
	place    int  // among the rater's questions, from 0; of a repeat, that of the question it repeats
	swapped  bool // the second option is shown first
	answer   prefer.AnswerID
	told     prefer.Answer
}

func (b *book) add(e prefer.Event) {
	if b.questions == nil {
		b.questions, b.answers = map[prefer.QuestionID]*entry{}, map[prefer.AnswerID]*entry{}
		b.open, b.asked, b.said = map[string]*entry{}, map[string]int{}, map[string][]*entry{}
		b.items, b.media = map[string]prefer.Item{}, map[string]bool{}
	}
	b.seq, b.answered = e.Seq, nil
	switch {
	case e.Created != nil:
		b.list(e.Created.Config.Space.Items)
	case e.Joined != nil:
		b.list(e.Joined.Items)
	case e.Asked != nil:
		q := &entry{question: *e.Asked, seq: e.Seq, time: e.Time}
		b.side(q)
		b.questions[q.question.ID], b.open[q.question.Rater] = q, q
	case e.Answered != nil:
		if q := b.questions[e.Answered.Question]; q != nil {
			q.answer, q.told, b.answered = e.Answered.ID, e.Answered.Answer, q
			delete(b.open, q.question.Rater)
			b.stand(q)
		}
	case e.Observed != nil:
		b.stand(&entry{question: prefer.Question{Rater: e.Observed.Duel.Rater, First: e.Observed.Duel.First, Second: e.Observed.Duel.Second},
			observed: true, seq: e.Seq, time: e.Time, answer: e.Observed.ID, told: e.Observed.Duel.Answer})
	case e.Undone != nil:
		b.takeBack(e.Undone.Answer)
	}
}

func (b *book) list(items []prefer.Item) {
	for _, it := range items {
		b.items[it.ID] = it
		if it.Media != "" {
			b.media[it.Media] = true
		}
	}
}

func (b *book) stand(q *entry) {
	b.answers[q.answer] = q
	rater := q.question.Rater
	b.said[rater] = append(b.said[rater], q)
	b.standing++
}

func (b *book) takeBack(id prefer.AnswerID) {
	q := b.answers[id]
	if q == nil {
		return
	}
	delete(b.answers, id)
	rater := q.question.Rater
	for i, s := range b.said[rater] {
		if s == q {
			b.said[rater] = append(b.said[rater][:i:i], b.said[rater][i+1:]...)
			break
		}
	}
	b.standing--
	q.answer, q.told = "", prefer.Answer{}
	if !q.observed {
		b.open[rater] = q
	}
}

// side decides which option is shown first. Of every two questions of a rater one is exchanged, and a coin
// of the study's seed says which, so that neither side is favoured and nobody can tell the next. A repeat,
// whose options the log has exchanged already, is placed as the question it repeats was: what was left is
// now right.
func (b *book) side(q *entry) {
	if was := b.questions[q.question.RepeatOf]; was != nil {
		q.place, q.swapped = was.place, was.swapped
		return
	}
	rater := q.question.Rater
	q.place = b.asked[rater]
	b.asked[rater]++
	coin := b.coin("side", rater, q.place/2)&1 == 1
	q.swapped = coin != (q.place%2 == 1)
}

// coin returns 64 random bits that belong to the study's seed and these words.
func (b *book) coin(about, rater string, number int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d %s", b.seed, about, number, rater)
	z := h.Sum64() // FNV leaves the low bits weak: the finaliser of splitmix64 mixes them
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// optionIDs returns the names of the question's first and second option.
func (q *entry) optionIDs() [2]string {
	number := strings.TrimPrefix(string(q.question.ID), "q")
	return [2]string{"o_" + number + "a", "o_" + number + "b"}
}

// base returns the rater behind a name that was derived to hold several questions open.
func base(rater string) string {
	name, _, _ := strings.Cut(rater, derived)
	return name
}

// derived separates a rater's name from the number of one of several open questions.
const derived = "#"
