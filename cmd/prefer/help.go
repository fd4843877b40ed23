package main

import (
	"embed"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"Which one, as in \"prefer help ask\" or \"prefer help bench run\"."`
}

func (c helpCommand) Run(s streams, k *kong.Context) error {
	if s.json {
		return writeJSON(s.out, explain(k.Model.Node, ""))
	}
	if _, err := k.Kong.Parse(append(c.Command, "--help")); err != nil { // which prints, and exits
		return parseError(err)
	}
	return nil
}

// details are what --help says below the flags of a command, each in the file of its name.
//
//go:embed help
var details embed.FS

// addDetails gives the commands below a node their texts; name is the path to the node.
func addDetails(n *kong.Node, name string) {
	for _, child := range n.Children {
		path := strings.TrimPrefix(name+"-"+child.Name, "-")
		if text, err := details.ReadFile("help/" + path + ".txt"); err == nil { // help and version need none
			child.Detail = strings.TrimSpace(string(text))
		}
		addDetails(child, path)
	}
}

// explained is a command and what can follow it, as programs get it.
type explained struct {
	Name      string      `json:"name"` // "", "ask", "bench run"
	Group     string      `json:"group,omitempty"`
	Help      string      `json:"help"`
	Detail    string      `json:"detail,omitempty"`
	Usage     string      `json:"usage"`
	Arguments []parameter `json:"arguments,omitempty"`
	Flags     []parameter `json:"flags,omitempty"`
	Commands  []explained `json:"commands,omitempty"`
}

// parameter is a flag or an argument.
type parameter struct {
	Name     string   `json:"name"` // "--rater", "study"
	Short    string   `json:"short,omitempty"`
	Help     string   `json:"help"`
	Value    string   `json:"value,omitempty"` // what stands for it in the help; none for a switch
	Default  string   `json:"default,omitempty"`
	Variable string   `json:"variable,omitempty"` // of the environment
	Words    []string `json:"words,omitempty"`    // that it can be
	File     bool     `json:"file,omitempty"`     // it names one
	Required bool     `json:"required,omitempty"`
}

// explain walks the tree of commands; name is the path to the node.
func explain(n *kong.Node, name string) explained {
	e := explained{Name: name, Help: n.Help, Detail: n.Detail, Usage: n.Summary()}
	if name != "" {
		e.Usage = "prefer " + e.Usage
	}
	if n.Group != nil {
		e.Group = n.Group.Key
	}
	for _, p := range n.Positional {
		e.Arguments = append(e.Arguments, newParameter(p, p.Name))
	}
	for _, f := range n.Flags {
		if f.Hidden {
			continue
		}
		p := newParameter(f.Value, "--"+f.Name)
		if !f.IsBool() {
			p.Value = f.FormatPlaceHolder()
		}
		if f.Short != 0 {
			p.Short = "-" + string(f.Short)
		}
		if len(f.Envs) > 0 && f.Envs[0] != "-" {
			p.Variable = f.Envs[0]
		}
		e.Flags = append(e.Flags, p)
	}
	for _, child := range n.Children {
		if !child.Hidden {
			e.Commands = append(e.Commands, explain(child, strings.TrimSpace(name+" "+child.Name)))
		}
	}
	return e
}

func newParameter(v *kong.Value, name string) parameter {
	p := parameter{Name: name, Help: v.Help, Default: v.Default, Required: v.Required}
	for word := range strings.FieldsFuncSeq(v.Enum, func(r rune) bool { return r == ',' || r == ' ' }) {
		p.Words = append(p.Words, word)
	}
	tag := v.Tag.Get("completion")
	p.File = tag == "file" || strings.HasSuffix(v.Tag.Type, "file") || v.Tag.Type == "path"
	if tag == "choice" {
		for _, k := range prefer.Choices() {
			p.Words = append(p.Words, string(k.Choice))
		}
	}
	return p
}
