package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
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
	if !strings.Contains(page, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`) {
		t.Error("the page does not say that it needs nothing from elsewhere and runs no script")
	}
	for _, svg := range drawn.FindAllString(page, -1) {
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
	last, total := 0, 0
	page := written(t, s, Options{Title: "Espresso", Version: "prefer v9", Progress: func(done, steps int) {
		if done < last || done > steps {
			t.Errorf("step %d of %d after %d", done, steps, last)
		}
		last, total = done, steps
	}})
	checkPage(t, page)
	if got := sections(page); got != "pick matters path raters methods" {
		t.Errorf("sections %q", got)
	}
	if last != total || total != 12 {
		t.Errorf("the last step is %d of %d, want 12 of 12: a look and eleven prefixes, a skip being no answer", last, total)
	}
	v, err := s.Verdict(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Belief(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	raters, err := s.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"<h1>Espresso</h1>", "11 answers by 2 raters, 4 March 2026.", "Which coffee?",
		`<p class="sure">` + percent(v.Best.Confidence), "<b>" + escaped(v.Headline()) + ".</b>", escaped(v.Claim()), v.More(),
		"<dt>sugar</dt><dd>" + value(v.Best.Option["sugar"]) + "</dd>", "<dt>milk</dt><dd>" + value(v.Best.Option["milk"]) + "</dd>",
		"The rival", v.Assumes(), sentence(v.Foretold.String()), "After 11 answers the verdict was: " + v.Sentence,
		"seed 77", "prefer v9", "gamma(3,6)", "Wu &amp; Gardner, 2026", "arXiv:2601.22335", "sugar &#43; cups &lt;= 9", "milk (categorical: none, oat, cow)",
	}
	for _, i := range b.Importance() {
		want = append(want, fmt.Sprintf("%s %s ± ", i.Parameter, percent(i.Share)), "<li>"+i.Sentence+"</li>", "Utility along "+i.Parameter+",")
		points, err := b.Slice(i.Parameter, sliceSteps)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("%s ± %s at %s", decimal(points[0].Mean), decimal(points[0].SD), value(points[0].Value)))
	}
	for _, r := range raters {
		want = append(want, r.Name, spell(r.Left))
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
		s := played(t, prefer.Config{Space: list, Answers: prefer.Answers{Forced: true}}, 12, func(_ string, o prefer.Option) float64 { return place[o.Item()] }, "")
		page := written(t, s, Options{})
		checkPage(t, page)
		want := "pick ranking matters path raters methods"
		if !features {
			want = "pick ranking path raters methods"
		}
		if got := sections(page); got != want {
			t.Errorf("sections %q, want %q", got, want)
		}
		b, err := s.Belief(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		ranked := b.Ranking(rankedItems + 1)
		for _, r := range ranked[:rankedItems] {
			if text := fmt.Sprintf("%s %d to %d, shown %s", r.Option.Item(), r.Low, r.High, plural(r.Shown, "time")); !strings.Contains(page, text) {
				t.Errorf("the ranking does not say %q", text)
			}
		}
		if strings.Contains(page, ranked[rankedItems].Option.Item()+fmt.Sprintf(" %d to", ranked[rankedItems].Low)) || strings.Contains(page, `data-label="Rater"></td>`) {
			t.Error("the ranking has more than twenty items, or the path a column for raters without names")
		}
	}
}

// TestGroup: a study per rater is about the group, or with a rater about her.
func TestGroup(t *testing.T) {
	ctx := context.Background()
	s := played(t, prefer.Config{Space: coffee(), People: prefer.PerRater}, 12, taste, "anna", "ben")
	g, err := s.Group(ctx)
	if err != nil {
		t.Fatal(err)
	}
	page := written(t, s, Options{})
	checkPage(t, page)
	if got := sections(page); got != "group path raters methods" {
		t.Errorf("sections %q", got)
	}
	for _, text := range []string{
		sentence(g.Sentence), "<dt>sugar</dt><dd>" + value(g.Best["sugar"]) + "</dd>", "anna and ben " + decimal(g.Agreement[0][1]) + " (" + decimal(g.Low[0][1]), `data-label="In the pick">` + g.Counts(1),
		fmt.Sprintf(`<td data-label="Gives up">%s</td>`, decimal(g.Loss[0])), fmt.Sprintf(`<td data-label="Gives up">%s</td>`, decimal(g.Loss[1])),
	} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	page = written(t, s, Options{Rater: "ben"})
	checkPage(t, page)
	if got := sections(page); got != "pick group matters path raters methods" {
		t.Errorf("sections %q", got)
	}
	best, err := s.Best(ctx, "ben")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page, "The pick of ben") || !strings.Contains(page, `<p class="sure">`+percent(best.Confidence)) || strings.Count(page, `data-label="#"`) != 6 {
		t.Error("the page about ben is not about ben")
	}
	var b bytes.Buffer
	if err := Write(ctx, &b, s, Options{Rater: "nobody"}); err == nil || b.Len() > 0 {
		t.Errorf("a report about somebody who is not there: %v, %d bytes", err, b.Len())
	}
}

// TestNoPick: where nothing pleases, or answers look like chance, the page has no favourite.
func TestNoPick(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Box(prefer.Float("sugar", 0, 5)), Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	for range 16 {
		q, err := s.Ask(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.BothBad}); err != nil {
			t.Fatal(err)
		}
	}
	page := written(t, s, Options{})
	checkPage(t, page)
	v, err := s.Verdict(t.Context(), "")
	if err != nil || v.Kind != prefer.NothingPleases {
		t.Fatalf("16 times both bad: %s, %v", v.Kind, err)
	}
	if got := sections(page); got != "pick path raters methods" || strings.Contains(page, "The pick<") || strings.Contains(page, "<dt>sugar</dt>") || strings.Contains(page, "The rival") {
		t.Errorf("sections %q, and a pick where there is none", got)
	}
	for _, text := range []string{`<p class="big">` + v.Headline(), v.Claim(), v.More(), `<p class="sure">` + percent(v.Best.Displeased)} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if sure, ok := claim(prefer.Verdict{Kind: prefer.Chance}); ok {
		t.Errorf("chance is %g sure", sure)
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
		q, err := s.Ask(ctx, "anna")
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
	space := prefer.Space{Parameters: []prefer.Parameter{prefer.Float(evil, 0, 1), prefer.Categorical("c", evil, "b", "d"), prefer.Float("\x00ctl", 0, 1)}}
	score := func(_ string, o prefer.Option) float64 { return 3 * o.Float(evil) }
	pages := []string{
		written(t, played(t, prefer.Config{Space: space, Prompt: evil}, 6, score, evil), Options{Title: evil, Version: evil}),
		written(t, played(t, prefer.Config{Space: space, People: prefer.PerRater}, 8, score, evil, "b"), Options{Rater: evil}),
	}
	list := prefer.Space{Items: []prefer.Item{
		{ID: evil, Text: evil, Media: evil, Features: map[string]prefer.Value{evil: prefer.ValueOf(evil)}},
		{ID: "b", Features: map[string]prefer.Value{evil: prefer.ValueOf("x")}}, {ID: "c", Features: map[string]prefer.Value{evil: prefer.ValueOf("y")}},
	}}
	s := played(t, prefer.Config{Space: list}, 0, nil)
	for _, loser := range []string{"b", "c"} {
		if _, err := s.Observe(ctx, prefer.Duel{First: prefer.ItemOption(evil), Second: prefer.ItemOption(loser), Rater: evil, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
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

// TestPicture: a small picture is in the page; anything else leaves the name.
func TestPicture(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 20)
	list := prefer.Space{Items: []prefer.Item{{ID: "a", Media: "a.png"}, {ID: "b"}}}
	s := played(t, prefer.Config{Space: list}, 0, nil)
	if _, err := s.Observe(context.Background(), prefer.Duel{First: prefer.ItemOption("a"), Second: prefer.ItemOption("b"), Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data string
		err  error
		want bool
	}{
		"picture": {png, nil, true}, "text": {"<script>", nil, false}, "drawing": {`<svg xmlns="http://www.w3.org/2000/svg"/>`, nil, false},
		"large": {png + strings.Repeat("x", maxPicture), nil, false}, "missing": {png, errors.New("gone"), false},
	} {
		page := written(t, s, Options{Media: func(file string) ([]byte, error) {
			if file != "a.png" {
				t.Errorf("it wants %q", file)
			}
			return []byte(c.data), c.err
		}})
		checkPage(t, page)
		if got := strings.Contains(page, `<img src="data:image/png;base64,iVBORw0K`); got != c.want || !strings.Contains(page, `<p class="big">a</p>`) {
			t.Errorf("%s: in the page %t, want %t, and the name", name, got, c.want)
		}
	}
}

