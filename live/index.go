package live

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
)

// index is what the log says about questions and answers, by rater, and on which sides options are shown.
type index struct {
	seed      uint64
	each      bool // a utility per rater
	seq       int
	locks     int // how often a request has locked the index
	taken     int // events read, in all
	questions map[prefer.QuestionID]shownQuestion
	asked     map[string]int                 // by rater, repeats not counted
	order     map[string][]prefer.QuestionID // by rater, the questions asked
	last      map[string]time.Time           // by rater, the time of the last question
	came      []string                       // people, in the order in which they were first asked
	said      map[string][]prefer.Entry      // by rater, answers that stand, in order
	by        map[prefer.AnswerID]string     // raters of all answers
	answered  map[prefer.QuestionID]bool
	items     map[string]space.Item      // all that ever were in the list
	listed    map[string]bool            // those that are
	media     map[string]bool            // of items
	saw       map[string]map[string]bool // by rater, the items of their questions
	standing  int                        // answers not undone, skips and repetitions among them, blind duels aside
	taught    map[answerKey]tally        // those that count
	space     space.Space
	under     map[string]space.Option // by rater, the contexts of the last question; by "" those of anybody
	out       map[string]bool         // people who are left out of what the group learns
	changed   int                     // the last event that is no answer and matters to a verdict
	fresh     prefer.QuestionID       // what the last event answered; empty if that was something else
}

// shownQuestion is how a question is shown.
type shownQuestion struct {
	seq     int
	time    time.Time
	place   int  // among the rater's questions, from 0; of a repeat, that of the question it repeats
	swapped bool // the second option is shown first
}

func newIndex(cfg prefer.Config) index {
	return index{seed: cfg.Seed, each: cfg.People == prefer.PerRater, space: cfg.Space, under: map[string]space.Option{},
		questions: map[prefer.QuestionID]shownQuestion{}, asked: map[string]int{}, order: map[string][]prefer.QuestionID{}, last: map[string]time.Time{}, out: map[string]bool{}, saw: map[string]map[string]bool{},
		said: map[string][]prefer.Entry{}, by: map[prefer.AnswerID]string{}, answered: map[prefer.QuestionID]bool{}, taught: map[answerKey]tally{}}
}

// inIndex returns what do reads in the index, under its lock.
func inIndex[T any](r *Study, do func(*index) T) (out T) {
	r.look(func(x *index) { out = do(x) })
	return out
}

// look brings the index to where the log ends and runs do with it, under its lock.
func (r *Study) look(do func(*index)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.index.locks++
	r.index.read(r.Study)
	do(&r.index)
}

// read takes in the events since the last one that was read.
func (x *index) read(study *prefer.Study) {
	relist := x.items == nil
	for _, e := range study.Events(x.seq) {
		x.taken++
		x.seq, x.fresh = e.Seq, ""
		relist = relist || e.Joined != nil || e.Left != nil
		switch {
		case e.Asked != nil:
			x.show(*e.Asked, e.Seq, e.Time)
			x.note(e.Asked.Rater, e.Asked.First)
		case e.Answered != nil:
			a := e.Answered
			q, _ := study.Question(a.Question)
			x.fresh = q.ID
			x.keep(prefer.Entry{Seq: e.Seq, Time: e.Time, ID: a.ID, Question: q.ID, Rater: q.Rater, First: q.First, Second: q.Second, Answer: a.Answer,
				Method: q.Method, Blind: q.Blind != nil, Origin: e.Origin})
		case e.Observed != nil:
			d := e.Observed.Duel
			x.note(d.Rater, d.First)
			x.keep(prefer.Entry{Seq: e.Seq, Time: e.Time, ID: e.Observed.ID, Rater: d.Rater, First: d.First, Second: d.Second, Answer: d.Answer, Observed: true, Origin: e.Origin})
		case e.Undone != nil:
			x.remove(e.Undone.Answer)
		case e.Excluded != nil:
			x.out[PersonOf(e.Excluded.Rater)] = e.Excluded.Out
			x.changed = e.Seq
		case e.Taken != nil || e.Joined != nil || e.Left != nil:
			x.changed = e.Seq
		}
	}
	if relist {
		all := study.Items(true)
		x.items = xslices.ToMap(all, func(it space.Item) (string, space.Item) { return it.ID, it })
		x.media = xslices.ToMap(all, func(it space.Item) (string, bool) { return it.Media, it.Media != "" })
		x.listed = xslices.ToMap(study.Items(false), func(it space.Item) (string, bool) { return it.ID, true })
	}
}

func (x *index) keep(e prefer.Entry) {
	x.said[e.Rater] = append(x.said[e.Rater], e)
	x.by[e.ID] = e.Rater
	if !e.Observed {
		x.answered[e.Question] = true
	}
	if !e.Blind {
		x.standing++
	}
	if e.Counts() {
		who := x.keyOf(e)
		x.taught[who] = x.taught[who].with(e)
	}
}

// remove takes an answer back. The counts of its rater are recomputed, since the last answer that counts may be another one now.
func (x *index) remove(id prefer.AnswerID) {
	rater := x.by[id]
	said := x.said[rater]
	at := slices.IndexFunc(said, func(e prefer.Entry) bool { return e.ID == id })
	if at < 0 {
		return
	}
	e := said[at]
	if x.said[rater] = slices.Delete(slices.Clone(said), at, at+1); len(said) == 1 {
		delete(x.said, rater)
	}
	delete(x.answered, e.Question)
	if !e.Blind {
		x.standing--
	}
	if !e.Counts() {
		return
	}
	who, n := x.keyOf(e), tally{}
	for rater, said := range x.said {
		if PersonOf(rater) != who.person {
			continue
		}
		for _, e := range said {
			if e.Counts() && x.keyOf(e) == who {
				n = n.with(e)
			}
		}
	}
	if x.taught[who] = n; n.answers == 0 {
		delete(x.taught, who)
	}
}

