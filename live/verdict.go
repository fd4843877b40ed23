package live

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Status is where the study stands for a rater, as far as is known at once: the verdict may rest on an answer less.
type Status struct {
	Verdict     string              `json:"verdict" enum:"keep_going,done,clear_winner,practical_tie,good_enough,nothing_pleases,chance,budget_reached,over" doc:"Kinds may be added: everything but keep_going is an ending. Callers who may not see the result get over instead of the ending."`
	Confidence  *float64            `json:"confidence,omitempty" doc:"Probability that nothing is noticeably better than the pick; only for callers who may see the result."`
	Beats       *float64            `json:"beats,omitempty" doc:"Share of all options that the pick is expected to beat; only for callers who may see the result."`
	Left        [2]int              `json:"left" doc:"A range for the number of questions left; 0 and 0 at an ending."`
	Late        bool                `json:"late,omitempty" doc:"It takes longer than 90% of similar studies."`
	Found       string              `json:"found,omitempty" doc:"The ending that the other raters have reached while this rater still has questions."`
	Answers     int                 `json:"answers" doc:"Number of answers, without skips and checks."`
	Raters      int                 `json:"raters" doc:"Number of raters."`
	Given       int                 `json:"given" doc:"The rater's own answers, which count against their budget."`
	Budget      int                 `json:"budget,omitempty" doc:"Maximum answers of the rater; 0 to stop at the verdict."`
	At          int                 `json:"at" doc:"The number of answers the verdict rests on."`
	Calibration *prefer.Calibration `json:"foretold,omitempty" doc:"How well the answers were predicted; only for callers who may see the result."`
	Practice    int                 `json:"practice,omitempty" doc:"Practice questions left."`
	Break       int                 `json:"break,omitempty" doc:"Set if a break is due before the question: the number of answers given."`
	Items       int                 `json:"items,omitempty" doc:"How many items the list has."`
	Seen        int                 `json:"seen,omitempty" doc:"How many of them the rater was asked about."`
	BlindLeft   int                 `json:"blind_left,omitempty" doc:"At the rater's end: blind duels of the pick still to be asked, as long as there are rivals."`
	Sentence    string              `json:"sentence"`
}

// standing is a verdict on a utility, whatever anybody's budget, and the answers it rests on.
type standing struct {
	prefer.Verdict
	at tally
}

// Budget is the number of answers each rater is to give: the study's, or that of its page; 0 for no end but the verdict's.
func (r *Study) Budget() int { return cmp.Or(r.Config.Budget, r.Settings.Page.Goal) }

// Takes is a range for the number of answers until a study of one rater ends that looks for such a shortlist (prefer.Config.Shortlist), after so many of them.
func (r *Study) Takes(shortlist, answers int) [2]int {
	left, _ := r.host().Left(shortlist, answers)
	return left
}

// Verdict computes the verdict for a rater under the contexts of the last question, as VerdictFor does, also for an unnamed rater who has answered.
func (r *Study) Verdict(ctx context.Context, rater string) (prefer.Verdict, error) {
	v, under, err := r.computeVerdict(ctx, prefer.Look{Rater: r.Utility(rater), Fixed: r.Context(rater)})
	if err != nil {
		return v, err
	}
	r.look(func(x *index) {
		if _, has := x.taught[answerKey{PersonOf(rater), under}]; has {
			v = r.forRater(x, v, rater, under)
		} else {
			v = r.verdictOf(x, v, rater, under)
		}
	})
	return v, nil
}

// VerdictFor is the verdict that commands, REST, Python and agents report: of a named rater (For), else of the study (All).
func (r *Study) VerdictFor(ctx context.Context, l prefer.Look) (prefer.Verdict, error) {
	v, under, err := r.computeVerdict(ctx, prefer.Look{Rater: r.Utility(l.Rater), Fixed: l.Fixed})
	if err != nil {
		return v, err
	}
	return inIndex(r, func(x *index) prefer.Verdict { return r.verdictOf(x, v, l.Rater, under) }), nil
}

// verdictOf is a verdict for a named rater, else of the study; a study per rater has none of its own.
func (r *Study) verdictOf(x *index, v prefer.Verdict, rater, under string) prefer.Verdict {
	if rater != "" || x.each {
		return r.forRater(x, v, rater, under)
	}
	return r.all(x, v, under)
}

// All is the verdict on the shared utility. It is at the budget once everybody who has answered is.
func (r *Study) All(ctx context.Context, fixed space.Option) (prefer.Verdict, error) {
	v, under, err := r.computeVerdict(ctx, prefer.Look{Fixed: fixed})
	return inIndex(r, func(x *index) prefer.Verdict { return r.all(x, v, under) }), err
}

