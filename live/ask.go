package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// Ask is an ask with its conditions. The zero value asks whoever comes what the study would like to know.
type Ask struct {
	// Rater is who will answer.
	Rater string

	// Owner says that the owner of the study asks: even while it is paused, with reasons, and with conditions. Raters may give contexts and Blind only.
	Owner bool

	// Fixed are values that both options must have, contexts among them; Hold is one of the two options; HoldBest holds the best so far.
	Fixed    space.Option
	Hold     space.Option
	HoldBest bool

	// Blind asks a blind duel of the study's pick, which stands beside her other questions and is not learned from.
	Blind bool

	// Within is how long the search may take. Defaults to Config.Budget.
	Within time.Duration

	// Repeats is the share of this rater's questions that repeat an earlier one, in place of the study's; 0 for the study's.
	Repeats float64

	another bool // one more than she has open
	round   bool // of the blind duels at her end
}

// AskBody is an ask as the REST API and the page of a packed file send it.
type AskBody struct {
	Rater    string       `json:"rater,omitempty" maxLength:"200" doc:"Who will answer."`
	Fixed    space.Option `json:"fixed,omitempty" doc:"Values that both options must have: one of every context of the study, and, from the owner, of other parameters as wanted."`
	Hold     space.Option `json:"hold,omitempty" doc:"One of the two options. Only the owner may say so."`
	HoldBest bool         `json:"hold_best,omitempty" doc:"One of the two options is the best so far. Only the owner may say so."`
	Blind    bool         `json:"blind,omitempty" doc:"A blind duel of the study's pick against a rival, which is not learned from."`
	Count    int          `json:"count,omitempty" minimum:"0" maximum:"32" doc:"How many questions to hold open at once. More than one only the owner may."`
	Budget   int          `json:"budget_ms,omitempty" minimum:"0" maximum:"60000" doc:"How long the search may take. Only the owner may say so."`
	Repeats  float64      `json:"repeats,omitempty" minimum:"0" maximum:"0.5" doc:"Share of this rater's questions that put an earlier one again, in place of the study's repeat_rate: for judges. Only the owner may say so."`
	K        int          `json:"k,omitempty" doc:"Options of a question: 2."`
}

// Read returns the ask of a rater, or of the owner for one.
func (b AskBody) Read(rater string, owner bool) (Ask, error) {
	a := Ask{Rater: rater, Owner: owner, Fixed: b.Fixed, Hold: b.Hold, HoldBest: b.HoldBest, Blind: b.Blind, Within: time.Duration(b.Budget) * time.Millisecond, Repeats: b.Repeats}
	if b.K != 0 && b.K != 2 {
		return a, invalid("k", b.K, "k = %d, but questions are pairs: leave it out, or say 2", b.K)
	}
	return a, nil
}

// plain reports whether the study may ask what it likes.
func (a Ask) plain() bool { return a.Hold == nil && !a.HoldBest && !a.Blind && len(a.Fixed) == 0 }

func (a Ask) validate() error {
	if a.HoldBest && a.Hold != nil {
		return invalid("hold_best", true, "hold and hold_best exclude each other")
	}
	if a.Blind && (a.HoldBest || a.Hold != nil) {
		return invalid("blind", true, "a blind duel has no conditions but contexts: leave out hold and hold_best")
	}
	if !(a.Repeats >= 0 && a.Repeats <= 0.5) {
		return invalid("repeats", a.Repeats, "repeats = %g, want 0 to 0.5", a.Repeats)
	}
	return CheckRater(a.Rater)
}

// mayAsk refuses a rater conditions that are not hers: the best option so far, held, would be the result.
func (r *Study) mayAsk(a Ask, count int) error {
	if a.Owner {
		return nil
	}
	for _, c := range []struct {
		given bool
		field string
		value any
	}{{a.HoldBest, "hold_best", true}, {a.Hold != nil, "hold", a.Hold}, {count > 1, "count", count}, {a.Within != 0, "budget_ms", a.Within.Milliseconds()}, {a.Repeats != 0, "repeats", a.Repeats}} {
		if c.given {
			return &Error{Code: OwnerOnly, Field: c.field, Value: c.value, Detail: "only the owner of the study says how questions are chosen: leave out " + c.field}
		}
	}
	for name := range a.Fixed {
		if !slices.ContainsFunc(r.Config.Space.Contexts(), func(p space.Parameter) bool { return p.Name == name }) {
			return &Error{Code: OwnerOnly, Field: "fixed", Value: name, Detail: fmt.Sprintf(
				"only the owner of the study fixes %.80q: a rater gives contexts alone, and of these it is none", name)}
		}
	}
	return nil
}

