package prefer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// prompts are n items with texts and without features.
func prompts(n int) []space.Item {
	var out []space.Item
	for i := range n {
		out = append(out, space.Item{ID: fmt.Sprintf("p%d", i), Text: fmt.Sprintf("Prompt number %d.", i)})
	}
	return out
}

// sampled is a space of prompts at two settings.
func sampled(n int) space.Space {
	return space.Space{Items: prompts(n), Parameters: []space.Parameter{space.Float("temperature", 0, 1.2), space.Float("top_p", 0.1, 1)}}
}

// prompt returns an option of sampled.
func prompt(id string, temperature, top float64) space.Option {
	return space.Option{"item": space.ValueOf(id), "temperature": space.ValueOf(temperature), "top_p": space.ValueOf(top)}
}

// TestCrossedSpace: what makes no sense is refused by name, and with its number.
func TestCrossedSpace(t *testing.T) {
	with := func(change func(*space.Space)) space.Space {
		s := sampled(3)
		change(&s)
		return s
	}
	for want, s := range map[string]space.Space{
		"1001 items beside 2 parameters, at most 1000": with(func(s *space.Space) { s.Items = prompts(1001) }),
		`called "item"`: with(func(s *space.Space) { s.Parameters[0].Name = "item" }),
		`called "text"`: with(func(s *space.Space) { s.Parameters[0].Name = "text" }),
		`"top_p" is both a parameter and a feature`: with(func(s *space.Space) {
			for i := range s.Items {
				s.Items[i].Features = space.Option{"top_p": space.ValueOf(float64(i))}
			}
		}),
		"two parameters are called":      with(func(s *space.Space) { s.Parameters[1].Name = "temperature" }),
		"has 32 parameters beside":       with(func(s *space.Space) { s.Parameters = many(32) }),
		"no parameters: leave items out": with(func(s *space.Space) { s.Parameters, s.Constraints = nil, []string{"true"} }),
		"1 items, want 2":                with(func(s *space.Space) { s.Items = s.Items[:1] }),
		"Space.Own = true and the items": with(func(s *space.Space) { s.Own = true }),
		`two items have the id "p0"`:     with(func(s *space.Space) { s.Items[1].ID = "p0" }),
		`constraint 0, "temprature < 1"`: with(func(s *space.Space) { s.Constraints = []string{"temprature < 1"} }),
		"none of 16384 random options":   with(func(s *space.Space) { s.Constraints = []string{`item == "p9"`} }),
		"context with one value, 1, want a": with(func(s *space.Space) {
			s.Parameters[0] = space.Parameter{Name: "c", Type: "ordinal", Choices: []space.Value{space.ValueOf(1.0)}, Context: true}
		}),
	} {
		if _, err := coding.New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if _, err := coding.New(with(func(s *space.Space) { s.Items = prompts(1000); s.Parameters = many(31) })); err != nil {
		t.Error(err)
	}
}

// many are n real parameters.
func many(n int) (out []space.Parameter) {
	for i := range n {
		out = append(out, space.Float(fmt.Sprintf("x%d", i), 0, 1))
	}
	return out
}

// TestCrossedOption: options go through the coordinates and back, with features, without, and with both; what is no option is refused by name.
func TestCrossedOption(t *testing.T) {
	described := sampled(4)
	for i := range described.Items {
		described.Items[i].Features = space.Option{"words": space.ValueOf(float64(10 * i * i)), "tone": space.ValueOf([]string{"dry", "warm", "odd"}[i%3])}
	}
	own := described
	own.Own = true
	for name, s := range map[string]space.Space{"names": sampled(4), "features": described, "own": own} {
		code, err := coding.New(s)
		if err != nil {
			t.Fatal(name, err)
		}
		if want := map[string]int{"names": 3, "features": 6, "own": 7}[name]; code.Dim != want {
			t.Errorf("%s: %d coordinates, want %d", name, code.Dim, want)
		}
		if err := (gp.Model{Scales: code.Scales}).WithDefaults().Validate(); err != nil {
			t.Errorf("%s: scales %v: %v", name, code.Scales, err)
		}
		for _, it := range s.Items {
			o := prompt(it.ID, 0.4, 0.9)
			x, err := code.Unit(o)
			if err != nil || !code.Contains(x) || !code.Domain(ctx).Contains(x) {
				t.Fatalf("%s: %v is at %v: %v", name, o, x, err)
			}
			if back := code.Option(x); back.String() != o.String() {
				t.Errorf("%s: %v came back as %v", name, o, back)
			}
		}
		for want, o := range map[string]space.Option{
			`no "temperature"`:            {"item": space.ValueOf("p1"), "top_p": space.ValueOf(0.5)},
			`no "item"`:                   {"temperature": space.ValueOf(0.4), "top_p": space.ValueOf(0.5)},
			`"item" = p9, which is no`:    prompt("p9", 0.4, 0.9),
			`"item" = 1, which is no`:     {"item": space.ValueOf(1.0), "temperature": space.ValueOf(0.4), "top_p": space.ValueOf(0.5)},
			`"top_p" = 2, want a num`:     prompt("p1", 0.4, 2),
			`"words", which is not a par`: {"item": space.ValueOf("p1"), "temperature": space.ValueOf(0.4), "top_p": space.ValueOf(0.5), "words": space.ValueOf(1.0)},
		} {
			if _, err := code.Unit(o); errcode.Of(err) != "option" || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in %v", name, want, err)
			}
		}
	}
	o, err := sampled(2).Parse(map[string]string{"item": "p1", "temperature": "0.5", "top_p": "1"}, false)
	if err != nil || o.String() != prompt("p1", 0.5, 1).String() || o.Item() != "p1" {
		t.Errorf("%v: %v", o, err)
	}
	if _, err := sampled(2).Parse(map[string]string{"temperature": "0.5", "top_p": "1"}, false); err == nil || !strings.Contains(err.Error(), `no "item"`) {
		t.Errorf("an option without an item: %v", err)
	}
}