func (r *Study) all(x *index, v prefer.Verdict, under string) prefer.Verdict {
	fewest, budget := x.fewest(under), r.Budget()
	if fewest < budget && x.raters("", under) > 1 {
		budget = 0
	}
	return v.For(fewest, budget)
}

// key names a verdict: no rater's name has a control character.
func key(of, under string) string {
	if under == "" {
		return of
	}
	return of + "\x00" + under
}

// computeVerdict works out where the study stands with a utility, and remembers it; under are the contexts of the look.
func (r *Study) computeVerdict(ctx context.Context, l prefer.Look) (v prefer.Verdict, under string, err error) {
	context := r.Config.Space.Context(l.Fixed)
	under = context.String()
	at := inIndex(r, func(x *index) tally { return x.count(l.Rater, under) })
	if v, err = r.Study.Verdict(ctx, l); err != nil {
		return v, under, err
	}
	worth, err := r.Study.Worth(ctx, l, "", nil)
	if err != nil {
		return v, under, err
	}
	v = v.For(0, 0)
	v.Value = worth[0]
	if len(context) == len(l.Fixed) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.verdicts[key(l.Rater, under)] = standing{v, at}
	}
	return v, under, nil
}

// Status returns where the study stands for a rater, under the contexts of the last question, by the last verdict unless an answer of it was undone.
func (r *Study) Status(rater string) Status {
	return inIndex(r, func(x *index) Status { return r.status(x, rater, x.context(rater)) })
}

// status is Status under the lock and these contexts.
func (r *Study) status(x *index, rater string, context space.Option) Status {
	of, under := r.Utility(rater), context.String()
	v := standing{Verdict: prefer.Verdict{Kind: prefer.KeepGoing}}
	now, seen := x.count(of, under), 0
	for id := range x.saw[rater] {
		if x.listed[id] {
			seen++
		}
	}
	if last, known := r.verdicts[key(of, under)]; known && (last.at == now || last.at.answers < now.answers) {
		v = last
	}
	if v.Kind == prefer.KeepGoing {
		v.Left, v.Late = r.host().Left(r.Config.Shortlist, now.answers) // which moves on, whether or not the verdict has
	}
	found := v.Kind
	if v.Verdict = r.forRater(x, v.Verdict, rater, under); v.Kind.Done() || !found.Done() {
		found = ""
	}
	return r.withPhases(x, rater, context, Status{Verdict: string(v.Kind), Confidence: &v.Best.Confidence, Beats: &v.Best.Beats, Left: [2]int{v.Left[0], v.Left[1]}, Late: v.Late,
		Found: string(found), Answers: now.answers, Raters: x.raters(of, under), Given: v.Given, Budget: v.Budget, At: v.at.answers, Calibration: &v.Calibration, Items: len(x.listed), Seen: seen, Sentence: v.Sentence})
}

// over is the ending of a study for callers who may not see what was found.
const over = "over"

// visibleTo is a status as the owner reads it, or a rater: without what was found, if raters may not see the result.
func (s Status) visibleTo(r *Study, owner bool) Status {
	if r.MayLook(owner) == nil {
		return s
	}
	s.Confidence, s.Beats, s.Calibration = nil, nil, nil
	if s.Found != "" {
		s.Found = over
	}
	questions := fmt.Sprintf("about %d to %d more questions", s.Left[0], s.Left[1])
	if s.Left[0] == s.Left[1] {
		questions = fmt.Sprintf("questions left: %d", s.Left[0])
	}
	switch prefer.VerdictKind(s.Verdict) {
	case prefer.KeepGoing:
		s.Sentence = "keep going: " + questions
	case prefer.BudgetReached:
		s.Sentence = fmt.Sprintf("done: %d answers, thank you", s.Given)
	default:
		s.Verdict, s.Sentence = over, "done: that was the last question, thank you"
	}
	return s
}

// stale reports whether a new verdict is worth its time, for a rater with so many others about.
func (r *Study) stale(rater string, others int) bool {
	return inIndex(r, func(x *index) bool { return r.staleAt(x, rater, others) })
}

// staleAt is stale under the lock.
func (r *Study) staleAt(x *index, rater string, others int) bool {
	of, under := r.Utility(rater), x.context(rater).String()
	last, known := r.verdicts[key(of, under)]
	now := x.count(of, under)
	behind := 0 // answers that a verdict may lag: it costs more than all else, and in a crowd nobody waits for it
	switch {
	case others >= crowd && !x.each:
		behind = max(now.answers/4, 2*others)
	case others > 0:
		behind = now.answers / 10
	}
	ahead := now.answers - last.at.answers
	return !known || ahead > behind || ahead <= 0 && last.at != now // one was taken back, or turned round
}

