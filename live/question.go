package live

import (
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Question is a pair as it is put to a rater.
type Question struct {
	ID         string   `json:"question_id"`
	Seq        int      `json:"seq" doc:"Where in the study's log it was asked."`
	Kind       string   `json:"kind" enum:"pair"`
	Prompt     string   `json:"prompt"`
	Rater      string   `json:"rater,omitempty"`
	Options    []Shown  `json:"options" doc:"In the order in which they are to be shown."`
	ShownOrder []string `json:"shown_order" doc:"The ids of the options in that order."`
	Repeat     bool     `json:"repeat" doc:"It repeats an earlier question; told to the owner only."`
	Practice   bool     `json:"practice,omitempty" doc:"To get used to it: nothing is learned from the answer, and it counts for nothing."`
	Blind      bool     `json:"blind,omitempty" doc:"A blind duel of the study's pick, which is not learned from."`
	Why        *Why     `json:"why,omitempty" doc:"How it was chosen; told to the owner only."`
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

// Ahead is what may be shown to a rater after her next answer.
type Ahead struct {
	Options []Shown `json:"options"` // each once, in no order that tells which answer leads to which
	All     bool    `json:"all"`     // no more will be known before she answers
}

// Ahead returns what may be shown to a rater after the next answer, as far as it is chosen; only to the owner where there are hidden checks.
func (s *Studies) Ahead(r *Study, rater string, owner bool) Ahead {
	hidden := r.Settings.Checks.RepeatRate > 0 || len(r.Settings.Checks.Catch) > 0
	if hidden && !owner || r.situation(rater, s.cfg.Now()).others > 0 { // beside others nothing is chosen ahead
		return Ahead{Options: []Shown{}, All: true}
	}
	next, all := r.host().Ahead(rater)
	out := Ahead{Options: []Shown{}, All: all}
	seen := map[string]bool{}
	r.look(func(x *index) {
		for _, q := range next {
			for _, o := range []space.Option{q.First, q.Second} {
				if name := o.String(); !seen[name] {
					seen[name] = true
					out.Options = append(out.Options, s.shown(r, x, "", o))
				}
			}
		}
	})
	slices.SortFunc(out.Options, func(a, b Shown) int { return strings.Compare(a.name(), b.name()) })
	return out
}

// name is what tells an option from others.
func (o Shown) name() string {
	if o.Item != nil {
		return o.Item.ID
	}
	return o.Params.String()
}
