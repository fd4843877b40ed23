package prefer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Difference is how things that were found, as in a folder that has changed, differ from the list of a study. Things are told apart by their
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
func (d Difference) Joins() []space.Item {
	return slices.Concat(d.New, d.Changed, d.Back)
}

// Difference compares the list of the study with things that were found. Nothing is written.
func (s *Study) Difference(found []space.Item) (Difference, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var d Difference
	if s.state.code.Table() == nil {
		return d, coding.Refuse("option", "items cannot join a study of parameters")
	}
	ids := make(map[string]bool, len(found))
	for _, it := range found {
		if it.ID == "" || ids[it.ID] {
			return d, coding.Refuse("option", "an item that was found has the id %q, which is empty or that of another", it.ID)
		}
		ids[it.ID] = true
	}
	all, at, left := s.state.code.Space.Items, s.state.code.Table().ByID, s.state.left
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
	other.ID = i.ID
	switch what := differs(i, other); {
	case what == "":
		return true
	case what == "sum" && (i.Sum == "" || other.Sum == ""):
		other.Sum = i.Sum
		return differs(i, other) == ""
	default:
		return what == "features" && i.Sum != ""
	}
}

// Refresh makes the list of the study what was found, all or nothing: new items join, changed ones take the place of what they were, and, if gone
// is set, items that were not found leave. It returns what it did.
func (s *Study) Refresh(ctx context.Context, found []space.Item, gone bool) (Difference, error) {
	d, err := s.Difference(found)
	if err != nil {
		return Difference{}, err
	}
	c := Change{Join: d.Joins(), Leave: d.Old}
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

// differs names the first thing in which two items differ, or returns "".
func differs(i, other space.Item) string {
	switch {
	case i.ID != other.ID:
		return "id"
	case i.Media != other.Media:
		return "media"
	case i.Text != other.Text:
		return "text"
	case i.Sum != other.Sum:
		return "sum"
	case !maps.Equal(i.Features, other.Features):
		return "features"
	}
	return ""
}
