package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
)

// ReadPairs reads a list of who beat whom: a table with the columns winner and loser (rater and tie if there
// are any), or model_a, model_b and winner, or just two columns of ids; JSON Lines of
// {"winner":…,"loser":…}, where both are ids or both are settings; or a JSON array of [winner, loser] or of
// battles {"model_a":…,"model_b":…,"winner":…,"judge":…}. The first character tells which.
func ReadPairs(r io.Reader) (Import, error) {
	in, err := skipMark(r)
	if err != nil {
		return Import{}, err
	}
	head, err := in.Peek(64) // shorter, with io.EOF, if the file is
	if err != nil && err != io.EOF {
		return Import{}, fmt.Errorf("exchange: %w", err)
	}
	p := &pairList{ignored: map[string]bool{}}
	switch head = bytes.TrimLeft(head, " \t\r\n"); {
	case len(head) == 0 && err == io.EOF:
		return Import{}, errors.New("exchange: the list of pairs is empty")
	case bytes.HasPrefix(head, []byte("[")):
		err = p.array(in)
	case bytes.HasPrefix(head, []byte("{")):
		err = p.lines(in)
	default:
		err = p.table(in)
	}
	if err != nil {
		return Import{}, err
	}
	return p.result()
}

// pairList gathers duels and holds each against those before.
type pairList struct {
	duels   []prefer.Duel
	bothBad int
	ignored map[string]bool
}

// add keeps a duel if its options are of the same sort as all others: items, or settings of the same parameters.
func (p *pairList) add(where string, d prefer.Duel) error {
	reference := d.First
	if len(p.duels) > 0 {
		reference = p.duels[0].First
	}
	for _, o := range []prefer.Option{d.First, d.Second} {
		switch isItem, wantItem := o.Item() != "", reference.Item() != ""; {
		case isItem != wantItem:
			return fmt.Errorf("exchange: %s: %s is of another sort than %s; a list has ids or settings, not both",
				where, excerpt(o.String()), excerpt(reference.String()))
		case isItem:
		case len(o) == 0:
			return fmt.Errorf("exchange: %s: an option has no settings", where)
		default:
			if name, yes := differing(o, reference); yes {
				return fmt.Errorf("exchange: %s: %q is set in some options but not in others", where, name)
			}
		}
	}
	if id := d.First.Item(); id != "" && id == d.Second.Item() {
		return fmt.Errorf("exchange: %s: %q is compared with itself", where, id)
	}
	p.duels = append(p.duels, d)
	return nil
}

// battle turns the winner of an arena battle into an answer about a and b.
func (p *pairList) battle(winner string) (prefer.Answer, error) {
	switch winner {
	case "model_a":
		return prefer.Answer{Choice: prefer.First}, nil
	case "model_b":
		return prefer.Answer{Choice: prefer.Second}, nil
	case "tie":
		return prefer.Answer{Choice: prefer.Tie}, nil
	case "tie (bothbad)", "bothbad", "both_bad":
		p.bothBad++ // an observed duel knows no both bad: that speaks of the incumbent at the time
		return prefer.Answer{Choice: prefer.Tie}, nil
	}
	return prefer.Answer{}, fmt.Errorf("field \"winner\" is %s, want model_a, model_b, tie or tie (bothbad)", excerpt(winner))
}

func (p *pairList) result() (Import, error) {
	if len(p.duels) == 0 {
		return Import{}, errors.New("exchange: the list has no pairs")
	}
	im := Import{Duels: p.duels, Notes: ignored(slices.Collect(maps.Keys(p.ignored)))}
	if p.bothBad > 0 {
		im.Notes = append(im.Notes, fmt.Sprintf("%d pairs where both were bad count as ties", p.bothBad))
	}
	if first := p.duels[0].First; first.Item() == "" {
		if err := im.span(slices.Sorted(maps.Keys(first))); err != nil {
			return Import{}, err
		}
		return im, nil
	}
	im.items()
	return im, nil
}

// table reads comma-separated values with a header, or two columns of ids without one.
func (p *pairList) table(r io.Reader) error {
	t, err := newRows(r)
	if err != nil {
		return err
	}
	header := map[string]bool{}
	for _, c := range t.first {
		header[strings.TrimSpace(c)] = true
	}
	var a, b, who string
	switch bare := len(t.first) == 2; {
	case header["winner"] && header["loser"]:
		a, b, who = "winner", "loser", "rater"
	case header["winner"] && header["model_a"] && header["model_b"]:
		a, b, who = "model_a", "model_b", "judge"
	case bare && !header["winner"] && !header["loser"]:
		return p.bare(t)
	default:
		return fmt.Errorf("exchange: line %d: the columns are %s; want winner and loser, or model_a, model_b and winner, or two columns of ids",
			t.line, excerpt(strings.Join(t.first, ",")))
	}
	names, at, err := t.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.Contains([]string{a, b, who, "winner"}, name) && !(name == "tie" && a == "winner") {
			p.ignored[name] = true
		}
	}
	for {
		row, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		where := fmt.Sprintf("line %d", t.line)
		answer := prefer.Answer{Choice: prefer.First}
		if a == "model_a" {
			answer, err = p.battle(cell(row, at, "winner"))
		} else {
			answer.Choice, err = tied(cell(row, at, "tie"))
		}
		if err != nil {
			return fmt.Errorf("exchange: %s: %w", where, err)
		}
		for _, name := range []string{a, b} {
			if cell(row, at, name) == "" {
				return fmt.Errorf("exchange: %s: column %q is empty", where, name)
			}
		}
		err = p.add(where, prefer.Duel{First: prefer.ItemOption(cell(row, at, a)), Second: prefer.ItemOption(cell(row, at, b)),
			Rater: cell(row, at, who), Answer: answer})
		if err != nil {
			return err
		}
	}
}

// bare reads two columns of ids, the winner first.
func (p *pairList) bare(t *rows) error {
	for row, err := t.first, error(nil); err != io.EOF; row, err = t.next() {
		if err != nil {
			return err
		}
		for i, id := range row {
			if id == "" {
				return fmt.Errorf("exchange: line %d: column %d is empty", t.line, i+1)
			}
		}
		d := prefer.Duel{First: prefer.ItemOption(row[0]), Second: prefer.ItemOption(row[1]), Answer: prefer.Answer{Choice: prefer.First}}
		if err := p.add(fmt.Sprintf("line %d", t.line), d); err != nil {
			return err
		}
	}
	return nil
}

// tied reads the cell of the column tie.
func tied(cell string) (prefer.Choice, error) {
	switch strings.ToLower(strings.TrimSpace(cell)) {
	case "", "0", "false", "no":
		return prefer.First, nil
	case "1", "true", "yes":
		return prefer.Tie, nil
	}
	return "", fmt.Errorf("column \"tie\" is %s, want true or false", excerpt(cell))
}
