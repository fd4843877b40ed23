package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"
)

type manCommand struct{}

func (manCommand) Run(s streams, k *kong.Context) error {
	var b strings.Builder
	writeMan(&b, explain(k.Model.Node, ""), thisBuild().Version)
	return s.text(map[string]string{"page": b.String()}, b.String())
}

// roff makes text safe: a backslash and a dash are escapes, a dot or a quote at the beginning of a line is a request, and
// what is not ASCII has a name.
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

// writeCommand writes what is said about a command, and those below it.
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
