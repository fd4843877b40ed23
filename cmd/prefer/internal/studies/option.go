package studies

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/space"
)

// parseOption reads an option from flags: name=value, several to a flag with commas between, or the bare id of
// an item. The study is the one it is an option of.
func parseOption(study *prefer.Study, flag string, texts []string, partial bool) (space.Option, error) {
	parse := parseSetting
	switch items := study.Items(); {
	case study.Config().Space.Crossed() && partial:
		parse = parseConditions
	case study.Config().Space.Crossed():
	case items != nil && partial:
		parse = parseFeatures
	case items != nil:
		parse = parseItem
	}
	o, err := parse(study, texts, partial)
	if err != nil {
		return nil, cli.WrapFlagError(fmt.Errorf("%s: %w", flag, err), flag, strings.Join(texts, ","))
	}
	return o, nil
}

// parseItem reads the id of an item.
func parseItem(study *prefer.Study, texts []string, _ bool) (space.Option, error) {
	id := strings.Join(texts, ",")
	for _, id := range []string{id, strings.TrimPrefix(id, "item=")} {
		if slices.ContainsFunc(study.Items(), func(it space.Item) bool { return it.ID == id }) {
			return space.ItemOption(id), nil
		}
	}
	return nil, fmt.Errorf("no item has the id %q", strings.TrimPrefix(id, "item="))
}

// parseSetting reads values of all parameters, or of some.
func parseSetting(study *prefer.Study, texts []string, partial bool) (space.Option, error) {
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

// parseConditions reads values of parameters, of features of items, and which item.
func parseConditions(study *prefer.Study, texts []string, _ bool) (space.Option, error) {
	values, err := splitSettings(texts)
	if err != nil {
		return nil, err
	}
	features := map[string]string{}
	for name, text := range values {
		if _, ok := study.Items()[0].Features[name]; ok {
			features[name] = text
			delete(values, name)
		}
	}
	o, err := study.Config().Space.ParseSome(values)
	if err != nil {
		return nil, err
	}
	more, err := featureValues(study, features)
	maps.Copy(o, more)
	return o, err
}

// parseFeatures reads values that items have.
func parseFeatures(study *prefer.Study, texts []string, _ bool) (space.Option, error) {
	values, err := splitSettings(texts)
	if err != nil {
		return nil, err
	}
	return featureValues(study, values)
}

func featureValues(study *prefer.Study, values map[string]string) (space.Option, error) {
	o, items := space.Option{}, study.Items()
	for name, text := range values {
		x, err := strconv.ParseFloat(text, 64)
		numeric := err == nil
		found := slices.IndexFunc(items, func(it space.Item) bool {
			v, ok := it.Features[name]
			return ok && (v.String() == text || numeric && v == space.ValueOf(x))
		})
		if found < 0 {
			return nil, fmt.Errorf("no item has the feature %q = %q", name, text)
		}
		o[name] = items[found].Features[name]
	}
	return o, nil
}
