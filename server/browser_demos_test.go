package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var strangers = flag.Int("strangers", 0, "how many people with hidden tastes try each demonstration; 0: one tries one")

// TestBrowserDemonstrations has strangers with hidden tastes, who are wrong in 12 of 100 answers, go through every demonstration
// to its end, and holds what the page claims of their favourite against the share of random options that it truly beats. In CI one
// tries the palette; docs/results/page.md tells how twenty fared:
//
//	go test ./server -run '^TestBrowserDemonstrations$' -strangers 20 -v -timeout 0
func TestBrowserDemonstrations(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Media, c.Budget = t.TempDir(), 300*time.Millisecond })
	web := newBrowser(t)
	demos, each := []string{"creatures", "palette", "poster", "coffee"}, *strangers
	if each == 0 {
		demos, each = []string{"palette"}, 1
	}
	for _, demo := range demos {
		var truly, claimed []float64
		for n := range each {
			var made struct{ Name string }
			h.want(200, "POST", "/start/demo", `{"name":"`+demo+`"}`, &made)
			traits, items := traitsOf(t, demo)
			rng := rand.New(rand.NewPCG(uint64(n), 17))
			who := somebody(rng, traits)
			others := random(rng, traits, 2000)
			if items != nil {
				likes := who.likes
				who.likes = func(o seen) float64 { return likes(items[o["item"]]) }
				others = nil
				for id := range items {
					others = append(others, seen{"item": id})
				}
			}
			b := h.open(t, web)
			b.size(1280, 800, "light")
			b.visit("/s/" + made.Name)
			answers := who.answers(b, 60)
			picks := b.look("#finish-pick")
			if len(picks) != 1 || len(picks[0]) < 2 {
				t.Fatalf("%s: no favourite at the end: %s", demo, b.text(`document.querySelector('#finish').textContent`))
			}
			if items != nil { // of the other ones
				others = slices.DeleteFunc(others, func(o seen) bool { return o["item"] == picks[0]["item"] })
			}
			share := who.beats(picks[0], others)
			claim := claimOf(b.text(`document.querySelector('#finish-text').textContent`))
			t.Logf("%s, stranger %d: %d answers, truly better than %.0f of 100, the page claims %.0f: %s", demo, n, answers, 100*share, 100*claim,
				b.text(`document.querySelector('#finish-title').textContent + ': ' + document.querySelector('#finish-text').textContent`))
			truly, claimed = append(truly, share), append(claimed, claim)
		}
		t.Logf("%s: truly better than %.0f of 100 at the median, %.0f at worst; claimed %.0f at the median", demo, 100*quantile(truly, 0.5), 100*slices.Min(truly), 100*quantile(claimed, 0.5))
		if each >= 20 && quantile(truly, 0.5) < 0.9 {
			t.Errorf("%s: the favourites beat only %.0f of 100 at the median", demo, 100*quantile(truly, 0.5))
		}
	}
}

// traitsOf reads what a demonstration's options are made of: its parameters, or the features of its items.
func traitsOf(t *testing.T, demo string) ([]trait, map[string]seen) {
	t.Helper()
	text, err := os.ReadFile("../internal/demo/demos/" + map[bool]string{false: demo, true: "cup"}[demo == "coffee"] + ".json") // coffee is the terminal's
	if err != nil {
		t.Fatal(err)
	}
	var is struct {
		Study struct {
			Params []trait
			Items  []struct {
				ID       string
				Features map[string]any
			}
		}
	}
	if err := json.Unmarshal(text, &is); err != nil {
		t.Fatal(err)
	}
	if is.Study.Items == nil {
		return is.Study.Params, nil
	}
	items, traits := map[string]seen{}, map[string]trait{}
	for _, it := range is.Study.Items {
		items[it.ID] = seen{}
		for name, value := range it.Features {
			items[it.ID][name] = fmt.Sprint(value)
			f, there := traits[name]
			f.Name = name
			switch x := value.(type) {
			case float64:
				if f.Type = "float"; !there {
					f.Low, f.High = x, x
				}
				f.Low, f.High, f.Circular = min(f.Low, x), max(f.High, x), name == "hue"
			default:
				if f.Type = "categorical"; !slices.Contains(f.Choices, fmt.Sprint(value)) {
					f.Choices = append(f.Choices, fmt.Sprint(value))
				}
			}
			traits[name] = f
		}
	}
	var out []trait
	for _, f := range traits {
		if f.Circular {
			f.Low, f.High = 0, 360
		}
		slices.Sort(f.Choices)
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b trait) int { return strings.Compare(a.Name, b.Name) })
	return out, items
}

// claimed matches what a page says of the share of options that a favourite beats, and amongBest what it says of a list.
var (
	claimed   = regexp.MustCompile(`over about (\d+)(?:%| of the other (\d+))`)
	amongBest = regexp.MustCompile(`one of the best (\d+) of (\d+)`)
)

func claimOf(text string) float64 {
	m := claimed.FindStringSubmatch(text)
	if few := amongBest.FindStringSubmatch(text); few != nil {
		n, _ := strconv.ParseFloat(few[1], 64)
		of, _ := strconv.ParseFloat(few[2], 64)
		return (of - n) / (of - 1)
	}
	if m == nil {
		return 1 // "this is the best of the list"
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	if of, err := strconv.ParseFloat(m[2], 64); err == nil {
		return n / of
	}
	return n / 100
}
