package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// parameterForms are the right ones, for help and errors.
const parameterForms = "sugar=0..5, grind=0.1..10:log, hue=0..360:circular, cups=1..8:int, blur=0..20:int:2, 'font=serif|sans|mono', 'size=S<M<L' or shadow=bool; with :context after it, the situation gives the value: 'noise=quiet|babble:context'"

// parseParameter reads a parameter as --param has it. What makes no sense about its range is for the space to
// say.
func parseParameter(text string) (space.Parameter, error) {
	bad := func(why string) (space.Parameter, error) {
		return space.Parameter{}, badFlag(fmt.Errorf("--param %q %s, want a form like %s", text, why, parameterForms), "--param", text)
	}
	name, domain, ok := strings.Cut(text, "=")
	name, domain = strings.TrimSpace(name), strings.TrimSpace(domain)
	switch {
	case !ok:
		return bad("has no \"=\"")
	case name == "":
		return bad("has no name")
	}
	domain, given := strings.CutSuffix(domain, contextSuffix)
	p, err := parseDomain(name, domain, bad)
	p.Context = given
	return p, err
}

// contextSuffix marks a parameter as a context.
const contextSuffix = ":context"

// parseDomain reads the values of a parameter.
func parseDomain(name, domain string, bad func(string) (space.Parameter, error)) (space.Parameter, error) {
	switch {
	case domain == "bool":
		return space.Switch(name), nil
	case strings.Contains(domain, "|"):
		words := strings.Split(domain, "|")
		for i, w := range words {
			if words[i] = strings.TrimSpace(w); words[i] == "" {
				return bad("has an empty choice")
			}
		}
		return space.Categorical(name, words...), nil
	case strings.Contains(domain, "<"):
		return parseOrdinal(name, strings.Split(domain, "<"), bad)
	}
	return parseRange(name, domain, bad)
}

// parseOrdinal reads choices in order: numbers if all are.
func parseOrdinal(name string, words []string, bad func(string) (space.Parameter, error)) (space.Parameter, error) {
	numbers, texts := make([]space.Value, 0, len(words)), make([]space.Value, 0, len(words))
	for _, w := range words {
		if w = strings.TrimSpace(w); w == "" {
			return bad("has an empty choice")
		}
		texts = append(texts, space.ValueOf(w))
		if x, err := strconv.ParseFloat(w, 64); err == nil {
			numbers = append(numbers, space.ValueOf(x))
		}
	}
	if len(numbers) == len(texts) {
		return space.Ordinal(name, numbers...), nil
	}
	return space.Ordinal(name, texts...), nil
}

// parseRange reads LOW..HIGH with its :log, :circular, :int and :STEP.
func parseRange(name, domain string, bad func(string) (space.Parameter, error)) (space.Parameter, error) {
	parts := strings.Split(domain, ":")
	low, high, ok := strings.Cut(parts[0], "..")
	if !ok {
		return bad("has no range and no choices")
	}
	p := space.Parameter{Name: name, Type: "float"}
	var err error
	if p.Low, err = strconv.ParseFloat(strings.TrimSpace(low), 64); err != nil {
		return bad(fmt.Sprintf("has the lower end %q", low))
	}
	if p.High, err = strconv.ParseFloat(strings.TrimSpace(high), 64); err != nil {
		return bad(fmt.Sprintf("has the upper end %q", high))
	}
	for _, part := range parts[1:] {
		switch step, err := strconv.ParseFloat(part, 64); {
		case part == "log":
			p.Log = true
		case part == "circular":
			p.Circular = true
		case part == "int":
			p.Type = "int"
		case err == nil && p.Type == "int":
			p.Step = step
		case err == nil:
			return bad("has a step without \":int\" before it")
		default:
			return bad(fmt.Sprintf("ends in %q", ":"+part))
		}
	}
	if p.Type == "int" && p.Step == 0 {
		p.Step = 1
	}
	return p, nil
}

// parameterForm writes a parameter as --param has it.
func parameterForm(p space.Parameter) string {
	if p.Context {
		p.Context = false
		return parameterForm(p) + contextSuffix
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	join := func(sep string) string {
		words := make([]string, len(p.Choices))
		for i, c := range p.Choices {
			words[i] = c.String()
		}
		return p.Name + "=" + strings.Join(words, sep)
	}
	switch p.Type {
	case "bool":
		return p.Name + "=bool"
	case "categorical":
		return join("|")
	case "ordinal":
		return join("<")
	}
	text := p.Name + "=" + number(p.Low) + ".." + number(p.High)
	if p.Type == "int" {
		text += ":int"
	}
	if p.Log {
		text += ":log"
	}
	if p.Circular {
		text += ":circular"
	}
	if p.Step > 1 {
		text += ":" + number(p.Step)
	}
	return text
}

// parseOption reads an option from flags: name=value, several to a flag with commas between, or the bare id of
// an item. The study is the one it is an option of.
func parseOption(study *prefer.Study, flag string, texts []string, partial bool) (space.Option, error) {
	parse := parseSetting
	switch items := study.Items(false); {
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
		return nil, badFlag(fmt.Errorf("%s: %w", flag, err), flag, strings.Join(texts, ","))
	}
	return o, nil
}

// parseItem reads the id of an item.
func parseItem(study *prefer.Study, texts []string, _ bool) (space.Option, error) {
	id := strings.Join(texts, ",")
	for _, id := range []string{id, strings.TrimPrefix(id, "item=")} {
		if slices.ContainsFunc(study.Items(false), func(it space.Item) bool { return it.ID == id }) {
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
		if _, ok := study.Items(false)[0].Features[name]; ok {
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
	o, items := space.Option{}, study.Items(false)
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