// Ask returns the rater's open question, or asks one.
func (s *Studies) Ask(ctx context.Context, name string, a Ask) (q Question, err error) {
	err = s.asking(ctx, name, a, 1, func(r *Study) (err error) {
		q, err = s.question(ctx, r, a, nil)
		return err
	})
	return q, err
}

// AskSeveral holds so many questions open for a rater at once, and returns them, the oldest first.
func (s *Studies) AskSeveral(ctx context.Context, name string, a Ask, count int) (qs []Question, err error) {
	err = s.asking(ctx, name, a, count, func(r *Study) error {
		qs = nil
		for _, q := range r.Study.OpenQuestions(a.Rater) {
			if maps.Equal(q.Fixed, a.Fixed) && (q.Blind != nil) == a.Blind && len(qs) < count {
				qs = append(qs, s.pose(r, q, a.Owner))
			}
		}
		for len(qs) < count {
			if err := ctx.Err(); err != nil { // who asked has left: what was asked so far is open, and found again
				return context.Cause(ctx)
			}
			each := a
			each.another = len(qs) > 0
			q, err := s.question(ctx, r, each, nil)
			if err != nil {
				return err
			}
			qs = append(qs, q)
		}
		return nil
	})
	return qs, err
}

// asking runs do for an ask that makes sense, and counts how long that takes.
func (s *Studies) asking(ctx context.Context, name string, a Ask, count int, do func(*Study) error) error {
	start := time.Now()
	if err := a.validate(); err != nil {
		return err
	}
	return s.With(ctx, name, func(r *Study) error {
		err := r.mayAsk(a, count)
		if err == nil {
			err = do(r)
		}
		if err == nil {
			s.Counters.Asks.Since(start)
		}
		return err
	})
}

// moment is what an ask needs to know of the index, as it is after event seq.
type moment struct {
	situation
	seq       int
	has       bool            // the rater has a question open, and asks for no other
	check     *prefer.Request // that is due, or nil
	blindLeft int             // blind duels of the round at the rater's end
}

// moment collects what an ask needs under the lock.
func (r *Study) moment(x *index, a Ask, now time.Time) moment {
	m := moment{situation: r.situationAt(x, a.Rater, now), seq: x.seq, blindLeft: r.blindLeft(x, a)}
	m.has = m.open && !a.another
	m.check = r.check(x, a, m.has)
	return m
}

// question returns the rater's open question, or asks one: from the stock in a crowd, chosen ahead, or searched for. m is what the caller knows, or nil.
func (s *Studies) question(ctx context.Context, r *Study, a Ask, m *moment) (Question, error) {
	if err := r.mayChange(a.Owner); err != nil {
		return Question{}, err
	}
	w, stop := s.begin(ctx, r, a.Within)
	defer stop()
	if a.Blind {
		return s.blind(w, r, a)
	}
	look := func(x *index) { at := r.moment(x, a, s.cfg.Now()); m = &at }
	if m == nil {
		r.look(look)
	}
	if q, ok, err := s.finalDuel(w, r, a, *m); ok || err != nil {
		return q, err
	}
	var q prefer.Question
	var stocked, ready bool
	var err error
	if m.others >= crowd && a.plain() && m.check == nil && !m.open && r.Config.People != prefer.PerRater && !s.processors.idle() {
		if q, stocked, err = s.askStocked(w, r, a.Rater, m.others); err != nil {
			return Question{}, err
		}
		if !stocked && a.Within == 0 && errors.Is(w.search.Err(), context.DeadlineExceeded) { // a search now would be cut short at once, and be in the way of the next stock
			s.Counters.TooLate.Add(1)
			return Question{}, refuse(TooLate, "so many ask at once that no question was found in time; come back in a moment")
		}
	}
	if !stocked {
		if !m.has && !(a.plain() && m.fresh && s.ready(w, r, a.Rater)) {
			release, err := s.turn(w, r)
			if err != nil {
				return Question{}, err
			}
			defer release()
			if r.Seq() != m.seq { // while it waited others came
				r.look(look)
			}
		}
		if q, ready, err = s.search(w, r, a, m.check, m.has); err != nil {
			return Question{}, err
		}
	}
	var out Question
	var stale bool
	var then followUp
	r.look(func(x *index) {
		out, stale, then = s.poseAt(r, x, q, a.Owner), r.staleAt(x, a.Rater, m.others), r.followUp(x, a.Rater)
	})
	if !m.has {
		s.count(stocked, ready, q.Partial)
		s.changes.tell(r.Name, r.Seq(), "asked")
	}
	s.afterQuestion(r, a.Rater)
	if stale { // not known yet, or a restart forgot it
		s.follow(r, then)
	}
	if a.Owner {
		start := time.Now()
		out.Why = r.why(w.search, q, out.Swapped)
		timing(w).since("fit", start)
	}
	return out, nil
}

