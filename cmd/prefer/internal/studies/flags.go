package studies

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
)

// raterFlag says who answers.
type raterFlag struct {
	Rater string `help:"Who answers. A study with one person needs no name." placeholder:"NAME"`
}

// fixedFlag says among which options something is looked for.
type fixedFlag struct {
	Fixed []string `help:"Among options with this value: the context, or what a parameter is to be. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
}

func (f fixedFlag) look(study *prefer.Study, rater string) (l prefer.Look, err error) {
	l.Rater = rater
	if len(f.Fixed) > 0 {
		l.Fixed, err = parseOption(study, "--fixed", f.Fixed, true)
	}
	return l, err
}

// fixedWords say the same on a command line, for advice.
func (f fixedFlag) fixedWords() (out string) {
	for _, text := range f.Fixed {
		out += " --fixed " + cli.ShellQuote(text)
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
	return " --rater " + cli.ShellQuote(f.Rater)
}

// needsRater is the error of a question about one rater that names none.
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
	var names []string
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		names = append(names, cli.Printable(cmp.Or(name, "one without a name")))
	}
	return cli.Failure{Kind: "not_found", Message: fmt.Sprintf("rater %q was never asked and has not answered; the raters of this study: %s", f.Rater, cli.ListNames(names)), Field: "--rater", Value: f.Rater}
}
