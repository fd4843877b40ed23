package exchange

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/space"
)

// optionColumns are the columns of one option: "item" where there is a list, parameters in the order of the space, and the item's features by name.
type optionColumns struct {
	names []string
	items map[string]space.Item
}

func newOptionColumns(sp space.Space, items []space.Item) (optionColumns, error) {
	out := optionColumns{items: map[string]space.Item{}}
	var parameters []string
	for _, p := range sp.Parameters {
		parameters = append(parameters, p.Name)
	}
	if len(items) == 0 {
		out.names = parameters
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
	for _, name := range parameters {
		if features[name] {
			return out, fmt.Errorf("exchange: %q is both a parameter and a feature of items, which would be one column", name)
		}
	}
	out.names = slices.Concat([]string{"item"}, parameters, slices.Sorted(maps.Keys(features)))
	return out, nil
}

// values are the cells of one option; nil where it has none.
func (c optionColumns) values(o space.Option) []any {
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