// waiting is the context of a rater who waits for a question. It ends with the request, the study or the room; search ends with it, or when the time for a search is over.
type waiting struct {
	context.Context
	search context.Context
}

// begin returns the context of a rater who waits for a question, with so much time for a search; 0 for Config.Budget.
func (s *Studies) begin(ctx context.Context, r *Study, within time.Duration) (w waiting, stop func()) {
	ctx, gone := both(ctx, r.gone)
	ctx, closed := both(ctx, s.closing)
	search, late := context.WithCancel(ctx)
	if within = cmp.Or(within, s.cfg.Budget); within >= 0 {
		late()
		search, late = context.WithTimeout(ctx, within)
	}
	return waiting{ctx, search}, func() { late(); closed(); gone() }
}

// ready reports whether a rater's next question has been chosen ahead, by this process or by another one.
func (s *Studies) ready(ctx context.Context, r *Study, rater string) bool {
	if r.host().Ready(rater) {
		return true
	}
	lasting, stop := lasting(ctx)
	defer stop()
	used, err := s.store.UseAhead(lasting, r.Study, rater)
	if err != nil {
		s.log.Warn("what was chosen ahead cannot be read", "study", r.Name, "error", err)
	}
	if !used || !r.host().Ready(rater) {
		return false
	}
	s.Counters.Shared.Add(1)
	return true
}

// search asks a question that is not from the stock, a check if one is due, and reports whether it was chosen ahead; has says that the rater has one open.
func (s *Studies) search(w waiting, r *Study, a Ask, check *prefer.Request, has bool) (q prefer.Question, ready bool, err error) {
	request := prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Hold: a.Hold, Another: a.another}
	if check != nil {
		request = *check
	} else if a.plain() && !has {
		ready = r.host().Ready(a.Rater)
	}
	if nobody := a.Rater == "" && r.Config.People == prefer.PerRater; !has && !ready && (a.HoldBest || nobody) { // who has no utility is told so
		belief, err := r.Study.Belief(w.search, prefer.Look{Rater: r.Utility(a.Rater), Fixed: r.Config.Space.Context(a.Fixed)})
		if err == nil {
			err = belief.Find(w.search)
		}
		if late := err != nil && w.search.Err() != nil && w.Err() == nil; late && !a.HoldBest {
			err = nil
		} else if late {
			err = invalid("hold_best", true, "the best option was not known in time: allow a longer budget_ms")
		}
		if err != nil {
			return q, ready, err
		}
		if a.HoldBest {
			request.Hold = belief.Best()
		}
	}
	q, err = s.insist(w, r, request)
	return q, ready, err
}

// insist asks a request as long as answers elsewhere come between; the study still has the question it chose.
func (s *Studies) insist(w waiting, r *Study, request prefer.Request) (q prefer.Question, err error) {
	defer timing(w).since("search", time.Now())
	lasting, stop := lasting(w)
	defer stop()
	for try := 1; ; try++ {
		if end, ok := w.search.Deadline(); ok {
			request.Within = max(1, time.Until(end))
		}
		q, err = r.Study.Ask(w, request)
		if !errors.Is(err, prefer.ErrConflict) || try == maxTries {
			return q, err
		}
		s.Counters.Conflicts.Add(1)
		if _, ok, lost := s.store.Follow(lasting, r.Study); lost != nil || !ok {
			return q, err
		}
	}
}

