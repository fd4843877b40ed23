package page

import (
	"fmt"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/space"
)

// Look is what drawing an option takes. It is the same for all options of a study, so that nothing but the options themselves differs between two
// of them.
type Look struct {
	Template string
	Size     string // of the window in which a page is laid out, "640x480"; empty where there is none
	Texts    string // how texts are set: "short" or "long"
	Markdown bool
	Params   []space.Parameter
}

// look says how options of the study are drawn.
func (v visitor) look() Look {
	page := v.Settings.Page
	out := Look{Template: page.Template.Kind, Texts: textsOf(v.items()), Markdown: page.Markdown, Params: v.Config.Space.Parameters}
	if w, h := page.Template.Size(); w > 0 {
		out.Size = fmt.Sprintf("%dx%d", w, h)
	}
	return out
}

// shortText is the number of characters up to which all texts of a list are set large, like names and slogans.
const shortText = 60

// textsOf says how the texts of a list are set. It is the longest that decides for all: were each set by its own length, people would compare type
// and not words.
func textsOf(items []space.Item) string {
	for _, it := range items {
		text := it.Text
		if text == "" {
			text = it.ID
		}
		if media.Type(it.Media) == "text" || utf8.RuneCountInString(text) > shortText {
			return "long"
		}
	}
	return "short"
}
