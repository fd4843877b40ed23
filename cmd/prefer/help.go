package main

import (
	"embed"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"Which one, as in \"prefer help ask\" or \"prefer help bench run\"."`
}

func (c helpCommand) Run(s cli.Streams, k *kong.Context) error {
	if s.JSON {
		return cli.WriteJSON(s.Out, explain(k.Model.Node, ""))
	}
	if _, err := k.Kong.Parse(append(c.Command, "--help")); err != nil { // which prints, and exits
		return parseError(err)
	}
	return nil
}

// texts are what --help says about the program, and below the flags of a command, each in the file of its name.
//
//go:embed help
var texts embed.FS

// addTexts gives a node and the commands below it their texts; path is the name of the node's.
func addTexts(n *kong.Node, path string) {
	if text, err := texts.ReadFile("help/" + path + ".txt"); err == nil { // help and version need none
		n.Detail = strings.TrimSpace(string(text))
	}
	if n.Type == kong.ApplicationNode {
		n.Help, n.Detail, path = n.Detail, "", ""
	}
	for _, child := range n.Children {
		addTexts(child, strings.TrimPrefix(path+"-"+child.Name, "-"))
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

type manCommand struct{}

func (manCommand) Run(s cli.Streams, k *kong.Context) error {
	var b strings.Builder
	writeMan(&b, explain(k.Model.Node, ""), cli.ThisBuild().Version)
	return s.Text(map[string]string{"page": b.String()}, b.String())
}

// roff escapes backslashes, dashes, dots and quotes at the beginning of a line, and what is not ASCII.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// writeMan writes the manual page of all commands in the man macros of roff.
func writeMan(w io.Writer, all explained, version string) {
	fmt.Fprintf(w, ".TH PREFER 1 \"\" %q \"User Commands\"\n.SH NAME\nprefer \\- find what a person likes best by asking \"A or B?\"\n", "prefer "+roff(version))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B prefer\n.I command\n[arguments] [flags]\n.SH DESCRIPTION\n")
	writeText(w, all.Help)
	fmt.Fprint(w, ".SH FLAGS OF EVERY COMMAND\n")
	writeParameters(w, all.Flags)
	group := ""
	for _, c := range all.Commands {
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(groups[group]))
		}
		writeCommand(w, c)
	}
	fmt.Fprint(w, ".SH SEE ALSO\nEvery command has \\-\\-help. docs/cli.md shows them at work.\n")
}

func writeCommand(w io.Writer, c explained) {
	fmt.Fprintf(w, ".SS %s\n", roff(c.Usage))
	writeText(w, c.Help)
	writeParameters(w, c.Arguments)
	writeParameters(w, c.Flags)
	if c.Detail != "" {
		fmt.Fprint(w, ".PP\n")
		writeText(w, c.Detail)
	}
	for _, child := range c.Commands {
		writeCommand(w, child)
	}
}

// writeText writes paragraphs; lines that are indented stay as they are.
func writeText(w io.Writer, text string) {
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		if strings.HasPrefix(part, "  ") {
			part = ".nf\n" + roff(part) + "\n.fi"
		} else {
			part = roff(part)
		}
		fmt.Fprintln(w, part)
	}
}

func writeParameters(w io.Writer, all []parameter) {
	for _, p := range all {
		name := p.Name
		if p.Short != "" {
			name = p.Short + ", " + name
		}
		if p.Value != "" {
			name += " " + p.Value
		}
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(name), roff(p.Help))
	}
}
