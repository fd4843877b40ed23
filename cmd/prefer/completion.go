package main

import (
	"fmt"
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
	commands := completions(k.Model.Node)
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
func completions(n *kong.Node) []completed {
	return completionsBelow(n, "")
}

func completionsBelow(n *kong.Node, path string) []completed {
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
		below = append(below, completionsBelow(child, strings.TrimSpace(path+" "+child.Name))...)
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

// paths is the part bash and zsh share: which command the words so far have come to, given the words in the
// variable words and the index of the current one in last.
func shellPaths(b *strings.Builder, commands []completed) {
	b.WriteString("  for word in \"${words[@]}\"; do\n    case \"$path $word\" in\n")
	for _, c := range commands {
		if c.path == "" {
			continue
		}
		parent, name := "", c.path
		if i := strings.LastIndexByte(c.path, ' '); i >= 0 {
			parent, name = c.path[:i], c.path[i+1:]
		}
		fmt.Fprintf(b, "      '%s %s') path='%s' ;;\n", parent, name, c.path)
	}
	b.WriteString("    esac\n  done\n")
}

// shellValues is the other part they share: what may follow a flag, given in prev. It sets reply, or files.
func shellValues(b *strings.Builder, commands []completed) {
	b.WriteString("  case \"$path $prev\" in\n")
	for _, c := range commands {
		for _, f := range c.flags {
			switch {
			case len(f.words) > 0:
				fmt.Fprintf(b, "    '%s %s') reply='%s'; value=1 ;;\n", c.path, f.name, strings.Join(f.words, " "))
			case f.file:
				fmt.Fprintf(b, "    '%s %s') files=1; value=1 ;;\n", c.path, f.name)
			case f.value:
				fmt.Fprintf(b, "    '%s %s') value=1 ;;\n", c.path, f.name)
			}
		}
	}
	b.WriteString("  esac\n  if [[ -z $value ]]; then\n    case \"$path\" in\n")
	for _, c := range commands {
		words := strings.Join(append(append([]string{}, c.children...), c.words...), " ")
		files := ""
		if c.file {
			files = " files=1;"
		}
		fmt.Fprintf(b, "      '%s') reply='%s'; flags='%s';%s ;;\n", c.path, words, c.flagNames(), files)
	}
	b.WriteString("    esac\n    [[ $cur == -* ]] && reply=$flags files=\n  fi\n")
}

func bashCompletion(b *strings.Builder, commands []completed) {
	b.WriteString("# bash completion of prefer; load it with: source <(prefer completion bash)\n_prefer() {\n" +
		"  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= word= reply= flags= files= value=\n" +
		"  local words=(\"${COMP_WORDS[@]:1:COMP_CWORD-1}\")\n")
	shellPaths(b, commands)
	shellValues(b, commands)
	b.WriteString("  COMPREPLY=($(compgen -W \"$reply\" -- \"$cur\"))\n" +
		"  if [[ -n $files ]]; then\n    compopt -o filenames 2>/dev/null\n    COMPREPLY+=($(compgen -f -- \"$cur\"))\n  fi\n}\ncomplete -F _prefer prefer\n")
}

func zshCompletion(b *strings.Builder, commands []completed) {
	b.WriteString("#compdef prefer\n_prefer() {\n" +
		"  local cur=${words[CURRENT]} prev=${words[CURRENT-1]} path_= word= reply= flags= files= value=\n" +
		"  local line=(\"${(@)words[2,CURRENT-1]}\")\n")
	var shared strings.Builder
	shellPaths(&shared, commands)
	shellValues(&shared, commands)
	// In zsh path is the search path of commands, and words is what was typed.
	b.WriteString(strings.NewReplacer("\"${words[@]}\"", "\"${line[@]}\"", "$path", "$path_", " path='", " path_='").Replace(shared.String()))
	b.WriteString("  compadd -- ${=reply}\n  [[ -n $files ]] && _files\n}\n" +
		"if [[ $funcstack[1] == _prefer ]]; then _prefer; else compdef _prefer prefer; fi\n")
}

func fishCompletion(b *strings.Builder, commands []completed) {
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	b.WriteString("# fish completion of prefer\ncomplete -c prefer -f\n")
	help := map[string]string{}
	for _, c := range commands {
		help[c.path] = c.help
	}
	for _, c := range commands {
		when := "__fish_use_subcommand"
		if c.path != "" {
			var seen []string
			for _, word := range strings.Fields(c.path) {
				seen = append(seen, "__fish_seen_subcommand_from "+word)
			}
			when = strings.Join(seen, "; and ")
		}
		for _, child := range c.children {
			fmt.Fprintf(b, "complete -c prefer -n %s -a %s -d %s\n", quote(when), child, quote(help[strings.TrimSpace(c.path+" "+child)]))
		}
		if len(c.words) > 0 {
			fmt.Fprintf(b, "complete -c prefer -n %s -a %s\n", quote(when), quote(strings.Join(c.words, " ")))
		}
		if c.file {
			fmt.Fprintf(b, "complete -c prefer -n %s -F\n", quote(when))
		}
		for _, f := range c.flags {
			more := ""
			switch {
			case len(f.words) > 0:
				more = " -x -a " + quote(strings.Join(f.words, " "))
			case f.file:
				more = " -r -F"
			case f.value:
				more = " -x"
			}
			fmt.Fprintf(b, "complete -c prefer -n %s -l %s%s -d %s\n", quote(when), strings.TrimPrefix(f.name, "--"), more, quote(f.help))
		}
	}
}
