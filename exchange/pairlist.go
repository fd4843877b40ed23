package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
)

// pairList gathers duels and holds each against those before.
type pairList struct {
	duels   []prefer.Duel
	bothBad int
	ignored map[string]bool // fields that nobody reads
}

// add reads the fields of one pair, {"winner":…,"loser":…} or an arena battle, and keeps it if its options are of the
// same sort as all others.
func (p *pairList) add(where string, fields map[string]json.RawMessage) error {
	d, err := p.duel(fields)
	if err == nil {
		err = p.fits(d)
	}
	if err != nil {
		return fmt.Errorf("exchange: %s: %w", where, err)
	}
	p.duels = append(p.duels, d)
	return nil
}

func (p *pairList) duel(fields map[string]json.RawMessage) (d prefer.Duel, err error) {
	first, second, rater := "winner", "loser", "rater"
	_, models := fields["model_a"]
	battle := models && fields["loser"] == nil
	if battle {
		first, second, rater = "model_a", "model_b", "judge"
	}
	d.Answer.Choice = prefer.First
	if d.First, err = readOption(fields, first); err != nil {
		return d, err
	}
	if d.Second, err = readOption(fields, second); err != nil {
		return d, err
	}
	for name, raw := range fields {
		switch {
		case name == first, name == second, name == rater && string(raw) == "null":
		case name == rater:
			if d.Rater, err = readID(raw); err != nil {
				return d, fmt.Errorf("field %q: %w", name, err)
			}
		case name == "winner":
			if d.Answer.Choice, err = p.winner(raw); err != nil {
				return d, err
			}
		case name == "tie" && !battle:
			var tie bool
			if err := json.Unmarshal(raw, &tie); err != nil {
				return d, fmt.Errorf("field \"tie\" is %s, want true or false", excerpt(strings.Trim(string(raw), `"`)))
			}
			if tie {
				d.Answer.Choice = prefer.Tie
			}
		default:
			p.ignored[name] = true
		}
	}
	return d, nil
}

// winner turns the winner of an arena battle into an answer about a and b.
func (p *pairList) winner(raw json.RawMessage) (prefer.Choice, error) {
	switch name, _ := readID(raw); name {
	case "model_a":
		return prefer.First, nil
	case "model_b":
		return prefer.Second, nil
	case "tie":
		return prefer.Tie, nil
	case "tie (bothbad)", "bothbad", "both_bad":
		p.bothBad++ // an observed duel knows no both bad: that speaks of the incumbent at the time
		return prefer.Tie, nil
	}
	return "", fmt.Errorf("field \"winner\" is %s, want model_a, model_b, tie or tie (bothbad)",
		excerpt(strings.Trim(string(raw), `"`)))
}

// fits reports options of another sort than those before: items, or settings of the same parameters.
func (p *pairList) fits(d prefer.Duel) error {
	reference := d.First
	if len(p.duels) > 0 {
		reference = p.duels[0].First
	}
	for _, o := range []prefer.Option{d.First, d.Second} {
		switch isItem, wantItem := o.Item() != "", reference.Item() != ""; {
		case isItem != wantItem:
			return fmt.Errorf("%s is of another sort than %s; a list has ids or settings, not both",
				excerpt(o.String()), excerpt(reference.String()))
		case isItem && len(o) == 1 && len(reference) == 1:
		case len(o) == 0:
			return errors.New("an option has no settings")
		default:
			if name, yes := differing(o, reference); yes {
				return fmt.Errorf("%q is set in some options but not in others", name)
			}
		}
	}
	if id := d.First.Item(); id != "" && maps.Equal(d.First, d.Second) {
		return fmt.Errorf("%q is compared with itself", id)
	}
	return nil
}

func (p *pairList) result() (Import, error) {
	if len(p.duels) == 0 {
		return Import{}, errors.New("exchange: the list has no pairs")
	}
	im := Import{Duels: p.duels, Notes: ignored(slices.Collect(maps.Keys(p.ignored)))}
	if p.bothBad > 0 {
		im.Notes = append(im.Notes, fmt.Sprintf("%d pairs where both were bad count as ties", p.bothBad))
	}
	first := p.duels[0].First
	if first.Item() != "" {
		im.items()
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(first)), func(name string) bool { return first.Item() != "" && name == "item" })
	if len(names) > 0 {
		if err := im.span(names); err != nil {
			return Import{}, err
		}
	}
	return im, nil
}

// readOption reads an id, or the settings of an option.
func readOption(fields map[string]json.RawMessage, name string) (o prefer.Option, err error) {
	raw := fields[name]
	switch {
	case raw == nil:
		return nil, fmt.Errorf("there is no field %q", name)
	case raw[0] == '{':
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, fmt.Errorf("field %q: %w", name, explain(err))
		}
		return o, nil
	}
	id, err := readID(raw)
	if err != nil {
		return nil, fmt.Errorf("field %q: %w", name, err)
	}
	return prefer.ItemOption(id), nil
}

// readID reads the id of an item or a rater: a string or a whole number.
func readID(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil && s != "" {
		return s, nil
	}
	if digits := strings.TrimPrefix(string(raw), "-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		return string(raw), nil
	}
	return "", fmt.Errorf("%s is no id, want a string or a whole number", excerpt(string(raw)))
}
