package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/space"
)

var sectionID = regexp.MustCompile(`<section id="([a-z]+)">`)

// sections lists the sections of a page in order.
func sections(page string) string {
	var out []string
	for _, m := range sectionID.FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}

var drawn = regexp.MustCompile(`(?s)<svg .*?</svg>`)

// checkPage holds what is true of every page: drawings are well-formed, labelled and free of NaN, nothing is fetched, no
// script runs.
func checkPage(t *testing.T, page string) {
	t.Helper()
	if !strings.Contains(page, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">`) {
		t.Error("the page does not say that it needs nothing from elsewhere and runs no script")
	}
	for _, svg := range drawn.FindAllString(page, -1) {
		if strings.HasPrefix(svg, `<svg class="album" aria-hidden="true">`) { // what pictures are made of
			continue
		}
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
		if !strings.Contains(svg, `role="img" aria-label="`) || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf\"") {
			t.Errorf("a drawing without a label, or with numbers that are none: %s", svg)
		}
	}
	if got, want := strings.Count(page, "<svg"), len(drawn.FindAllString(page, -1)); got != want {
		t.Errorf("%d drawings begin, %d end", got, want)
	}
	for _, bad := range []string{"<script", "<link", "src=\"http", "@import", "ZgotmplZ", "%!", "&lt;nil"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q in it", bad)
		}
	}
	if strings.Count(page, "<h1>") != 1 || !strings.Contains(page, `<html lang="en">`) {
		t.Error("a page has one heading and a language")
	}
}

