package simulate

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
)

// TestParts: parts made one by one, after a trip through JSON, add up to what Run returns, and the parts of a
// smaller simulation are the first of a larger one.
func TestParts(t *testing.T) {
	ctx := context.Background()
	c := Config{Study: forced(prefer.Box(prefer.Float("x", 0, 1))), Raters: 3, Noise: []Noise{Prior, {ErrorRate: 0.2}}, MaxQuestions: 5, Seed: 9}
	want, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	parts := make([]*One, c.Parts())
	for _, p := range []int{4, 0, 5, 2, 1, 3} {
		few := c
		few.Raters = p/2 + 1
		one, err := Part(ctx, few, p)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		parts[p] = new(One)
		if err := json.Unmarshal(text, parts[p]); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Merge(c, parts)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Run and the sum of its parts differ:\n%s", d)
	}
	parts[3] = nil // rater 1 at the second level
	got, err = Merge(c, parts)
	if err != nil {
		t.Fatal(err)
	}
	var there []int
	for _, p := range got.Levels[1].People {
		there = append(there, p.Rater)
	}
	if !slices.Equal(there, []int{0, 2}) || got.Levels[0].Finished != 3 {
		t.Errorf("without part 3 the second level has raters %v and the first %d, want [0 2] and 3", there, got.Levels[0].Finished)
	}
	if _, err := Merge(c, parts[1:]); err == nil || !strings.Contains(err.Error(), "5 parts, want 6") {
		t.Errorf("five of six parts: %v", err)
	}
	if _, err := Part(ctx, c, -1); err == nil {
		t.Error("part -1 is no error")
	}
}

// TestNoiseJSON: what is written can be read.
func TestNoiseJSON(t *testing.T) {
	want := []Noise{Prior, Low, High, {ErrorRate: 0.125}, {Sigma: 0.3}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got []Noise
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s is read as\n%s", text, d)
	}
	for _, bad := range []string{`"loud"`, `3`, `"60%"`} {
		if err := json.Unmarshal([]byte(bad), &got[0]); err == nil {
			t.Errorf("%s is taken for %v", bad, got[0])
		}
	}
}
