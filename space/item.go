package space

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Item is one thing of a list: an image, a prompt, a product.
type Item struct {
	// ID names the item within its study.
	ID string `json:"id"`

	// Media is a file or an address to show; Text is what to show without one. Both may be empty.
	Media string `json:"media,omitempty"`
	Text  string `json:"text,omitempty"`

	// Sum names the content of Media, so that a file that was changed is told from one that was not; empty where nobody has looked. Any text will do.
	Sum string `json:"sum,omitempty"`

	// Features are what the utility is learned from: numbers, words, yes or no. All items of a study have the same ones, but that with Space.Own one may have
	// none: it is taken to be like the average. Without features each item has a utility of its own, and an answer about two items says nothing of the others.
	Features Option `json:"features,omitempty"`
}

// itemParameter is the parameter of an option by which it names its item: the only one in a list, the first in a list crossed with
// parameters. Its value is the item's ID.
const itemParameter = "item"

// ItemOption returns the option that stands for the item with this ID: its one parameter is called "item".
func ItemOption(id string) Option { return Option{itemParameter: ValueOf(id)} }

// Item returns the ID of the item an option stands for, alone or with a setting of parameters, or "" if it stands for none. In a study without
// items it is the word that a parameter called "item" is set to.
func (o Option) Item() string {
	if v := o[itemParameter]; v.kind == word {
		return v.word
	}
	return ""
}

const (
	maxItems    = 1_000_000 // identity coordinates are exact far beyond
	maxFeatures = 256
	maxFeature  = 1e150 // in size: the width of a range must be a float64
)

func validateItems(items []Item, own bool) error {
	if len(items) < 2 || len(items) > maxItems {
		return fmt.Errorf("prefer: Space has %d items, want 2 to %d", len(items), maxItems)
	}
	lead := items[0]
	if own {
		lead = Space{Items: items}.described()
	}
	if n := len(lead.Features); n > maxFeatures {
		return fmt.Errorf("prefer: item %q has %d features, at most %d are supported", lead.ID, n, maxFeatures)
	}
	seen := make(map[string]bool, len(items))
	for i, it := range items {
		switch {
		case it.ID == "":
			return fmt.Errorf("prefer: item %d has no id", i)
		case seen[it.ID]:
			return fmt.Errorf("prefer: two items have the id %q", it.ID)
		}
		seen[it.ID] = true
		if own && len(it.Features) == 0 {
			continue
		}
		if err := likeFirst(lead, it); err != nil {
			return err
		}
	}
	return nil
}

// described returns the first item that has features, or the first if none has. The names and kinds of its features are those of all items.
func (s Space) described() Item {
	if i := slices.IndexFunc(s.Items, func(it Item) bool { return len(it.Features) > 0 }); i >= 0 {
		return s.Items[i]
	}
	if len(s.Items) == 0 {
		return Item{}
	}
	return s.Items[0]
}

// likeFirst reports features in which an item differs in kind from the first.
func likeFirst(first, it Item) error {
	if len(it.Features) != len(first.Features) {
		return fmt.Errorf("prefer: item %q has %d features, item %q has %d: want the same for all", it.ID, len(it.Features), first.ID, len(first.Features))
	}
	for name, v := range it.Features {
		f, ok := first.Features[name]
		switch {
		case name == "" || name == itemParameter:
			return fmt.Errorf("prefer: item %q has a feature called %q, want another name", it.ID, name)
		case !ok:
			return fmt.Errorf("prefer: item %q has the feature %q, item %q has not: want the same for all", it.ID, name, first.ID)
		case f.kind != v.kind:
			return fmt.Errorf("prefer: item %q has %q = %v, item %q has %v: want the same kind of value for all", it.ID, name, v, first.ID, f)
		case v.kind == number && !(math.Abs(v.num) <= maxFeature):
			return fmt.Errorf("prefer: item %q has %q = %v, want a number of reasonable size", it.ID, name, v)
		}
	}
	return nil
}

// validateCircular reports a period that makes no sense, or that of no feature of numbers.
func (s Space) validateCircular() error {
	for _, name := range slices.Sorted(maps.Keys(s.Circular)) {
		period := s.Circular[name]
		switch v, ok := s.described().Features[name]; {
		case !ok:
			return fmt.Errorf("prefer: Space.Circular has %q = %g, which is not a feature of the items", name, period)
		case v.kind != number:
			return fmt.Errorf("prefer: Space.Circular has %q = %g, but item %q has %q = %v, want a feature of numbers", name, period, s.described().ID, name, v)
		case !(period > 0 && period <= maxFeature):
			return fmt.Errorf("prefer: Space.Circular has %q = %g, want a positive period", name, period)
		}
	}
	return nil
}
