package prefer

import (
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// skipMemory is the number of questions for which a skip is remembered.
const skipMemory = 20

// view is what choosing a question depends on, taken at one moment.
type view struct {
	learn.Evidence
	rater   string // whose utility it is about, where there are several
	code    *coding.Coding
	shown   []float64
	seq     int // events in the log
	asked   int // questions in the log
	count   int // questions asked so far that concern the rater's utility
	design  int // of which quasi-random
	pending []*asked
	past    []*asked
	skipped []*asked
	said    []*answerRecord // the answers to past, skips included: a question may be answered while one is chosen
	blind   []blindDuel     // answered, or open
	takes   []taken

	practice    int // questions that the rater practised on
	people      People
	budget      int
	shortlist   int
	answers     int // that teach
	voices      int // people who gave them
	ordered     int // of these answers, those of raters who follow the order
	given       int // of the rater, against their budget
	calibration Calibration
}

// look returns what a look sees: answers and blind duels under its contexts, and of what was shown what has all its values.
// What was learned is learned from everything.
func (s *state) look(l Look) (view, error) {
	v, err := s.view(l.Rater).withFixed(l.Fixed)
	if err == nil && v.code.Whole != nil {
		s.counted(&v, l.Rater, s.soleTeacher(l.Rater))
	}
	return v, err
}

// withFixed returns the view of options with the fixed values.
func (v view) withFixed(fixed space.Option) (view, error) {
	code, err := v.code.Under(fixed)
	if err != nil || code == v.code {
		return v, err
	}
	v.code = code
	var shown []float64
	for x := range slices.Chunk(v.shown, code.Dim) {
		if code.Holds(x) {
			shown = append(shown, x...)
		}
	}
	v.shown = shown
	v.blind = slices.DeleteFunc(slices.Clone(v.blind), func(d blindDuel) bool { return !code.Concerns(d.pick) })
	v.takes = slices.DeleteFunc(slices.Clone(v.takes), func(t taken) bool { return !code.Concerns(t.a) })
	return v, nil
}

// withoutLast returns the view as it was before the last n duels, right after the one before them, when something was told: of those under its
// contexts, and where there are several tastes of those of its rater.
func (v view) withoutLast(n int) view {
	d := v.Duels
	at := 0
	for i := d.Len() - 1; i >= 0; i-- {
		if v.PerRater && v.Raters[d.Rater[i]] != v.rater || !v.code.Concerns(d.A[i*d.Dim:(i+1)*d.Dim]) {
			continue
		}
		if n == 0 {
			at = i + 1
			break
		}
		n--
	}
	v.Evidence = v.Head(at)
	return v
}

// soleTeacher returns whose answers alone teach a rater's utility, nil if everybody's do.
func (st *state) soleTeacher(rater string) *string {
	if st.cfg.People == PerRater {
		return &rater
	}
	return nil
}

func (st *state) view(rater string) view {
	only := st.soleTeacher(rater)
	v := view{Evidence: st.evidence(only), rater: rater, code: st.list, shown: st.list.Listed(st.shown(only)), asked: len(st.order), seq: st.seq,
		people: st.cfg.People, budget: st.cfg.Budget, shortlist: st.cfg.Shortlist}
	if v.Pooled {
		v.rater = pooledRater
	}
	for _, q := range st.order {
		switch {
		case q.Method == methodPractice:
			if q.Rater == rater {
				v.practice++
			}
		case q.Rater != rater && !st.learnsFrom(q.Rater, only): // their pairs may be asked again, and their answers are not awaited
			if only == nil && q.Blind == nil {
				v.count++
			}
		case q.Blind != nil:
			if q.answer != nil || st.isOpen(q) {
				v.blind = append(v.blind, q.blind())
			}
		default:
			v.past = append(v.past, q)
			if q.Method == methodDesign {
				v.design++
			}
		}
	}
	v.takes = append(v.takes, xslices.Filter(st.takes, func(t taken) bool { return st.learnsFrom(t.rater, only) })...)
	v.count += len(v.past)
	if only == nil {
		v.count, v.design = v.count+st.gone.questions-st.gone.blind, st.design
	}
	for i, q := range v.past {
		if st.isOpen(q) && !st.withdrawn(q) {
			v.pending = append(v.pending, q)
		}
		if q.answer != nil {
			v.said = append(v.said, q.answer)
		}
		if q.skipped && len(v.past)-i <= skipMemory {
			v.skipped = append(v.skipped, q)
		}
	}
	st.counted(&v, rater, only)
	return v
}

// counted fills in how many answers there are under the contexts of the view. Skips and checks are none, and duels that nobody asked count against no
// budget. An owner who has given none sees those of the rater who has given fewest.
func (st *state) counted(v *view, rater string, only *string) {
	given, voices, followers := map[string]int{}, map[string]bool{}, st.followers()
	var f forecasts
	v.answers, v.ordered = 0, 0
	for _, t := range st.answers {
		k, _ := t.answer.Choice.info()
		if !t.counts() || !v.code.Concerns(t.a) {
			continue
		}
		if t.question != nil {
			given[t.rater]++
		}
		if !st.learnsFrom(t.rater, only) {
			continue
		}
		v.answers++
		name, _, _ := strings.Cut(t.rater, "#") // in logs of old "ann#2" is ann with a second question
		voices[name] = true
		if followers[name] && t.question != nil {
			v.ordered++
		}
		if q := t.question; q != nil && q.Forecast != [3]float64{} && k.Compares {
			f.count(q.Forecast, k.Side)
		}
	}
	v.calibration, v.voices = f.done(), len(voices)
	var has bool
	if v.given, has = given[rater]; !has && only == nil && rater == "" {
		for _, n := range given {
			if v.given == 0 || n < v.given {
				v.given = n
			}
		}
	}
}

// followers returns those who follow the order, by name: "ann#2" of old logs is ann with a second question. Only sides drawn at random count: a coin of the
// study's seed decides which option of a question is its First. Observed duels have none, since an import puts the winner first; those of a catch question
// are its author's.
func (st *state) followers() map[string]bool {
	counts := map[string]crowd.Sides{}
	for _, t := range st.answers {
		k, _ := t.answer.Choice.info()
		if k.Side == 0 || t.undone || t.question == nil || t.question.Catch || !t.question.teaches() {
			continue
		}
		name, _, _ := strings.Cut(t.rater, "#")
		counts[name] = counts[name].Add((k.Side > 0) != t.answer.Swapped)
	}
	out := map[string]bool{}
	for name, c := range counts {
		out[name] = c.Follow()
	}
	return out
}
