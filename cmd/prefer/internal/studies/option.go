package studies

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/space"
)

// parseOption reads an option of a study from flags: name=value, several to a flag with commas between, or the bare id of an item. A
// partial one has values of some parameters and, in a list, of features of the items.
func parseOption(study *prefer.Study, flag string, texts []string, partial bool) (space.Option, error) {
	o, err := readOption(study, texts, partial)
	if err != nil {
		return nil, cli.WrapFlagError(fmt.Errorf("%s: %w", flag, err), flag, strings.Join(texts, ","))
	}
	return o, nil
}

func readOption(study *prefer.Study, texts []string, partial bool) (space.Option, error) {
	searched, items := study.Config().Space, study.Items(false)
	if items != nil && !partial && !searched.Crossed() {
		text := strings.Join(texts, ",")
		for _, id := range []string{text, strings.TrimPrefix(text, "item=")} {
			if slices.ContainsFunc(items, func(it space.Item) bool { return it.ID == id }) {
				return space.ItemOption(id), nil
			}
		}
		return nil, fmt.Errorf("no item has the id %q", strings.TrimPrefix(text, "item="))
	}
	values, err := splitSettings(texts)
	if err != nil {
		return nil, err
	}
	if !partial {
		return searched.Parse(values)
	}
	features := map[string]string{}
	if items != nil {
		for name, text := range values {
			if _, ok := items[0].Features[name]; ok || !searched.Crossed() {
				features[name] = text
				delete(values, name)
			}
		}
	}
	o := space.Option{}
	if items == nil || searched.Crossed() {
		if o, err = searched.ParseSome(values); err != nil {
			return nil, err
		}
	}
	for name, text := range features {
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

// splitSettings reads name=value,name=value. A part without "=" belongs to the value before it.
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
