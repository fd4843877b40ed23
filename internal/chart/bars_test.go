package chart

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestBars: a bar is a part of all losses with nine chances in ten either side; of what nothing is known the words say so.
func TestBars(t *testing.T) {
	got := Bars{List: []prefer.Importance{{Parameter: "a<b", Loss: 3, SD: 1, Share: 0.75, Kind: "lower"}, {Parameter: "c", Loss: 1, SD: 1, Share: 0.25, Kind: "hardly"}},
		Label: "What it is worth", Href: func(name string) string { return "#" + name }}.HTML()
	// 3 ± 1.645 and 1 ± 1.645 of 4; the scale goes from 1 − 1.645 to 3 + 1.645, so that 0 is at 12.2 and 3 at 68.9.
	has(t, got, `aria-label="What it is worth"`, `<li title="75% (34–100%)">`, `<a href="#a&lt;b">a&lt;b</a>`, `<span class="part">75%</span>`, `x="12.2" y="2" width="56.7"`,
		`<li title="25% (0–66%)">`, `<span class="part">25%</span>`, `class="whisker" x1="0" y1="10" x2="62.2" y2="10"`)
	has(t, Bars{List: []prefer.Importance{{Parameter: "a", Kind: "hardly"}}}.HTML(), `width="0"`) // nothing known of nothing
}