// ownSay is how many answers a rater gives in a study without a budget before a verdict that others reached ends it.
const ownSay = 8

// For returns a verdict as it is for a rater, under contexts: one that other raters reached does not end it until this rater has had a say.
func (r *Study) For(v prefer.Verdict, rater string, context space.Option) prefer.Verdict {
	return inIndex(r, func(x *index) prefer.Verdict { return r.forRater(x, v, rater, context.String()) })
}

// forRater is For under the lock.
func (r *Study) forRater(x *index, v prefer.Verdict, rater, under string) prefer.Verdict {
	given := x.taught[answerKey{PersonOf(rater), under}].given
	left := cmp.Or(r.Budget(), ownSay) - given
	if r.Budget() == 0 { // pairs that people are to decide wait for this rater, too
		left = max(left, r.host().Waiting(rater, x.context(rater)))
	}
	if left <= 0 || !v.Kind.Done() || x.each || !x.others(rater, under) {
		return v.For(given, r.Budget())
	}
	v.Kind, v.Left, v.Late = prefer.KeepGoing, [2]int{left, left}, false
	v = v.For(given, r.Budget())
	v.Sentence = "keep going: the others have found a favourite, and these answers count, too: " + say.Count(left, "more question")
	return v
}

// others reports whether somebody else has answered who is not left out.
func (x *index) others(rater, under string) bool {
	for who, each := range x.taught {
		if who.under == under && who.person != PersonOf(rater) && each.answers > 0 && !x.out[who.person] {
			return true
		}
	}
	return false
}

// Standing is the verdict under one setting of the contexts.
type Standing struct {
	Fixed   space.Option   `json:"fixed"`
	Verdict prefer.Verdict `json:"verdict"` // without its Value, which takes a search for the next question
}

// Standings returns the verdict under each setting of the contexts (prefer.Study.Contexts), for a rater or for all as VerdictFor has it.
func (r *Study) Standings(ctx context.Context, rater string) ([]Standing, error) {
	var out []Standing
	for _, fixed := range r.Study.Contexts() {
		v, err := r.Study.Verdict(ctx, prefer.Look{Rater: r.Utility(rater), Fixed: fixed})
		if err != nil {
			return nil, err
		}
		out = append(out, Standing{fixed, inIndex(r, func(x *index) prefer.Verdict { return r.verdictOf(x, v, rater, fixed.String()) })})
	}
	return out, nil
}

// afterAnswer does in the background what follows from an answer: the verdict, and now and then a snapshot.
func (r *Study) afterAnswer(rater string) {
	r.follow(inIndex(r, func(x *index) followUp { return r.followUp(x, rater) }))
}

// followUp is what an answer of a rater asks of the background.
type followUp struct {
	rater, verdict string // whose verdict, and its key
	answers        int    // that stand
}

// followUp returns what an answer of a rater asks of the background. The lock is held.
func (r *Study) followUp(x *index, rater string) followUp {
	return followUp{rater, key(r.Utility(rater), x.context(rater).String()), x.standing}
}

// follow does in the background what an answer asks for.
func (r *Study) follow(f followUp) {
	s := r.studies
	s.background.Add("verdict "+r.Name+"\x00"+f.verdict, func(ctx context.Context) {
		ctx, stop := both(ctx, r.gone)
		defer stop()
		others := r.situation(f.rater, r.studies.cfg.Now()).others
		crowded := others >= crowd && !s.processors.MayJudge()
		if crowded || !r.stale(f.rater, others) || !s.processors.Take(ctx, true) {
			return
		}
		defer s.processors.Give()
		defer s.processors.Judged(time.Now())
		if _, err := r.Verdict(ctx, f.rater); err != nil && ctx.Err() == nil {
			s.log.Warn("no verdict", "study", r.Name, "error", err)
			return
		}
		r.notify("verdict")
	})
	if kept := r.kept.Load(); f.answers >= int(kept)+10 && r.kept.CompareAndSwap(kept, int64(f.answers)) {
		s.background.Add("snapshot "+r.Name, func(ctx context.Context) {
			_ = s.keepSnapshot(ctx, r)            // it has said what went wrong
			_ = s.cache.Shrink(ctx, s.cache.Size) // it has said what went wrong, and nothing is lost
		})
	}
}
