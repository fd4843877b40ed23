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
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Every is the number of calls from one look at the pick to the next.
const Every = 20

// Plan is what is played. Its tags make flags of the fields.
type Plan struct {
	Players     []string `help:"Methods to compare: ${judge_players}. Defaults to all." placeholder:"NAME,…"`
	Tastes      []string `help:"What prompts are worth: ${judge_tastes}. Defaults to all." placeholder:"NAME,…"`
	Knows       []string `help:"What is known of prompts: names, or features of which 70 % of their worth is made." default:"names" placeholder:"NAME,…"`
	Prompts     int      `help:"Number of prompts." default:"40" placeholder:"N"`
	Budgets     []string `help:"Evaluate after these numbers of calls; done: when prefer stops, at most 200, and as many for the others." default:"40,80,120" placeholder:"N,…"`
	Repetitions int      `help:"Repetitions of each." default:"50" placeholder:"N"`
	Judge       Judge    `embed:""`
	Seed        uint64   `help:"Random seed."`
	Jobs        int      `help:"Repetitions in parallel; the result does not depend on it." default:"1" placeholder:"N"`
}

const untilDone = "done" // the budget of plays that end when prefer says that it is done, and of everybody else after as many calls

// Check reports what cannot be played.
func (p Plan) Check() error {
	if err := cmp.Or(trial.CheckNames("judges: Plan.Players", p.Players, Players), trial.CheckNames("judges: Plan.Tastes", p.Tastes, Tastes),
		trial.CheckNames("judges: Plan.Knows", p.Knows, []string{"names", "features"})); err != nil {
		return err
	}
	for _, b := range p.Budgets {
		if n, err := strconv.Atoi(b); b != untilDone && (err != nil || n < 1) {
			return fmt.Errorf("judges: Plan.Budgets has %q, want numbers of calls, and %s", b, untilDone)
		}
	}
	if p.Prompts < 3 || p.Repetitions < 2 || p.Jobs < 1 || !(p.Judge.Scale > 0) || p.Judge.Lapse < 0 || p.Judge.Lapse > 1 || p.Judge.Always < 0 || p.Judge.Always > 1 {
		return fmt.Errorf("judges: %+v, want 3 or more prompts, 2 or more repetitions, noise above 0, lapses and always from 0 to 1", p)
	}
	return nil
}

// Calls returns the budgets that are numbers.
func (p Plan) Calls() (out []int) {
	for _, b := range p.Budgets {
		if n, err := strconv.Atoi(b); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// looks returns how often the pick of a play for a number of calls is looked at; 0 if there are none.
func (p Plan) looks() int { return (slices.Max(append(p.Calls(), 0)) + Every - 1) / Every }

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
func (p Plan) Run(ctx context.Context, file *bench.RowFile[key, Play], done trial.Progress) (out []Play, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	var units []trial.Unit[key, Play]
	begin := func() (func(context.Context, key) (Play, error), error) {
		return func(ctx context.Context, k key) (Play, error) { return p.play(ctx, file, k) }, nil
	}
	for _, taste := range xslices.Or(p.Tastes, Tastes...) {
		for _, knows := range p.Knows {
			for _, name := range xslices.Or(p.Players, Players...) {
				if knows == "features" && name != ours {
					continue // only prefer uses features
				}
				for n := range p.Repetitions {
					k := key{name, taste, knows, p.Prompts, p.Judge, p.Seed, n, false}
					if p.looks() > 0 {
						units = append(units, trial.Unit[key, Play]{Keys: []key{k}, Begin: begin})
					}
					if k.Done = slices.Contains(p.Budgets, untilDone); k.Done {
						units = append(units, trial.Unit[key, Play]{Keys: []key{k}, Begin: begin})
					}
				}
			}
		}
	}
	err = trial.Run(ctx, p.Jobs, units, file, func(was Play) bool { return was.Done || was.Looks() >= p.looks() }, done)
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
func (p Plan) play(ctx context.Context, file *bench.RowFile[key, Play], k key) (out Play, err error) {
	calls := p.looks() * Every
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
