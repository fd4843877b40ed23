package prefer

import (
	"fmt"
	"maps"
	"math"
)

// Every statement is a kind with numbers; the English of all of them is here, and nothing reads it.

// Headline is a few words over a result.
func (v Verdict) Headline() string { return v.HeadlineOf(v.Whose()) }

// Whose says whose the pick is: "your", or of several people "the team's".
func (v Verdict) Whose() string {
	if v.Raters > 1 {
		return teams
	}
	return yours
}

// HeadlineOf is Headline over somebody's result: "your", "the team's", "Anna's".
func (v Verdict) HeadlineOf(whose string) string {
	switch v.Kind {
	case ClearWinner:
		return "This is " + whose + " favourite"
	case PracticalTie:
		return "A favourite, and one that may be as good"
	case GoodEnough:
		return "One of the very best"
	case NothingPleases:
		return "Hardly anything here pleases"
	case Chance:
		return "The answers look like chance"
	case BudgetReached:
		if whose != yours {
			return begins(whose) + " best so far"
		}
		return "The best so far"
	}
	switch {
	case v.Answers == 0: // of her: what others like is not shown to who has not answered
		return "Nothing is known yet"
	case v.Best.Displeased > 0.5 && v.Best.Taken < 0.5:
		return "Nothing that pleases so far"
	}
	return begins(whose) + " favourite so far"
}

// Whose a pick is.
const (
	yours = "your"
	teams = "the team's"
)

// begins returns whose a pick is as the beginning of a sentence; a name stays as it is written.
func begins(whose string) string {
	switch whose {
	case yours:
		return "Your"
	case teams:
		return "The team's"
	}
	return whose
}

// words says a verdict in one sentence.
func (v Verdict) words() string {
	var text string
	switch unknown := v.Best.Option == nil; { // nobody has worked out more yet
	case unknown && v.Kind == BudgetReached:
		return "stopped at " + count(v.Given, "answer")
	case unknown && !v.Kind.Done():
		return "keep going: too early to say how far it is"
	}
	switch v.Kind {
	case ClearWinner:
		text = fmt.Sprintf("done: this one; %s sure that nothing is noticeably better", percent(v.Best.Confidence))
	case PracticalTie:
		text = fmt.Sprintf("done: %s sure that nothing is noticeably better, though %s may be as good", percent(v.Best.Confidence), v.Best.Rival.words())
	case GoodEnough:
		text = fmt.Sprintf("done: %s sure that this is %s", percent(v.Best.Top), v.few())
	case NothingPleases:
		text = fmt.Sprintf("done: hardly anything here pleases; %s sure that fewer than one option in ten would be taken", percent(v.Best.Displeased))
	case Chance:
		text = "done: the answers look like chance, and say nothing about what is better"
	case BudgetReached:
		text = fmt.Sprintf("stopped at %s: better than %s; something noticeably better exists with probability %s",
			count(v.Given, "answer"), v.beaten(), odds(1-v.Best.Confidence))
	default:
		ahead := "studies like this take about " + v.Left.words("answer")
		if v.Answers > 0 {
			ahead = "about " + v.Left.words("more question")
		}
		if v.Budget > 0 {
			ahead = count(v.Budget-v.Given, "more question") + " at most"
		}
		switch {
		case v.Answers == 0 && v.Others > 0:
			return fmt.Sprintf("keep going: no answer yet, and the pick is what others like, by %s; %s", count(v.Others, "answer"), ahead)
		case v.Answers == 0:
			return "keep going: nothing is known yet; " + ahead
		}
		text = fmt.Sprintf("keep going: %s sure so far, %s", percent(v.Best.Confidence), ahead)
		if v.Late {
			text += "; it has taken longer than most"
		}
	}
	switch {
	case v.Blind != nil && v.Blind.Of > 0:
		text += "; " + v.Blind.Sentence
	case v.Kind == ClearWinner || v.Kind == PracticalTie || v.Kind == GoodEnough:
		text += v.leaning()
	}
	if v.Kind.Sure() && v.Unseen > 0 {
		text += fmt.Sprintf("; %d of %d items were never shown", v.Unseen, v.Items)
	}
	return text
}

// leaning says what a pick that was not checked blindly leans on.
func (v Verdict) leaning() string {
	if v.Blind != nil && v.Blind.Of > 0 {
		return ""
	}
	return ", if taste is as regular as most people's"
}

