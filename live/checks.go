package live

import (
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Where among a rater's questions checks come.
const (
	firstRepeat  = 5  // questions before the first repeat
	repeatAge    = 3  // questions that lie between a question and its repeat at least
	defaultCatch = 10 // questions from one catch question to the next
)

// catches returns how many of n questions are to be catch questions: every so many-th.
func (c Checks) catches(n int) int {
	if len(c.Catch) == 0 {
		return 0
	}
	return n / c.catchEvery()
}

func (c Checks) catchEvery() int {
	if c.CatchEvery == 0 {
		return defaultCatch
	}
	return c.CatchEvery
}

// repeats returns how many of a rater's first n questions are to be repeats. Each stretch of 1/rate questions has one, at a
// place that a coin u of the study's seed decides: the j-th, from 0, is at ⌊(j + u_j)/rate⌋, and none before firstRepeat. So
// nobody can tell, a restart changes nothing, and of n questions rate·n are repeats, less than one more or less.
func (x *index) repeats(c Checks, rater string, n int) (due int) {
	for c.RepeatRate > 0 {
		u := float64(x.coin("repeat", rater, due)>>11) / (1 << 53)
		if place := math.Floor((float64(due) + u) / c.RepeatRate); max(place, firstRepeat) >= float64(n) {
			break
		}
		due++
	}
	return due
}

// posed is a question that a rater has answered, or has open, without what she said about it.
type posed struct {
	prefer.Question
	seq           int // of the event that asked it
	skipped, open bool
}

func (q posed) check() bool    { return q.Catch || q.RepeatOf != "" }
func (q posed) practice() bool { return q.Method == practice }

// practice is the method of questions to practise on.
const practice = "practice"

// put returns the questions put to a rater that are open or have an answer that stands, in the order of asking; blind duels aside.
func (x *index) put(study *prefer.Study, rater string) (out []posed) {
	choice := map[prefer.QuestionID]prefer.Choice{}
	for _, e := range x.said[rater] {
		choice[e.Question] = e.Answer.Choice
	}
	for _, q := range study.OpenQuestions(rater) {
		choice[q.ID] = ""
	}
	for _, id := range x.order[rater] {
		said, stands := choice[id]
		if q, ok := study.Question(id); ok && stands && q.Blind == nil {
			out = append(out, posed{q, x.questions[id].seq, said == prefer.Skip, said == ""})
		}
	}
	return out
}

// check returns the request for the question to practise on, or the hidden check, that an ask is to get, or nil; has says that the rater has a
// question open. The lock is held.
func (r *Study) check(x *index, a Ask, has bool) *prefer.Request {
	c := r.Settings.Checks
	if a.Repeats > 0 {
		c.RepeatRate = a.Repeats
	}
	if has || r.Settings.Sitting.Practice == 0 && c.RepeatRate == 0 && len(c.Catch) == 0 {
		return nil
	}
	if x.toPractise(r.Study, r.Settings.Sitting, a.Rater, true) > 0 {
		return &prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Hold: a.Hold, Another: a.another, Practice: true}
	}
	return x.check(r.Study, c, a)
}

// check returns the request for a hidden check if the rater's next question is to be one, else nil. A check that is due
// and does not go with the conditions of the ask, or would follow another one, stays due; so does one that she skips. What was
// missed is made up for, catch questions no nearer to each other than half of what they are meant to be.
func (x *index) check(study *prefer.Study, c Checks, a Ask) *prefer.Request {
	if a.Blind || a.HoldBest {
		return nil
	}
	put := x.put(study, a.Rater)
	if n := len(put); n > 0 && put[n-1].check() {
		return nil // never two in a row
	}
	put = slices.DeleteFunc(put, func(q posed) bool { return q.skipped || q.practice() })
	all, n, caught, repeated, since := len(put), 0, 0, 0, 0
	again := map[prefer.QuestionID]bool{} // was repeated
	for _, q := range put {
		since++
		if q.RepeatOf != "" {
			again[q.RepeatOf] = true
		}
		if q.Catch {
			since = 0
		}
		if q.seq <= c.from {
			continue // from before the checks were changed to what they are: nothing is to be made up for
		}
		n++
		switch {
		case q.Catch:
			caught++
		case q.RepeatOf != "":
			repeated++
		}
	}
	r := &prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Another: a.another}
	if c.catches(n+1) > caught && (caught == 0 || since >= c.catchEvery()/2) {
		if pairs := x.catchFor(study.Config().Space, c, a); len(pairs) > 0 {
			pair := pairs[x.coin("catch", a.Rater, n)%uint64(len(pairs))]
			pair.Answer.Choice = prefer.First
			if x.coin("catch order", a.Rater, n)&1 == 1 {
				pair.First, pair.Second, pair.Answer.Choice = pair.Second, pair.First, prefer.Second
			}
			r.Catch = &pair
			return r
		}
	}
	if n < firstRepeat || x.repeats(c, a.Rater, n+1) <= repeated {
		return nil
	}
	var may []prefer.QuestionID
	for _, q := range put[:max(0, all-repeatAge)] {
		if !q.open && !q.check() && !again[q.ID] && x.may(q.First, q.Second) && maps.Equal(q.Fixed, a.Fixed) && a.holds(q.First, q.Second) {
			may = append(may, q.ID)
		}
	}
	if len(may) == 0 {
		return nil
	}
	r.Repeat = may[x.coin("which", a.Rater, n)%uint64(len(may))]
	return r
}

// may reports whether no option is an item that has left the list.
func (x *index) may(options ...space.Option) bool {
	return !slices.ContainsFunc(options, func(o space.Option) bool { return len(x.items) > 0 && !x.listed[o.Item()] })
}

// holds reports whether one of two options is the one that an ask holds.
func (a Ask) holds(first, second space.Option) bool {
	return a.Hold == nil || maps.Equal(a.Hold, first) || maps.Equal(a.Hold, second)
}

// catchFor returns the catch pairs that go with the conditions of an ask. What a pair leaves open the ask must fix.
func (x *index) catchFor(sp space.Space, c Checks, a Ask) (out []prefer.Duel) {
	layout, err := coding.NewLayout(sp)
	if err != nil {
		return nil
	}
	for _, k := range c.Catch {
		pair := prefer.Duel{First: k.Better, Second: k.Worse}
		if len(sp.Items) == 0 || sp.Crossed() {
			pair = prefer.Duel{First: filled(k.Better, a.Fixed), Second: filled(k.Worse, a.Fixed)}
		}
		may := func(o space.Option) bool {
			if len(sp.Items) > 0 && !sp.Crossed() {
				return x.may(o) && under(x.items[o.Item()].Features, a.Fixed)
			}
			_, err := layout.Point(o) // a value may still be open, or a constraint forbid what the conditions make of it
			return err == nil && x.may(o) && under(o, a.Fixed)
		}
		if may(pair.First) && may(pair.Second) && a.holds(pair.First, pair.Second) {
			out = append(out, pair)
		}
	}
	return out
}

// filled returns an option with the values of the conditions that it leaves open.
func filled(o, fixed space.Option) space.Option {
	out := space.Option{}
	maps.Copy(out, fixed)
	maps.Copy(out, o)
	return out
}

// under reports whether an option meets conditions.
func under(o, fixed space.Option) bool {
	for name, want := range fixed {
		if has, ok := o[name]; !ok || has != want {
			return false
		}
	}
	return true
}
