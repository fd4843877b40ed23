package page

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

var inline = regexp.MustCompile(`(?i)<script(?:[^>]*)>\s*[^<\s]|\sstyle="|\son[a-z]+="|<style`)

// TestViews: every view renders with hostile text in every field, holds nothing inline that a strict content
// policy would stop, and loads nothing from elsewhere.
func TestViews(t *testing.T) {
	const evil = `"><script>alert(1)</script>`
	frame := Frame{Root: "/p", Title: evil, Study: evil, Base: "/s/x", Token: evil, Owner: true}
	shown, option := Shown{Label: evil, As: live.Shown{ID: evil}}, space.Option{evil: space.ValueOf(evil)}
	take := Take{Name: evil, Question: evil, Line: evil, Option: option, Rounded: option, As: shown.As, File: evil, Address: evil, Text: evil}
	look := Look{Template: evil, Params: []space.Parameter{{Name: evil}}}
	jobs := Jobs{Frame: frame, Trouble: evil, Simulation: &Going{Busy: true, Line: evil, NoWorker: true, Failure: evil},
		Plan:   &Plan{Sentences: []string{evil}, Chart: PlanChart([]PlanLevel{{Label: evil}}, 60), Levels: []PlanLevel{{Label: evil, Half: evil}}, Near: evil, Caveat: evil},
		Report: &Going{Failure: evil}, Reports: []live.Job{{URL: "javascript:alert(1)", Rater: evil}}}
	person := Person{Rater: evil, Name: evil, Result: "javascript:alert(1)", Progress: evil, Headline: evil, Favourite: &shown, Cost: evil, Words: evil, Warn: true}
	for _, each := range []any{
		Start{Frame: frame, Demos: []demo.Demo{{Name: evil, Title: evil, Blurb: evil}}, Studies: []Row{{Info: store.Info{Name: evil}, Title: evil, Words: evil}}, Uploads: true},
		Answer{Frame: frame, Look: look, Prompt: evil, Rater: evil, Session: evil, Check: 3, Complete: "javascript:alert(1)"},
		Result{Frame: frame, Look: look, Pick: &shown, Sentences: view.Sentences{Headline: evil, Claim: evil, More: evil, Blind: evil}, Why: evil, Take: &take, Strips: []Strip{{Sentence: evil, Cells: []Cell{{Shown: shown, Value: evil, Odds: evil, Colour: evil}}}},
			Top: []RankLine{{view.Ranked{Label: evil, Words: evil}, shown.As}}, Of: evil, After: evil, Details: true},
		Details{Frame: frame, Calibration: evil, About: evil, Try: &Try{Fields: []TryField{{Name: evil, Choices: []space.Value{space.ValueOf(evil)}}}, Items: []live.Shown{{Item: &live.ShownItem{ID: evil}}}}, Learned: view.Learned{Untold: evil, Lines: []view.Line{{ID: evil, Name: evil, Sentence: evil}}},
			Map: &Map{Axes: []NameValue{{evil, evil}, {"b", "b"}}, X: evil, Keep: []NameValue{{evil, evil}}}, Gallery: &Gallery{Best: []RankLine{{view.Ranked{Label: evil, Words: evil, Tied: true}, shown.As}}}, Path: true,
			History: &History{Raters: []Choice{{evil, evil, true}}, Keep: []NameValue{{evil, evil}}, List: []Past{{ID: evil, Left: shown, Right: shown, Choice: evil, Why: evil, Odd: evil, Rater: evil, CanFlip: true}}}},
		Everybody{Frame: frame, Look: look, After: evil, People: []Person{person, {Out: true}}, Sentence: evil, Pick: &shown, Take: &take,
			Agreement: chart.Agreement{Names: []string{evil}, Label: evil}.HTML(), Camps: []Shown{shown, shown}},
		Owner{Frame: frame, Look: look, Prompt: evil, People: []Person{person}, Raters: []view.Rater{{Name: evil}}, Links: []LinkLine{{ID: evil, Who: evil}}, Guests: []LinkLine{{Who: evil}}, Each: true, Names: []NameValue{{evil, evil}}, Jobs: jobs,
			Reach: []string{evil}, Changes: []ChangeLine{{Words: []string{evil}}}, Settings: SettingsForm{Summary: evil, Prompt: evil, Complete: evil, Repeats: []Choice{{Value: evil, Words: evil}}, Languages: []Choice{{Value: evil, Words: evil}}, Prompts: []NameValue{{evil, evil}}, Catch: []CatchLine{{evil, evil}}, Fields: []TryField{{Name: evil, Choices: []space.Value{space.ValueOf(evil)}}}}},
		Message{Frame: frame, Heading: evil, Text: evil},
	} {
		text, err := Render(each)
		if err != nil {
			t.Fatal(err)
		}
		html := string(text)
		if strings.Contains(html, "<script>") || strings.Contains(html, "javascript:") {
			t.Errorf("%T: hostile text came through", each)
		}
		if m := inline.FindString(html); m != "" {
			t.Errorf("%T: %q is inline", each, m)
		}
		if strings.Contains(html, `src="http`) || strings.Contains(html, `href="http`) {
			t.Errorf("%T: loads from elsewhere", each)
		}
		if _, part := each.(Details); part {
			continue
		}
		if strings.Count(html, "<h1") != 1 || !strings.HasPrefix(html, "<!doctype html>") || !strings.HasSuffix(html, "</html>\n\n") {
			t.Errorf("%T: not one whole page: %.60q … %.60q", each, html, html[len(html)-40:])
		}
	}
	if _, err := Render(3); err == nil {
		t.Error("a number has a view")
	}
}

// TestStatic: scripts and styles are here, and none of them names another host.
func TestStatic(t *testing.T) {
	seen := 0
	err := fs.WalkDir(files, "static", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		seen++
		text, err := fs.ReadFile(files, path)
		if strings.Contains(strings.ReplaceAll(string(text), "http://www.w3.org/2000/svg", ""), "://") {
			t.Errorf("%s names another host", path)
		}
		return err
	})
	if err != nil || seen < 6 {
		t.Errorf("%d files, %v", seen, err)
	}
}