func TestShared(t *testing.T) {
	s := played(t, prefer.Config{Space: coffee()}, 0, nil)
	if err := Write(context.Background(), io.Discard, s, Options{Rater: "anna"}); !errors.Is(err, prefer.ErrShared) {
		t.Errorf("one rater of a shared study: %v, want ErrShared", err)
	}
}

// TestContexts: a study with a context has a pick, a verdict and slices under each of its values, and says so in the methods.
func TestContexts(t *testing.T) {
	milk := prefer.Categorical("milk", "none", "oat")
	milk.Context = true
	s, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Box(prefer.Float("sugar", 0, 5), milk), Seed: 3, Initial: 99, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	if page := written(t, s, Options{}); sections(page) != "methods" {
		t.Errorf("before the first answer: sections %q", sections(page))
	}
	for k := range 8 {
		q, err := s.AskFor(t.Context(), prefer.Request{Fixed: prefer.Option{"milk": milk.Choices[k%2]}})
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
	if got := sections(page); got != "contexts path raters methods" {
		t.Errorf("sections %q", got)
	}
	all, err := s.Standings(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Of these milk was given by the situation and not chosen"}
	for _, each := range all {
		want = append(want, "<h2>The pick under "+each.Fixed.String()+"</h2>", escaped(each.Verdict.Headline()), escaped(each.Verdict.Claim()),
			"<dt>sugar</dt><dd>"+value(each.Verdict.Best.Option["sugar"])+"</dd>", "After 4 answers under "+each.Fixed.String()+" the verdict was")
	}
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if n := strings.Count(page, "Utility along sugar,"); n != 2 || strings.Contains(page, "Utility along milk,") {
		t.Errorf("%d slices along sugar, want one under each context and none along it", n)
	}
}

// TestLeadClock: a clock that was set back in between turns no dates round.
func TestLeadClock(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Space{Parameters: []prefer.Parameter{prefer.Float("x", 0, 1)}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Observe(t.Context(), prefer.Duel{First: prefer.Option{"x": prefer.ValueOf(0.1)}, Second: prefer.Option{"x": prefer.ValueOf(0.9)}, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	events := s.Events()
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
func escaped(text string) string { return strings.ReplaceAll(text, "'", "&#39;") }
