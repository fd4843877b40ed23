package figure

import (
	"slices"
	"testing"
)

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		text string
		want []run
	}{
		{"", nil},
		{"kg", []run{{text: "kg"}}},
		{"10^{−2}", []run{{text: "10"}, {text: "−2", shift: raise}}},
		{"~{x}_{1}!", []run{{text: "x", italic: true}, {text: "1", shift: -lower}, {text: "!"}}},
		{"snake_case ~ ^", []run{{text: "snake_case ~ ^"}}},            // no braces: no marks
		{"a_b ~{x}", []run{{text: "a_b "}, {text: "x", italic: true}}}, // a mark after something that is none
		{"open_{1", []run{{text: "open_{1"}}},
	} {
		if got := runs(c.text); !slices.Equal(got, c.want) {
			t.Errorf("runs(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

// Widths of Liberation Sans are Arial's: in 1000ths of the size 556 for a digit, 500 for an x
// (Adobe's Helvetica AFM).
func TestWidth(t *testing.T) {
	l := label{size: 10}
	for text, want := range map[string]float64{"10": 11.12, "x": 5, "10^{2}": 11.12 + smaller*5.56} {
		if got := float64(l.width(text)); got < want-0.02 || got > want+0.02 {
			t.Errorf("width(%q) = %.3f, want %.3f", text, got, want)
		}
	}
}
