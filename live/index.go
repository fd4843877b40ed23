package live

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
)

// index is what a study's log says about questions and answers, by rater, without reading everything. It is a fold over
// the events, as the study is, so a restart changes nothing.
type index struct {
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

// look reads the log to its end and runs do with the index.
func (r *Study) look(do func(*index)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.Study.Events()[r.index.seq:] {
		r.index.add(e)
	}
	do(&r.index)
}

func (x *index) add(e prefer.Event) {
	if x.questions == nil {
		x.questions, x.answers = map[prefer.QuestionID]*entry{}, map[prefer.AnswerID]*entry{}
		x.open, x.asked, x.said = map[string]*entry{}, map[string]int{}, map[string][]*entry{}
		x.items, x.media = map[string]prefer.Item{}, map[string]bool{}
	}
	x.seq, x.answered = e.Seq, nil
	switch {
	case e.Created != nil:
		x.list(e.Created.Config.Space.Items)
	case e.Joined != nil:
		x.list(e.Joined.Items)
	case e.Asked != nil:
		q := &entry{question: *e.Asked, seq: e.Seq, time: e.Time}
		x.side(q)
		x.questions[q.question.ID], x.open[q.question.Rater] = q, q
	case e.Answered != nil:
		if q := x.questions[e.Answered.Question]; q != nil {
			q.answer, q.told, x.answered = e.Answered.ID, e.Answered.Answer, q
			delete(x.open, q.question.Rater)
			x.stand(q)
		}
	case e.Observed != nil:
		x.stand(&entry{question: prefer.Question{Rater: e.Observed.Duel.Rater, First: e.Observed.Duel.First, Second: e.Observed.Duel.Second},
			observed: true, seq: e.Seq, time: e.Time, answer: e.Observed.ID, told: e.Observed.Duel.Answer})
	case e.Undone != nil:
		x.takeBack(e.Undone.Answer)
	}
}

func (x *index) list(items []prefer.Item) {
	for _, it := range items {
		x.items[it.ID] = it
		if it.Media != "" {
			x.media[it.Media] = true
		}
	}
}

func (x *index) stand(q *entry) {
	x.answers[q.answer] = q
	rater := q.question.Rater
	x.said[rater] = append(x.said[rater], q)
	x.standing++
}

func (x *index) takeBack(id prefer.AnswerID) {
	q := x.answers[id]
	if q == nil {
		return
	}
	delete(x.answers, id)
	rater := q.question.Rater
	at := slices.Index(x.said[rater], q)
	x.said[rater] = append(x.said[rater][:at:at], x.said[rater][at+1:]...)
	x.standing--
	q.answer, q.told = "", prefer.Answer{}
	if !q.observed {
		x.open[rater] = q
	}
}

// side decides which option is shown first. Of every two questions of a rater one is exchanged, and a coin
// of the study's seed says which, so that neither side is favoured and nobody can tell the next. A repeat,
// whose options the log has exchanged already, is placed as the question it repeats was: what was left is
// now right.
func (x *index) side(q *entry) {
	if was := x.questions[q.question.RepeatOf]; was != nil {
		q.place, q.swapped = was.place, was.swapped
		return
	}
	rater := q.question.Rater
	q.place = x.asked[rater]
	x.asked[rater]++
	coin := x.coin("side", rater, q.place/2)&1 == 1
	q.swapped = coin != (q.place%2 == 1)
}

// coin returns 64 random bits that belong to the study's seed and these words.
func (x *index) coin(about, rater string, number int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d %s", x.seed, about, number, rater)
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

// situation is what matters about a rater who asks.
type situation struct {
	open   bool            // she has a question
	fresh  bool            // the last event is her answer, for which a question may have been chosen ahead
	others int             // raters who are looking at questions now
	check  *prefer.Request // the hidden check that is due, or nil
}

// looking is how long a rater is taken to look at a question.
const looking = time.Minute

// situation finds out about a rater who asks.
func (r *Study) situation(rater string, now time.Time) (at situation) {
	r.look(func(x *index) {
		at.open = x.open[rater] != nil
		at.fresh = x.answered != nil && x.answered.question.Rater == rater
		for other, q := range x.open {
			if other != rater && now.Sub(q.time) < looking {
				at.others++
			}
		}
		if check, due := x.check(r.Settings.Checks, rater); due && !at.open {
			at.check = &check
		}
	})
	return at
}

// Where in a rater's questions checks come.
const (
	firstRepeat  = 5  // questions before the first repeat
	repeatAge    = 3  // questions that lie between a question and its repeat at least
	defaultCatch = 10 // questions between two catch questions
)

// check returns the request for a hidden check if the rater's next question is to be one. When it comes, and
// which question it repeats, is up to a coin of the study's seed: nobody can tell, and a restart changes nothing.
func (x *index) check(c Checks, rater string) (prefer.Request, bool) {
	r := prefer.Request{Rater: rater}
	if c.RepeatRate == 0 && len(c.Catch) == 0 {
		return r, false
	}
	total := 0
	past := map[prefer.QuestionID]bool{}
	var last *entry
	for _, q := range x.said[rater] {
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
		i := int(x.coin("catch", rater, total) % uint64(n))
		pair := [2]prefer.Option{c.Catch[i].Better, c.Catch[i].Worse}
		if x.coin("catch order", rater, total)&1 == 1 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		r.Catch = &pair
		return r, true
	}
	if total < firstRepeat || float64(x.coin("repeat", rater, total)>>11)/(1<<53) >= c.RepeatRate {
		return r, false
	}
	var may []*entry
	for i, q := range x.said[rater] {
		old := i < len(x.said[rater])-repeatAge
		if old && !q.observed && !q.question.Catch && q.question.RepeatOf == "" && !past[q.question.ID] && q.told.Choice != prefer.Skip {
			may = append(may, q)
		}
	}
	if len(may) == 0 {
		return r, false
	}
	r.Repeat = may[x.coin("which", rater, total)%uint64(len(may))].question.ID
	return r, true
}

// catches counts how often a rater answered catch questions right.
func (x *index) catches(c Checks, rater string) (right, of int) {
	for _, q := range x.said[rater] {
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
