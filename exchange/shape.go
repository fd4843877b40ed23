package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// shape is how a row says who won.
type shape int

const (
	winnerLoser shape = iota // winner and loser
	battle                   // model_a, model_b, and which of them won
	chosen                   // chosen and rejected, one or several
	ranked                   // ranking, or rank1, rank2, …
)

// shapeNames are the names that a shape is told by, and no other has.
type shapeNames struct {
	is    shape
	tells func(name string) bool
	names string
}

var shapes = []shapeNames{
	{winnerLoser, func(n string) bool { return n == "loser" }, "winner and loser"},
	{battle, func(n string) bool { return n == "model_a" || n == "model_b" }, "model_a, model_b and winner"},
	{chosen, isChosen, "chosen and rejected"},
	{ranked, func(n string) bool { return n == "ranking" || numberOf(n, "rank") > 0 }, "ranking, or rank1, rank2, …"},
}

// unpaired are the names of labels that speak of one option alone, as data for Kahneman–Tversky optimisation do.
var unpaired = []string{"label", "labels", "completion", "score", "rating", "reward", "thumbs"}

// shapeOf tells the shape of a row from its names. One that has none, or could be two, is refused with what to write.
func shapeOf(names []string) (shape, error) {
	found := xslices.Filter(shapes, func(s shapeNames) bool { return slices.ContainsFunc(names, s.tells) })
	has := func(name string) bool { return slices.Contains(names, name) }
	switch {
	case len(found) > 1:
		return 0, fmt.Errorf("it has %s as well as %s, and could mean either; leave one of them out", found[0].names, found[1].names)
	case len(found) == 1:
		s := found[0]
		if has("winner") && (s.is == chosen || s.is == ranked) {
			return 0, fmt.Errorf("it has %s as well as %s, and could mean either; leave one of them out", "winner", s.names)
		}
		return s.is, nil
	case has("winner"):
		return 0, errors.New("it has \"winner\" and neither \"loser\" nor \"model_a\" and \"model_b\"")
	}
	if i := slices.IndexFunc(unpaired, has); i >= 0 {
		return 0, fmt.Errorf("it has %q, a label of one option alone, and no second option; prefer learns from pairs: give the better one as chosen and the other as rejected", unpaired[i])
	}
	return 0, errors.New("want winner and loser, model_a, model_b and winner, chosen and rejected, or ranking")
}

// heading are names people give columns of pairs: two of them over two columns are no ids.
var heading = []string{"winner", "loser", "win", "lose", "won", "lost", "winners", "losers", "chosen", "rejected", "preferred", "dispreferred", "nonpreferred", "not_preferred",
	"better", "worse", "best", "worst", "model_a", "model_b", "option_a", "option_b", "response_a", "response_b", "item_a", "item_b", "item1", "item2", "left", "right",
	"prompt", "completion", "label", "response", "answer", "id", "rank", "ranking", "score", "text"}

// headed reports whether a cell of the first row looks like the name of a column.
func headed(cell string) bool {
	name := strings.ToLower(strings.Join(strings.Fields(cell), "_"))
	return slices.Contains(heading, name) || isChosen(name) || numberOf(name, "rank") > 0
}

// numberOf returns k of a name like rank3 with this beginning, 0 if it is none.
func numberOf(name, beginning string) int {
	digits, _ := strings.CutPrefix(name, beginning)
	k, err := strconv.Atoi(digits)
	if err != nil || len(digits) > 4 || beginning+strconv.Itoa(k) != name {
		return 0
	}
	return max(0, k)
}
