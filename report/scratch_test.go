package report

import (
	"github.com/prefer-bo/prefer"
	"os"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	dir := os.Getenv("SCRATCH")
	if dir == "" {
		t.Skip()
	}
	start := time.Now()
	put := func(n string, s *prefer.Study, o Options) {
		os.WriteFile(dir+"/"+n+".html", []byte(written(t, s, o)), 0o644)
		t.Log(n, time.Since(start))
	}
	s := played(t, prefer.Config{Space: coffee(), Prompt: "Which coffee would you rather drink now?"}, 32, taste, "anna", "clara")
	put("mixed", s, Options{Title: "Espresso, spring menu", Version: "prefer v0.2.0"})
	s = played(t, prefer.Config{Space: coffee(), People: prefer.PerRater}, 36, taste, "anna", "ben", "clara")
	put("group", s, Options{Title: "Espresso"})
	put("ben", s, Options{Title: "Espresso", Rater: "ben"})
	f := flavours(40, true)
	s = played(t, prefer.Config{Space: f}, 30, func(_ string, o prefer.Option) float64 {
		for i := range f.Items {
			if f.Items[i].ID == o.Item() {
				return 4 * f.Items[i].Features["cocoa"].Float()
			}
		}
		return 0
	}, "")
	put("list", s, Options{Title: "Ice cream"})
	s = played(t, prefer.Config{Space: f}, 0, nil, "")
	put("empty", s, Options{})
}
