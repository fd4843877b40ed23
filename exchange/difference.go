package exchange

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Difference is how items that were found, as in a folder that has changed, differ from the list of a study. They are told apart by their
// ids: media, text and sum say whether one is what it was; where one of two has no sum, their features do.
type Difference struct {
	New     []space.Item // found, and never in the list
	Back    []space.Item // found as they were when they left
	Changed []space.Item // found with other content than the item of their id: under a new id, "a.png (2)"
	Old     []string     // ids of the items that those which changed, or changed back, take the place of
	Gone    []string     // ids of items in the list that were not found
	Same    int          // found as they are in the list
}

// Joins returns the items that would join, in the order in which they were found within each kind.
func (d Difference) Joins() []space.Item { return slices.Concat(d.New, d.Changed, d.Back) }

// Compare compares the list of a study with items that were found. Nothing is written.
func Compare(s *prefer.Study, found []space.Item) (Difference, error) {
	var d Difference
	all := s.Items(true)
	if all == nil {
		return d, refuse("items cannot join a study of parameters")
	}
	ids := make(map[string]bool, len(found))
	for _, it := range found {
		if it.ID == "" || ids[it.ID] {
			return d, refuse("an item that was found has the id %q, which is empty or that of another", it.ID)
		}
		ids[it.ID] = true
	}
	at, left := map[string]int{}, map[string]bool{}
	for i, it := range all {
		at[it.ID], left[it.ID] = i, true
	}
	for _, it := range s.Items(false) {
		left[it.ID] = false
	}
	met := make(map[string]bool, len(found))
	for _, it := range found {
		same, free := -1, it.ID // the item that it is; an id for it if it is none
		for n := 2; ; n++ {
			i, known := at[free]
			if !known || n > 2 && ids[free] {
				if !known {
					break
				}
			} else if sameContent(all[i], it) {
				same = i
			} else if !left[free] {
				d.Old, met[free] = append(d.Old, free), true
			}
			free = fmt.Sprintf("%s (%d)", it.ID, n)
		}
		switch {
		case same >= 0 && left[all[same].ID]:
			d.Back = append(d.Back, all[same])
		case same >= 0:
			d.Same++
			met[all[same].ID] = true
		case free == it.ID:
			d.New = append(d.New, it)
		default:
			it.ID = free
			d.Changed = append(d.Changed, it)
		}
	}
	for _, it := range all {
		if !left[it.ID] && !met[it.ID] {
			d.Gone = append(d.Gone, it.ID)
		}
	}
	return d, nil
}

func sameContent(i, other space.Item) bool {
	if i.Media != other.Media || i.Text != other.Text {
		return false
	}
	if i.Sum != "" && other.Sum != "" {
		return i.Sum == other.Sum
	}
	return maps.Equal(i.Features, other.Features)
}

// Refresh makes the list of the study what was found, all or nothing: new items join, changed ones take the place of what they were, and, if gone
// is set, items that were not found leave. It returns what it did.
func Refresh(ctx context.Context, s *prefer.Study, found []space.Item, gone bool) (Difference, error) {
	d, err := Compare(s, found)
	if err == nil {
		err = d.Apply(ctx, s, gone)
	}
	return d, err
}

// Apply makes the difference in the list of the study; items that were not found leave if gone is set.
func (d Difference) Apply(ctx context.Context, s *prefer.Study, gone bool) error {
	c := prefer.Change{Join: d.Joins(), Leave: d.Old}
	if gone {
		c.Leave = slices.Concat(d.Old, d.Gone)
	}
	if len(c.Join) == 0 && len(c.Leave) == 0 {
		return nil
	}
	return s.Change(ctx, c)
}

func refuse(format string, args ...any) error {
	return &prefer.Error{Code: "option", Field: "items", Detail: fmt.Sprintf(format, args...), Err: prefer.ErrInvalid}
}

// maxEarlier is how many answers Config.Earlier may have.
const maxEarlier = 90

// Earlier returns answers of a study for Config.Earlier of a new one: equally many of each rater, evenly spread over the rater's answers,
// raters numbered in the order of their first answers. Left out are excluded raters, what says nothing about two options, and
// what the new study cannot say because it has not these options or offers no ties. Skipped counts the latter; that all are is an error.
func Earlier(s *prefer.Study, of prefer.Config) (duels []prefer.Duel, skipped int, err error) {
	code, err := coding.New(of.Space)
	if err != nil {
		return nil, 0, err
	}
	var raters []string
	said, kinds := map[string][]prefer.Duel{}, prefer.Choices()
	for _, e := range s.History() {
		compares := slices.ContainsFunc(kinds, func(k prefer.ChoiceInfo) bool { return k.Compares && k.Choice == e.Answer.Choice })
		if !e.Counts() || e.Out || !compares {
			continue
		}
		answer := prefer.Answer{Choice: e.Answer.Choice, Strength: min(e.Answer.Strength, of.Answers.Grades)}
		_, _, bad := code.Pair(e.First, e.Second)
		if bad = cmp.Or(bad, of.Answers.Validate(answer)); bad != nil {
			skipped, err = skipped+1, bad
			continue
		}
		if said[e.Rater] == nil {
			raters = append(raters, e.Rater)
		}
		said[e.Rater] = append(said[e.Rater], prefer.Duel{First: maps.Clone(e.First), Second: maps.Clone(e.Second),
			Rater: strconv.Itoa(slices.Index(raters, e.Rater) + 1), Answer: answer})
	}
	if len(raters) == 0 && skipped > 0 {
		return nil, skipped, fmt.Errorf("exchange: no answer of the earlier study is one of the new one: %w", err)
	}
	return slices.Concat(fairly(raters, said)...), skipped, nil
}

// fairly returns of each rater's answers as many as of the others', maxEarlier in all, evenly spread.
func fairly(raters []string, said map[string][]prefer.Duel) (out [][]prefer.Duel) {
	left := maxEarlier
	order := slices.Clone(raters)
	slices.SortStableFunc(order, func(a, b string) int { return len(said[a]) - len(said[b]) })
	share := map[string]int{}
	for i, r := range order { // a rater with few answers leaves room for the others
		share[r] = min(len(said[r]), left/(len(order)-i))
		left -= share[r]
	}
	for _, r := range raters {
		own := xslices.Times(share[r], func(i int) prefer.Duel { return said[r][(2*i+1)*len(said[r])/(2*share[r])] })
		out = append(out, own)
	}
	return out
}
