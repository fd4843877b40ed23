package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// ParameterForms are the right ones, for help and errors.
const ParameterForms = "sugar=0..5, grind=0.1..10:log, hue=0..360:circular, cups=1..8:int, blur=0..20:int:2, 'font=serif|sans|mono', 'size=S<M<L' or shadow=bool; with :context after it, the situation gives the value: 'noise=quiet|babble:context'"

// Set sets a value to that of a flag, if it is given.
func Set[T any](value, flag *T) {
	if flag != nil {
		*value = *flag
	}
}

// Count returns how many of some flags are given.
func Count(flags ...bool) (n int) {
	return xslices.Count(flags, func(given bool) bool { return given })
}

// ParseParameters reads the flags --param of a command.
func ParseParameters(texts []string) ([]space.Parameter, error) {
	return ParseAll("--param", texts, parseParameter)
}

// parseParameter reads a parameter as --param has it. Its range is validated with the space.
func parseParameter(text string) (p space.Parameter, err error) {
	bad := func(why string) (space.Parameter, error) {
		return space.Parameter{}, WrapFlagError(fmt.Errorf("--param %q %s, want a form like %s", text, why, ParameterForms), "--param", text)
	}
	name, domain, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	domain, context := strings.CutSuffix(strings.TrimSpace(domain), contextSuffix)
	switch {
	case !ok:
		return bad("has no \"=\"")
	case name == "":
		return bad("has no name")
	case domain == "bool":
		p = space.Switch(name)
	case strings.ContainsAny(domain, "|<"):
		p, err = parseChoices(name, domain, bad)
	default:
		p, err = parseRange(name, domain, bad)
	}
	p.Context = context
	return p, err
}

const contextSuffix = ":context"

// parseChoices reads choices with | between or, in order, with <: those are numbers if all are.
func parseChoices(name, domain string, bad func(string) (space.Parameter, error)) (space.Parameter, error) {
	between := "<"
	if strings.Contains(domain, "|") {
		between = "|"
	}
	words := strings.Split(domain, between)
	var numbers, texts []space.Value
	for i, w := range words {
		if words[i] = strings.TrimSpace(w); words[i] == "" {
			return bad("has an empty choice")
		}
		texts = append(texts, space.ValueOf(words[i]))
		if x, err := strconv.ParseFloat(words[i], 64); err == nil {
			numbers = append(numbers, space.ValueOf(x))
		}
	}
	switch {
	case between == "|":
		return space.Categorical(name, words...), nil
	case len(numbers) == len(texts):
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

// ParameterForm writes a parameter as --param has it.
func ParameterForm(p space.Parameter) string {
	if p.Context {
		p.Context = false
		return ParameterForm(p) + contextSuffix
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	words := xslices.Map(p.Choices, func(c space.Value) string { return c.String() })
	switch text := p.Name + "="; p.Type {
	case "bool":
		return text + "bool"
	case "categorical":
		return text + strings.Join(words, "|")
	case "ordinal":
		return text + strings.Join(words, "<")
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
