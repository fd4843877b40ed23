package main

import (
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is printed by --help.
func (completionCommand) Help() string {
	return `Examples:

  source <(prefer completion bash)                              in ~/.bashrc
  prefer completion zsh > "${fpath[1]}/_prefer"
  prefer completion fish > ~/.config/fish/completions/prefer.fish`
}

func (c completionCommand) Run(s streams, k *kong.Kong) error {
	commands := completions(k.Model.Node, "")
	var b strings.Builder
	switch c.Shell {
	case "bash":
		bashCompletion(&b, commands)
	case "zsh":
		zshCompletion(&b, commands)
	case "fish":
		fishCompletion(&b, commands)
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

// completed is what can follow one command.
type completed struct {
	path     string // "", "ask", "bench run"
	help     string
	children []string
	flags    []completedFlag
	words    []string // positional arguments that are words
	file     bool     // positional arguments that are files
}

type completedFlag struct {
	name, help string // name with its dashes
	value      bool   // it takes one
	words      []string
	file       bool
}

// completions walks the tree of commands, parents first.
func completions(n *kong.Node, path string) []completed {
	c := completed{path: path, help: n.Help}
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			c.flags = append(c.flags, completedFlag{name: "--" + f.Name, help: f.Help, value: !f.IsBool(), words: enumWords(f.Enum), file: isFile(f.Value)})
		}
	}
	for _, p := range n.Positional {
		switch tag := p.Tag.Get("completion"); {
		case isFile(p):
			c.file = true
		case tag != "":
			c.words = append(c.words, strings.Fields(tag)...)
		}
		c.words = append(c.words, enumWords(p.Enum)...)
	}
	var below []completed
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		c.children = append(c.children, child.Name)
		below = append(below, completions(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	return append([]completed{c}, below...)
}

// isFile reports whether a value names one.
func isFile(v *kong.Value) bool {
	return v.Tag.Get("completion") == "file" || strings.HasSuffix(v.Tag.Type, "file") || v.Tag.Type == "path"
}

func enumWords(enum string) []string {
	return strings.FieldsFunc(enum, func(r rune) bool { return r == ',' || r == ' ' })
}

func (c completed) flagNames() string {
	names := make([]string, len(c.flags))
	for i, f := range c.flags {
		names[i] = f.name
	}
	return strings.Join(names, " ")
}
