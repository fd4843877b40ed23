package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/schema"
)

//go:embed demos
var demoFiles embed.FS

// Demo is a study that is ready to be answered.
type Demo struct {
	Name     string
	Title    string
	Blurb    string
	Config   prefer.Config
	Settings live.Appearance
	Sample   string // the drawing of one of its options
}

// Demos returns the built-in demonstrations, in the order of the start page.
var Demos = sync.OnceValues(func() ([]Demo, error) {
	var demos []Demo
	for _, name := range []string{"poster", "palette", "creatures"} {
		d, err := readDemo(name)
		if err != nil {
			return nil, fmt.Errorf("page: demonstration %s: %w", name, err)
		}
		demos = append(demos, d)
	}
	return demos, nil
})

func readDemo(name string) (Demo, error) {
	text, err := demoFiles.ReadFile("demos/" + name + ".json")
	if err != nil {
		return Demo{}, err
	}
	var file struct {
		Name, Title, Blurb, Prompt string
		Goal                       int
		Study                      json.RawMessage
		Sample                     prefer.Option
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Demo{}, err
	}
	cfg, err := schema.ReadStudy(bytes.NewReader(file.Study))
	if err != nil {
		return Demo{}, err
	}
	cfg.Prompt = file.Prompt
	svg, err := demoFiles.ReadFile("demos/" + name + ".svg")
	if err != nil {
		return Demo{}, err
	}
	t := live.Template{Kind: "svg", Text: string(svg)}
	return Demo{
		Name: file.Name, Title: file.Title, Blurb: file.Blurb, Config: cfg,
		Settings: live.Appearance{Template: t, Goal: file.Goal},
		Sample:   fill(t, Values(cfg.Space.Items, file.Sample)),
	}, nil
}

// Values returns what a template may use of an option: its parameters, or for an item its ID, text and
// features.
func Values(items []prefer.Item, o prefer.Option) prefer.Option {
	id := o.Item()
	if id == "" || len(items) == 0 {
		return o
	}
	for _, item := range items {
		if item.ID != id {
			continue
		}
		values := prefer.Option{"item": prefer.ValueOf(id), "text": prefer.ValueOf(item.Text)}
		for name, v := range item.Features {
			values[name] = v
		}
		return values
	}
	return o
}
