package exchange

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// AEPsych writes a parameter of a pair in two columns, x_stimuli0 and x_stimuli1.
const stimuli = "_stimuli"

// aepsychAbout are the columns every export of AEPsych has beside parameters and outcomes.
var aepsychAbout = map[string]bool{"experiment_id": true, "experiment_name": true, "experiment_description": true, "participant_id": true, "timestamp": true}

// ReadAEPsych reads the CSV export of a pairwise AEPsych experiment (aepsych_database --tocsv). The outcome 0 means that the first option was preferred, 1 the
// second. outcome names the column; "" is AEPsych's own "outcome".
func ReadAEPsych(r io.Reader, outcome string) (Import, error) {
	outcome = cmp.Or(outcome, "outcome")
	t, err := newNamedRows(r)
	if err != nil {
		return Import{}, err
	}
	if _, ok := t.at[outcome]; !ok {
		return Import{}, fmt.Errorf("exchange: line %d: there is no column %q among %s", t.line, outcome, strictjson.Excerpt(strings.Join(t.names, ",")))
	}
	parameters, other, err := aepsychColumns(t, outcome)
	if err != nil {
		return Import{}, fmt.Errorf("exchange: line %d: %w", t.line, err)
	}
	im := Import{Notes: ignored(other)}
	cells := make([][]string, len(parameters)) // of both columns of a parameter, row by row
	for t.next() {
		d := prefer.Duel{First: space.Option{}, Second: space.Option{}, Rater: t.cell("participant_id")}
		if d.Answer.Choice, err = aepsychChoice(t.cell(outcome)); err != nil {
			return Import{}, fmt.Errorf("exchange: line %d, column %q: %w", t.line, outcome, err)
		}
		for i, p := range parameters {
			for _, column := range []string{p + stimuli + "0", p + stimuli + "1"} {
				if t.cell(column) == "" {
					return Import{}, fmt.Errorf("exchange: line %d, column %q is empty; an import is one experiment with all its parameters", t.line, column)
				}
				cells[i] = append(cells[i], t.cell(column))
			}
		}
		if name := t.cell("experiment_name"); len(im.Duels) == 0 {
			im.Name = name
		} else if name != im.Name {
			return Import{}, fmt.Errorf("exchange: line %d, column \"experiment_name\" is %s after %s; an import is one experiment",
				t.line, strictjson.Excerpt(name), strictjson.Excerpt(im.Name))
		}
		im.Duels = append(im.Duels, d)
	}
	if err := t.end(); err != nil {
		return Import{}, err
	}
	if len(im.Duels) == 0 {
		return Import{}, fmt.Errorf("exchange: the export has no trials")
	}
	for i, p := range parameters {
		both := values(cells[i])
		for j, d := range im.Duels {
			d.First[p], d.Second[p] = both[2*j], both[2*j+1]
		}
	}
	if err := im.span(parameters); err != nil {
		return Import{}, err
	}
	return im, nil
}

// aepsychColumns returns the parameters in the order of the header, and the columns that are not read.
func aepsychColumns(t *rows, outcome string) (parameters, other []string, err error) {
	for _, name := range t.names {
		i := strings.LastIndex(name, stimuli)
		if i < 0 {
			if !aepsychAbout[name] && name != outcome {
				other = append(other, name)
			}
			continue
		}
		p, which := name[:i], name[i+len(stimuli):]
		partner := p + stimuli + map[string]string{"0": "1", "1": "0"}[which]
		switch _, paired := t.at[partner]; {
		case p == "":
			return nil, nil, fmt.Errorf("column %q has no parameter before %q", name, stimuli)
		case which != "0" && which != "1":
			return nil, nil, fmt.Errorf("column %q: a trial has more than two options; only pairs can be read", name)
		case !paired:
			return nil, nil, fmt.Errorf("column %q has no partner %q", name, partner)
		case which == "0":
			parameters = append(parameters, p)
		}
	}
	if len(parameters) == 0 {
		return nil, nil, fmt.Errorf("no column ends in %q: the experiment shows one stimulus at a time, which is not a comparison", stimuli+"0")
	}
	return parameters, other, nil
}

func aepsychChoice(cell string) (prefer.Choice, error) {
	if v, ok := number(cell); ok {
		switch v.Float() {
		case 0:
			return prefer.First, nil
		case 1:
			return prefer.Second, nil
		}
	}
	return "", fmt.Errorf("%s, want 0 (the first is preferred) or 1 (the second)", strictjson.Excerpt(cell))
}
