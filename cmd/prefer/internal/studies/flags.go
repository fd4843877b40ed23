package studies

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

type raterFlag struct {
	Rater string `help:"Name of the rater. A study with one rater needs none." placeholder:"NAME"`
}

// fixedFlag says among which options something is looked for.
type fixedFlag struct {
	Fixed []string `help:"Only options with this value of a context or parameter. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
}

func (f fixedFlag) look(study *prefer.Study, rater string) (l prefer.Look, err error) {
	l.Rater = rater
	l.Fixed, err = parseOption(study, "--fixed", f.Fixed, true)
	return l, err
}

// fixedWords say the same on a command line, for advice.
func (f fixedFlag) fixedWords() (out string) {
	for _, text := range f.Fixed {
		out += " --fixed " + cli.Quote(text)
	}
	return out
}

// inEveryContext reports whether no context is named in a study that has some: then all are meant.
func (f fixedFlag) inEveryContext(study *prefer.Study) bool {
	return len(f.Fixed) == 0 && len(study.Config().Space.Contexts()) > 0
}

// raterWords names the rater on a command line, for advice.
func (f raterFlag) raterWords() string {
	if f.Rater == "" {
		return ""
	}
	return " --rater " + cli.Quote(f.Rater)
}

func needsRater(f cli.StudyFlags) error {
	return cli.Usagef("every rater of this study has their own taste: name one with --rater; \"prefer raters %s\" lists them", f.Args())
}

// checkKnown refuses an unknown rater of a study that has others: the name may be misspelt.
func (f raterFlag) checkKnown(study *prefer.Study) error {
	seen := map[string]bool{}
	for _, e := range study.Events(0) {
		switch {
		case e.Asked != nil:
			seen[live.PersonOf(e.Asked.Rater)] = true
		case e.Observed != nil:
			seen[live.PersonOf(e.Observed.Duel.Rater)] = true
		}
	}
	if f.Rater == "" || seen[f.Rater] || len(seen) == 0 {
		return nil
	}
	names := xslices.Map(slices.Sorted(maps.Keys(seen)), func(name string) string { return cli.Printable(cmp.Or(name, "one without a name")) })
	return cli.Failure{Kind: "not_found", Message: fmt.Sprintf("rater %q was never asked and has not answered; the raters of this study: %s", f.Rater, exchange.FirstOf(names, 8)), Field: "--rater", Value: f.Rater}
}

// parseOption reads an option of a study from flags, nil without any: name=value with commas between, or the bare id of an item. A partial one has
// values of some parameters and, in a list, of features of the items.
func parseOption(study *prefer.Study, flag string, texts []string, partial bool) (o space.Option, err error) {
	if len(texts) > 0 {
		o, err = readOption(study, texts, partial)
	}
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
		return searched.Parse(values, false)
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
		if o, err = searched.Parse(values, true); err != nil {
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
