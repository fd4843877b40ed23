package histogram

import (
	"strings"
	"testing"
	"time"
)

// TestWrite: a duration is in the bucket that ends with it and in all above, and the sum is theirs.
func TestWrite(t *testing.T) {
	var h Histogram
	for _, d := range []time.Duration{time.Millisecond, 2 * time.Millisecond, 500 * time.Millisecond, time.Minute} {
		h.Add(d)
	}
	for label, want := range map[string][]string{
		"":         {`x_bucket{le="0.001"} 1`, `x_bucket{le="0.0025"} 2`, `x_bucket{le="0.25"} 2`, `x_bucket{le="0.5"} 3`, `x_bucket{le="2.5"} 3`, `x_bucket{le="+Inf"} 4`, "x_sum 60.503", "x_count 4"},
		`of="tea"`: {`x_bucket{of="tea",le="0.001"} 1`, `x_bucket{of="tea",le="+Inf"} 4`, `x_sum{of="tea"} 60.503`, `x_count{of="tea"} 4`},
	} {
		var text strings.Builder
		h.Write(&text, "x", label)
		for _, line := range want {
			if !strings.Contains(text.String(), line+"\n") {
				t.Errorf("no %q in\n%s", line, text.String())
			}
		}
	}
}
