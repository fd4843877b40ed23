package exchange

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
)

// optionColumns are the columns of one option: parameters in the order of the space, or "item" and its features by name.
type optionColumns struct {
	names []string
	items map[string]prefer.Item
}

func newOptionColumns(space prefer.Space, items []prefer.Item) (optionColumns, error) {
	out := optionColumns{items: map[string]prefer.Item{}}
	for _, p := range space.Parameters {
		out.names = append(out.names, p.Name)
	}
	if len(items) == 0 {
		return out, nil
	}
	features := map[string]bool{}
	for _, item := range items {
		out.items[item.ID] = item
		for f := range item.Features {
			features[f] = true
		}
	}
	if features["item"] {
		return out, fmt.Errorf("exchange: a feature is called %q, which is the name of the column of item ids", "item")
	}
	out.names = append([]string{"item"}, slices.Sorted(maps.Keys(features))...)
	return out, nil
}

// values are the cells of one option; nil where it has none.
func (c optionColumns) values(o prefer.Option) []any {
	item, isItem := c.items[o.Item()]
	cells := make([]any, len(c.names))
	for i, name := range c.names {
		v, ok := o[name]
		if !ok && isItem {
			v, ok = item.Features[name]
		}
		if ok {
			cells[i] = v
		}
	}
	return cells
}
