package prefer

import (
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Best is the study's pick.
type Best struct {
	Option space.Option `json:"option"`

	// Mean and SD are the pick's utility and its uncertainty, in units of the noise.
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`

	// Confidence is the probability that no option is better by more than Config.Tolerance.
	Confidence float64 `json:"confidence"`

	// Beats is the share of all options that the pick is expected to be better than; Top is the probability that it is
	// among the best TopShare of them: 1 %, or of a list a twentieth, rounded up to whole items.
	Beats    float64 `json:"beats"`
	Top      float64 `json:"top"`
	TopShare float64 `json:"top_share"`

	// Rival is the option far from the pick that is most probably as good, within the tolerance, and RivalClose how probably it is. Rival is nil in a list,
	// and if no draw of the utility knew one.
	Rival      space.Option `json:"rival,omitempty"`
	RivalClose float64      `json:"rival_close"`

	// Taken is the probability that the first person who has called options bad, or has said what they would take, would take the
	// pick, and Displeased that they would take less than a tenth of all options. 0 where nobody has.
	Taken      float64 `json:"taken,omitempty"`
	Displeased float64 `json:"displeased,omitempty"`
}

// VerdictKind is where a study stands.
type VerdictKind string

// Endings, and KeepGoing, which is none. There may be more kinds in time: what is not KeepGoing is an ending.
const (
	// KeepGoing: still learning, and more answers are worth it.
	KeepGoing VerdictKind = "keep_going"
	// Settled: more answers would hardly improve the pick. What is claimed of it is its rank, Best.Beats.
	Settled VerdictKind = "done"
	// NothingPleases: the person would take hardly any of the options.
	NothingPleases VerdictKind = "nothing_pleases"
	// BudgetReached: the person has given as many answers as they were to give.
	BudgetReached VerdictKind = "budget_reached"
)

// Done reports whether the kind is an ending.
func (k VerdictKind) Done() bool { return k != KeepGoing && k != "" }

// Sure reports whether the kind is an ending of a study that knows: any but one that was stopped.
func (k VerdictKind) Sure() bool { return k.Done() && k != BudgetReached }

// Picks reports whether there is a pick to speak of: not where nothing pleases.
func (k VerdictKind) Picks() bool { return k != NothingPleases }

// Verdict says whether to go on, and how sure that is.
type Verdict struct {
	Kind VerdictKind `json:"kind"`
	Best Best        `json:"best"`

	// Answers is the number of answers it rests on, Given how many of them count against the rater's Budget, which is
	// 0 where there is none. Skips and checks are no answers. Under a context they are those that were given there.
	Answers int `json:"answers"`
	Given   int `json:"given"`
	Budget  int `json:"budget,omitempty"`

	// Raters is how many people gave the answers; with several, who share one utility, the pick is the team's.
	Raters int `json:"raters"`

	// Others is the number of answers of other people with tastes of their own, here and in an earlier study, that it rests on beside.
	Others int `json:"others,omitempty"`

	// Value is 0: Study.Worth computes what the next question is expected to add. REST fills it in.
	Value float64 `json:"value"`

	// TenMore is by how much ten more answers are expected to raise Best.Beats.
	TenMore float64 `json:"ten_more"`

	// Left is a range for the number of questions until an ending. Both are 0 when done.
	Left [2]int `json:"left"`

	// Late says that the study has outlasted nine of ten like it, which is why Left no longer shrinks.
	Late bool `json:"late,omitempty"`

	// Surprise is the log of how much likelier the answers are if they are chance, and no taste at all, than if there is one.
	Surprise float64 `json:"surprise"`

	// FollowsOrder says that more than half of the answers are of raters who follow the order in which options are shown (crowd.Sides has the rule). They
	// do not say what is better: nothing but a budget ends such a study.
	FollowsOrder bool `json:"follows_order,omitempty"`

	// Unseen of the Items of a list were never shown; of one that is crossed with parameters, at any setting.
	Unseen int `json:"unseen,omitempty"`
	Items  int `json:"items,omitempty"`

	// Shortlist are the best items of a study that looks for several (Config.Shortlist), the pick first, and ShortlistSure is how probably no other item
	// belongs to them.
	Shortlist     []space.Option `json:"shortlist,omitempty"`
	ShortlistSure float64        `json:"shortlist_sure,omitempty"`

	// Untried are the values of a parameter, two and two, between which nothing was shown although the pick lies beside: the study goes on for no other
	// reason. Only studies of one or two ordered parameters have them.
	Untried [][2]space.Option `json:"untried,omitempty"`

	// Calibration is how the study's forecasts fared.
	Calibration Calibration `json:"foretold"`

	// Blind is the blind check of the pick, nil if there was none. One that fails is the end of no study.
	Blind *BlindCheck `json:"blind,omitempty"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`

	open *goingOn // before For applied a budget; nil if none was applied
}

// Ten more answers recover about a third of what a pick misses of the best rank, whatever the space, the taste and the rater: a line through the true gains of
// 324 rehearsed stretches of ten answers (docs/results/statements.md). The last hundredth is beyond what answers with errors can tell apart.
const (
	tenRecover = 0.38
	tenBeyond  = 0.01
)

// tenMore returns by how much ten more answers are expected to raise Beats.
func (b Best) tenMore() float64 { return tenRecover * math.Max(0, 1-b.Beats-tenBeyond) }

// goingOn is a verdict before a budget ends it.
type goingOn struct {
	kind VerdictKind
	left [2]int
	late bool
}

// For returns the verdict as it is for a rater who is to give so many answers, 0 for no end, and has given some of them.
func (v Verdict) For(given, budget int) Verdict {
	v.Given, v.Budget = given, budget
	if v.open != nil {
		v.Kind, v.Left, v.Late, v.open = v.open.kind, v.open.left, v.open.late, nil
	}
	if left := budget - given; budget > 0 && v.Kind == KeepGoing {
		v.open = &goingOn{v.Kind, v.Left, v.Late}
		v.Left = [2]int{min(v.Left[0], left), min(v.Left[1], left)}
		if left <= 0 {
			v.Kind, v.Left, v.Late = BudgetReached, [2]int{}, false
			if v.Best.Displeased > 0.5 && v.Best.Taken < 0.5 && !v.FollowsOrder { // better said than that the pick is better than others
				v.Kind = NothingPleases
			}
		}
	}
	v.Sentence = v.sentence()
	return v
}

// sentence says the verdict. Every result is a kind with numbers, and its Sentence says them in English. Package say has them in other languages. Nothing
// reads a sentence.
func (v Verdict) sentence() string {
	var text string
	switch unknown := v.Best.Option == nil; { // nobody has worked out more yet
	case unknown && v.Kind == BudgetReached:
		return "stopped at " + v.stopped()
	case unknown && !v.Kind.Done():
		return "keep going: too early to say how many questions are left"
	case v.FollowsOrder:
		return v.unordered()
	}
	switch kind, listed := v.Kind, v.Shortlist != nil; {
	case listed && kind == Settled:
		text = "done: " + v.listed()
	case listed && kind == BudgetReached:
		text = fmt.Sprintf("stopped at %s: %s", v.stopped(), v.listed())
	case kind == Settled:
		text = "done: better than about " + v.beaten()
		if few := v.few(); few != "" {
			text = fmt.Sprintf("done: %s sure that this is %s", sentence.Probability(v.Best.Top), few)
		}
		text += "; more answers would change little"
	case kind == NothingPleases:
		text = fmt.Sprintf("done: hardly anything here is good enough; %s sure that fewer than one option in ten is", sentence.Probability(v.Best.Displeased))
	case kind == BudgetReached:
		text = fmt.Sprintf("stopped at %s: better than about %s; ", v.stopped(), v.beaten())
		if n := sentence.More(v.TenMore, v.Best.Beats, sentence.Listed(v.Best.TopShare, v.Items)); n > 0 {
			text += fmt.Sprintf("ten more answers would raise that by about %d", n)
		} else {
			text += "more answers would change little"
		}
	default:
		if text = v.goOn(); v.Answers == 0 {
			return text
		}
	}
	if v.Blind != nil && v.Blind.Of > 0 {
		text += "; " + v.Blind.Sentence
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
		return "keep going: not enough answers yet; " + ahead
	}
	if len(v.Untried) > 0 {
		name, low, high := sentence.Untried(v.Untried)
		ahead = fmt.Sprintf("but nothing near it with %s between %s and %s has been shown yet; %s", name, low, high, ahead)
	}
	text := fmt.Sprintf("keep going: better than about %s so far, %s", v.beaten(), ahead)
	if v.Shortlist != nil {
		text = fmt.Sprintf("keep going: %s sure of the best %d so far, %s", sentence.Probability(v.ShortlistSure), len(v.Shortlist), ahead)
	}
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
	if v.Kind == BudgetReached {
		stands = "stopped at " + v.stopped()
	}
	why := strings.TrimSuffix(sentence.FollowsOrder.English(), ".")
	return stands + ": " + strings.ToLower(why[:1]) + why[1:]
}

// listed names the items of a shortlist, and says how sure it is.
func (v Verdict) listed() string {
	ids := xslices.Map(v.Shortlist, space.Option.Item)
	return fmt.Sprintf("%s sure that these are the best %d of %d: %s", sentence.Probability(v.ShortlistSure), len(ids), v.Items, sentence.List(ids))
}

// few says among how many items of a list the pick is with probability Best.Top; it is empty in a space.
func (v Verdict) few() string {
	listed := sentence.Listed(v.Best.TopShare, v.Items)
	n := int(math.Round(v.Best.TopShare * float64(listed)))
	switch {
	case listed == 0:
		return ""
	case n == 1:
		return "the best of the list"
	}
	return fmt.Sprintf("one of the best %d of %d", n, listed)
}

// beaten writes a share of all options: "97% of all options", of a list "22 of the other 23".
func (v Verdict) beaten() string {
	n, others := sentence.Beats(v.Best.Beats, sentence.Listed(v.Best.TopShare, v.Items))
	if others == 0 {
		return fmt.Sprintf("%d%% of all options", n)
	}
	return fmt.Sprintf("%d of the other %d", n, others)
}