// TestWrite: the sections of a study of parameters, and the numbers of the API in them.
func TestWrite(t *testing.T) {
	ctx := context.Background()
	s := played(t, prefer.Config{Space: coffee(), Prompt: "Which coffee?", Seed: 77}, 12, taste, "anna", "clara")
	if _, err := s.Ask(ctx, prefer.Request{Rater: "looked"}); err != nil { // who is not in the report
		t.Fatal(err)
	}
	last, total := 0, 0
	page := written(t, s, Options{Title: "Espresso", Version: "prefer v9", Progress: func(done, steps int) {
		if done < last || done > steps {
			t.Errorf("step %d of %d after %d", done, steps, last)
		}
		last, total = done, steps
	}})
	checkPage(t, page)
	if got := sections(page); got != "pick matters raters path methods" {
		t.Errorf("sections %q", got)
	}
	if last != total || total != 12 {
		t.Errorf("the last step is %d of %d, want 12 of 12: a look and eleven prefixes, a skip being no answer", last, total)
	}
	v, err := s.Verdict(ctx, prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Belief(ctx, prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	raters, err := s.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"<h1>Espresso</h1>", "11 answers by 2 raters, 4 March 2026.", "Which coffee?",
		html.EscapeString(english.Headline(v, "")), html.EscapeString(english.Claim(v)), html.EscapeString(english.More(v)), "After 11 answers the verdict was: " + v.Sentence,
		"<dt>sugar</dt><dd>" + value(s, "sugar", v.Best.Option["sugar"]) + "</dd>", "<dt>milk</dt><dd>" + value(s, "milk", v.Best.Option["milk"]) + "</dd>",
		english.Assumptions(), language.English().Sentence(english.Calibration(v.Calibration)),
		"seed 77", "prefer v9", "gamma(3,6)", "Wu &amp; Gardner, 2026", "arXiv:2601.22335", "sugar &#43; cups &lt;= 9", "milk (categorical: none, oat, cow)",
	}
	for _, i := range b.Importance() {
		points, err := b.Slice(i.Parameter, 41)
		if err != nil {
			t.Fatal(err)
		}
		s := chart.Slice{Parameter: chart.ParameterOf(coffee(), i.Parameter), Points: points[:1]}
		heading := language.English().Sentence(i.Sentence)
		if i.Kind == "unknown" { // one sentence names all of them
			heading = i.Parameter
		}
		want = append(want, "<h3>"+heading+"</h3>", "Preference for "+i.Parameter+": best at "+chart.Number(i.At), strings.Split(strings.Split(string(s.HTML()), "<title>")[1], "<")[0])
	}
	if b.Importance()[0].Kind == "unknown" {
		want = append(want, "Cannot tell yet about sugar")
	}
	for _, r := range raters {
		if r.Answers > 0 {
			want = append(want, r.Name, view.Share(r.Left))
		}
	}
	if strings.Contains(page, "looked") {
		t.Error("somebody who only looked is among the raters")
	}
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if n := strings.Count(page, `<td class="meta" data-label="#">`); n != 12 {
		t.Errorf("the path has %d questions, want 12", n)
	}
	if again := written(t, s, Options{Title: "Espresso", Version: "prefer v9"}); again != page {
		t.Error("the same study has two different reports")
	}
}

// TestList: items are ranked; without features nothing is said about parameters.
func TestList(t *testing.T) {
	for _, features := range []bool{true, false} {
		list := flavours(30, features)
		place := map[string]float64{}
		for i, it := range list.Items {
			place[it.ID] = float64(i%11) / 3
		}
		s := played(t, prefer.Config{Space: list, Answers: prefer.Answers{Forced: true}}, 12, func(_ string, o space.Option) float64 { return place[o.Item()] }, "")
		page := written(t, s, Options{})
		checkPage(t, page)
		want := "pick ranking matters raters path methods"
		if !features {
			want = "pick ranking raters path methods"
		}
		if got := sections(page); got != want {
			t.Errorf("sections %q, want %q", got, want)
		}
		b, err := s.Belief(context.Background(), prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		ranked := b.Ranking(rankedItems + 1)
		for _, r := range ranked[:rankedItems] {
			if text := fmt.Sprintf("%s: %s", r.Option.Item(), english.Ranked(r)); !strings.Contains(page, text) {
				t.Errorf("the ranking does not say %q", text)
			}
		}
		if strings.Contains(page, ranked[rankedItems].Option.Item()+": place ") || strings.Contains(page, `data-label="Rater"></td>`) {
			t.Error("the ranking has more items than it should, or the path a column for raters without names")
		}
	}
}

// TestGroup: a study per rater is about the group, or with a rater about them.
func TestGroup(t *testing.T) {
	ctx := context.Background()
	s := played(t, prefer.Config{Space: coffee(), People: prefer.PerRater}, 12, taste, "anna", "ben")
	g, err := s.Group(ctx, prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	page := written(t, s, Options{})
	checkPage(t, page)
	if got := sections(page); got != "group raters path methods" {
		t.Errorf("sections %q", got)
	}
	for _, text := range []string{
		language.English().Sentence(g.Sentence), "<dt>sugar</dt><dd>" + value(s, "sugar", g.Best["sugar"]) + "</dd>", "too early to say how consistent",
		"Gives up " + view.Decimal(g.Loss[0]), "Gives up " + view.Decimal(g.Loss[1]), "ben&#39;s favourite so far",
	} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	known := chart.Agreement{Names: []string{"anna", "ben"}, Mean: g.Agreement, Low: g.Low, High: g.High}.HTML() != ""
	if strings.Contains(page, `title="anna · ben: `) != known {
		t.Errorf("how far anna and ben agree is known: %v, and drawn otherwise", known)
	}
	page = written(t, s, Options{Rater: "ben"})
	checkPage(t, page)
	if got := sections(page); got != "pick matters group raters path methods" {
		t.Errorf("sections %q", got)
	}
	v, err := s.Verdict(ctx, prefer.Look{Rater: "ben"})
	if err != nil {
		t.Fatal(err)
	}
	v.Raters = 2 // the claim does not say "you" to another reader
	if !strings.Contains(page, "The pick of ben") || !strings.Contains(page, html.EscapeString(english.Claim(v))) || strings.Count(page, `data-label="#"`) != 6 {
		t.Error("the page about ben is not about ben")
	}
	var b bytes.Buffer
	if err := Write(ctx, &b, s, Options{Rater: "nobody"}); err == nil || b.Len() > 0 {
		t.Errorf("a report about somebody who is not there: %v, %d bytes", err, b.Len())
	}
}

// TestNoPick: where nothing pleases, or answers look like chance, the page has no favourite.
func TestNoPick(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("sugar", 0, 5)), Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	for range 16 {
		q, err := s.Ask(t.Context(), prefer.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.BothBad}); err != nil {
			t.Fatal(err)
		}
	}
	page := written(t, s, Options{})
	checkPage(t, page)
	v, err := s.Verdict(t.Context(), prefer.Look{})
	if err != nil || v.Kind != prefer.NothingPleases {
		t.Fatalf("16 times both bad: %s, %v", v.Kind, err)
	}
	if got := sections(page); got != "pick raters path methods" || strings.Contains(page, "The pick<") || strings.Contains(page, "<dt>sugar</dt>") || strings.Contains(page, "The runner-up") {
		t.Errorf("sections %q, and a pick where there is none", got)
	}
	for _, text := range []string{english.Headline(v, ""), english.Claim(v), english.More(v)} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

// TestEmpty: a study without answers, without preferences, and with one skip.
func TestEmpty(t *testing.T) {
	ctx := context.Background()
	for _, people := range []prefer.People{prefer.Shared, prefer.PerRater} {
		s := played(t, prefer.Config{Space: coffee(), People: people}, 0, nil)
		page := written(t, s, Options{})
		checkPage(t, page)
		want := "methods"
		if people == prefer.PerRater {
			want = "group methods"
		}
		if got := sections(page); got != want || !strings.Contains(page, "No answers yet.") {
			t.Errorf("sections %q of a study without answers, want %q", got, want)
		}
		q, err := s.Ask(ctx, prefer.Request{Rater: "anna"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Skip}); err != nil {
			t.Fatal(err)
		}
		page = written(t, s, Options{})
		checkPage(t, page)
		if strings.Contains(page, `id="pick"`) || !strings.Contains(page, "skipped") {
			t.Errorf("sections %q after one skip", sections(page))
		}
	}
}

// TestEscaped: what people write stays text, wherever it comes up.
func TestEscaped(t *testing.T) {
	const evil = `<script>alert("x")</script>'&--><svg onload=x>`
	ctx := context.Background()
	sp := space.Space{Parameters: []space.Parameter{space.Float(evil, 0, 1), space.Categorical("c", evil, "b", "d"), space.Float("\x00ctl", 0, 1)}}
	score := func(_ string, o space.Option) float64 { return 3 * o.Float(evil) }
	pages := []string{
		written(t, played(t, prefer.Config{Space: sp, Prompt: evil}, 6, score, evil), Options{Title: evil, Version: evil}),
		written(t, played(t, prefer.Config{Space: sp, People: prefer.PerRater}, 8, score, evil, "b"), Options{Rater: evil}),
	}
	list := space.Space{Items: []space.Item{
		{ID: evil, Text: evil, Media: evil, Features: map[string]space.Value{evil: space.ValueOf(evil)}},
		{ID: "b", Features: map[string]space.Value{evil: space.ValueOf("x")}}, {ID: "c", Features: map[string]space.Value{evil: space.ValueOf("y")}},
	}}
	s := played(t, prefer.Config{Space: list}, 0, nil)
	for _, loser := range []string{"b", "c"} {
		if _, err := s.Observe(ctx, prefer.Duel{First: space.ItemOption(evil), Second: space.ItemOption(loser), Rater: evil, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	pages = append(pages, written(t, s, Options{}))
	for i, page := range pages {
		checkPage(t, page)
		if strings.Contains(page, "onload=x>") || strings.Contains(page, "<svg on") || !strings.Contains(page, "&lt;script&gt;") {
			t.Errorf("page %d: names are markup, or are not there", i)
		}
	}
}

func TestShared(t *testing.T) {
	s := played(t, prefer.Config{Space: coffee()}, 0, nil)
	if err := Write(context.Background(), io.Discard, s, Options{Rater: "anna"}); errcode.Of(err) != "shared" {
		t.Errorf("one rater of a shared study: %v, want shared", err)
	}
}

// TestContexts: a study with a context has a pick, a verdict and slices under each of its values, and says so in the methods.
func TestContexts(t *testing.T) {
	milk := space.Categorical("milk", "none", "oat")
	milk.Context = true
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("sugar", 0, 5), milk), Seed: 3, Initial: 99, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	if page := written(t, s, Options{}); sections(page) != "methods" {
		t.Errorf("before the first answer: sections %q", sections(page))
	}
	for k := range 8 {
		q, err := s.Ask(t.Context(), prefer.Request{Fixed: space.Option{"milk": milk.Choices[k%2]}})
		if err != nil {
			t.Fatal(err)
		}
		c := prefer.First
		if more := q.First.Float("sugar") > q.Second.Float("sugar"); more == (k%2 == 0) {
			c = prefer.Second
		}
		if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: c}); err != nil {
			t.Fatal(err)
		}
	}
	page := written(t, s, Options{})
	checkPage(t, page)
	if got := sections(page); got != "contexts raters path methods" {
		t.Errorf("sections %q", got)
	}
	want := []string{"Of these milk was given by the situation and not chosen"}
	for _, fixed := range s.Contexts() {
		v, err := s.Verdict(t.Context(), prefer.Look{Fixed: fixed})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, "<h2>The pick under "+fixed.String()+"</h2>", html.EscapeString(english.Claim(v)),
			"<dt>sugar</dt><dd>"+value(s, "sugar", v.Best.Option["sugar"])+"</dd>", "After 4 answers under "+fixed.String()+" the verdict was")
	}
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if n := strings.Count(page, "Preference for sugar:"); n != 2 || strings.Contains(page, "Preference for milk:") {
		t.Errorf("%d slices along sugar, want one under each context and none along it", n)
	}
}

// TestGroupContexts: a study per rater has under each context the group's pick, everybody's favourite and how far they agree.
func TestGroupContexts(t *testing.T) {
	milk := space.Categorical("milk", "none", "oat")
	milk.Context = true
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("sugar", 0, 5), milk), People: prefer.PerRater, Seed: 3, Initial: 99, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 24 {
		q, err := s.Ask(t.Context(), prefer.Request{Rater: []string{"anna", "ben"}[k/2%2], Fixed: space.Option{"milk": milk.Choices[k%2]}})
		if err != nil {
			t.Fatal(err)
		}
		c := prefer.First
		if more := q.First.Float("sugar") > q.Second.Float("sugar"); more == (k%2 == 0) {
			c = prefer.Second
		}
		if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: c}); err != nil {
			t.Fatal(err)
		}
	}
	for rater, want := range map[string]string{"": "group raters path methods", "ben": "contexts group raters path methods"} {
		page := written(t, s, Options{Rater: rater})
		checkPage(t, page)
		if got := sections(page); got != want {
			t.Errorf("of %q: sections %q, want %q", rater, got, want)
		}
		for _, fixed := range s.Contexts() {
			g, err := s.Group(t.Context(), prefer.Look{Fixed: fixed})
			if err != nil {
				t.Fatal(err)
			}
			_, part, _ := strings.Cut(page, "<h2>The group under "+fixed.String()+"</h2>")
			part, _, _ = strings.Cut(part, "<h2>")
			for _, text := range []string{"<dt>sugar</dt><dd>" + value(s, "sugar", g.Best["sugar"]) + "</dd>", html.EscapeString(language.English().Sentence(g.Sentence)), "Everybody’s favourite", "anna&#39;s favourite so far", "ben&#39;s favourite so far",
				"<p class=\"small\">sugar " + value(s, "sugar", g.Favourites[0]["sugar"]), "Gives up " + view.Decimal(g.Loss[1]), "How far they agree"} {
				if !strings.Contains(part, text) {
					t.Errorf("of %q under %v the page does not say %q", rater, fixed, text)
				}
			}
		}
	}
}

// TestLeadClock: a clock that was set back in between turns no dates round.
func TestLeadClock(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Space{Parameters: []space.Parameter{space.Float("x", 0, 1)}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Observe(t.Context(), prefer.Duel{First: space.Option{"x": space.ValueOf(0.1)}, Second: space.Option{"x": space.ValueOf(0.9)}, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	events := slices.Clone(s.Events(0))
	for i, day := range []int{9, 10, 12, 8} {
		events[i].Time = time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC)
	}
	if s, err = prefer.Open(t.Context(), events, prefer.OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, want := lead(s, nil), "3 answers by 0 raters, 8 March 2026 to 12 March 2026."; got != want {
		t.Errorf("the lead is %q, want %q", got, want)
	}
}

// escaped is a text as the page has it.
