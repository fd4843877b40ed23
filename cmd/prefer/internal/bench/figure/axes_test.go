package figure

import (
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/chart"
)

// square returns axes on a box of 100 points at (20, 30), on a page of its own.
func square(x, y chart.Scale) axes { return box(chart.NewPage(150, 150, ""), 20, 30, 100, 100, x, y) }

func TestAt(t *testing.T) {
	a := square(chart.Scale{Low: -1, High: 1}, chart.Scale{Low: 1e-2, High: 1, Log: true})
	got := a.path([]float64{-1, 0, 1}, []float64{1e-2, 1e-1, 1})
	if want := [][2]float64{{20, 130}, {70, 80}, {120, 30}}; !slices.Equal(got, want) {
		t.Errorf("path = %v, want %v", got, want)
	}
}

func TestFrame(t *testing.T) {
	a := square(chart.Scale{High: 100}, chart.Scale{Low: 1e-2, High: 1, Log: true})
	a.title, a.note, a.xLabel, a.yLabel = "Title", "note", "questions", "gap"
	a.frame(true)
	_, texts := render(t, document(a.Drawing))
	want := "0 50 100 0.01 0.02 0.05 0.1 0.2 0.5 1 questions gap Title note"
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("texts %q, want %q", got, want)
	}
	bare := square(chart.Scale{High: 100}, chart.Scale{Low: 1e-2, High: 1, Log: true})
	bare.bareY = true
	bare.frame(true)
	if _, texts := render(t, document(bare.Drawing)); strings.Join(texts, " ") != "0 50 100" {
		t.Errorf("texts %q without those of y", texts)
	}
}
