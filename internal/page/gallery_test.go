package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestGallery: all of a list that is hardly longer than the fold, else the best of it, and the rest folded.
func TestGallery(t *testing.T) {
	for n, best := range map[int]int{30: 30, 33: 24} {
		var items []space.Item
		for i := range n {
			items = append(items, space.Item{ID: fmt.Sprintf("i%02d", i)})
		}
		page := told(t, 2, prefer.Config{Space: space.Space{Items: items}}, func(prefer.Question) prefer.Choice { return prefer.First })("/s/tea/details")
		section, _, _ := strings.Cut(page[strings.Index(page, `<ol class="gallery">`):], "</section>")
		head, rest, folded := strings.Cut(section, "<details>")
		if got := strings.Count(head, `class="tile-name"`); got != best || folded != (n > best) {
			t.Errorf("of %d items %d are in sight, want %d; folded %v", n, got, best, folded)
		}
		if got := strings.Count(rest, `class="tile-name"`); folded && got != n-best {
			t.Errorf("of %d items %d are folded", n, got)
		}
		if first := strings.Index(page, ", shown once"); first < 0 || !strings.Contains(page, "place 1 to ") {
			t.Errorf("nobody says where an item may stand: %s", page)
		}
	}
}
