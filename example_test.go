package prefer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/space"
)

// tea is the space of the examples, and thirsty somebody who likes 3 spoons of sugar and 70 degrees.
var tea = space.Box(space.Float("sugar", 0, 10), space.Float("degrees", 40, 100))

func thirsty(q prefer.Question) prefer.Choice {
	utility := func(o space.Option) float64 {
		return -math.Pow(o.Float("sugar")-3, 2) - math.Pow((o.Float("degrees")-70)/6, 2)
	}
	if utility(q.First) > utility(q.Second) {
		return prefer.First
	}
	return prefer.Second
}

// must keeps the examples short; a program looks at its errors.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A whole study: ask, tell, and the best after twenty answers.
func Example() {
	ctx := context.Background()
	study, err := prefer.New(ctx, prefer.Config{Space: tea})
	if err != nil {
		panic(err)
	}
	for range 20 {
		q, err := study.Ask(ctx, prefer.Request{})
		if err != nil {
			panic(err)
		}
		if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: thirsty(q)}); err != nil {
			panic(err)
		}
	}
	best, err := study.Best(ctx, prefer.Look{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("about %.0f spoons of sugar at %.0f0 degrees\n", best.Option.Float("sugar"), best.Option.Float("degrees")/10)
	// Output: about 3 spoons of sugar at 70 degrees
}

// What each answer is to the model, counted in duels.
func ExampleChoice() {
	ctx := context.Background()
	for _, choice := range []prefer.Choice{prefer.First, prefer.Second, prefer.Tie, prefer.BothBad, prefer.Skip} {
		study := must(prefer.New(ctx, prefer.Config{Space: tea}))
		for range 4 {
			q := must(study.Ask(ctx, prefer.Request{}))
			must(study.Tell(ctx, q.ID, prefer.Answer{Choice: thirsty(q)}))
		}
		before := must(study.Belief(ctx, prefer.Look{})).Answers
		q := must(study.Ask(ctx, prefer.Request{}))
		must(study.Tell(ctx, q.ID, prefer.Answer{Choice: choice}))
		fmt.Printf("%-8s %d\n", choice, must(study.Belief(ctx, prefer.Look{})).Answers-before)
	}
	// Output:
	// first    1
	// second   1
	// tie      1
	// both_bad 2
	// skip     0
}

// A space in JSON, as it stands in logs and requests.
func ExampleConfig_Validate() {
	sp := space.Box(space.LogFloat("brightness", 0.2, 2))
	fmt.Println(string(must(json.Marshal(sp))))

	var back space.Space
	err := json.Unmarshal([]byte(`{"params":[{"name":"gain","type":"float","low":3,"high":1}]}`), &back)
	fmt.Println(err, prefer.Config{Space: back}.Validate())
	// Output:
	// {"params":[{"name":"brightness","type":"float","low":0.2,"high":2,"log":true}]}
	// <nil> prefer: parameter "gain" has range [3, 1], want low < high
}

// A study is its events: written as JSON, read again, it goes on where it was.
func ExampleOpen() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea}))
	for range 6 {
		q := must(study.Ask(ctx, prefer.Request{}))
		must(study.Tell(ctx, q.ID, prefer.Answer{Choice: thirsty(q)}))
	}
	text := must(json.Marshal(study.Events(0)))

	var events []prefer.Event
	if err := json.Unmarshal(text, &events); err != nil {
		panic(err)
	}
	again := must(prefer.Open(ctx, events, prefer.OpenOptions{}))
	here, there := must(study.Ask(ctx, prefer.Request{})), must(again.Ask(ctx, prefer.Request{}))
	fmt.Println(len(events), "events; the next question is", here.ID, "and the same:", reflect.DeepEqual(here, there))
	// Output: 13 events; the next question is q7 and the same: true
}

// Taking an answer back opens its question again.
func ExampleStudy_Undo() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea}))
	q := must(study.Ask(ctx, prefer.Request{}))
	slip := must(study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}))
	fmt.Println("asked next:", must(study.Ask(ctx, prefer.Request{})).ID)
	if err := study.Undo(ctx, slip); err != nil {
		panic(err)
	}
	fmt.Println("after undo:", must(study.Ask(ctx, prefer.Request{})).ID)
	_, err := study.Tell(ctx, "q2", prefer.Answer{Choice: prefer.First})
	refused, ok := errors.AsType[*prefer.Error](err)
	fmt.Println(err, ok && refused.Code == "no_question")
	// Output:
	// asked next: q2
	// after undo: q1
	// prefer: question "q2" was withdrawn true
}

// Each rater has one question of their own until they answer it.
func ExampleStudy_Ask() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea}))
	for _, rater := range []string{"ann", "bob", "ann"} {
		fmt.Println(rater, must(study.Ask(ctx, prefer.Request{Rater: rater})).ID)
	}
	// Output:
	// ann q1
	// bob q2
	// ann q1
}

// Items join the list of a running study and leave it; answers about them still teach.
func ExampleStudy_Items() {
	ctx := context.Background()
	folder := func(names ...string) (items []space.Item) {
		for _, name := range names {
			items = append(items, space.Item{ID: name, Media: name})
		}
		return items
	}
	study := must(prefer.New(ctx, prefer.Config{Space: space.Space{Items: folder("dawn.png", "noon.png", "dusk.png")}}))
	d := must(exchange.Refresh(ctx, study, folder("dawn.png", "dusk.png", "night.png"), true))
	fmt.Println("new:", d.New[0].ID, "gone:", d.Gone, "as before:", d.Same)
	for _, item := range study.Items(false) {
		fmt.Println(item.ID)
	}
	// Output:
	// new: night.png gone: [noon.png] as before: 2
	// dawn.png
	// dusk.png
	// night.png
}

