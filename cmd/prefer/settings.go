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
	parse := parseSetting
	switch items := study.Items(); {
	case items != nil && partial:
		parse = parseFeatures
	case items != nil:
		parse = parseItem
	}
	o, err := parse(study, texts, partial)
	if err != nil {
		return nil, badFlag(fmt.Errorf("%s: %w", flag, err), flag, strings.Join(texts, ","))
	}
	return o, nil
}

// parseItem reads the id of an item.
func parseItem(study *prefer.Study, texts []string, _ bool) (prefer.Option, error) {
	id := strings.Join(texts, ",")
	for _, id := range []string{id, strings.TrimPrefix(id, "item=")} {
		if slices.ContainsFunc(study.Items(), func(it prefer.Item) bool { return it.ID == id }) {
			return prefer.ItemOption(id), nil
		}
	}
	return nil, fmt.Errorf("no item has the id %q", strings.TrimPrefix(id, "item="))
}

// parseSetting reads values of all parameters, or of some.
func parseSetting(study *prefer.Study, texts []string, partial bool) (prefer.Option, error) {
	values, err := splitSettings(texts)
	if err != nil {
		return nil, err
	}
	if partial {
		return study.Config().Space.ParseSome(values)
	}
	return study.Config().Space.Parse(values)
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
func parseFeatures(study *prefer.Study, texts []string, _ bool) (prefer.Option, error) {
	values, err := splitSettings(texts)
	if err != nil {
		return nil, err
	}
	o, items := prefer.Option{}, study.Items()
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
