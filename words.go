package prefer

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// Every statement is a kind with numbers. What people are told on a page is said in their language, and the English of it is that of
// internal/language; what only a program, a terminal or a report says is in English here. Nothing reads any of it.

// In returns the verdict with its words in a language, by its BCP 47 tag: In("de").Headline(). One that there are no words in is English.
// Sentence stays as it is.
func (v Verdict) In(tag string) Verdict {
	v.lang, _ = language.Of(tag)
	v.Foretold.lang = v.lang
	if v.Blind != nil {
		b := v.Blind.In(tag)
		v.Blind = &b
	}
	return v
}

// Headline is a few words over a result: the reader's own, or of several people the team's.
func (v Verdict) Headline() string { return v.HeadlineOf("") }

// HeadlineOf is Headline over somebody else's result, if there is a name.
func (v Verdict) HeadlineOf(name string) string {
	say := func(yours, teams, theirs string) string {
		switch {
		case name != "":
			return v.lang.T(theirs, "name", name)
		case v.Raters > 1:
			return v.lang.T(teams)
		}
		return v.lang.T(yours)
	}
	switch v.Kind {
	case ClearWinner:
		return say("verdict.clear", "verdict.clear.team", "verdict.clear.name")
	case PracticalTie:
		return v.lang.T("verdict.tie")
	case GoodEnough:
		return v.lang.T("verdict.good")
	case NothingPleases:
		return v.lang.T("verdict.nothing")
	case Chance:
		return v.lang.T("verdict.chance")
	case BudgetReached:
		return say("verdict.budget", "verdict.budget.team", "verdict.budget.name")
	}
	switch {
	case v.Answers == 0: // of her: what others like is not shown to who has not answered
		return v.lang.T("verdict.unknown")
	case v.Best.Displeased > 0.5 && v.Best.Taken < 0.5:
		return v.lang.T("verdict.displeased")
	}
	return say("verdict.going", "verdict.going.team", "verdict.going.name")
}

