package prefer

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

func TestConfigDefaults(t *testing.T) {
	c := Config{Space: unitSquare()}.withDefaults()
	if c.Method != "kg" || c.Initial != 4 || c.Separation != 0.02 || c.Confidence != 0.9 || c.LookAhead != 1 || c.Repeats || c.Now == nil {
		t.Errorf("defaults are %+v", c)
	}
	if !c.Model.Answers.Ties || c.Model.Answers.Grades != 0 || c.Model.Noise != 1 || c.Model.Inference != gp.EP {
		t.Errorf("the default model is %+v", c.Model)
	}
	seven := space.Box()
	for _, n := range strings.Split("abcdefg", "") {
		seven.Parameters = append(seven.Parameters, space.Float(n, 0, 1))
	}
	if got := (Config{Space: seven}).withDefaults().Initial; got != 7 {
		t.Errorf("Initial in seven dimensions = %d, want 7", got)
	}
	if got := (Config{Space: seven, Initial: -1}).withDefaults().Initial; got != -1 {
		t.Errorf("Initial = -1 became %d", got)
	}
	if got := (Config{Space: seven, Modelling: Modelling{Model: gp.Model{Noise: 0.3}}}).withDefaults().LookAhead; got != 0.3 {
		t.Errorf("LookAhead = %g, want the model's noise 0.3", got)
	}
	if m := (Config{Space: seven, Answers: Answers{Forced: true, Grades: 2}}).withDefaults().Model.Answers; m.Ties || m.Grades != 2 {
		t.Errorf("the model's answers are %+v, want no ties and two grades", m)
	}
}

// TestConfigJSON: what a log keeps, defaults spelled out, says the same when it is read again.
func TestConfigJSON(t *testing.T) {
	for _, c := range []Config{
		{Space: unitSquare()},
		{Space: space.Box(space.LogFloat("gain", 0.1, 30)), Answers: Answers{Forced: true, Grades: 3}, Method: "eubo", Seed: math.MaxUint64,
			Initial: -1, Modelling: Modelling{LookAhead: 0.1, Model: gp.Model{Inference: gp.Variational, Noise: 0.5, Lengthscale: gp.LogNormal(-1.2, 0.1), Outputscale: gp.Flat(), MaxEvals: 7}, Search: acquisition.Search{Candidates: 5, Starts: 3, Finalists: 2, Evals: 17, Workers: 2}}, Separation: -1, Repeats: true, Confidence: 0.99,
		},
	} {
		full := c.withDefaults()
		data, err := json.Marshal(full)
		if err != nil {
			t.Fatal(err)
		}
		var back Config
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		full.Now = nil
		if !reflect.DeepEqual(back, full) {
			t.Errorf("read back as\n%+v, want\n%+v", back, full)
		}
		again := back.withDefaults()
		again.Now = nil
		if !reflect.DeepEqual(again, full) {
			t.Errorf("defaults of defaults are\n%+v, want\n%+v", again, full)
		}
	}
}

func TestConfigValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		want   string
		change func(*Config)
	}{
		{"no parameters", func(c *Config) { c.Space = space.Space{} }},
		{"Grades = -1", func(c *Config) { c.Answers.Grades = -1 }},
		{"Grades = 10", func(c *Config) { c.Answers.Grades = 10 }},
		{`Method = "guess"`, func(c *Config) { c.Method = "guess" }},
		{"Separation = 0.6", func(c *Config) { c.Separation = 0.6 }},
		{"Separation = NaN", func(c *Config) { c.Separation = nan }},
		{"Separation = -Inf", func(c *Config) { c.Separation = math.Inf(-1) }},
		{"LookAhead = -1", func(c *Config) { c.LookAhead = -1 }},
		{"LookAhead = +Inf", func(c *Config) { c.LookAhead = math.Inf(1) }},
		{"Confidence = 1", func(c *Config) { c.Confidence = 1 }},
		{"Confidence = NaN", func(c *Config) { c.Confidence = nan }},
		{"Noise = -2", func(c *Config) { c.Model.Noise = -2 }},
		{"Starts = -3", func(c *Config) { c.Search.Starts = -3 }},
	} {
		cfg := Config{Space: unitSquare()}
		if err := cfg.Validate(); err != nil {
			t.Fatal(err)
		}
		c.change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
		if s, err := New(ctx, cfg); err == nil || s != nil {
			t.Errorf("New accepts a config with %s", c.want)
		}
	}
}

// TestConfigIsCopied: a study keeps its space when the caller goes on using theirs.
func TestConfigIsCopied(t *testing.T) {
	cfg := Config{Space: unitSquare()}
	s := start(t, cfg)
	cfg.Space.Parameters[0].High = 100
	s.Config().Space.Parameters[0].High = 200
	if got := s.Config().Space.Parameters[0].High; got != 1 {
		t.Errorf("the study's range now ends at %g", got)
	}
	if got := s.Events(0)[0].Created.Config.Space.Parameters[0].High; got != 1 {
		t.Errorf("the log's range now ends at %g", got)
	}
}

// TestConfigFlat: Modelling is flat in JSON, in the order of old logs, and what HTML would escape stays as it is in a log.
func TestConfigFlat(t *testing.T) {
	c := Config{Space: unitSquare(), Prompt: "<b> & \u2028", Modelling: Modelling{Margin: 0.1, Mixture: 3, BothBad: "tie"}, Budget: 7}
	line, err := Event{Seq: 1, Kind: kindCreated, Created: &createdEvent{Config: c}}.Line()
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, part := range []string{`"space":{`, `"prompt":"<b> & `, `"answers":`, `"model":{`, `"mixture":3`, `"margin":0.1`, `"search":`, `"budget":7`, `"both_bad":"tie"`} {
		at := strings.Index(string(line), part)
		if at <= last {
			t.Errorf("%s stands at %d, after %d, in %s", part, at, last, line)
		}
		last = at
	}
	back, err := ReadEvent(line)
	if err != nil || back.Created.Config.Mixture != 3 || back.Created.Config.Prompt != c.Prompt {
		t.Errorf("read again: %+v, %v", back.Created, err)
	}
}
