package settings

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
)

// Appearance says how a study looks to those who answer. The zero value works for every study: without a template the page shows the item, or the values
// of the parameters. A new study writes Goal to its log, as Config.Budget. Words change what raters read; logs and replies keep the names.
type Appearance struct {
	Template     Template                     `json:"template,omitzero" doc:"How an option is drawn."`
	Goal         int                          `json:"goal,omitempty" doc:"For a study without a budget: number of answers per rater after which the result is offered; 0 leaves it to the verdict."`
	Markdown     bool                         `json:"markdown,omitempty" doc:"Texts of items are Markdown."`
	Descriptions map[string]string            `json:"descriptions,omitempty" doc:"Descriptions of items, by id, for people who cannot see them."`
	Complete     string                       `json:"complete,omitempty" doc:"Address that raters are sent to at the end."` // like the completion URL of Prolific
	Language     string                       `json:"language,omitempty" doc:"The language of raters' pages, a tag like \"de\"; without one, the browser's."`
	Prompts      map[string]string            `json:"prompts,omitempty" doc:"The prompt in other languages, by their tags: {\"de\": \"Welches ist schöner?\"}."`
	Situations   map[string]string            `json:"situations,omitempty" doc:"The question for a rater's situation, by language: {\"de\": \"Wo bist du gerade?\"}."`
	Words        map[string]map[string]string `json:"words,omitempty" doc:"What raters read in place of names and values of parameters, by language: {\"de\": {\"light\": \"Licht\", \"day\": \"Tag\"}}."`
	Paused       bool                         `json:"paused,omitempty" doc:"Raters are asked to come back later."`
}

// Limits of what pages show.
const (
	MaxDescription = 1000    // the longest description of an item, in bytes
	maxGoal        = 1000    // the most answers a page may ask for
	maxPrompt      = 10_000  // the longest prompt, or other text in a language, in bytes
	maxTemplate    = 1 << 20 // the size of the largest template, in bytes
)

// Validate reports the first setting that makes no sense.
func (s Appearance) Validate() error {
	if _, ok := language.Of(s.Language); !ok && s.Language != "" {
		return token.RefuseField("page.language", s.Language, "language is %.40q, want one that pages have words in: %s", s.Language, strings.Join(language.Tags(), ", "))
	}
	if err := cmp.Or(inLanguages("prompts", "prompt", s.Prompts), inLanguages("situations", "situation", s.Situations)); err != nil {
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(s.Words)) {
		for _, word := range slices.Sorted(maps.Keys(s.Words[tag])) {
			if err := inLanguages("words", fmt.Sprintf("word for %.80q", word), map[string]string{tag: s.Words[tag][word]}); err != nil {
				return err
			}
		}
	}
	if err := s.Template.Validate(); err != nil {
		return err
	}
	if s.Goal < 0 || s.Goal > maxGoal {
		return fmt.Errorf("goal is %d answers, want 0 (let the verdict decide) to %d", s.Goal, maxGoal)
	}
	for id, text := range s.Descriptions {
		if len(text) > MaxDescription {
			return fmt.Errorf("the description of %.80q has %d bytes, want at most %d", id, len(text), MaxDescription)
		}
	}
	if s.Complete != "" {
		if err := webAddress("complete", s.Complete); err != nil {
			return token.RefuseField("page.complete", s.Complete, "%s", err)
		}
	}
	return nil
}

// inLanguages reports the first of some texts that is empty, too long, or in a language that pages do not have.
func inLanguages(field, noun string, texts map[string]string) error {
	for _, tag := range slices.Sorted(maps.Keys(texts)) {
		if !slices.Contains(language.Tags(), tag) {
			return token.RefuseField("page."+field, tag, "%s has one in %.40q, want languages that pages have words in: %s", field, tag, strings.Join(language.Tags(), ", "))
		}
		if n := len(texts[tag]); n == 0 || n > maxPrompt {
			return token.RefuseField("page."+field+"."+tag, nil, "the %s in %q has %d bytes, want 1 to %d", noun, tag, n, maxPrompt)
		}
	}
	return nil
}

// unknownWord returns the first word that is neither a name nor a value of a parameter or feature, or "".
func (s Appearance) unknownWord(searched space.Space) string {
	names := placeholders(searched)
	for _, p := range searched.Parameters {
		names = append(names, xslices.Map(p.Values(), space.Value.String)...)
	}
	for _, it := range searched.Items {
		names = append(names, xslices.Map(slices.Collect(maps.Values(it.Features)), space.Value.String)...)
	}
	for _, tag := range slices.Sorted(maps.Keys(s.Words)) {
		for _, word := range slices.Sorted(maps.Keys(s.Words[tag])) {
			if !slices.Contains(names, word) {
				return word
			}
		}
	}
	return ""
}

