package prefer

import (
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/internal/sentence"
)

// Every result is a kind with numbers, and its Sentence says them in English. Package say has them in other languages. Nothing reads a sentence.

// sentence says the verdict.
func (v Verdict) sentence() string {
	var text string
	switch unknown := v.Best.Option == nil; { // nobody has worked out more yet
	case unknown && v.Kind == BudgetReached:
		return "stopped at " + v.stopped()
	case unknown && !v.Kind.Done():
		return "keep going: too early to say how far it is"
	case v.FollowsOrder:
		return v.unordered()
	}
	switch v.Kind {
	case ClearWinner:
		text = fmt.Sprintf("done: this one; %s sure that nothing is noticeably better", sentence.Probability(v.Best.Confidence))
	case PracticalTie:
		text = fmt.Sprintf("done: %s sure that nothing is noticeably better, though %s may be as good", sentence.Probability(v.Best.Confidence), sentence.Option(v.Best.Rival))
	case GoodEnough:
		text = fmt.Sprintf("done: %s sure that this is %s", sentence.Probability(v.Best.Top), v.few())
	case NothingPleases:
		text = fmt.Sprintf("done: hardly anything here pleases; %s sure that fewer than one option in ten would be taken", sentence.Probability(v.Best.Displeased))
	case Chance:
		text = "done: the answers look like chance, and say nothing about what is better"
	case BudgetReached:
		text = fmt.Sprintf("stopped at %s: better than %s; something noticeably better exists with probability %s",
			v.stopped(), v.beaten(), sentence.Probability(1-v.Best.Confidence))
	default:
		if text = v.goOn(); v.Answers == 0 {
			return text
		}
	}
	switch {
	case v.Blind != nil && v.Blind.Of > 0:
		text += "; " + v.Blind.Sentence
	case v.Kind == ClearWinner || v.Kind == PracticalTie || v.Kind == GoodEnough:
		text += ", if taste is as regular as most people's"
	}
	if v.Kind.Sure() && v.Unseen > 0 {
		text += fmt.Sprintf("; %d of %d items were never shown", v.Unseen, v.Items)
	}
	return text
}

// goOn says that the study goes on, and about how long.
func (v Verdict) goOn() string {
	ahead := "studies like this take about " + sentence.Range(v.Left, "answer")
	if v.Answers > 0 {
		ahead = "about " + sentence.Range(v.Left, "more question")
	}
	if v.Budget > 0 {
		ahead = sentence.Count(v.Budget-v.Given, "more question") + " at most"
	}
	switch {
	case v.Answers == 0 && v.Others > 0:
		return fmt.Sprintf("keep going: no answer yet, and the pick is what others like, by %s; %s", sentence.Count(v.Others, "answer"), ahead)
	case v.Answers == 0:
		return "keep going: nothing is known yet; " + ahead
	}
	if len(v.Untried) > 0 {
		name, low, high := sentence.Untried(v.Untried)
		ahead = fmt.Sprintf("but nothing near it with %s between %s and %s has been shown yet; %s", name, low, high, ahead)
	}
	text := fmt.Sprintf("keep going: %s sure so far, %s", sentence.Probability(v.Best.Confidence), ahead)
	if v.Late {
		text += "; it has taken longer than most"
	}
	return text
}

// stopped says at how many answers of each person a budget ends a study.
func (v Verdict) stopped() string {
	if v.Raters > 1 {
		return sentence.Count(v.Given, "answer") + " each"
	}
	return sentence.Count(v.Given, "answer")
}

// unordered says a verdict on answers that follow the order of the options, without a claim about the pick.
func (v Verdict) unordered() string {
	stands := "keep going"
	switch v.Kind {
	case Chance:
		stands = "done: the answers look like chance"
	case BudgetReached:
		stands = "stopped at " + v.stopped()
	}
	why := strings.TrimSuffix(sentence.FollowsOrder.English(), ".")
	return stands + ": " + strings.ToLower(why[:1]) + why[1:]
}

// few says among how many options a pick is that is good enough.
func (v Verdict) few() string {
	listed := sentence.Listed(v.Best.TopShare, v.Items)
	n := int(math.Round(v.Best.TopShare * float64(listed)))
	switch {
	case listed == 0:
		return fmt.Sprintf("one of the best %v %%", 100*v.Best.TopShare)
	case n == 1:
		return "the best of the list"
	}
	return fmt.Sprintf("one of the best %d of %d", n, listed)
}

// beaten writes a share of all options: "97 of 100 options", of a list "22 of the other 23".
func (v Verdict) beaten() string {
	n, others := sentence.Beats(v.Best.Beats, sentence.Listed(v.Best.TopShare, v.Items))
	if others == 0 {
		return fmt.Sprintf("%d of 100 options", n)
	}
	return fmt.Sprintf("%d of the other %d", n, others)
}

// sentence says what is known of one parameter.
func (i Importance) sentence() string {
	return sentence.Importance(i.Kind, i.Parameter, i.At).English()
}

// sentence says how far the members of a group agree, and which of them stand out.
func (g Group) sentence() string {
	if len(g.Raters) == 1 {
		return fmt.Sprintf("only %s has answered", sentence.Raters(g.Raters))
	}
	n := len(g.Raters) - len(g.Careless)
	out := fmt.Sprintf("%d raters %s", n, g.Together.sentence())
	switch {
	case n < 2:
		out = fmt.Sprintf("of %d raters %d looked, as it seems", len(g.Raters), n)
	case len(g.Camps) > 0:
		out += fmt.Sprintf("; they are two camps: %s, and %s", sentence.Raters(g.Camps[0].Raters), sentence.Raters(g.Camps[1].Raters))
	case len(g.Disagrees) == n:
		out += ": each wants something else"
	case len(g.Disagrees) > 0:
		out += fmt.Sprintf("; %s %s the contrary of what the others want", sentence.Raters(g.Disagrees), sentence.Verb(g.Disagrees, "wants", "want"))
	}
	if len(g.Careless) > 0 {
		out += fmt.Sprintf("; %s hardly %s, having answered without looking, as it seems, and %s left out of the agreement", sentence.Raters(g.Careless), sentence.Verb(g.Careless, "counts", "count"), sentence.Verb(g.Careless, "is", "are"))
	}
	return out
}

// sentence says how far raters agree, as a predicate.
func (a correlation) sentence() string {
	switch {
	case a.Low > 0.5:
		return "agree"
	case a.Low > 0.1:
		return "agree in part"
	case a.High-a.Low > 0.5:
		return "have said too little to tell how far they agree"
	case a.High < 0:
		return "disagree"
	}
	return "hardly agree"
}