// TestCrossedOneItem: where all answers are about one item, a crossed space is the box of its parameters: the same utilities everywhere, for a trend whose
// part of an effect is the same. The name counts as a coordinate there, so that T is D+1 parts of D.
func TestCrossedOneItem(t *testing.T) {
	crossed, err := coding.New(sampled(3))
	if err != nil {
		t.Fatal(err)
	}
	box, err := coding.New(space.Box(sampled(3).Parameters...))
	if err != nil {
		t.Fatal(err)
	}
	without := func(o space.Option) space.Option {
		return space.Option{"temperature": o["temperature"], "top_p": o["top_p"]}
	}
	var in, out gp.Duels
	in.Dim, out.Dim = crossed.Dim, box.Dim
	for i := range 12 {
		at := func(k int) space.Option { return prompt("p1", 0.1*float64(i*(7+k)%12), 0.1+0.06*float64(i*(5+3*k)%15)) }
		for k, d := range map[*gp.Duels]*coding.Coding{&in: crossed, &out: box} {
			a, b := at(0), at(1)
			if d == box {
				a, b = without(a), without(b)
			}
			x, y, err := d.Pair(a, b)
			if err != nil {
				t.Fatal(err)
			}
			k.A, k.B, k.Outcome = append(k.A, x...), append(k.B, y...), append(k.Outcome, []gp.Outcome{1, -1}[i%2])
		}
	}
	h := gp.Hyper{Cuts: gp.Cuts{0}, Kernel: gp.Kernel{Lengthscale: []float64{0.5, 0.7}, Outputscale: 2, Trend: 3}}
	p, err := gp.Model{Trend: gp.Flat()}.Condition(&out, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Kernel.Lengthscale, h.Kernel.Trend = []float64{1.0 / 256, 0.5, 0.7}, 3*3.0/2
	q, err := gp.Model{Trend: gp.Flat(), Scales: crossed.Scales}.Condition(&in, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []space.Option{prompt("p1", 0.3, 0.5), prompt("p1", 1.2, 1), prompt("p1", 0, 0.1)} {
		x, _ := crossed.Unit(o)
		y, _ := box.Unit(without(o))
		m, v := learn.Single(q).At(x)
		n, w := learn.Single(p).At(y)
		if math.Abs(m-n) > 1e-9 || math.Abs(v-w) > 1e-9 {
			t.Errorf("%v: %.12g ± %.12g crossed, %.12g ± %.12g in the box", o, m, v, n, w)
		}
	}
	if p.Evidence()-q.Evidence() > 1e-9 || q.Evidence()-p.Evidence() > 1e-9 {
		t.Errorf("evidence %.12g and %.12g", p.Evidence(), q.Evidence())
	}
}

// crossedTaste likes p2 at a temperature of 0.3.
func crossedTaste(o space.Option) float64 {
	a, b := o.Float("temperature")-0.3, o.Float("top_p")-0.8
	return map[string]float64{"p2": 2, "p4": 1}[o.Item()] - 4*a*a - 2*b*b
}

// judged answers n questions by a taste.
func judged(t *testing.T, s *Study, r Request, n int, taste func(space.Option) float64) (out []Question) {
	t.Helper()
	for range n {
		q, err := s.Ask(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		c := First
		if taste(q.First) < taste(q.Second) {
			c = Second
		}
		tell(t, s, q.ID, c)
		out = append(out, q)
	}
	return out
}

// TestCrossedStudy: a study of prompts at settings finds the prompt, ranks all of them at their best settings, tells what the settings are worth and
// is the same to the last bit when its log is replayed.
func TestCrossedStudy(t *testing.T) {
	var s *Study
	var best Best
	var err error
	found := 0
	for seed := range uint64(6) {
		s = start(t, Config{Space: sampled(6), Seed: seed, Modelling: Modelling{Search: little}, Answers: Answers{Forced: true}})
		for _, q := range judged(t, s, Request{}, 30, crossedTaste) {
			if q.First.Item() == "" || len(q.First) != 3 || q.First.String() == q.Second.String() {
				t.Fatalf("a question about %v and %v", q.First, q.Second)
			}
		}
		if best, err = s.Best(t.Context(), Look{}); err != nil {
			t.Fatal(err)
		}
		if gap := 2 - crossedTaste(best.Option); best.Option.Item() == "p2" && gap < 0.5 {
			found++
		} else {
			t.Logf("seed %d: the pick is %v and misses %.2f", seed, best.Option, gap)
		}
	}
	if found < 5 {
		t.Errorf("%d of 6 studies find the prompt", found)
	}
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	ranking := b.Ranking(10)
	if len(ranking) != 6 || ranking[0].Option.String() != best.Option.String() {
		t.Fatalf("the pick is %v, the ranking %+v", best.Option, ranking)
	}
	seen := map[string]bool{}
	for i, r := range ranking {
		seen[r.Option.Item()] = true
		if len(r.Option) != 3 || i > 0 && r.Mean > ranking[i-1].Mean+1e-9 || r.Shown == 0 && i == 0 {
			t.Errorf("place %d: %+v", i+1, r)
		}
		for _, temperature := range []float64{0, 0.3, 0.7, 1.2} { // none is better elsewhere
			if m, _, err := b.Utility(prompt(r.Option.Item(), temperature, 0.7)); err != nil || m > r.Mean+1e-6 {
				t.Errorf("%v has %.4f, at temperature %g %.4f (%v)", r.Option, r.Mean, temperature, m, err)
			}
		}
	}
	if len(seen) != 6 || !slices.Equal(b.Axes, []string{"item", "temperature", "top_p"}) {
		t.Errorf("%d items are ranked, axes %v", len(seen), b.Axes)
	}
	if points, err := b.Slice("item", 3); err != nil || len(points) != 6 {
		t.Errorf("a slice along the items has %d points: %v", len(points), err)
	}
	if i := b.Importance(); len(i) != 3 || i[0].Parameter != "item" || i[0].At.String() != "p2" {
		t.Errorf("importance %+v", i)
	}
	v, err := s.Verdict(t.Context(), Look{})
	if err != nil || v.Items != 6 {
		t.Errorf("a verdict on %d items: %v", v.Items, err)
	}
	events := s.Events(0)
	for _, snap := range [][]byte{nil, s.Host().Snapshot()} {
		again, err := Open(t.Context(), events, OpenOptions{Snapshot: snap})
		if err != nil {
			t.Fatal(err)
		}
		if w, err := again.Verdict(t.Context(), Look{}); err != nil || fmt.Sprintf("%+v", w) != fmt.Sprintf("%+v", v) {
			t.Errorf("replayed with %d bytes, the verdict is %+v (%v), was %+v", len(snap), w, err, v)
		}
		p, q := ask(t, s, ""), ask(t, again, "")
		if p.First.String() != q.First.String() || p.Second.String() != q.Second.String() || p.Value != q.Value {
			t.Errorf("replayed, the next question is %v, was %v", q, p)
		}
	}
	fixed, err := s.Best(t.Context(), Look{Fixed: space.ItemOption("p4")})
	if err != nil || fixed.Option.Item() != "p4" {
		t.Errorf("the best of p4 is %v: %v", fixed.Option, err)
	}
	list, err := s.Belief(t.Context(), Look{Fixed: space.Option{"temperature": space.ValueOf(0.2), "top_p": space.ValueOf(0.5)}})
	if err != nil {
		t.Fatal(err)
	}
	if r := list.Ranking(9); len(r) != 6 || r[0].Option.Float("temperature") != 0.2 || r[0].Option.Float("top_p") != 0.5 {
		t.Errorf("at one setting the ranking is %+v", r)
	}
}

// TestCrossedItems: items join a study of prompts at settings, leave it and come back; what was said goes on teaching.
func TestCrossedItems(t *testing.T) {
	s := start(t, Config{Space: sampled(5), Seed: 2, Modelling: Modelling{Search: little}, Answers: Answers{Forced: true}})
	judged(t, s, Request{}, 10, crossedTaste)
	if err := s.Change(t.Context(), Change{Leave: []string{"p2"}}); err != nil {
		t.Fatal(err)
	}
	for _, q := range judged(t, s, Request{}, 6, crossedTaste) {
		if q.First.Item() == "p2" || q.Second.Item() == "p2" {
			t.Errorf("p2 has left, and is in %v", q)
		}
	}
	best, err := s.Best(t.Context(), Look{})
	if err != nil || best.Option.Item() == "p2" {
		t.Errorf("the pick is %v: %v", best.Option, err)
	}
	if _, err := s.Best(t.Context(), Look{Fixed: space.ItemOption("p2")}); errcode.Of(err) != "option" {
		t.Errorf("the best of what has left: %v", err)
	}
	if err := s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: prompt("p2", 0.3, 0.8)}}}); errcode.Of(err) != "option" {
		t.Errorf("what has left was enqueued: %v", err)
	}
	if err := s.Change(t.Context(), Change{Join: []space.Item{prompts(5)[2], space.Item{ID: "new", Text: "Newer."}}}); err != nil {
		t.Fatal(err)
	}
	if got := len(s.Items(false)); got != 6 {
		t.Errorf("%d items, want 6", got)
	}
	if err := s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: prompt("new", 0.3, 0.8)}}}); err != nil {
		t.Fatal(err)
	}
	q := ask(t, s, "")
	if q.First.Item() != "new" && q.Second.Item() != "new" {
		t.Errorf("new was enqueued, the question is about %v and %v", q.First, q.Second)
	}
	tell(t, s, q.ID, First)
	observe(t, s, prompt("new", 0.1, 0.4), prompt("p2", 0.3, 0.8), Second)
	if err := s.Change(t.Context(), Change{Join: prompts(1500)[10:]}); errcode.Of(err) != "option" || !strings.Contains(err.Error(), "1496 items beside") {
		t.Errorf("too many items: %v", err)
	}
	again, err := Open(t.Context(), s.Events(0), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Best(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := again.Best(t.Context(), Look{}); err != nil || fmt.Sprint(b) != fmt.Sprint(a) {
		t.Errorf("replayed, the best is %v (%v), was %v", b, err, a)
	}
}

// TestListUnderContexts: a list has contexts, and under one of them it is a list: its items are ranked, and the best differs.
func TestListUnderContexts(t *testing.T) {
	sp := space.Space{Items: prompts(7), Parameters: []space.Parameter{{Name: "input", Type: "categorical", Choices: []space.Value{space.ValueOf("mail"), space.ValueOf("code"), space.ValueOf("poem")}, Context: true}}}
	s := start(t, Config{Space: sp, Seed: 1, Modelling: Modelling{Search: little}, Answers: Answers{Forced: true}})
	if _, err := s.Ask(t.Context(), Request{}); errcode.Of(err) != "context" {
		t.Errorf("asked without an input: %v", err)
	}
	favourite := map[string]string{"mail": "p1", "code": "p5", "poem": "p1"}
	taste := func(o space.Option) float64 {
		if o.Item() == favourite[o.Word("input")] {
			return 1
		}
		return -float64(o.Item()[1]-'0') / 100
	}
	for range 3 {
		for input := range favourite {
			fixed := space.Option{"input": space.ValueOf(input)}
			for _, q := range judged(t, s, Request{Fixed: fixed}, 5, taste) {
				if q.First.Word("input") != input || q.Second.Word("input") != input || q.First.Item() == q.Second.Item() {
					t.Fatalf("under %s: %v against %v", input, q.First, q.Second)
				}
			}
		}
	}
	for input, want := range favourite {
		look := Look{Fixed: space.Option{"input": space.ValueOf(input)}}
		best, err := s.Best(t.Context(), look)
		if err != nil || best.Option.Item() != want || best.Option.Word("input") != input || best.TopShare != 1.0/7 {
			t.Errorf("under %s the best is %+v (%v), want %s", input, best, err, want)
		}
		b, err := s.Belief(t.Context(), look)
		if err != nil {
			t.Fatal(err)
		}
		if r := b.Ranking(20); len(r) != 7 || r[0].Option.Item() != want {
			t.Errorf("under %s the ranking is %+v", input, r)
		}
	}
	standings, err := standings(t, s)
	if err != nil || len(standings) != 3 {
		t.Errorf("%d standings: %v", len(standings), err)
	}
}

// TestCrossedConditions: constraints may name the item, features narrow the items, and every question keeps to both.
func TestCrossedConditions(t *testing.T) {
	sp := sampled(6)
	for i := range sp.Items {
		sp.Items[i].Features = space.Option{"tone": space.ValueOf([]string{"dry", "warm"}[i%2]), "words": space.ValueOf(float64(i * i))}
	}
	sp.Constraints = []string{`item == "p2" ? temperature >= 0.5 : true`, "temperature + top_p <= 1.5"}
	s := start(t, Config{Space: sp, Seed: 6, Modelling: Modelling{Search: little}, Answers: Answers{Forced: true}})
	dry := space.Option{"tone": space.ValueOf("dry")}
	for _, q := range judged(t, s, Request{Fixed: dry}, 12, crossedTaste) {
		for _, o := range []space.Option{q.First, q.Second} {
			if (o.Item()[1]-'0')%2 != 0 || o.Item() == "p2" && o.Float("temperature") < 0.5 || o.Float("temperature")+o.Float("top_p") > 1.5+1e-9 {
				t.Errorf("asked about %v", o)
			}
		}
	}
	best, err := s.Best(t.Context(), Look{Fixed: space.Option{"tone": space.ValueOf("warm")}})
	if err != nil || (best.Option.Item()[1]-'0')%2 != 1 {
		t.Errorf("the best that is warm is %v: %v", best.Option, err)
	}
	if _, err := s.Best(t.Context(), Look{Fixed: space.Option{"tone": space.ValueOf("dry"), "words": space.ValueOf(9.0)}}); errcode.Of(err) != "option" {
		t.Errorf("dry with nine words: %v", err)
	}
	if err := s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: prompt("p2", 0.3, 0.8)}}}); errcode.Of(err) != "option" || !strings.Contains(err.Error(), "does not satisfy") {
		t.Errorf("enqueued against the constraint: %v", err)
	}
}

// TestCrossedItemsDoNotWin: of items that are crossed with parameters it is said that they matter, never which one wins: that is for the ranking.
func TestCrossedItemsDoNotWin(t *testing.T) {
	s := start(t, Config{Space: sampled(5), Seed: 2, Modelling: Modelling{Search: little}, Answers: Answers{Forced: true}})
	judged(t, s, Request{}, 30, func(o space.Option) float64 { return float64(len(o.Item())) + 3*float64(o.Item()[len(o.Item())-1]-'0') })
	b, err := s.Belief(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, i := range b.Importance() {
		said[i.Parameter] = i.Sentence
	}
	if said["item"] != "item matters" {
		t.Errorf("said is %q, want of the item that it matters", said)
	}
}
