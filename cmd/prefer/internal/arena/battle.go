// Package arena makes the tables that people who compare models expect: Bradley–Terry ratings on the Elo scale with intervals and ranks, and
// wins of each over each. They come from the answers alone, without the Gaussian process: every model has a rating of its own, and all answers count alike.
package arena

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Battle is an answer about two names: the first won, or Tied.
type Battle struct {
	Winner, Loser string
	Tied          bool
}

// Battles returns the preferences and ties of one rater or, if rater is empty, of all. Both bad is a tie; skips, checks and undone answers are left out.
func Battles(study *prefer.Study, rater string) ([]Battle, error) {
	if len(study.Config().Space.Parameters) > 0 {
		return nil, errors.New("arena: the options of this study are settings, which have no names; ratings are of the items of a list")
	}
	var out []Battle
	for _, e := range study.History() {
		if q, _ := study.Question(e.Question); e.Undone || e.Answer.Check || q.Catch || rater != "" && e.Rater != rater {
			continue
		}
		b := Battle{Winner: e.First.Item(), Loser: e.Second.Item()}
		for _, k := range prefer.Choices() {
			if k.Choice != e.Answer.Choice || !k.Teaches {
				continue
			}
			if b.Tied = k.Side == 0; k.Side < 0 {
				b.Winner, b.Loser = b.Loser, b.Winner
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// score counts the battles of every two names.
type score struct {
	Wins
	at map[string]int
}

// points are those of a name against another: 1 for a win, ½ for a tie.
func (s score) points(i, j int) float64 { return float64(s.Won[i][j]) + float64(s.Tied[i][j])/2 }

func newScore(battles []Battle) (score, error) {
	all := map[string]bool{}
	for i, b := range battles {
		if b.Winner == "" || b.Loser == "" || b.Winner == b.Loser {
			return score{}, fmt.Errorf("arena: battle %d is of %q and %q, want two names", i+1, b.Winner, b.Loser)
		}
		all[b.Winner], all[b.Loser] = true, true
	}
	if len(all) == 0 {
		return score{}, errors.New("arena: there are no answers yet")
	}
	s := score{Wins: Wins{Names: slices.Sorted(maps.Keys(all))}, at: map[string]int{}}
	for i, name := range s.Names {
		s.at[name] = i
		s.Won, s.Tied = append(s.Won, make([]int, len(all))), append(s.Tied, make([]int, len(all)))
	}
	for _, b := range battles {
		i, j := s.at[b.Winner], s.at[b.Loser]
		if b.Tied {
			s.Tied[i][j]++
			s.Tied[j][i]++
		} else {
			s.Won[i][j]++
		}
	}
	return s, nil
}

// closure reports for every two names whether a chain of edges leads from the first to the second, by Warshall's method.
func (s score) closure(edge func(i, j int) bool) [][]bool {
	to := make([][]bool, len(s.Names))
	for i := range to {
		to[i] = make([]bool, len(to))
		for j := range to {
			to[i][j] = i == j || edge(i, j)
		}
	}
	for k := range to {
		for i := range to {
			for j := 0; to[i][k] && j < len(to); j++ {
				to[i][j] = to[i][j] || to[k][j]
			}
		}
	}
	return to
}
