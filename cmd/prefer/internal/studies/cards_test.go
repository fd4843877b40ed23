package studies

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/space"
)

func TestShort(t *testing.T) {
	for want, v := range map[string]space.Value{
		"2.915": space.ValueOf(2.9152375), "0.1239": space.ValueOf(0.12389038), "12345.7": space.ValueOf(12345.678), "-12.35": space.ValueOf(-12.3456),
		"1e-05": space.ValueOf(1e-5), "123456789": space.ValueOf(123456789), "0": space.ValueOf(0), "oat": space.ValueOf("oat"), "true": space.ValueOf(true),
	} {
		if got := short(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

// An item's text is shown whole, and cannot steer the terminal.
func TestCardOfItem(t *testing.T) {
	study, err := prefer.New(t.Context(), prefer.Config{Space: space.Space{Items: []space.Item{
		{ID: "a", Media: "a.png", Text: "two\nlines\x1b[2J", Features: map[string]space.Value{"hue": space.ValueOf(0.123456), "warm": space.ValueOf(true)}},
		{ID: "b", Features: map[string]space.Value{"hue": space.ValueOf(0), "warm": space.ValueOf(true)}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	c := newCards(&b, study)
	table := cli.NewTable(&b)
	fmt.Fprintf(table, "first\n%s", c.card(space.ItemOption("a")))
	table.Flush()
	want := "first\n  item   a\n  text   two\n         lines\ufffd[2J\n  media  a.png\n  hue    0.1235\n  warm   true\n"
	if b.String() != want {
		t.Errorf("card is\n%s\nwant\n%s", b.String(), want)
	}
	if got := c.line(space.ItemOption("a")); got != "a" {
		t.Errorf("line is %q, want a", got)
	}
}
