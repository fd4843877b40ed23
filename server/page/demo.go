package page

import (
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/live"
)

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
	drawn, err := demo.Drawn()
	if err != nil {
		return nil, err
	}
	var demos []Demo
	for _, d := range drawn {
		t := live.Template{Kind: "svg", Text: d.Drawing}
		demos = append(demos, Demo{
			Name: d.Name, Title: d.Title, Blurb: d.Blurb, Config: d.Config,
			Settings: live.Appearance{Template: t, Goal: d.Goal},
			Sample:   fill(t, Values(d.Config.Space.Items, d.Sample)),
		})
	}
	return demos, nil
})

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
