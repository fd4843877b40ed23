package page

import (
	"fmt"
	"net/url"
	"strings"
)

// Appearance says how a study looks to those who answer. The zero value works for every study.
type Appearance struct {
	// Template draws an option. Without one the page shows the item, or the values of the parameters.
	Template Template `json:"template,omitzero" doc:"How an option is drawn."`

	// Goal is the number of answers after which the page offers the result; 0 leaves it to the verdict.
	Goal int `json:"goal,omitempty" doc:"Answers after which the result is offered; 0 leaves it to the verdict."`

	// Markdown says that the texts of items are Markdown.
	Markdown bool `json:"markdown,omitempty" doc:"Texts of items are Markdown."`

	// Complete is where raters are sent when they are done, like the completion URL of Prolific.
	Complete string `json:"complete,omitempty" doc:"Where raters are sent when they are done."`

	// Paused turns raters away with a friendly sentence.
	Paused bool `json:"paused,omitempty" doc:"Raters are asked to come back later."`
}

// maxGoal is the longest sitting a page may ask for.
const maxGoal = 1000

// Validate reports the first setting that makes no sense.
func (s Appearance) Validate() error {
	if err := s.Template.Validate(); err != nil {
		return err
	}
	if s.Goal < 0 || s.Goal > maxGoal {
		return fmt.Errorf("page: goal is %d answers, want 0 (let the verdict decide) to %d", s.Goal, maxGoal)
	}
	if s.Complete != "" {
		if err := webAddress("complete", s.Complete); err != nil {
			return err
		}
	}
	return nil
}

// webAddress reports whether text is an absolute http or https address.
func webAddress(field, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Contains(u.Host, "{") {
		return fmt.Errorf("page: %s is %.80q, want an address that begins with https:// or http:// and a fixed host", field, text)
	}
	return nil
}
