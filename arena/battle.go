package arena

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Battle is an answer about two names: the first won, or Tied.
type Battle struct {
	Winner, Loser string
	Tied          bool
}

// Battles returns the answers of a study that teach, of one rater or, if rater is empty, of all: preferences and ties, both bad being a tie; not skips, checks, or what was taken back. A
// study of parameters has no names, which is an error.
func Battles(events []prefer.Event, rater string) ([]Battle, error) {
	if len(events) == 0 || events[0].Created == nil {
		return nil, errors.New("arena: the log does not begin with \"created\"")
	}
	if len(events[0].Created.Config.Space.Parameters) > 0 {
		return nil, errors.New("arena: the options of this study are settings, which have no names; ratings are of the items of a list")
	}
	questions, undone := map[prefer.QuestionID]*prefer.Question{}, map[prefer.AnswerID]bool{}
	for _, e := range events {
		if e.Undone != nil {
			undone[e.Undone.Answer] = true
		}
	}
	var out []Battle
	for _, e := range events {
		var first, second space.Option
		var a prefer.Answer
		var id prefer.AnswerID
		who := ""
		switch {
		case e.Asked != nil:
			questions[e.Asked.ID] = e.Asked
			continue
		case e.Answered != nil:
			q := questions[e.Answered.Question]
			if q == nil {
				return nil, fmt.Errorf("arena: event %d answers question %q, which was not asked before", e.Seq, e.Answered.Question)
			}
			first, second, a, id, who = q.First, q.Second, e.Answered.Answer, e.Answered.ID, q.Rater
			a.Check = a.Check || q.Catch
		case e.Observed != nil:
			d := e.Observed.Duel
			first, second, a, id, who = d.First, d.Second, d.Answer, e.Observed.ID, d.Rater
		default:
			continue
		}
		if who == "" {
			who = a.Rater
		}
		if a.Check || undone[id] || rater != "" && who != rater {
			continue
		}
		b := Battle{Winner: first.Item(), Loser: second.Item()}
		switch a.Choice {
		case prefer.First:
		case prefer.Second:
			b.Winner, b.Loser = b.Loser, b.Winner
		case prefer.Tie, prefer.BothBad:
			b.Tied = true
		default:
			continue
		}
		out = append(out, b)
	}
	return out, nil
}

// score is who scored how much against whom: a win is 1, a tie one half for each.
type score struct {
	names []string
	at    map[string]int
	won   [][]float64
	wins  [][]int // without ties
	ties  [][]int
}

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
	s := score{names: slices.Sorted(maps.Keys(all)), at: map[string]int{}}
	for i, name := range s.names {
		s.at[name] = i
		s.won, s.wins, s.ties = append(s.won, make([]float64, len(all))), append(s.wins, make([]int, len(all))), append(s.ties, make([]int, len(all)))
	}
	for _, b := range battles {
		i, j := s.at[b.Winner], s.at[b.Loser]
		if b.Tied {
			s.won[i][j] += 0.5
			s.won[j][i] += 0.5
			s.ties[i][j]++
			s.ties[j][i]++
		} else {
			s.won[i][j]++
			s.wins[i][j]++
		}
	}
	return s, nil
}
