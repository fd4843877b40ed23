package main

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"Command to explain, as in \"prefer help ask\" or \"prefer help bench run\"."`
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
	e.Arguments = xslices.Map(n.Positional, func(p *kong.Positional) parameter { return newParameter(p, p.Name) })
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
	p.Words = strings.FieldsFunc(v.Enum, func(r rune) bool { return r == ',' || r == ' ' })
	tag := v.Tag.Get("completion")
	p.File = tag == "file" || strings.HasSuffix(v.Tag.Type, "file") || v.Tag.Type == "path"
	if tag == "choice" {
		p.Words = append(p.Words, xslices.Map(prefer.Choices(), func(k prefer.ChoiceInfo) string { return string(k.Choice) })...)
	}
	return p
}

type manCommand struct{}

// manPage is the manual page of all commands, in the man macros of roff.
//
//go:embed man.tmpl
var manPage string

func (manCommand) Run(s cli.Streams, k *kong.Context) error {
	page, err := template.New("man").Funcs(template.FuncMap{"roff": roff, "paragraphs": roffText, "upper": strings.ToUpper}).Parse(manPage)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := page.Execute(&b, map[string]any{"All": explain(k.Model.Node, ""), "Groups": groups, "Version": cli.ThisBuild().Version}); err != nil {
		return err
	}
	return s.Text(map[string]string{"page": b.String()}, b.String())
}

var lineStart = regexp.MustCompile(`(?m)^[.']`)

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
	return lineStart.ReplaceAllString(b.String(), `\&$0`)
}

// roffText writes paragraphs; lines that are indented stay as they are.
func roffText(text string) string {
	parts := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, part := range parts {
		if parts[i] = roff(part); strings.HasPrefix(part, "  ") {
			parts[i] = ".nf\n" + parts[i] + "\n.fi"
		}
	}
	return strings.Join(parts, "\n.PP\n")
}

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
	Words []string `arg:"" optional:"" passthrough:"" help:"The command line so far."`
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
	next = xslices.Map(at.Commands, func(c explained) parameter {
		return parameter{Name: c.Name[strings.LastIndexByte(c.Name, ' ')+1:], Help: c.Help}
	})
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

func (p parameter) values() (out []parameter) {
	return xslices.Map(p.Words, func(w string) parameter { return parameter{Name: w, Help: p.Help} })
}
