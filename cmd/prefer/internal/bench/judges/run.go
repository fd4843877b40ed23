// Package judges measures how many calls of a judge it takes to find the best of a list of prompts: by prefer, as a user would run it, and by what people do
// without it. The judge is simulated and shares nothing with prefer's model: its noise is logistic, it likes what is shown first, and some of its answers are
// no answers at all.
package judges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
)

// Every is the number of calls from one look at the pick to the next.
const Every = 20

// Plan is what is played. The zero value works.
type Plan struct {
	Players     []string // Defaults to Players.
	Tastes      []string // Defaults to Tastes.
	Knows       []string // what the player may know of prompts: "names", or "features" too, of which only prefer makes something. Defaults to names.
	Prompts     int      // Defaults to 40.
	Calls       int      // Defaults to 120, or to none if Done, rounded up to Every.
	Done        bool     // also plays until prefer says that it is done, and everybody else for as many calls.
	Repetitions int      // Defaults to 50.
	Judge       Judge    // Defaults to a scale of 0.4, a bias of 0.5 and lapses of 15 %.
	Seed        uint64
	Jobs        int // plays at a time. Defaults to 1.
}

// WithDefaults returns the plan with what it leaves out.
func (p Plan) WithDefaults() Plan {
	p.Prompts, p.Repetitions, p.Jobs = cmp.Or(p.Prompts, 40), cmp.Or(p.Repetitions, 50), cmp.Or(p.Jobs, 1)
	if p.Calls == 0 && !p.Done {
		p.Calls = 120
	}
	p.Calls = (p.Calls + Every - 1) / Every * Every
	p.Players, p.Tastes, p.Knows = trial.Default(p.Players, Players...), trial.Default(p.Tastes, Tastes...), trial.Default(p.Knows, "names")
	p.Judge = cmp.Or(p.Judge, Judge{Scale: 0.4, Bias: 0.5, Lapse: 0.15})
	return p
}

// Validate reports what cannot be played.
func (p Plan) Validate() error {
	p = p.WithDefaults()
	if err := cmp.Or(trial.CheckNames("judges: Plan.Players", p.Players, Players), trial.CheckNames("judges: Plan.Tastes", p.Tastes, Tastes),
		trial.CheckNames("judges: Plan.Knows", p.Knows, []string{"names", "features"})); err != nil {
		return err
	}
	if p.Prompts < 3 || p.Calls < 0 || p.Repetitions < 2 || p.Jobs < 1 || !(p.Judge.Scale > 0) || p.Judge.Lapse < 0 || p.Judge.Lapse > 1 ||
		p.Judge.Always < 0 || p.Judge.Always > 1 {
		return fmt.Errorf("judges: %+v, want 3 or more prompts, 2 or more repetitions, noise above 0, lapses and always from 0 to 1", p)
	}
	return nil
}

type key struct {
	Player  string `json:"player"`
	Taste   string `json:"taste"`
	Knows   string `json:"knows"`
	Prompts int    `json:"prompts"`
	Judge   Judge  `json:"judge"`
	Seed    uint64 `json:"seed"`
	Number  int    `json:"number"`
	Done    bool   `json:"done,omitempty"` // played until prefer was done, not for a number of calls
}

// Play is one search for the best, a line of a file.
type Play struct {
	key
	At []Look `json:"looks"`
}

// Look is what a player would have named after so many calls.
type Look struct {
	Calls  int     `json:"calls"`
	Rank   int     `json:"rank"`             // its true place, 1 if it is the best
	Regret float64 `json:"regret"`           // how much worse it is than the best, in standard deviations of all
	Sure   float64 `json:"sure,omitempty"`   // how probably the judge would take nothing over it more than three times in four
	Good   bool    `json:"good"`             // … and whether that is so
	Top    float64 `json:"top,omitempty"`    // how probably it is one of the best few, which is what a person reads
	InTop  bool    `json:"in_top,omitempty"` // … and whether it is
}

func (p Play) Key() key { return p.key }