// words writes an option as it is read in a sentence, numbers to three digits.
func (o Option) words() string {
	short := maps.Clone(o)
	for name, v := range o {
		if x := v.Float(); !math.IsNaN(x) && x != math.Trunc(x) {
			short[name] = ValueOf(fmt.Sprintf("%.3g", x))
		}
	}
	return short.String()
}

// few says among how many a pick is that is good enough.
func (v Verdict) few() string {
	n := int(math.Round(v.Best.TopShare * float64(v.Items)))
	switch {
	case v.Items == 0:
		return fmt.Sprintf("one of the best %v %%", 100*v.Best.TopShare)
	case n == 1:
		return "the best of the list"
	}
	return fmt.Sprintf("one of the best %d of %d", n, v.Items)
}

// Claim says under a headline what is known of the pick, nothing where nothing is.
func (v Verdict) Claim() string {
	var text string
	switch v.Kind {
	case ClearWinner, PracticalTie:
		text = v.Sure()
	case GoodEnough:
		text = fmt.Sprintf("It is %s sure that this is %s%s.", percent(v.Best.Top), v.few(), v.leaning())
	case NothingPleases:
		return fmt.Sprintf("It is %s sure that fewer than one option in ten would be taken.", percent(v.Best.Displeased))
	case Chance:
		return "They say nothing about what is better."
	default:
		text = v.Beats()
	}
	if v.Kind.Sure() && v.Unseen > 0 {
		text += fmt.Sprintf(" %d of %s were never shown.", v.Unseen, count(v.Items, "item"))
	}
	return text
}

// Sure says how sure it is that nothing is noticeably better, nothing while nobody knows.
func (v Verdict) Sure() string {
	if v.Answers == 0 || v.Best.Option == nil {
		return ""
	}
	return fmt.Sprintf("It is %s sure that nothing is noticeably better%s.", percent(v.Best.Confidence), v.leaning())
}

// RunnerUp says what the runner-up is.
func (v Verdict) RunnerUp() string {
	who := "Of those that are quite different the likeliest to be as good."
	if v.Items > 0 {
		who = "Number 2 of the list, as far as is known. It may be as good as number 1."
	}
	return fmt.Sprintf("%s The chance that it is, as far as anybody would notice: %s.", who, percent(v.Best.RivalClose))
}

// Untold says about which parameters nothing is known yet, nothing if there is none.
func Untold(all []Importance) string {
	var names []string
	for _, i := range all {
		if i.Kind == Unknown {
			names = append(names, i.Parameter)
		}
	}
	if names == nil {
		return ""
	}
	return "cannot tell yet about " + enumerate(names, "and")
}

// Beats says how much of all options the pick is expected to be better than, nothing while nobody knows.
func (v Verdict) Beats() string {
	if v.Answers == 0 || v.Best.Option == nil {
		return ""
	}
	return fmt.Sprintf("By the answers it is better than about %s.", v.beaten())
}

// beaten writes a share of all options: "97 of 100 options", of a list "22 of the other 23", all of them only where that is certain.
func (v Verdict) beaten() string {
	others := v.Items - 1
	if others < 1 || others >= 100 {
		return fmt.Sprintf("%d of 100 options", whole(v.Best.Beats))
	}
	n := int(math.Round(v.Best.Beats * float64(others)))
	if n == others && v.Best.Beats < 1 {
		n--
	}
	return fmt.Sprintf("%d of the other %d", n, others)
}

// More says whether more answers are worth it, and why.
func (v Verdict) More() string {
	switch v.Kind {
	case ClearWinner:
		return "More answers would change little."
	case PracticalTie:
		return "More answers would change little: the runner-up may be as good, as far as anybody would notice."
	case GoodEnough:
		return "More answers might find one a little better."
	case NothingPleases:
		return "More of the same would not help: other options, or a wider range, would."
	case Chance:
		return "Either the options are all alike, or the answers were not about them."
	case BudgetReached:
		if v.Best.Option == nil {
			return ""
		}
		return fmt.Sprintf("Something noticeably better exists with probability %s.", odds(1-v.Best.Confidence))
	}
	switch {
	case v.Left == Range{}:
		return ""
	case v.Budget > 0:
		return fmt.Sprintf("%s at most.", count(v.Budget-v.Given, "more answer"))
	case v.Late:
		return fmt.Sprintf("This takes longer than most; half of those that went on needed %s more.", v.Left.words("answer"))
	}
	return fmt.Sprintf("Studies like this take about %s more.", v.Left.words("answer"))
}
