package renders

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pixels"
	"github.com/prefer-bo/prefer/space"
)

// Plan is what is measured: how many answers it takes until the pick is among the best hundredth of a list of pictures. The zero value works.
type Plan struct {
	Pictures int     // Defaults to 200.
	Tastes   int     // Defaults to 20.
	Answers  int     // that a person gives. Defaults to 80.
	Every    int     // answers from one look at the pick to the next. Defaults to 4.
	Errors   float64 // share of answers that are wrong. Defaults to 0.12.
	Own      float64 // share of her utility that is of single pictures alone
	Setup    string  // what the study knows: "names" alone, "features", or "both", features and that pictures have something of their own. Defaults to "both".
	Seed     uint64
	Jobs     int // tastes at a time. Defaults to 1.
}

// Setups are what a study may know of pictures.
var Setups = []string{"names", "features", "both"}

func (p Plan) withDefaults() Plan {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&p.Pictures, 200)
	set(&p.Tastes, 20)
	set(&p.Answers, 80)
	set(&p.Every, 4)
	set(&p.Jobs, 1)
	if p.Errors == 0 {
		p.Errors = 0.12
	}
	if p.Setup == "" {
		p.Setup = "both"
	}
	return p
}

// Played is one study of one person.
type Played struct {
	Reached int     // answers until the pick was among the best hundredth; 0 if it never was
	Beats   float64 // share of all pictures that the last pick is better than
	Seen    int     // pictures that were shown
	Most    float64 // share of the questions that had the picture which was shown most
}

// Run plays the studies and returns them in the order of their tastes; each, if not nil, is called after every one.
func (p Plan) Run(ctx context.Context, each func()) ([]Played, error) {
	p = p.withDefaults()
	if !slices.Contains(Setups, p.Setup) || p.Pictures < 2 || p.Tastes < 1 || p.Answers < p.Every || p.Every < 1 {
		return nil, fmt.Errorf("renders: %+v, want a setup of %v, two pictures, one taste and so many answers that the pick is looked at", p, Setups)
	}
	r := rand.New(rand.NewPCG(p.Seed, 0x9e4d))
	scenes := make([]Scene, p.Pictures)
	items := make([]space.Item, p.Pictures)
	for i := range scenes {
		scenes[i] = NewScene(r)
		items[i] = space.Item{ID: fmt.Sprintf("r%04d.png", i)}
		if p.Setup != "names" {
			items[i].Features = space.Option{}
			for k, v := range pixels.Of(scenes[i].Draw()) {
				items[i].Features[pixels.Names[k]] = space.ValueOf(v)
			}
		}
	}
	out, errs := make([]Played, p.Tastes), make([]error, p.Tastes)
	next := make(chan int)
	var done sync.WaitGroup
	var mu sync.Mutex
	for range p.Jobs {
		done.Go(func() {
			for i := range next {
				if out[i], errs[i] = p.play(ctx, uint64(i), items, scenes); each != nil {
					mu.Lock()
					each()
					mu.Unlock()
				}
			}
		})
	}
	for i := range out {
		next <- i
	}
	close(next)
	done.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p Plan) play(ctx context.Context, who uint64, items []space.Item, scenes []Scene) (out Played, err error) {
	r := rand.New(rand.NewPCG(p.Seed, who+1))
	u := NewTaste(r, p.Own).Utilities(scenes)
	good := best(u, 0.01)
	at := make(map[string]int, len(items))
	for i, it := range items {
		at[it.ID] = i
	}
	cfg := prefer.Config{Space: space.Space{Items: items, Own: p.Setup == "both"}, Seed: p.Seed + who, Answers: prefer.Answers{Forced: true}}
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return out, err
	}
	shown := map[int]int{}
	for n := 1; n <= p.Answers; n++ {
		q, err := s.Ask(ctx, prefer.Request{})
		if err != nil {
			return out, err
		}
		a, b := at[q.First.Item()], at[q.Second.Item()]
		shown[a]++
		shown[b]++
		if _, err := s.Tell(ctx, q.ID, prefer.Answer{Choice: answer(r, u[a], u[b], p.Errors)}); err != nil {
			return out, err
		}
		if n%p.Every != 0 {
			continue
		}
		best, err := s.Best(ctx, prefer.Look{})
		if err != nil {
			return out, err
		}
		pick := at[best.Option.Item()]
		if good[pick] && out.Reached == 0 {
			out.Reached = n
		}
		out.Beats = 0
		for _, v := range u {
			if u[pick] > v {
				out.Beats += 1 / float64(len(u)-1)
			}
		}
	}
	out.Seen = len(shown)
	for _, n := range shown {
		out.Most = max(out.Most, float64(n)/float64(p.Answers))
	}
	return out, nil
}
