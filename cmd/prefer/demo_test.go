//go:build unix

package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/space"
)

// The fields on the screen are the colours of the first question.
func TestDemoPaints(t *testing.T) {
	demos, err := demo.Worded()
	if err != nil {
		t.Fatal(err)
	}
	cfg := demos[0].Config
	cfg.Seed = 5
	study, err := prefer.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	q, err := study.Ask(t.Context(), prefer.Request{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, o := range []space.Option{q.First, q.Second} {
		c := terminal.OKLCH(o.Float("lightness"), o.Float("chroma"), o.Float("hue"))
		want[fmt.Sprintf("48;2;%d;%d;%d", c.R, c.G, c.B)] = true
	}
	s := start(t, 80, 24, []string{"COLORTERM=truecolor"}, "demo", "--seed", "5")
	s.until("Which colour")
	s.mu.Lock()
	painted := s.painted
	s.mu.Unlock()
	if !maps.Equal(painted, want) {
		t.Errorf("painted %v, want %v", painted, want)
	}
	s.keys("q")
	s.ends()
}

// Autoplay runs to its end by itself, and the terminal is there again.
func TestDemoAutoplay(t *testing.T) {
	s := start(t, 80, 30, nil, "demo", "places", "--auto", "--seed", "1", "--pace", "1ms")
	if code := s.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.until("Seed 1: the pick is .* of 30")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, want := range []string{"1.  Where", "10.  Where", "the simulated rater says: 1", "the pick ─"} {
		if !strings.Contains(s.shown, want) {
			t.Errorf("it does not show %q", want)
		}
	}
}

// Without colours the first demo is the one of words.
func TestDemoDefault(t *testing.T) {
	s := start(t, 80, 30, []string{"NO_COLOR=1"}, "demo")
	s.until("Which cup")
	s.keys("q")
	s.ends()
}
