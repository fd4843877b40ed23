package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
)

// parseOption reads an option from flags: name=value, several to a flag with commas between, or the bare id of
// an item. The study is the one it is an option of.
func parseOption(study *prefer.Study, flag string, texts []string, partial bool) (prefer.Option, error) {
	fail := func(err error) (prefer.Option, error) {
		return nil, badFlag(fmt.Errorf("%s: %w", flag, err), flag, strings.Join(texts, ","))
	}
	items := study.Items()
	if items != nil && !partial {
		id := strings.Join(texts, ",")
		known := func(it prefer.Item) bool { return it.ID == id }
		if !slices.ContainsFunc(items, known) {
			id = strings.TrimPrefix(id, "item"+"=")
		}
		if !slices.ContainsFunc(items, known) {
			return fail(fmt.Errorf("no item has the id %q", id))
		}
		return prefer.ItemOption(id), nil
	}
	values, err := splitSettings(texts)
	if err != nil {
		return fail(err)
	}
	if items != nil {
		o, err := parseFeatures(items, values)
		if err != nil {
			return fail(err)
		}
		return o, nil
	}
	parse := study.Config().Space.Parse
	if partial {
		parse = study.Config().Space.ParseSome
	}
	o, err := parse(values)
	if err != nil {
		return fail(err)
	}
	return o, nil
}

// splitSettings reads name=value,name=value. A part without "=" belongs to the value before it, which had a
// comma.
func splitSettings(texts []string) (map[string]string, error) {
	values := map[string]string{}
	for _, text := range texts {
		last := ""
		for _, part := range strings.Split(text, ",") {
			name, value, ok := strings.Cut(part, "=")
			name = strings.TrimSpace(name)
			_, twice := values[name]
			switch {
			case !ok && last == "":
				return nil, fmt.Errorf("%q, want name=value as in sugar=1.5 or sugar=1.5,milk=0", text)
			case !ok:
				values[last] += "," + part
				continue
			case twice:
				return nil, fmt.Errorf("%q is set twice", name)
			}
			values[name], last = value, name
		}
	}
	return values, nil
}

// parseFeatures reads values that items have.
func parseFeatures(items []prefer.Item, values map[string]string) (prefer.Option, error) {
	o := prefer.Option{}
	for name, text := range values {
		x, err := strconv.ParseFloat(text, 64)
		numeric := err == nil
		found := slices.IndexFunc(items, func(it prefer.Item) bool {
			v, ok := it.Features[name]
			return ok && (v.String() == text || numeric && v == prefer.ValueOf(x))
		})
		if found < 0 {
			return nil, fmt.Errorf("no item has the feature %q = %q", name, text)
		}
		o[name] = items[found].Features[name]
	}
	return o, nil
}
