package live

import (
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Where among a rater's questions checks come.
const (
	firstRepeat = 5 // questions before the first repeat
	repeatAge   = 3 // questions that lie between a question and its repeat at least
)

// repeats returns how many of a rater's first n questions are to be repeats. Each stretch of 1/rate questions has one, at a place that a coin u of the seed
// decides: the j-th, from 0, is at ⌊(j + u_j)/rate⌋, none before firstRepeat. Nobody can predict them, and a restart changes nothing.
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

// posed is a question that a rater has answered or has open, without the answer.
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
	choice := xslices.ToMap(x.said[rater], func(e prefer.Entry) (prefer.QuestionID, prefer.Choice) { return e.Question, e.Answer.Choice })
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

// check returns the request for the practice question or hidden check that an ask is to get, or nil; has says that a question is open. The lock is held.
func (r *Study) check(x *index, a Ask, has bool) *prefer.Request {
	c := r.Settings.Checks
	if a.Repeats > 0 {
		c.RepeatRate = a.Repeats
	}
	if has || r.Settings.Phases.Practice == 0 && c.RepeatRate == 0 && len(c.Catch) == 0 {
		return nil
	}
	if x.toPractise(r.Study, r.Settings.Phases, a.Rater, true) > 0 {
		return &prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Hold: a.Hold, Another: a.another, Practice: true}
	}
	return x.check(r.Study, c, a)
}

// check returns the request for a hidden check if the rater's next question is to be one. A due check that does not fit the ask, or is skipped, stays due.
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
		again[q.RepeatOf] = true
		if since++; q.Catch {
			since = 0
		}
		if q.seq <= c.From {
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
	if c.Catches(n+1) > caught && (caught == 0 || since >= c.CatchInterval()/2) {
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
	may := xslices.Filter(put[:max(0, all-repeatAge)], func(q posed) bool {
		return !q.open && !q.check() && !again[q.ID] && x.areListed(q.First, q.Second) && maps.Equal(q.Fixed, a.Fixed) && a.holds(q.First, q.Second)
	})
	if len(may) == 0 {
		return nil
	}
	r.Repeat = may[x.coin("which", a.Rater, n)%uint64(len(may))].ID
	return r
}

// areListed reports whether no option is an item that has left the list.
func (x *index) areListed(options ...space.Option) bool {
	return !slices.ContainsFunc(options, func(o space.Option) bool { return len(x.items) > 0 && !x.listed[o.Item()] })
}

// holds reports whether one of two options is the one that an ask holds.
func (a Ask) holds(first, second space.Option) bool {
	return a.Hold == nil || maps.Equal(a.Hold, first) || maps.Equal(a.Hold, second)
}

// catchFor returns the catch pairs that go with the conditions of an ask. What a pair leaves open the ask must fix.
func (x *index) catchFor(sp space.Space, c Checks, a Ask) (out []prefer.Duel) {
	code, err := coding.New(sp)
	if err != nil || code.Costly != nil {
		return nil
	}
	for _, k := range c.Catch {
		pair := prefer.Duel{First: k.Better, Second: k.Worse}
		if len(sp.Items) == 0 || sp.Crossed() {
			pair.First, pair.Second = k.Filled(a.Fixed)
		}
		may := func(o space.Option) bool {
			if len(sp.Items) > 0 && !sp.Crossed() {
				return x.areListed(o) && meets(x.items[o.Item()].Features, a.Fixed)
			}
			_, err := code.Unit(o) // a value may still be open, or a constraint forbid what the conditions make of it
			return err == nil && x.areListed(o) && meets(o, a.Fixed)
		}
		if may(pair.First) && may(pair.Second) && a.holds(pair.First, pair.Second) {
			out = append(out, pair)
		}
	}
	return out
}

func meets(o, fixed space.Option) bool {
	for name, want := range fixed {
		if has, ok := o[name]; !ok || has != want {
			return false
		}
	}
	return true
}

// toPractise returns how many practice questions a rater has left, without the open ones if open is set. A rater who was asked anything else has begun.
func (x *index) toPractise(study *prefer.Study, c Phases, rater string, open bool) int {
	if c.Practice == 0 {
		return 0
	}
	left := c.Practice
	for _, q := range x.put(study, rater) {
		switch {
		case !q.practice():
			return 0
		case open || !q.open:
			left--
		}
	}
	return max(0, left)
}

// block returns how many answers a rater has given if a block of them is just over, else 0.
func (x *index) block(c Phases, rater string) int {
	n, last := 0, false
	for _, e := range x.said[rater] {
		if last = e.Counts() && !e.Observed; last {
			n++
		}
	}
	if c.BreakEvery == 0 || !last || n%c.BreakEvery != 0 {
		return 0
	}
	return n
}

// withPhases returns a rater's status under these contexts with the practice, break and blind duels that come next.
func (r *Study) withPhases(x *index, rater string, fixed space.Option, s Status) Status {
	c := r.Settings.Phases
	if c == (Phases{}) {
		return s
	}
	kind := prefer.VerdictKind(s.Verdict)
	s.Practice = x.toPractise(r.Study, c, rater, false)
	if kind.Done() && kind.Picks() {
		s.BlindLeft = max(0, c.Blind-xslices.Count(x.said[rater], func(e prefer.Entry) bool {
			q, _ := r.Study.Question(e.Question)
			return e.Blind && e.Answer.Choice != prefer.Skip && maps.Equal(q.Fixed, fixed)
		}))
	}
	if !kind.Done() || s.BlindLeft > 0 { // something comes after it
		s.Break = x.block(c, rater)
	}
	return s
}

// blindDue reports whether an ask gets a blind duel: because it asks for one, or because those at the rater's end are not over. The lock is held.
func (r *Study) blindDue(x *index, a Ask) bool {
	if a.Blind || r.Settings.Phases.Blind == 0 || a.another || a.conditions(r.Config.Space) {
		return a.Blind
	}
	return r.status(x, a.Rater, a.Fixed).BlindLeft > 0
}
