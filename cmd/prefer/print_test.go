package main

import (
	"bytes"
	"testing"

	"github.com/prefer-bo/prefer"
)

func TestShort(t *testing.T) {
	for want, v := range map[string]prefer.Value{
		"2.915": prefer.ValueOf(2.9152375), "0.1239": prefer.ValueOf(0.12389038), "12345.7": prefer.ValueOf(12345.678), "-12.35": prefer.ValueOf(-12.3456),
		"1e-05": prefer.ValueOf(1e-5), "123456789": prefer.ValueOf(123456789), "0": prefer.ValueOf(0), "oat": prefer.ValueOf("oat"), "true": prefer.ValueOf(true),
	} {
		if got := short(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

// An item's text is shown whole, and cannot steer the terminal.
func TestCardOfItem(t *testing.T) {
	study, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Space{Items: []prefer.Item{
		{ID: "a", Media: "a.png", Text: "two\nlines\x1b[2J", Features: map[string]prefer.Value{"hue": prefer.ValueOf(0.123456), "warm": prefer.ValueOf(true)}},
		{ID: "b", Features: map[string]prefer.Value{"hue": prefer.ValueOf(0), "warm": prefer.ValueOf(true)}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	c := newCards(&b, study)
	c.heading("first")
	c.option(prefer.ItemOption("a"))
	want := "first\n  item   a\n  text   two\n         lines\ufffd[2J\n  media  a.png\n  hue    0.1235\n  warm   true\n"
	if b.String() != want {
		t.Errorf("card is\n%s\nwant\n%s", b.String(), want)
	}
	if got := c.line(prefer.ItemOption("a")); got != "a" {
		t.Errorf("line is %q, want a", got)
	}
}
