package main

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

// variables are the flags, beside all of service commands, that the environment may set without --env: a variable left over must not change a study.
var variables = []string{"json", "store", "study", "rater", "queue", "media", "jobs", "addr"}

// variable is the name that a flag has in the environment, "" if it has none.
func variable(f *kong.Flag) string {
	if f.Name == "help" || f.Name == "env" || slices.Equal(f.Envs, []string{"-"}) {
		return ""
	}
	return "PREFER_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// environment gives flags their variables, all or those that need no --env. strays are the other variables that are set, by flag.
func environment(all bool, strays map[*kong.Flag]string) kong.Option {
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			name := variable(f)
			f.Envs, f.Tag.Envs = nil, nil
			switch {
			case name == "":
			case all || n.Group != nil && n.Group.Key == "service" || slices.Contains(variables, f.Name):
				f.Envs, f.Tag.Envs = []string{name}, []string{name}
				if os.Getenv(name) == "" {
					_ = os.Unsetenv(name) // as compose files have it; kong would read it as a value
				}
			case os.Getenv(name) != "":
				strays[f] = name
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	return kong.PostBuild(func(k *kong.Kong) error { walk(k.Model.Node); return nil })
}

// refuseStrays reports a variable that would set a flag of this command with --env, unless the flag is on the command line.
func refuseStrays(k *kong.Context, strays map[*kong.Flag]string) error {
	for _, f := range k.Flags() {
		name := strays[f]
		if name == "" || slices.ContainsFunc(k.Path, func(p *kong.Path) bool { return p.Flag == f }) {
			continue
		}
		return cli.WrapFlagError(fmt.Errorf("%s is set, and --%s is taken from the environment only with --env: unset it, write --%[2]s on the command line, or add --env", name, f.Name), "--"+f.Name, os.Getenv(name))
	}
	return nil
}

// checkLeast refuses a number below the tag least of its flag; the tag want says what is wanted, at least 1 by default.
func checkLeast(k *kong.Context) error {
	for _, f := range k.Flags() {
		number := reflect.Indirect(f.Target)
		if least, err := strconv.ParseFloat(f.Tag.Get("least"), 64); err == nil && number.IsValid() && !(number.Convert(reflect.TypeFor[float64]()).Float() >= least) {
			return cli.FlagError("--"+f.Name, number.Interface(), "want "+cmp.Or(f.Tag.Get("want"), "at least 1"))
		}
	}
	return nil
}

// hasSwitch reports whether a command line that is not read yet has a switch.
func hasSwitch(args []string, name string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(a string) bool {
		value, ok := strings.CutPrefix(a, name+"=")
		set, err := strconv.ParseBool(value)
		return a == name || ok && err == nil && set
	})
}
