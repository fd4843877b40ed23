package exchange

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Import is what a file from elsewhere says: enough to create a study, or to observe the duels in one that there is.
type Import struct {
	// Space suggests what to search. A file that gives no ranges, like a list of pairs, suggests the range of
	// its values, which may be too narrow: Notes says so.
	Space space.Space

	// Duels are the answers, in the order of the file.
	Duels []prefer.Duel

	// Notes say in words what was left out or changed on the way.
	Notes []string
}

// items suggests the list of all items in the duels, in order of appearance, with their texts; those with settings are crossed with parameters that span these.
func (im *Import) items(texts map[string]string) {
	seen := map[string]bool{}
	for _, d := range im.Duels {
		for _, o := range []space.Option{d.First, d.Second} {
			if id := o.Item(); !seen[id] {
				seen[id] = true
				im.Space.Items = append(im.Space.Items, space.Item{ID: id, Text: texts[id]})
			}
		}
	}
}

// noteGroups says how many groups of items there are that no duel connects, directly or over others.
func (im *Import) noteGroups() {
	leader := map[string]string{}
	find := func(id string) string {
		for leader[id] != "" {
			if up := leader[leader[id]]; up != "" {
				leader[id] = up
			}
			id = leader[id]
		}
		return id
	}
	groups := len(im.Space.Items)
	for _, d := range im.Duels {
		if a, b := find(d.First.Item()), find(d.Second.Item()); a != b {
			leader[a] = b
			groups--
		}
	}
	if groups > 1 {
		im.Notes = append(im.Notes, fmt.Sprintf("the %d items are in %d groups that are never compared with each other: nothing tells which of two in different groups is better", len(im.Space.Items), groups))
	}
}

// span suggests parameters that span the values in the duels, with names in the given order. All options have these names.
func (im *Import) span(names []string) error {
	for _, name := range names {
		first, seen := im.Duels[0].First[name], map[space.Value]bool{}
		kind, p := kindOf(first), space.Parameter{Name: name, Low: first.Float(), High: first.Float()}
		for i, d := range im.Duels {
			for _, o := range []space.Option{d.First, d.Second} {
				v := o[name]
				if k := kindOf(v); k != kind {
					return fmt.Errorf("exchange: parameter %q is %v, a %s, at first and %v, a %s, in duel %d", name, first, kind, v, k, i+1)
				}
				if kind == "number" {
					p.Low, p.High = min(p.Low, v.Float()), max(p.High, v.Float())
				} else if !seen[v] {
					seen[v] = true
					p.Choices = append(p.Choices, v)
				}
			}
		}
		switch kind {
		case "number":
			p.Type = "float"
			if p.Low == p.High {
				im.Notes = append(im.Notes, fmt.Sprintf("%s is %g throughout: a new study needs a range for it", name, p.Low))
			}
		case "true/false":
			p = space.Parameter{Name: name, Type: "bool"}
		default:
			p.Type, p.Low, p.High = "categorical", 0, 0
		}
		im.Space.Parameters = append(im.Space.Parameters, p)
	}
	im.Notes = append(im.Notes, "the file gives no ranges: a new study takes those of its values")
	return nil
}

func differing(a, b space.Option) (string, bool) {
	for _, o := range []space.Option{a, b} {
		for _, name := range slices.Sorted(maps.Keys(o)) {
			_, inA := a[name]
			if _, inB := b[name]; inA != inB {
				return name, true
			}
		}
	}
	return "", false
}
