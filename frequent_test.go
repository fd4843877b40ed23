package prefer

import (
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// most returns in how many of the last questions before end, at least from, the item is that is in the largest share of them.
func most(asked []Question, from, end int) (id string, n, window int) {
	var share float64
	for begin := 0; begin+from <= end; begin++ {
		count := map[string]int{}
		for _, q := range asked[begin:end] {
			for _, o := range []space.Option{q.First, q.Second} {
				count[o.Item()]++
				if s := float64(count[o.Item()]) / float64(end-begin); s > share {
					id, n, window, share = o.Item(), count[o.Item()], end-begin, s
				}
			}
		}
	}
	return id, n, window
}

// TestFrequent: until every item was shown, in no stretch of twelve questions or more is an item in more than half, with features or without; without
// the rule the favourite is in nine of ten. Afterwards it may be.
func TestFrequent(t *testing.T) {
	const twelve = 12
	for name, items := range map[string][]space.Item{"features": gallery(14), "names": names(14)} {
		s := start(t, Config{Space: list(items...), Answers: Answers{Forced: true}, Seed: 1})
		asked := judge(t, s, 30, func(id string) float64 { return float64(placeOf(items, id)) })
		seen, checked := map[string]bool{}, 0
		for end := 1; end <= len(asked) && len(seen) < len(items); end++ { // the last one that is checked was chosen before the last item was shown
			seen[asked[end-1].First.Item()], seen[asked[end-1].Second.Item()] = true, true
			if end < twelve {
				continue
			}
			checked++
			if id, n, window := most(asked, twelve, end); 2*n > window {
				t.Errorf("%s: %s is in %d of the %d questions before number %d", name, id, n, window, end+1)
			}
		}
		if checked == 0 {
			t.Errorf("%s: all items were shown in fewer than %d questions", name, twelve)
		}
		if _, n, window := most(asked, twelve, len(asked)); name == "names" && 2*n <= window {
			t.Errorf("%s: the favourite is left out until the end", name)
		}
	}
}

// TestFrequentByHand: which items are left out was worked out by hand.
func TestFrequentByHand(t *testing.T) {
	items := names(8)
	for _, c := range []struct{ pairs, frequent string }{
		{"01 02 03 04 05 12 34", ""},                    // the next would be the sixth of the first twelve
		{"01 02 03 04 05 06 12 34", "0"},                // the seventh
		{"12 34 56 71 23 45 67 01 02 03 04 05", ""},     // 6 of the last 12, but 5 of the 11 before the next
		{"12 34 56 71 23 01 45 02 03 04 05 06", "0"},    // 7 of 12
		{"01 02 03 04 05 06 12 34 56 71 23 45 67", ""},  // of 14 it would be in 7
		{"01 02 03 04 05 06 07 12 34 56 71 23 45", "0"}, // of 14 it would be in 8
	} {
		s := start(t, Config{Space: list(items...)})
		v := s.view("")
		for i := 0; i < len(c.pairs); i += 3 {
			a, b, err := v.code.Pair(space.ItemOption("n"+c.pairs[i:i+1]), space.ItemOption("n"+c.pairs[i+1:i+2]))
			if err != nil {
				t.Fatal(err)
			}
			v.past = append(v.past, &asked{a: a, b: b}, &asked{Question: Question{Rater: "another"}, a: a, b: b})
		}
		frequent, got := pairs.Frequent(v.code, askedPairs(v.past), "", v.shown), ""
		for i := range items {
			if x, _ := v.code.Unit(space.ItemOption(items[i].ID)); frequent[coding.Bits(x)] {
				got += fmt.Sprint(" ", i)
			}
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.frequent {
			t.Errorf("after %s: %q are left out, want %q", c.pairs, got, c.frequent)
		}
	}
}
