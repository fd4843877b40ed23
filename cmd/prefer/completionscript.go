package main

import (
	"fmt"
	"strings"
)

// step is how a script comes to a command: its parent and one more word.
func (c completed) step() string {
	if strings.Contains(c.path, " ") {
		return c.path
	}
	return " " + c.path
}

// shellPaths is one part that bash and zsh share: it finds the command that the variable words have come to.
func shellPaths(b *strings.Builder, commands []completed) {
	b.WriteString("  for word in \"${words[@]}\"; do\n    case \"$path $word\" in\n")
	for _, c := range commands[1:] {
		fmt.Fprintf(b, "      '%s') path='%s' ;;\n", c.step(), c.path)
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
	b.WriteString("# fish completion of prefer\nfunction __prefer_path\n  set -l path ''\n  for word in (commandline -opc)[2..]\n    switch \"$path $word\"\n")
	for _, c := range commands[1:] {
		fmt.Fprintf(b, "      case %s\n        set path %s\n", quote(c.step()), quote(c.path))
	}
	b.WriteString("    end\n  end\n  echo $path\nend\ncomplete -c prefer -f\n")
	help := map[string]string{}
	for _, c := range commands {
		help[c.path] = c.help
	}
	for _, c := range commands {
		when := fmt.Sprintf("test \"$(__prefer_path)\" = %q", c.path)
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
