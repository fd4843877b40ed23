package live

import (
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// ownSay is how many answers of her own a rater gives before the verdict of a study that others have answered, too, ends her turn, where no
// budget says: with fewer the favourite is the others' alone.
const ownSay = 8

// For returns a verdict on the utility of a rater as it is for her, with her own answers and budget, under contexts. Where several people share the utility,
// the answers of the others may have found the favourite; they end the search, and not her turn: it lasts until she has had her say.
func (r *Study) For(v prefer.Verdict, rater string, context space.Option) (out prefer.Verdict) {
	r.look(func(x *index) { out = r.turn(x, v, rater, context.String()) })
	return out
}

// turn is For under the lock.
func (r *Study) turn(x *index, v prefer.Verdict, rater, under string) prefer.Verdict {
	given, due := x.taught[whose{PersonOf(rater), under}].given, r.Budget()
	if due == 0 {
		due = ownSay
	}
	left := due - given
	if r.Budget() == 0 { // pairs that people are to decide wait for her, too
		left = max(left, r.Study.Host().Waiting(rater, x.context(rater)))
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