// words says a verdict in one sentence.
func (v Verdict) words() string {
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
		text = fmt.Sprintf("done: this one; %s sure that nothing is noticeably better", percent(language.English(), v.Best.Confidence))
	case PracticalTie:
		text = fmt.Sprintf("done: %s sure that nothing is noticeably better, though %s may be as good", percent(language.English(), v.Best.Confidence), optionWords(v.Best.Rival))
	case GoodEnough:
		text = fmt.Sprintf("done: %s sure that this is %s", percent(language.English(), v.Best.Top), v.few())
	case NothingPleases:
		text = fmt.Sprintf("done: hardly anything here pleases; %s sure that fewer than one option in ten would be taken", percent(language.English(), v.Best.Displeased))
	case Chance:
		text = "done: the answers look like chance, and say nothing about what is better"
	case BudgetReached:
		text = fmt.Sprintf("stopped at %s: better than %s; something noticeably better exists with probability %s",
			v.stopped(), v.beaten(), percent(language.English(), 1-v.Best.Confidence))
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
		text = fmt.Sprintf("keep going: %s sure so far, %s", percent(language.English(), v.Best.Confidence), v.lacking()+ahead)
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

// stopped says at how many answers a budget ends a study: each person's.
func (v Verdict) stopped() string {
	if v.Raters > 1 {
		return count(v.Given, "answer") + " each"
	}
	return count(v.Given, "answer")
}

// unordered says a verdict on answers that follow the order: how it stands, and no claim about the pick.
func (v Verdict) unordered() string {
	stands := "keep going"
	switch v.Kind {
	case Chance:
		stands = "done: the answers look like chance"
	case BudgetReached:
		stands = "stopped at " + v.stopped()
	}
	why := []rune(strings.TrimSuffix(language.English().T("claim.order"), "."))
	return stands + ": " + strings.ToLower(string(why[:1])) + string(why[1:])
}

// leaning says what a pick that was not checked blindly leans on.
func (v Verdict) leaning() string {
	if v.Blind != nil && v.Blind.Of > 0 {
		return ""
	}
	return ", if taste is as regular as most people's"
}

// words writes an option as it is read in a sentence, numbers to three digits.
func optionWords(o space.Option) string {
	short := maps.Clone(o)
	for name, v := range o {
		short[name] = space.ValueOf(valueWords(v))
	}
	return short.String()
}

// words writes a value as it is read in a sentence.
func valueWords(v space.Value) string {
	if x := v.Float(); !math.IsNaN(x) && x != math.Trunc(x) {
		return fmt.Sprintf("%.3g", x)
	}
	return v.String()
}

// listed returns how many options there are in a list, 0 in a space: of items that are crossed with parameters every setting is another option.
func (v Verdict) listed() int {
	if v.Best.TopShare == learn.BestOptions {
		return 0
	}
	return v.Items
}

// few says among how many a pick is that is good enough.
func (v Verdict) few() string {
	n := int(math.Round(v.Best.TopShare * float64(v.listed())))
	switch {
	case v.listed() == 0:
		return fmt.Sprintf("one of the best %v %%", 100*v.Best.TopShare)
	case n == 1:
		return "the best of the list"
	}
	return fmt.Sprintf("one of the best %d of %d", n, v.listed())
}

// Claim says under a headline what is known of the pick, nothing where nothing is.
func (v Verdict) Claim() string {
	var text, unseen string
	if v.FollowsOrder {
		return v.lang.T("claim.order")
	}
	switch v.Kind {
	case ClearWinner, PracticalTie:
		text = v.Sure()
	case GoodEnough:
		text = v.amongBest()
	case NothingPleases:
		return v.lang.T("claim.nothing", "sure", percent(v.lang, v.Best.Displeased))
	case Chance:
		return v.lang.T("claim.chance")
	default:
		text = v.Beats()
	}
	if v.Kind.Sure() && v.Unseen > 0 {
		unseen = v.lang.T("claim.unseen", "n", v.Unseen, "items", v.Items)
	}
	return v.lang.Sentences(text, unseen)
}

// amongBest says among how many a pick is that is good enough.
func (v Verdict) amongBest() string {
	n := int(math.Round(v.Best.TopShare * float64(v.listed())))
	sure, say := percent(v.lang, v.Best.Top), v.lang.T
	switch alone := v.leaning() == ""; {
	case v.listed() == 0 && alone:
		return say("claim.share", "sure", sure, "share", v.lang.Percent(100*v.Best.TopShare))
	case v.listed() == 0:
		return say("claim.share.if", "sure", sure, "share", v.lang.Percent(100*v.Best.TopShare))
	case n == 1 && alone:
		return say("claim.first", "sure", sure)
	case n == 1:
		return say("claim.first.if", "sure", sure)
	case alone:
		return say("claim.few", "sure", sure, "n", n, "items", v.listed())
	}
	return say("claim.few.if", "sure", sure, "n", n, "items", v.listed())
}

// Sure says how sure it is that nothing is noticeably better, nothing while nobody knows.
func (v Verdict) Sure() string {
	if v.Answers == 0 || v.Best.Option == nil {
		return ""
	}
	sure := percent(v.lang, v.Best.Confidence)
	if v.leaning() != "" {
		return v.lang.T("claim.sure.if", "sure", sure)
	}
	return v.lang.T("claim.sure", "sure", sure)
}

// Beside is what there is to say beside Claim and More; empty where these say all.
func (v Verdict) Beside() string {
	if v.FollowsOrder {
		return ""
	}
	switch v.Kind {
	case ClearWinner, PracticalTie, GoodEnough:
		return v.Beats()
	case KeepGoing:
		return v.Sure()
	}
	return ""
}

// RunnerUp says what the runner-up is.
func (v Verdict) RunnerUp() string {
	chance := percent(v.lang, v.Best.RivalClose)
	if v.listed() > 0 {
		return v.lang.T("rival.list", "chance", chance)
	}
	return v.lang.T("rival.far", "chance", chance)
}

// Beats says how much of all options the pick is expected to be better than, nothing while nobody knows.
func (v Verdict) Beats() string {
	if v.Answers == 0 || v.Best.Option == nil {
		return ""
	}
	n, others := v.beats()
	if others == 0 {
		return v.lang.T("claim.beats", "n", n)
	}
	return v.lang.T("claim.beats.list", "n", n, "others", others)
}

// beats returns how many of the others in its list the pick is expected to be better than, all of them only where that is certain; without a
// list, or in a long one, how many of 100 options, and others is 0.
func (v Verdict) beats() (n, others int) {
	others = v.listed() - 1
	if others < 1 || others >= 100 {
		return whole(v.Best.Beats), 0
	}
	n = int(math.Round(v.Best.Beats * float64(others)))
	if n == others && v.Best.Beats < 1 {
		n--
	}
	return n, others
}

// beaten writes a share of all options: "97 of 100 options", of a list "22 of the other 23".
func (v Verdict) beaten() string {
	n, others := v.beats()
	if others == 0 {
		return fmt.Sprintf("%d of 100 options", n)
	}
	return fmt.Sprintf("%d of the other %d", n, others)
}

// More says whether more answers are worth it, and why.
func (v Verdict) More() string {
	switch v.Kind {
	case ClearWinner:
		return v.lang.T("more.clear")
	case PracticalTie:
		return v.lang.T("more.tie")
	case GoodEnough:
		return v.lang.T("more.good")
	case NothingPleases:
		return v.lang.T("more.nothing")
	case Chance:
		return v.lang.T("more.chance")
	case BudgetReached:
		if v.Best.Option == nil || v.FollowsOrder {
			return ""
		}
		return v.lang.T("more.budget", "odds", percent(v.lang, 1-v.Best.Confidence))
	}
	return v.lang.Sentences(v.untried(), v.more())
}

// more says how many more answers it takes.
func (v Verdict) more() string {
	low, high := v.Left.Low, v.Left.High
	switch one := low == high; {
	case v.Left == Range{}:
		return ""
	case v.Budget > 0:
		return v.lang.T("more.left", "n", v.Budget-v.Given)
	case v.FollowsOrder:
		return ""
	case v.Late && one:
		return v.lang.T("more.late", "n", high)
	case v.Late:
		return v.lang.T("more.late.range", "low", low, "n", high)
	case one:
		return v.lang.T("more.takes", "n", high)
	}
	return v.lang.T("more.takes.range", "low", low, "n", high)
}
