package live_test

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// A study in memory, with one rater before it. They like what is sweet, whichever side it is on.
func Example() {
	ctx := context.Background()
	studies, err := live.New(live.Config{Budget: -1, Workers: -1}) // as long as a search takes, and none that nobody waits for
	if err != nil {
		fmt.Println(err)
		return
	}
	defer studies.Close(ctx)
	space := space.Box(space.Float("sugar", 0, 1))
	if err := studies.Create(ctx, "tea", prefer.Config{Space: space, Seed: 1}, live.Settings{}); err != nil {
		fmt.Println(err)
		return
	}
	q, err := studies.Ask(ctx, "tea", live.Ask{Rater: "ann"})
	for err == nil && q.Status.Answers < 8 {
		choice := prefer.First // of what they see
		if q.Options[1].Params.Float("sugar") > q.Options[0].Params.Float("sugar") {
			choice = prefer.Second
		}
		var told live.Told
		told, err = studies.Tell(ctx, "tea", live.Tell{Question: q.Asked.ID, Rater: "ann", Answer: prefer.Answer{Choice: choice}, Next: true})
		if told.Next != nil {
			q = *told.Next
		}
	}
	if err == nil {
		err = studies.With(ctx, "tea", func(tea *live.Study) error {
			v, err := tea.Verdict(ctx, "ann")
			fmt.Printf("after %d answers: sugar %.1f\n", tea.Status("ann").Answers, v.Best.Option.Float("sugar"))
			return err
		})
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output: after 8 answers: sugar 1.0
}
