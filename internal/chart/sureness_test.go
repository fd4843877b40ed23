package chart

import (
	"testing"

	"github.com/prefer-bo/prefer/internal/timeline"
)

// TestSureness: a moment lies at its answers and how sure it was, and says so.
func TestSureness(t *testing.T) {
	got := Sureness{List: []timeline.Moment{{Answers: 1, Confidence: 0.25}, {Answers: 2, Confidence: 1}}, Target: 0.9, Axis: "answers", Label: "<sure>",
		Say: func(r timeline.Moment) string { return "after " + string(rune('0'+r.Answers)) }}.HTML()
	// 0 to 2 answers from 46 to 428, 0 to 1 from 176 to 26.
	has(t, got, `class="curve" d="M237 138.5L428 26"`, `class="mark" x1="46" y1="41"`, "after 2", "&lt;sure&gt;", ">1</text>")
}
