package live

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

// index is what a study knows about its questions and answers, by rater, with which side is shown. It follows from the
// log alone, so a restart changes nothing.
type index struct {
	seed      uint64
	seq       int
	questions map[prefer.QuestionID]shownQuestion
	asked     map[string]int       // by rater, repeats not counted
	last      map[string]time.Time // by rater, when she was last asked
	said      map[string][]said    // by rater, answers that stand, in order
	answered  map[prefer.QuestionID]bool
	items     map[string]prefer.Item
	media     map[string]bool   // of items
	standing  int               // answers not undone
	fresh     prefer.QuestionID // what the last event answered; empty if that was something else
}

// shownQuestion is what matters of a question to who shows it.
type shownQuestion struct {
	seq     int
	time    time.Time
	place   int  // among the rater's questions, from 0; of a repeat, that of the question it repeats
	swapped bool // the second option is shown first
}

// said is an answer that stands, with its question unless nobody asked.
type said struct {
	prefer.Entry
	question prefer.Question
}

func newIndex(seed uint64) index {
	return index{seed: seed, questions: map[prefer.QuestionID]shownQuestion{}, asked: map[string]int{}, last: map[string]time.Time{}}
}

// look brings the index to where the log ends and runs do with it.
func (r *Study) look(do func(*index)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.index.read(r.Study)
	do(&r.index)
}

// read takes in what has happened since.
func (x *index) read(study *prefer.Study) {
	var answers, items bool
	for _, e := range study.Events()[x.seq:] {
		x.seq, x.fresh = e.Seq, ""
		switch {
		case e.Asked != nil:
			x.show(*e.Asked, e.Seq, e.Time)
		case e.Created != nil || e.Joined != nil:
			items = true
		case e.Answered != nil:
			x.fresh, answers = e.Answered.Question, true
		default:
			answers = true
		}
	}
	if items {
		x.items, x.media = map[string]prefer.Item{}, map[string]bool{}
		for _, it := range study.Items() {
			x.items[it.ID] = it
			if it.Media != "" {
				x.media[it.Media] = true
			}
		}
	}
	if answers {
		x.said, x.answered, x.standing = map[string][]said{}, map[prefer.QuestionID]bool{}, 0
		for _, e := range study.History() {
			if e.Undone {
				continue
			}
			q, _ := study.Question(e.Question)
			x.said[e.Rater] = append(x.said[e.Rater], said{e, q})
			x.answered[e.Question] = true
			x.standing++
		}
	}
}

// show decides which option of a question is shown first. Of every two questions of a rater one is exchanged, and a coin
// of the study's seed says which, so that neither side is favoured and nobody can tell the next. A repeat,
// whose options the log has exchanged already, is placed as the question it repeats was: what was left is
// now right.
func (x *index) show(q prefer.Question, seq int, at time.Time) {
	out := shownQuestion{seq: seq, time: at}
	if was, ok := x.questions[q.RepeatOf]; ok {
		out.place, out.swapped = was.place, was.swapped
	} else {
		out.place = x.asked[q.Rater]
		x.asked[q.Rater]++
		coin := x.coin("side", q.Rater, out.place/2)&1 == 1
		out.swapped = coin != (out.place%2 == 1)
	}
	x.questions[q.ID], x.last[q.Rater] = out, at
}

// coin returns 64 random bits that belong to the study's seed and these words.
func (x *index) coin(about, rater string, number int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d %s", x.seed, about, number, rater)
	return splitmix.Mix(h.Sum64()) // FNV leaves the low bits weak
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
	at.open = len(r.Study.OpenQuestions(rater)) > 0
	r.look(func(x *index) {
		if q, ok := r.Study.Question(x.fresh); ok {
			at.fresh = q.Rater == rater
		}
		for other, last := range x.last {
			if other != rater && now.Sub(last) < looking && slices.ContainsFunc(r.Study.OpenQuestions(other), func(q prefer.Question) bool {
				return now.Sub(x.questions[q.ID].time) < looking
			}) {
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
	var last prefer.Question
	for _, q := range x.said[rater] {
		if q.Observed {
			continue
		}
		total++
		last = q.question
		past[q.question.RepeatOf] = true
	}
	if last.Catch || last.RepeatOf != "" {
		return r, false // never two in a row
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
		return r, true
	}
	if total < firstRepeat || float64(x.coin("repeat", rater, total)>>11)/(1<<53) >= c.RepeatRate {
		return r, false
	}
	var may []prefer.QuestionID
	for i, q := range x.said[rater] {
		old := i < len(x.said[rater])-repeatAge
		if old && !q.Observed && !q.question.Catch && q.question.RepeatOf == "" && !past[q.question.ID] && q.Answer.Choice != prefer.Skip {
			may = append(may, q.Question)
		}
	}
	if len(may) == 0 {
		return r, false
	}
	r.Repeat = may[x.coin("which", rater, total)%uint64(len(may))]
	return r, true
}

// catches counts how often a rater answered catch questions right.
func (x *index) catches(c Checks, rater string) (right, of int) {
	for _, q := range x.said[rater] {
		if !q.question.Catch || q.Answer.Choice == prefer.Skip {
			continue
		}
		of++
		won := q.First
		if q.Answer.Choice != prefer.First {
			won = q.Second
		}
		if (q.Answer.Choice == prefer.First || q.Answer.Choice == prefer.Second) &&
			slices.ContainsFunc(c.Catch, func(k Catch) bool { return maps.Equal(k.Better, won) }) {
			right++
		}
	}
	return right, of
}
