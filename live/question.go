package live

import (
	"cmp"
	"context"
	"maps"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Question is a pair as it is put to a rater.
type Question struct {
	ID         string   `json:"question_id"`
	Seq        int      `json:"seq" doc:"Its position in the study's log."`
	Kind       string   `json:"kind" enum:"pair"`
	Prompt     string   `json:"prompt"`
	Rater      string   `json:"rater,omitempty"`
	Options    []Shown  `json:"options" doc:"In the order in which they are to be shown."`
	ShownOrder []string `json:"shown_order" doc:"The ids of the options in that order."`
	Repeat     bool     `json:"repeat" doc:"It repeats an earlier question; only for the owner."`
	Practice   bool     `json:"practice,omitempty" doc:"A practice question: nothing is learned from the answer."`
	Blind      bool     `json:"blind,omitempty" doc:"A blind duel of the study's pick, which is not learned from."`
	Why        *Why     `json:"why,omitempty" doc:"How it was chosen; only for the owner."`
	Status     Status   `json:"status"`

	// Asked is the question as the log has it; Swapped says that its second option is shown first. Raters must not know either.
	Asked   prefer.Question `json:"-"`
	Swapped bool            `json:"-"`
}

// Shown is one side of a question: a setting or an item.
type Shown struct {
	ID     string       `json:"option_id"`
	Params space.Option `json:"params,omitempty"`
	Item   *ShownItem   `json:"item,omitempty"`
	Media  *Media       `json:"media,omitempty"`
}

// ShownItem is an item without its features, which would say what the study is about. The Text of an item that has neither text nor media is its ID.
type ShownItem struct {
	ID    string `json:"id"`
	Media string `json:"media,omitempty"`
	Text  string `json:"text,omitempty"`
}

// Media is something to look at or listen to.
type Media struct {
	Type string `json:"type" enum:"image,audio,video,text,other"`
	URL  string `json:"url"`
}

// Why says how a question was chosen.
type Why struct {
	Method string   `json:"method"`
	Value  float64  `json:"value" doc:"What the answer is expected to add to the best utility, in units of the noise."`
	PFirst *float64 `json:"p_first,omitempty" doc:"Probability that the option shown first is preferred, when there must be one."`
}

// pose puts a question of the log as it is shown.
func (r *Study) pose(q prefer.Question, owner bool) Question {
	return inIndex(r, func(x *index) Question { return r.poseAt(x, q, owner) })
}

// poseAt is pose under the lock.
func (r *Study) poseAt(x *index, q prefer.Question, owner bool) Question {
	as := x.questions[q.ID]
	if !x.answered[q.ID] {
		r.posed.Store(q.ID, as)
	}
	first, second := q.First, q.Second
	if as.swapped {
		first, second = second, first
	}
	number := strings.TrimPrefix(string(q.ID), "q")
	left, right := r.shown(x, "o_"+number+"a", first), r.shown(x, "o_"+number+"b", second) // an id that knew the order of the log would tell which was held, or is expected to win
	return Question{
		ID: string(q.ID), Seq: as.seq, Kind: "pair", Prompt: q.Prompt, Rater: q.Rater,
		Options: []Shown{left, right}, ShownOrder: []string{left.ID, right.ID},
		Repeat: owner && q.RepeatOf != "", Practice: q.Method == practice, Blind: q.Blind != nil, Asked: q, Swapped: as.swapped,
		Status: r.status(x, q.Rater, r.Config.Space.Context(q.First)).visibleTo(r, owner),
	}
}

func (r *Study) shown(x *index, id string, o space.Option) Shown {
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
		if r.studies.cfg.Media != nil {
			out.Media = r.studies.cfg.Media(r.Name, it)
		}
	}
	return out
}

// Show returns an option in the form in which questions bring it.
func (r *Study) Show(o space.Option) Shown {
	return inIndex(r, func(x *index) Shown { return r.shown(x, "", o) })
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
