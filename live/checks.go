package live

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
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

func (c Checks) catchEvery() int { return cmp.Or(c.CatchEvery, defaultCatch) }

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

// check returns the request for the practice question or hidden check that an ask is to get, or nil; has says that a question is open. The lock is held.
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

// Checked says how a rater did in the checks, and how many were due so far.
type Checked struct {
	Catch   CatchCount  `json:"catch" doc:"Questions whose answer is known."`
	Repeats RepeatCount `json:"repeats" doc:"Questions that were put again."`
}

// CatchCount counts catch questions.
type CatchCount struct {
	Right int `json:"right"`
	Of    int `json:"of" doc:"Answered, skips aside."`
	Due   int `json:"due" doc:"That her questions so far were to have; 0 in a study without."`
}

// RepeatCount counts questions that were put again.
type RepeatCount struct {
	Agreed int `json:"agreed" doc:"Answered as before."`
	Of     int `json:"of" doc:"Answered, skips aside."`
	Due    int `json:"due" doc:"That her questions so far were to have; 0 in a study without."`
}

// Checked returns how it went with the checks of a rater, as the study tells of her.
func (r *Study) Checked(rater prefer.Rater) (out Checked) {
	c := r.Settings.Checks
	out.Repeats.Agreed = rater.Agreed.Count
	r.look(func(x *index) {
		n := 0
		for _, q := range x.put(r.Study, rater.Name) {
			before := 1 // the checks were changed to what they are
			if q.seq > c.from {
				before = 0
			}
			switch {
			case q.skipped || q.open || q.practice():
				continue
			case q.Catch:
				out.Catch.Of, out.Catch.Due = out.Catch.Of+1, out.Catch.Due+before
			case q.RepeatOf != "":
				out.Repeats.Of, out.Repeats.Due = out.Repeats.Of+1, out.Repeats.Due+before
			}
			n += 1 - before
		}
		for _, e := range x.said[rater.Name] {
			q, _ := r.Study.Question(e.Question)
			won := map[prefer.Choice]space.Option{prefer.First: e.First, prefer.Second: e.Second}[e.Answer.Choice]
			if q.Catch && won != nil && slices.ContainsFunc(c.Catch, func(k Catch) bool { return under(won, k.Better) }) {
				out.Catch.Right++
			}
		}
		out.Catch.Due += c.catches(n)
		out.Repeats.Due += x.repeats(c, rater.Name, n)
	})
	return out
}

// Caught counts how many catch questions a rater answered right, of how many.
func (r *Study) Caught(rater string) (right, of int) {
	c := r.Checked(prefer.Rater{Name: rater}).Catch
	return c.Right, c.Of
}

// String says it in words, of those kinds that there were or were to be; of none it is empty.
func (c Checked) String() string {
	var parts []string
	say := func(kind string, good int, word string, of, due int) {
		if of > 0 || due > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d of %d %s, %d due", kind, good, of, word, due))
		}
	}
	say("known answers", c.Catch.Right, "right", c.Catch.Of, c.Catch.Due)
	say("repeats", c.Repeats.Agreed, "alike", c.Repeats.Of, c.Repeats.Due)
	return strings.Join(parts, "; ")
}

// CheckedIn returns a function that says how it went with the checks of everybody in a study of a store, for reports.
func CheckedIn(st store.Store) func(ctx context.Context, name string, study *prefer.Study) (map[string]string, error) {
	return func(ctx context.Context, name string, study *prefer.Study) (map[string]string, error) {
		settings, err := SettingsIn(ctx, st, name, study)
		if err != nil {
			return nil, err
		}
		raters, err := study.Raters(ctx)
		if err != nil {
			return nil, err
		}
		r := &Study{Study: study, Settings: settings, index: newIndex(study.Config())}
		out := map[string]string{}
		for _, rater := range raters {
			out[rater.Name] = r.Checked(rater).String()
		}
		return out, nil
	}
}

// Conduct says how questions are put to people, as a methods section does. Of a log with other sides, written elsewhere, it says nothing of sides.
func (r *Study) Conduct() string {
	var say []string
	if r.balanced() {
		say = append(say, "Which option was on the left was balanced: of every two questions of a rater one, by a coin of the seed, was shown with its options exchanged.")
	}
	c := r.Settings.Checks
	if c.RepeatRate > 0 {
		say = append(say, fmt.Sprintf("Hidden repeats of earlier questions, sides exchanged, were to be %.3g %% of a rater's questions.", 100*c.RepeatRate))
	}
	if len(c.Catch) > 0 {
		say = append(say, fmt.Sprintf("One question in %d was to be a catch question, whose answer is known (pairs to take it from: %d).", c.catchEvery(), len(c.Catch)))
	}
	if c.MinRT > 0 {
		say = append(say, fmt.Sprintf("An answer within %d ms was refused, and the question stayed.", c.MinRT))
	}
	return strings.TrimSpace(strings.Join(say, " ") + r.Settings.Sitting.Conduct())
}

// balanced reports whether every question was shown on the sides that index.show gives it.
func (r *Study) balanced() bool {
	all := true
	r.look(func(x *index) {
		for _, said := range x.said {
			for _, e := range said {
				all = all && (e.Observed || e.Answer.Swapped == x.questions[e.Question].swapped)
			}
		}
	})
	return all
}

// Conduct says how people are led through, as a methods section says it; of the zero value nothing.
func (c Sitting) Conduct() (text string) {
	if c.Practice > 0 {
		text += fmt.Sprintf(" Everybody began with %d practice questions, the same for all, which were not learned from.", c.Practice)
	}
	if c.BreakEvery > 0 {
		text += fmt.Sprintf(" A break was offered after every %d answers.", c.BreakEvery)
	}
	if c.Blind > 0 {
		text += fmt.Sprintf(" At the end everybody was asked %d blind duels of the pick against rivals.", c.Blind)
	}
	return text
}
