package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// scripts ask "prefer complete" for the words that may follow, one to a line with its help after a tab, or :files.
//
//go:embed completion
var scripts embed.FS

func (c completionCommand) Run(s cli.Streams) error {
	script, err := scripts.ReadFile("completion/prefer." + c.Shell)
	if err != nil {
		return err
	}
	return s.Text(map[string]string{"shell": c.Shell, "script": string(script)}, string(script))
}

type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The command line so far, the last word as far as it goes."`
}

func (c completeCommand) Run(s cli.Streams, k *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	next, files := complete(explain(k.Model.Node, ""), words)
	if files {
		next = append(next, parameter{Name: ":files"})
	}
	if s.JSON {
		return cli.WriteJSON(s.Out, next)
	}
	for _, p := range next {
		line := p.Name
		if p.Help != "" {
			line += "\t" + strings.ReplaceAll(p.Help, "\n", " ")
		}
		if _, err := fmt.Fprintln(s.Out, line); err != nil {
			return err
		}
	}
	return nil
}

// complete returns what may follow a command line whose last word is being typed, and whether that may be a file.
func complete(at explained, words []string) (next []parameter, files bool) {
	current, flags, arguments := "", at.Flags, 0
	if n := len(words); n > 0 {
		current, words = words[n-1], words[:n-1]
	}
	var open *parameter // a flag whose value comes next
	for _, word := range words {
		child := at.child(word)
		switch {
		case open != nil:
			open = nil
		case strings.HasPrefix(word, "-"):
			open = valueFlag(flags, word)
		case child != nil:
			at, flags = *child, append(append([]parameter{}, child.Flags...), flags...)
		default:
			arguments++
		}
	}
	switch {
	case open != nil:
		return open.values(), open.File
	case strings.HasPrefix(current, "-"):
		return flags, false
	}
	for _, c := range at.Commands {
		next = append(next, parameter{Name: c.Name[strings.LastIndexByte(c.Name, ' ')+1:], Help: c.Help})
	}
	if n := len(at.Arguments); n > 0 {
		p := at.Arguments[min(arguments, n-1)] // the last may be repeated
		next, files = append(next, p.values()...), p.File
	}
	return next, files
}

func (e explained) child(name string) *explained {
	for _, c := range e.Commands {
		if c.Name == strings.TrimSpace(e.Name+" "+name) {
			return &c
		}
	}
	return nil
}

// valueFlag returns the flag a word is, if its value comes with the next word.
func valueFlag(flags []parameter, word string) *parameter {
	for _, f := range flags {
		if (f.Name == word || f.Short == word) && f.Value != "" {
			return &f
		}
	}
	return nil
}

func (p parameter) values() []parameter {
	var out []parameter
	for _, w := range p.Words {
		out = append(out, parameter{Name: w, Help: p.Help})
	}
	return out
}