// keyOf returns the person and the contexts that an answer counts for.
func (x *index) keyOf(e prefer.Entry) answerKey {
	return answerKey{PersonOf(e.Rater), x.space.Context(e.First).String()}
}

func (n tally) with(e prefer.Entry) tally {
	n.answers++
	if !e.Observed {
		n.given++
	}
	n.seq = max(n.seq, e.Seq)
	return n
}

// note remembers under which contexts a rater was last.
func (x *index) note(rater string, o space.Option) {
	if at := x.space.Context(o); at != nil {
		x.under[rater], x.under[""] = at, at
	}
}

// show decides which option is shown first: of every two questions of a rater one, by a coin of the seed, is exchanged; a repeat is placed like its original.
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
	if person := PersonOf(q.Rater); x.order[q.Rater] == nil && !slices.Contains(x.came, person) {
		x.came = append(x.came, person)
	}
	x.questions[q.ID], x.last[q.Rater] = out, at
	x.order[q.Rater] = append(x.order[q.Rater], q.ID)
	for _, o := range []space.Option{q.First, q.Second} {
		if id := o.Item(); id != "" {
			if x.saw[q.Rater] == nil {
				x.saw[q.Rater] = map[string]bool{}
			}
			x.saw[q.Rater][id] = true
		}
	}
}

// coin returns 64 random bits that belong to the study's seed and these words.
func (x *index) coin(about, rater string, number int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d %s", x.seed, about, number, rater)
	return splitmix.Mix(h.Sum64()) // FNV leaves the low bits weak
}

// situation is what matters about a rater who asks.
type situation struct {
	open   bool // the rater has a question
	fresh  bool // the last event is the rater's answer, for which a question may have been chosen ahead
	others int  // raters who are looking at questions now
}

// looking is how long a rater is taken to look at a question: one asked longer ago, or so far ahead of a clock that was set back, tells nothing.
const looking = time.Minute

func (r *Study) situation(rater string, now time.Time) situation {
	return inIndex(r, func(x *index) situation { return r.situationAt(x, rater, now) })
}

// situationAt is situation under the lock.
func (r *Study) situationAt(x *index, rater string, now time.Time) (at situation) {
	at.open = slices.ContainsFunc(r.Study.OpenQuestions(rater), func(q prefer.Question) bool { return q.Blind == nil })
	last, ok := r.Study.Question(x.fresh)
	at.fresh = ok && last.Rater == rater
	for other, last := range x.last {
		if other != rater && now.Sub(last).Abs() < looking && slices.ContainsFunc(r.Study.OpenQuestions(other), func(q prefer.Question) bool {
			return now.Sub(x.questions[q.ID].time).Abs() < looking
		}) {
			at.others++
		}
	}
	return at
}

// Utility returns the rater whose utility a rater's answers are about: the rater's own in a study per rater, else "", which all share.
func (r *Study) Utility(rater string) string {
	if r.Config.People == prefer.PerRater {
		return rater
	}
	return ""
}

// Seq returns the number of the last event.
func (r *Study) Seq() int { return r.Study.Seq() }

// answerKey is the person whose answers they are, and the contexts under which they were given, as Option.String writes them; "" in a study without.
type answerKey struct{ person, under string }

// tally counts answers that count, those of them that were asked for, and has the last event that matters to a verdict.
type tally struct{ answers, given, seq int }

// concerns reports whether a person's answers are about the utility of a rater, or the shared one; under these contexts, or any if they are "".
func (x *index) concerns(who answerKey, of, under string) bool {
	switch {
	case under != "" && who.under != under:
		return false
	case x.each:
		return who.person == PersonOf(of)
	}
	return !x.out[who.person]
}

// count returns the answers about a utility that stand.
func (x *index) count(of, under string) (n tally) {
	for who, each := range x.taught {
		if x.concerns(who, of, under) {
			n = tally{n.answers + each.answers, n.given + each.given, max(n.seq, each.seq)}
		}
	}
	n.seq = max(n.seq, x.changed)
	return n
}

// fewest returns the smallest number of answers to questions under a context that a rater has given, of raters with any.
func (x *index) fewest(under string) int {
	fewest := 0
	for who, each := range x.taught {
		if who.under == under && each.given > 0 && !x.out[who.person] && (fewest == 0 || each.given < fewest) {
			fewest = each.given
		}
	}
	return fewest
}

// raters returns how many people gave the answers about a utility, under these contexts, or all if they are "".
func (x *index) raters(of, under string) int {
	people := map[string]bool{}
	for who, each := range x.taught {
		if each.answers > 0 && x.concerns(who, of, under) {
			people[who.person] = true
		}
	}
	return len(people)
}

// PersonOf returns the rater behind a name in the log.
func PersonOf(rater string) string {
	name, _, _ := strings.Cut(rater, token.Numbered)
	return name
}

// CheckRater reports a name that no rater may have.
func CheckRater(rater string) error { return token.CheckRater(rater) }

// Context returns the contexts of a rater's last question, or, without one, of anybody's; nil in a study without contexts.
func (r *Study) Context(rater string) space.Option {
	return inIndex(r, func(x *index) space.Option { return x.context(rater) })
}

// context is Context under the lock.
func (x *index) context(rater string) space.Option {
	if at, has := x.under[rater]; has {
		return at
	}
	return x.under[""]
}
