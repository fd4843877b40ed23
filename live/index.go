package live

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// index is what a study knows about its questions and answers, by rater, with which side is shown. It follows from the
// log alone, so a restart changes nothing.
type index struct {
	seed      uint64
	each      bool // everybody has a utility of her own
	seq       int
	questions map[prefer.QuestionID]shownQuestion
	asked     map[string]int                 // by rater, repeats not counted
	order     map[string][]prefer.QuestionID // by rater, what she was asked
	last      map[string]time.Time           // by rater, when she was last asked
	came      []string                       // people, in the order in which they were first asked
	said      map[string][]prefer.Entry      // by rater, answers that stand, in order
	answered  map[prefer.QuestionID]bool
	items     map[string]space.Item      // all that ever were in the list
	listed    map[string]bool            // those that are
	media     map[string]bool            // of items
	saw       map[string]map[string]bool // by rater, the items that she was asked about
	standing  int                        // answers not undone, skips and repetitions among them, blind duels aside
	taught    map[whose]tally            // those that count
	space     space.Space
	under     map[string]space.Option // by rater, the contexts she was last under; by "" anybody
	out       map[string]bool         // people who are left out of what the group learns
	changed   int                     // the last event that is no answer and matters to a verdict
	fresh     prefer.QuestionID       // what the last event answered; empty if that was something else
}

// shownQuestion is what matters of a question to who shows it.
type shownQuestion struct {
	seq     int
	time    time.Time
	place   int  // among the rater's questions, from 0; of a repeat, that of the question it repeats
	swapped bool // the second option is shown first
}

func newIndex(cfg prefer.Config) index {
	return index{seed: cfg.Seed, each: cfg.People == prefer.PerRater, space: cfg.Space, under: map[string]space.Option{},
		questions: map[prefer.QuestionID]shownQuestion{}, asked: map[string]int{}, order: map[string][]prefer.QuestionID{}, last: map[string]time.Time{}, out: map[string]bool{}, saw: map[string]map[string]bool{}}
}

// look brings the index to where the log ends and runs do with it.
func (r *Study) look(do func(*index)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.index.read(r.Study)
	do(&r.index)
}

// read takes in what has happened since: of the log only which questions were asked, when and in which order; what else
// it adds up to the study knows.
func (x *index) read(study *prefer.Study) {
	more, relist := false, false
	for _, e := range study.Events(0)[x.seq:] {
		x.seq, x.fresh = e.Seq, ""
		relist = relist || e.Joined != nil || e.Left != nil
		switch {
		case e.Asked != nil:
			x.show(*e.Asked, e.Seq, e.Time)
			x.note(e.Asked.Rater, e.Asked.First)
		case e.Excluded != nil:
			x.out[PersonOf(e.Excluded.Rater)] = e.Excluded.Out
			x.changed, more = e.Seq, true
		case e.Observed != nil:
			x.note(e.Observed.Duel.Rater, e.Observed.Duel.First)
			more = true
		case e.Taken != nil || e.Joined != nil || e.Left != nil:
			x.changed = e.Seq
			fallthrough
		default:
			more = true
		}
	}
	if !more {
		return
	}
	if relist || x.items == nil {
		x.items, x.media, x.listed = map[string]space.Item{}, map[string]bool{}, map[string]bool{}
		for _, it := range study.AllItems() {
			x.items[it.ID] = it
			x.media[it.Media] = it.Media != ""
		}
		for _, it := range study.Items() {
			x.listed[it.ID] = true
		}
	}
	x.said, x.answered, x.standing, x.taught = map[string][]prefer.Entry{}, map[prefer.QuestionID]bool{}, 0, map[whose]tally{}
	for _, e := range study.History() {
		if e.Undone {
			continue
		}
		x.said[e.Rater] = append(x.said[e.Rater], e)
		x.answered[e.Question] = true
		if !e.Blind {
			x.standing++
		}
		if e.Answer.Counts() {
			who := whose{PersonOf(e.Rater), x.space.Context(e.First).String()}
			n := tally{x.taught[who].answers + 1, x.taught[who].given, e.Seq}
			if !e.Observed {
				n.given++
			}
			x.taught[who] = n
		}
		if e.Seq == x.seq {
			x.fresh = e.Question
		}
	}
}

// note remembers under which contexts a rater was last.
func (x *index) note(rater string, o space.Option) {
	if at := x.space.Context(o); at != nil {
		x.under[rater], x.under[""] = at, at
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
	open   bool // she has a question
	fresh  bool // the last event is her answer, for which a question may have been chosen ahead
	others int  // raters who are looking at questions now
}

// looking is how long a rater is taken to look at a question: one asked longer ago, or so far ahead of a clock that was set back, tells nothing.
const looking = time.Minute

// situation finds out about a rater who asks.
func (r *Study) situation(rater string, now time.Time) (at situation) {
	at.open = slices.ContainsFunc(r.Study.OpenQuestions(rater), func(q prefer.Question) bool { return q.Blind == nil })
	r.look(func(x *index) {
		if q, ok := r.Study.Question(x.fresh); ok {
			at.fresh = q.Rater == rater
		}
		for other, last := range x.last {
			if other != rater && now.Sub(last).Abs() < looking && slices.ContainsFunc(r.Study.OpenQuestions(other), func(q prefer.Question) bool {
				return now.Sub(x.questions[q.ID].time).Abs() < looking
			}) {
				at.others++
			}
		}
	})
	return at
}

// Utility returns the rater whose utility a question of hers is about: her own in a study per rater, else
// everybody's, which is "".
func (r *Study) Utility(rater string) string {
	if r.Config.People == prefer.PerRater {
		return rater
	}
	return ""
}

// Seq returns the number of the last event.
func (r *Study) Seq() (seq int) {
	r.look(func(x *index) { seq = x.seq })
	return seq
}

// whose answers they are, and under which contexts they were given, as Option.String writes them; "" in a study without.
type whose struct{ person, under string }

// tally is a number of answers that count, how many of them were asked for, and where in the log the last of them is, or of
// what else matters to a verdict.
type tally struct{ answers, given, seq int }

// about reports whether what a person says is about a utility: that of a rater, where each has her own, else everybody's who is not left out;
// under these contexts, or all if they are "".
func (x *index) about(who whose, of, under string) bool {
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
		if x.about(who, of, under) {
			n = tally{n.answers + each.answers, n.given + each.given, max(n.seq, each.seq)}
		}
	}
	n.seq = max(n.seq, x.changed)
	return n
}

// fewest returns how many answers to questions under a context whoever has given fewest has given, of those who have given any.
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
		if each.answers > 0 && x.about(who, of, under) {
			people[who.person] = true
		}
	}
	return len(people)
}

// numbered separates a rater's name from the number of one of several questions, in logs of before a rater could have
// several open: "ann#2" is ann.
const numbered = "#"

// PersonOf returns the rater behind a name in the log.
func PersonOf(rater string) string {
	name, _, _ := strings.Cut(rater, numbered)
	return name
}

// CheckRater reports a name that no rater may have.
func CheckRater(rater string) error {
	switch {
	case prefer.CheckRater(rater) != nil:
		return invalid("rater", strings.ToValidUTF8(rater, "\uFFFD"), "a rater's name is valid UTF-8, without U+FFFD, which broken characters become: two names must not become one")
	case strings.ContainsFunc(rater, unicode.IsControl):
		return invalid("rater", rater, "a rater's name has no control characters")
	case strings.Contains(rater, numbered):
		return invalid("rater", rater, "a rater's name has no %q: it marks one of several questions of the same rater", numbered)
	}
	return nil
}