func (p Play) Looks() int { return len(p.At) }

// Check returns what a play of a file lacks.
func (p Play) Check() error {
	if p.Player == "" || p.Taste == "" || len(p.At) == 0 {
		return errors.New("has no player, no taste or no looks")
	}
	return nil
}

// Run plays what the file does not have, and returns all of the plan.
func (p Plan) Run(ctx context.Context, file *trial.File[key, Play], done trial.Progress) (out []Play, err error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	var units []trial.Unit[key, Play]
	begin := func() (func(context.Context, key) (Play, error), error) {
		return func(ctx context.Context, k key) (Play, error) { return p.play(ctx, file, k) }, nil
	}
	for _, taste := range p.Tastes {
		for _, knows := range p.Knows {
			for _, name := range p.Players {
				if knows == "features" && name != ours {
					continue // only prefer uses features
				}
				for n := range p.Repetitions {
					k := key{name, taste, knows, p.Prompts, p.Judge, p.Seed, n, false}
					if p.Calls > 0 {
						units = append(units, trial.Unit[key, Play]{Keys: []key{k}, Begin: begin})
					}
					if k.Done = p.Done; k.Done {
						units = append(units, trial.Unit[key, Play]{Keys: []key{k}, Begin: begin})
					}
				}
			}
		}
	}
	err = trial.Run(ctx, p.Jobs, units, file, func(was Play) bool { return was.Done || was.Looks() >= p.Calls/Every }, done)
	for _, u := range units {
		if one, there := file.Find(u.Keys[0]); there {
			out = append(out, one)
		}
	}
	return out, err
}

const (
	ours      = "prefer"
	mostCalls = 200 // of a play until prefer is done
)

// play plays the calls of the plan and looks at the pick after every twentieth, or until prefer is done, the others for as many calls, and looks after the last.
func (p Plan) play(ctx context.Context, file *trial.File[key, Play], k key) (out Play, err error) {
	calls := p.Calls
	if k.Done {
		calls = mostCalls
	}
	if first := k; k.Done && k.Player != ours {
		first.Player = ours
		was, there := file.Find(first)
		if !there {
			if was, err = p.play(ctx, file, first); err != nil {
				return out, err
			}
		}
		calls = was.At[0].Calls
	}
	out.key = k
	items, u := newTaste(k.Taste, rand.New(rand.NewPCG(k.Seed, uint64(k.Number))), k.Prompts, k.Knows == "features")
	order := byWorth(u)
	judge := &hearing{judge: k.Judge, u: u, seed: k.Seed<<20 + uint64(k.Number), asked: map[[2]int]uint64{}}
	asks, err := newPlayer(ctx, k.Player, items, k.Seed<<20+uint64(k.Number))
	if err != nil {
		return out, err
	}
	for n, over := 1, false; n <= calls && !over; n++ {
		x, y, err := asks.next(ctx)
		if err != nil {
			return out, err
		}
		tookX, swapped := judge.ask(x, y)
		if err := asks.tell(ctx, tookX, swapped); err != nil {
			return out, err
		}
		over = n == calls
		if s, ok := asks.(*study); ok && k.Done && !over {
			if over, err = s.done(ctx); err != nil {
				return out, err
			}
		}
		if !over && (k.Done || n%Every != 0) {
			continue
		}
		pick, err := asks.pick(ctx)
		if err != nil {
			return out, err
		}
		look := Look{Calls: n, Rank: 1 + slices.Index(order, pick), Regret: u[order[0]] - u[pick], Good: k.Judge.wins(u[order[0]], u[pick]) <= 0.75}
		if s, ok := asks.(*study); ok {
			best, err := s.Best(ctx, prefer.Look{})
			if err != nil {
				return out, err
			}
			look.Sure, look.Top, look.InTop = best.Confidence, best.Top, float64(look.Rank) <= best.TopShare*float64(k.Prompts)+1e-9
		}
		out.At = append(out.At, look)
	}
	return out, nil
}
