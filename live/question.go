package live

import (
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

	// Asked is the question as the log has it, and Swapped says that its second option is shown first. They would tell
	// a rater what she must not know.
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
