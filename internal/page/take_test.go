package page

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestTake: what is taken is the pick, rounded where the constraints allow it, and all of it in JSON.
func TestTake(t *testing.T) {
	for constraint, rounded := range map[string]bool{"": true, "hue >= 0": true, "size <= 8.9961": false} {
		space := space.Box(space.Float("hue", 0, 360), space.Float("size", 1, 9))
		if constraint != "" {
			space.Constraints = []string{constraint}
		}
		look := told(t, 4, prefer.Config{Space: space}, func(q prefer.Question) prefer.Choice { return more(q, "size") })
		var end struct {
			Pick struct{ Params map[string]float64 }
			Take Take
		}
		if err := json.Unmarshal([]byte(look("/s/tea/ending")), &end); err != nil {
			t.Fatal(err)
		}
		if size := end.Pick.Params["size"]; !rounded && math.Round(100*size)/100 <= 8.9961 {
			t.Fatalf("the pick has size %v, which can be rounded: the test needs one that cannot", size)
		}
		size := end.Pick.Params["size"]
		if end.Take.Option.Float("size") != size || end.Take.Rounded.Float("size") != map[bool]float64{true: math.Round(100*size) / 100, false: size}[rounded] || end.Take.Line != "My pick after 4 answers" {
			t.Errorf("the pick has size %v, to take there is %+v", size, end.Take)
		}
	}
}

// TestStripsOfItems: a strip of a list goes through items that have the feature's values, the pick at its own, none twice.
func TestStripsOfItems(t *testing.T) {
	var items []space.Item
	for i, id := range strings.Split("abcdefghijklmnop", "") {
		items = append(items, space.Item{ID: id, Media: id + ".png", Features: space.Option{"size": space.ValueOf(i % 8), "kind": space.ValueOf([]string{"plain", "fancy"}[i/8])}})
	}
	look := told(t, 48, prefer.Config{Space: space.Space{Items: items}, Answers: prefer.Answers{Forced: true}}, func(q prefer.Question) prefer.Choice {
		if q.First.Item()[0]%8 > q.Second.Item()[0]%8 { // h and p are 0, g and o 7 of them
			return prefer.First
		}
		return prefer.Second
	})
	page := look("/s/tea/result")
	strip := regexp.MustCompile(`(?s)<figure class="along">.*?</figure>`).FindString(page)
	ids := regexp.MustCompile(`data-cell="{[^"]*?&#34;id&#34;:&#34;(\w)&#34;|(class="it")`).FindAllStringSubmatch(strip, -1)
	seen := map[string]bool{}
	picks := 0
	for _, m := range ids {
		if m[2] != "" {
			picks++
			continue
		}
		if seen[m[1]] {
			t.Errorf("%s is there twice", m[1])
		}
		seen[m[1]] = true
	}
	if picks != 1 || len(seen) < 5 {
		t.Errorf("%d picks among the items %v of %q", picks, seen, strip)
	}
}
