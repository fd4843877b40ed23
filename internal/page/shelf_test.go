package page

import (
	"testing"
	"time"

	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

func TestShelf(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name         string
		answers      int
		before       time.Duration
		title, words string
	}{
		{"creatures-2", 0, 0, "Creatures 2", "No answers yet · just now"},
		{"café-au-lait", 1, time.Minute, "Café au lait", "1 answer · 1 minute ago"},
		{"Card of the shop-12", 20, 3*time.Hour + time.Minute, "Card of the shop 12", "20 answers · 3 hours ago"},
		{"iOS-26", 3, 25 * time.Hour, "iOS 26", "3 answers · 1 day ago"},
		{"x", 3, 100 * 24 * time.Hour, "X", "3 answers · 24 November 2025"},
	} {
		row := shelf([]store.Info{{Name: c.name, Answers: c.answers, Changed: now.Add(-c.before)}}, now)[0]
		if row.Title != c.title || row.Words != c.words || row.Name != c.name {
			t.Errorf("%s is called %q, %q; want %q, %q", c.name, row.Title, row.Words, c.title, c.words)
		}
	}
}

// Values are drawn as bars as long as they are large, a colour as itself.
func TestBars(t *testing.T) {
	sp := []space.Parameter{space.Float("a", 0, 10), space.Ordinal("b", space.ValueOf("S"), space.ValueOf("M"), space.ValueOf("L")), space.Switch("c")}
	got := bars(sp, space.Option{"a": space.ValueOf(5), "b": space.ValueOf("L"), "c": space.ValueOf(false)})
	want := small + `<rect class="s" x="12" y="16.0" width="32" height="6" rx="3"/><rect class="f" x="12" y="16.0" width="19.0" height="6" rx="3"/>` +
		`<rect class="s" x="12" y="25.0" width="32" height="6" rx="3"/><rect class="f" x="12" y="25.0" width="32.0" height="6" rx="3"/>` +
		`<rect class="s" x="12" y="34.0" width="32" height="6" rx="3"/><rect class="f" x="12" y="34.0" width="6.0" height="6" rx="3"/></svg>`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := bars(nil, space.Option{"hue": space.ValueOf(200), "lightness": space.ValueOf(70), "chroma": space.ValueOf(.1)}); got != `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 56"><path style="fill:oklch(0.7 0.1 200)" d="M0 0h56v56H0z"/></svg>` {
		t.Error(got)
	}
}