// webAddress reports whether text is an absolute http or https address.
func webAddress(field, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Contains(u.Host, "{") {
		return fmt.Errorf("%s is %.80q, want an address that begins with https:// or http:// and a fixed host", field, text)
	}
	return nil
}

// Template draws an option: a text with {{parameter}} in place of values; in a list the names are features of items, and {{item}} is the item's ID.
type Template struct {
	// Kind is "svg", a drawing; "html", a page run in a sandbox; "image" or "page", the address of one elsewhere. Empty for no template.
	Kind string `json:"kind,omitempty" enum:"svg,html,image,page" doc:"A drawing, a page, or the address of a picture or a page."`
	Text string `json:"text,omitempty" doc:"With {{parameter}} wherever a value goes."`

	// Width and Height are the window, in CSS pixels, in which a page is laid out and then scaled. Default to 640 × 480 for "html" and 1280 × 800 for "page".
	Width  int `json:"width,omitempty" minimum:"0" maximum:"4096" doc:"Of the window in which a page is laid out, in CSS pixels; 640 by default, of an address 1280."`
	Height int `json:"height,omitempty" minimum:"0" maximum:"4096" doc:"Of that window; 480 by default, of an address 800."`
}

// Size returns the window of a page; 0 × 0 for a template that is none.
func (t Template) Size() (width, height int) {
	switch t.Kind {
	case "html":
		return cmp.Or(t.Width, 640), cmp.Or(t.Height, 480)
	case "page":
		return cmp.Or(t.Width, 1280), cmp.Or(t.Height, 800)
	}
	return 0, 0
}

// The smallest and the largest side of a window.
const (
	minWindow = 120
	maxWindow = 4096
)

var placeholder = regexp.MustCompile(`\{\{\s*([^{}]+?)\s*\}\}`)

// Validate reports what is wrong with the template.
func (t Template) Validate() error {
	switch t.Kind {
	case "":
		if t.Text != "" {
			return fmt.Errorf("the template has a text and no kind, want svg, html, image or page")
		}
		return nil
	case "svg", "html":
		if len(t.Text) > maxTemplate {
			return fmt.Errorf("the template has %d bytes, want at most %d", len(t.Text), maxTemplate)
		}
	case "image", "page":
		bare := placeholder.ReplaceAllString(t.Text, "0")
		if err := webAddress("the template", bare); err != nil {
			return err
		}
		if first := strings.Index(t.Text, "{{"); first >= 0 && first < len(t.Origin()) {
			return fmt.Errorf("the template %.80q has a placeholder in its host, want it in the path or after the ?", t.Text)
		}
	default:
		return fmt.Errorf("the template is of kind %q, want svg, html, image or page", t.Kind)
	}
	if strings.TrimSpace(t.Text) == "" {
		return fmt.Errorf("the template is empty")
	}
	for _, side := range []struct {
		name   string
		pixels int
	}{{"width", t.Width}, {"height", t.Height}} {
		switch {
		case side.pixels == 0:
		case t.Kind == "svg" || t.Kind == "image":
			return fmt.Errorf("the template is of kind %q and has a %s of %d pixels, want none: a picture has a size of its own", t.Kind, side.name, side.pixels)
		case side.pixels < minWindow || side.pixels > maxWindow:
			return fmt.Errorf("the %s of the template is %d pixels, want %d to %d", side.name, side.pixels, minWindow, maxWindow)
		}
	}
	return nil
}

// Replace replaces each placeholder by what value returns; where that is not ok the placeholder stays, so that a misspelt name is seen.
func (t Template) Replace(value func(name string) (text string, ok bool)) string {
	return placeholder.ReplaceAllStringFunc(t.Text, func(m string) string {
		if text, ok := value(placeholder.FindStringSubmatch(m)[1]); ok {
			return text
		}
		return m
	})
}

// Origin is the scheme and host that an address template loads from; empty for drawings and pages of our own.
func (t Template) Origin() string {
	if t.Kind != "image" && t.Kind != "page" {
		return ""
	}
	u, err := url.Parse(placeholder.ReplaceAllString(t.Text, "0"))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// placeholders lists what a template may have places for.
func placeholders(searched space.Space) []string {
	names := xslices.Map(searched.Parameters, func(p space.Parameter) string { return p.Name })
	if len(searched.Items) == 0 {
		return names
	}
	return slices.Concat(names, slices.Collect(maps.Keys(searched.Items[0].Features)), []string{"item", "text"})
}
