package exchange

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
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

// sameContent reports whether two items have the same content, whatever their ids.
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
	if err != nil {
		return Difference{}, err
	}
	c := prefer.Change{Join: d.Joins(), Leave: d.Old}
	if gone {
		c.Leave = slices.Concat(d.Old, d.Gone)
	}
	if len(c.Join) == 0 && len(c.Leave) == 0 {
		return d, nil
	}
	if err := s.Change(ctx, c); err != nil {
		return Difference{}, err
	}
	return d, nil
}

func refuse(format string, args ...any) error {
	return &prefer.Error{Code: "option", Field: "items", Detail: fmt.Sprintf(format, args...), Err: prefer.ErrInvalid}
}
