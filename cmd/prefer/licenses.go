package main

import (
	_ "embed"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

type licensesCommand struct{}

// notices are the licences of everything in the program, each text once, which redistributors must include. TestLicenses makes and checks the file.
//
//go:embed licenses.txt
var notices string

// noticeLine stands above every notice.
var noticeLine = strings.Repeat("=", 80) + "\n"

type notice struct {
	Of   []noticeOf `json:"of"`
	Text string     `json:"text"`
}

// noticeOf is a module, and the file in it that a licence is from.
type noticeOf struct {
	Module  string `json:"module"`
	Version string `json:"version,omitempty"` // none of prefer itself, and of Go's the one that this is
	File    string `json:"file"`
}

func (o noticeOf) String() string {
	return strings.Join(strings.Fields(o.Module+" "+o.Version+" "+o.File), " ")
}

func readNotices(text string) (all []notice) {
	for _, section := range strings.Split(text, noticeLine)[1:] {
		head, body, _ := strings.Cut(section, "\n\n")
		n := notice{Text: body}
		for line := range strings.Lines(head) {
			words := strings.Fields(line)
			of := noticeOf{Module: words[0], File: words[len(words)-1]}
			if len(words) == 3 {
				of.Version = words[1]
			}
			n.Of = append(n.Of, of)
		}
		all = append(all, n)
	}
	return all
}

func (licensesCommand) Run(s cli.Streams) error { return s.Text(readNotices(notices), notices) }
