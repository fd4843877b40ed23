// Package demo holds the demonstrations, ready to be answered: those with a drawing on a page, the others in a terminal.
package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/space"
)

//go:embed demos
var files embed.FS

// Demo is a study that needs nothing.
type Demo struct {
	Name   string
	Title  string
	Blurb  string // what it finds
	Goal   int    // answers of a first try
	Config prefer.Config

	Drawing string       // template of an option's picture, SVG; empty for options that words can tell
	Sample  space.Option // an option to show in advance; nil without a drawing
}

// Drawn lists the demonstrations for a page, in the order of its start page.
var Drawn = sync.OnceValues(func() ([]Demo, error) { return read("poster", "palette", "creatures", "cup") })

// Worded lists those for a terminal: the first for one with colours, the second for all others.
var Worded = sync.OnceValues(func() ([]Demo, error) { return read("colour", "coffee", "places") })

func read(names ...string) ([]Demo, error) {
	var demos []Demo
	for _, name := range names {
		d, err := readOne(name)
		if err != nil {
			return nil, fmt.Errorf("demo: %s: %w", name, err)
		}
		demos = append(demos, d)
	}
	return demos, nil
}

func readOne(name string) (Demo, error) {
	text, err := files.ReadFile("demos/" + name + ".json")
	if err != nil {
		return Demo{}, err
	}
	var file struct {
		Name, Title, Blurb, Prompt string
		Goal                       int
		Study                      json.RawMessage
		Sample                     space.Option
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Demo{}, err
	}
	cfg, err := exchange.ReadStudy(bytes.NewReader(file.Study))
	if err != nil {
		return Demo{}, err
	}
	cfg.Prompt = file.Prompt
	drawing, err := files.ReadFile("demos/" + name + ".svg")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Demo{}, err
	}
	return Demo{Name: file.Name, Title: file.Title, Blurb: file.Blurb, Goal: file.Goal, Config: cfg, Drawing: string(drawing), Sample: file.Sample}, nil
}