// Duels from elsewhere count like answers, and replace the quasi-random pairs a study begins with.
func ExampleStudy_Observe() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea}))
	cup := func(sugar, degrees float64) space.Option {
		return space.Option{"sugar": space.ValueOf(sugar), "degrees": space.ValueOf(degrees)}
	}
	for _, winner := range []space.Option{cup(2, 70), cup(4, 75), cup(3, 60), cup(1, 65)} {
		must(study.Observe(ctx, prefer.Duel{First: winner, Second: cup(9, 95), Answer: prefer.Answer{Choice: prefer.First}}))
	}
	belief := must(study.Belief(ctx, prefer.Look{}))
	p, err := belief.Prefers(cup(3, 70), cup(9, 90))
	fmt.Println(belief.Answers, "duels; 3 spoons at 70 degrees beat 9 at 90:", p > 0.8, err)
	fmt.Println("the next pair is chosen by", must(study.Ask(ctx, prefer.Request{})).Method)
	_, err = study.Observe(ctx, prefer.Duel{First: cup(12, 70), Second: cup(3, 70), Answer: prefer.Answer{Choice: prefer.Second}})
	fmt.Println(err)
	// Output:
	// 4 duels; 3 spoons at 70 degrees beat 9 at 90: true <nil>
	// the next pair is chosen by kg
	// prefer: option has "sugar" = 12, want a number in [0, 10]
}

// jsonLines is a journal that writes one event per line. One for files would also sync, and one for
// several processes check where the file really ends.
type jsonLines struct {
	out  bytes.Buffer
	last int
}

func (j *jsonLines) Append(_ context.Context, after int, events ...prefer.Event) error {
	if after != j.last {
		return fmt.Errorf("journal ends at event %d, not %d: %w", j.last, after, prefer.ErrConflict)
	}
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		j.out.Write(append(line, '\n'))
		j.last = e.Seq
	}
	return nil
}

// A journal keeps every event before it counts.
func ExampleJournal() {
	ctx := context.Background()
	journal := &jsonLines{}
	study := must(prefer.New(ctx, prefer.Config{Space: tea, Journal: journal}))
	q := must(study.Ask(ctx, prefer.Request{Rater: "ann"}))
	must(study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Tie, Key: "click-1"}))
	must(study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Tie, Key: "click-1"})) // sent twice, told once
	dec := json.NewDecoder(&journal.out)
	for dec.More() {
		var e prefer.Event
		if err := dec.Decode(&e); err != nil {
			panic(err)
		}
		fmt.Println(e.Seq, e.Kind)
	}
	// Output:
	// 1 created
	// 2 asked
	// 3 answered
}

// drink plays a study with somebody thirsty.
func drink(study *prefer.Study, r prefer.Request, answers int) {
	for range answers {
		q := must(study.Ask(context.Background(), r))
		must(study.Tell(context.Background(), q.ID, prefer.Answer{Choice: thirsty(q)}))
	}
}

// A verdict says whether to go on, and how sure it is.
func ExampleStudy_Verdict() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea, Budget: 12}))
	drink(study, prefer.Request{}, 4)
	early := must(study.Verdict(ctx, prefer.Look{}))
	drink(study, prefer.Request{}, 8)
	late := must(study.Verdict(ctx, prefer.Look{}))
	fmt.Println(early.Kind, late.Kind.Done(), late.Answers)
	// Output: keep_going true 12
}

// A belief answers about any options, and says which parameters matter.
func ExampleStudy_Belief() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea}))
	drink(study, prefer.Request{}, 20)
	belief := must(study.Belief(ctx, prefer.Look{}))
	for _, i := range belief.Importance() {
		curve := must(belief.Slice(i.Parameter, 5))
		fmt.Println(i.Parameter, i.Share > 0.1, len(curve))
	}
	// Output:
	// sugar true 5
	// degrees true 5
}

// Raters with utilities of their own: each has a pick, and the group has one.
func ExampleStudy_Group() {
	ctx := context.Background()
	study := must(prefer.New(ctx, prefer.Config{Space: tea, People: prefer.PerRater}))
	for _, rater := range []string{"ann", "bob"} {
		drink(study, prefer.Request{Rater: rater}, 12)
	}
	group := must(study.Group(ctx, prefer.Look{}))
	fmt.Println(group.Raters, len(group.Favourites), group.Together.Mean > 0.5)
	// Output: [ann bob] 2 true
}

// Under each context there is a best of its own.
func ExampleStudy_Contexts() {
	ctx := context.Background()
	hour := space.Categorical("hour", "morning", "evening")
	hour.Context = true
	study := must(prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("sugar", 0, 10), space.Float("degrees", 40, 100), hour)}))
	for _, at := range []string{"morning", "evening"} {
		now := space.Option{"hour": space.ValueOf(at)}
		drink(study, prefer.Request{Fixed: now}, 6)
		fmt.Println(must(study.Best(ctx, prefer.Look{Fixed: now})).Option.Word("hour"))
	}
	fmt.Println(len(study.Contexts()))
	// Output:
	// morning
	// evening
	// 2
}

// A method of your own: the incumbent against an option drawn at random.
func ExampleConfig_chooser() {
	ctx := context.Background()
	challenge := func(_ context.Context, t acquisition.Task) (acquisition.Choice, error) {
		luck := rand.New(rand.NewPCG(t.Seed, 0))
		return acquisition.Choice{A: t.Shown[:2], B: []float64{luck.Float64(), luck.Float64()}, Value: math.NaN()}, nil
	}
	study := must(prefer.New(ctx, prefer.Config{Space: tea, Method: "challenge", Chooser: challenge}))
	drink(study, prefer.Request{}, 5)
	fmt.Println(must(study.Ask(ctx, prefer.Request{})).Method)
	// Output: challenge
}
