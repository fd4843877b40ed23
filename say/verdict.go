package say

import (
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/sentence"
)

// endings are the kinds of verdicts that end a study, by the keys of their texts.
var endings = map[prefer.VerdictKind]string{prefer.Settled: "clear", prefer.NothingPleases: "nothing", prefer.BudgetReached: "budget"}

// Headline is a few words over a result. It is the result of the rater with that name; without a name that of the reader, or of several raters the team's.
func (w Words) Headline(v prefer.Verdict, name string) string {
	kind := endings[v.Kind]
	switch {
	case kind != "":
	case v.Answers == 0: // raters who have not answered are not shown what others like
		kind = "unknown"
	case v.Best.Displeased > 0.5 && v.Best.Taken < 0.5:
		kind = "displeased"
	default:
		kind = "going"
	}
	owned, n := kind == "clear" || kind == "budget" || kind == "going", len(v.Shortlist)
	switch {
	case owned && n > 0 && kind == "clear":
		kind = "shortlist"
	case owned && n > 0:
		kind = "shortlist.going"
	}
	switch {
	case owned && name != "":
		kind += ".name"
	case owned && v.Raters > 1:
		kind += ".team"
	}
	return w.lang.T("verdict."+kind, "name", name, "n", n)
}

// Claim says under a headline what is known of the pick. It is empty where nothing is known.
func (w Words) Claim(v prefer.Verdict) string {
	var text, unseen string
	if v.FollowsOrder {
		return w.text(sentence.FollowsOrder)
	}
	if v.Kind == prefer.NothingPleases {
		return w.lang.T("claim.nothing", "sure", w.probability(v.Best.Displeased))
	}
	if v.Kind.Sure() || v.Shortlist != nil {
		text = w.amongBest(v)
		if v.Unseen > 0 && v.Kind.Sure() {
			unseen = w.lang.T("claim.unseen", "n", v.Unseen, "items", v.Items)
		}
	}
	if text == "" {
		text = w.beats(v)
	}
	return w.lang.Sentences(text, unseen)
}

// amongBest says how probable it is that the pick is one of the best few of a list, or that a shortlist is right; it is empty in a space.
func (w Words) amongBest(v prefer.Verdict) string {
	if v.Shortlist != nil {
		return w.lang.T("claim.shortlist", "sure", w.probability(v.ShortlistSure), "n", len(v.Shortlist), "items", v.Items)
	}
	listed := sentence.Listed(v.Best.TopShare, v.Items)
	n := int(math.Round(v.Best.TopShare * float64(listed)))
	sure := w.probability(v.Best.Top)
	switch {
	case listed == 0:
		return ""
	case n == 1:
		return w.lang.T("claim.first", "sure", sure)
	}
	return w.lang.T("claim.few", "sure", sure, "n", n, "items", listed)
}

// beats says how much of all options the reader, or of several raters the team, is expected to take the pick over. It is empty where there is no pick.
func (w Words) beats(v prefer.Verdict) string {
	if v.Answers == 0 || v.Best.Option == nil {
		return ""
	}
	key := "claim.beats"
	n, others := sentence.Beats(v.Best.Beats, sentence.Listed(v.Best.TopShare, v.Items))
	if others > 0 {
		key += ".list"
	}
	if v.Raters > 1 {
		key += ".team"
	}
	return w.lang.T(key, "n", n, "others", others)
}

// More says whether more answers are worth it, and why.
func (w Words) More(v prefer.Verdict) string {
	switch kind := endings[v.Kind]; {
	case kind == "budget" && (v.Best.Option == nil || v.FollowsOrder), kind != "" && kind != "nothing" && v.Shortlist != nil:
		return ""
	case kind == "budget":
		if n := sentence.More(v.TenMore, v.Best.Beats, sentence.Listed(v.Best.TopShare, v.Items)); n > 0 {
			return w.lang.T("more.budget", "n", n)
		}
		return w.lang.T("more.clear")
	case kind != "":
		return w.lang.T("more." + kind)
	}
	untried := ""
	if len(v.Untried) > 0 {
		name, low, high := sentence.Untried(v.Untried)
		untried = w.lang.T("more.untried", "name", name, "low", low, "high", high)
	}
	return w.lang.Sentences(untried, w.left(v))
}

func (w Words) left(v prefer.Verdict) string {
	key := "more.takes"
	switch {
	case v.Left == [2]int{}:
		return ""
	case v.Budget > 0:
		return w.lang.T("more.left", "n", v.Budget-v.Given)
	case v.FollowsOrder:
		return ""
	case v.Late:
		key = "more.late"
	}
	if v.Left[0] != v.Left[1] {
		key += ".range"
	}
	return w.lang.T(key, "low", v.Left[0], "n", v.Left[1])
}