func (s *Studies) count(stocked, ready, partial bool) {
	from := &s.Counters.Misses
	if stocked {
		from = &s.Counters.StockHits
	} else if ready {
		from = &s.Counters.Hits
	}
	if from.Add(1); partial {
		s.Counters.Partial.Add(1)
	}
}

// pose puts a question of the log as it is shown.
func (s *Studies) pose(r *Study, q prefer.Question, owner bool) Question {
	return inIndex(r, func(x *index) Question { return s.poseAt(r, x, q, owner) })
}

// poseAt is pose under the lock.
func (s *Studies) poseAt(r *Study, x *index, q prefer.Question, owner bool) Question {
	as := x.questions[q.ID]
	if !x.answered[q.ID] {
		r.posed.Store(q.ID, as)
	}
	first, second := q.First, q.Second
	if as.swapped {
		first, second = second, first
	}
	number := strings.TrimPrefix(string(q.ID), "q")
	left, right := s.shown(r, x, "o_"+number+"a", first), s.shown(r, x, "o_"+number+"b", second) // an id that knew the order of the log would tell which was held, or is expected to win
	return Question{
		ID: string(q.ID), Seq: as.seq, Kind: "pair", Prompt: q.Prompt, Rater: q.Rater,
		Options: []Shown{left, right}, ShownOrder: []string{left.ID, right.ID},
		Repeat: owner && q.RepeatOf != "", Practice: q.Method == practice, Blind: q.Blind != nil, Asked: q, Swapped: as.swapped,
		Status: r.status(x, q.Rater, r.Config.Space.Context(q.First)).to(r, owner),
	}
}

func (s *Studies) shown(r *Study, x *index, id string, o space.Option) Shown {
	item := o.Item()
	if item == "" || len(r.Config.Space.Items) == 0 {
		return Shown{ID: id, Params: o}
	}
	it := x.items[item]
	out := Shown{ID: id, Item: &ShownItem{ID: item, Media: it.Media, Text: cmp.Or(it.Text, item)}}
	if len(o) > 1 {
		out.Params = maps.Clone(o)
		delete(out.Params, "item")
	}
	if it.Media != "" { // the file shows the item, and its id would be a caption
		out.Item.Text = cmp.Or(it.Text, r.Settings.Page.Descriptions[item])
		if s.cfg.Media != nil {
			out.Media = s.cfg.Media(r.Name, it)
		}
	}
	return out
}

// Show returns an option in the form in which questions bring it.
func (s *Studies) Show(r *Study, o space.Option) Shown {
	return inIndex(r, func(x *index) Shown { return s.shown(r, x, "", o) })
}

// why explains a question. The probability is left out if the belief behind it is not at hand in time.
func (r *Study) why(ctx context.Context, q prefer.Question, swapped bool) *Why {
	out := &Why{Method: q.Method, Value: q.Value}
	belief, err := r.Study.Belief(ctx, prefer.Look{Rater: r.Utility(q.Rater), Fixed: r.Config.Space.Context(q.First)})
	if err != nil {
		return out
	}
	if p, err := belief.Prefers(q.First, q.Second); err == nil {
		if swapped {
			p = 1 - p
		}
		out.PFirst = &p
	}
	return out
}

// ReadFixed reads what is fixed: noise=quiet,hour=7, or a JSON object, which also takes features of items and words with commas. Several texts add up.
func (r *Study) ReadFixed(texts ...string) (space.Option, error) {
	var out space.Option
	for _, text := range texts {
		if text == "" {
			continue
		}
		o, err := r.readFixed(text)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = space.Option{}
		}
		maps.Copy(out, o)
	}
	return out, nil
}

func (r *Study) readFixed(text string) (o space.Option, err error) {
	if strings.HasPrefix(text, "{") {
		if err := strictjson.Decode([]byte(text), &o); err != nil {
			return nil, invalid("fixed", text, "fixed is %.80q, which is no JSON object of values: %s", text, err)
		}
		return o, nil
	}
	values := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || len(r.Config.Space.Items) > 0 && !r.Config.Space.Crossed() {
			return nil, invalid("fixed", text, "fixed is %.80q, want name=value, several with commas, or a JSON object, as of a list", text)
		}
		values[name] = strings.TrimSpace(value)
	}
	return r.Config.Space.ParseSome(values)
}
